//! GET /api/v1/banners/{code}: the slides of a place.

use axum::extract::State;
use domain::storefront::{Banner, Device};
use projections::records;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, Path, Query};

/// Screen a banner is for.
#[derive(Deserialize, IntoParams)]
pub struct BannerQuery {
    /// The kind of screen; default: `PC`.
    #[serde(default)]
    device: Device,
}

/// A banner.
#[derive(Serialize, ToSchema)]
pub struct BannerView {
    /// Id of the record.
    #[serde(rename = "_id")]
    id: String,
    /// Its document.
    #[serde(flatten)]
    banner: Banner,
}

/// The banner of a place.
#[derive(Serialize, ToSchema)]
pub struct BannerAnswer {
    /// The banner; null if none is visible there now.
    banner: Option<BannerView>,
}

/// The banner of a place.
#[utoipa::path(
    get, path = "/api/v1/banners/{code}", tag = "shop", operation_id = "showBanner", params(("code" = String, Path), BannerQuery),
    responses((status = OK, body = BannerAnswer))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    Path(code): Path<String>,
    Query(query): Query<BannerQuery>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<BannerAnswer>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let now = app.clock.now();
    let found = records::all::<Banner>(app.pool()).await?.into_iter();
    let mut fitting = found.filter(|found| {
        let banner = &found.data;
        banner.code == code && banner.device == query.device && banner.display.shown_at(now)
    });
    let banner = fitting.next().map(|found| BannerView {
        id: found.id,
        banner: found.data,
    });
    Ok(fresh.answer(BannerAnswer { banner }))
}
