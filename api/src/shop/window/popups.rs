//! GET /api/v1/popups: popups of the home page.

use axum::extract::State;
use domain::storefront::Popup;
use projections::records;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken};

/// A popup.
#[derive(Serialize, ToSchema)]
pub struct PopupView {
    /// Id of the record; the cookie that hides it is named after it (spec V123).
    #[serde(rename = "_id")]
    id: String,
    /// Its document.
    #[serde(flatten)]
    popup: Popup,
}

/// The visible popups.
#[derive(Serialize, ToSchema)]
pub struct Popups {
    /// The popups, oldest first.
    popups: Vec<PopupView>,
}

/// Popups.
#[utoipa::path(get, path = "/api/v1/popups", tag = "shop", operation_id = "listPopups", responses((status = OK, body = Popups)))]
pub(crate) async fn list(
    State(app): State<AppState>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Popups>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let now = app.clock.now();
    let popups = records::all::<Popup>(app.pool())
        .await?
        .into_iter()
        .filter(|found| found.data.display.shown_at(now))
        .map(|found| PopupView {
            id: found.id,
            popup: found.data,
        })
        .collect();
    Ok(fresh.answer(Popups { popups }))
}
