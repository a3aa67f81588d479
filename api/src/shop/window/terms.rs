//! GET /api/v1/terms/{code}: terms in the edition in force.

use axum::extract::State;
use domain::storefront::Terms;
use projections::records;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, ConsistencyToken, Path};

/// An edition of terms.
#[derive(Serialize, ToSchema)]
pub struct TermsView {
    /// Id of the record.
    #[serde(rename = "_id")]
    id: String,
    /// Its document.
    #[serde(flatten)]
    terms: Terms,
}

/// Terms in the edition in force.
#[derive(Serialize, ToSchema)]
pub struct TermsAnswer {
    /// The terms.
    terms: TermsView,
}

/// Terms.
#[utoipa::path(
    get, path = "/api/v1/terms/{code}", tag = "shop", operation_id = "showTerms", params(("code" = String, Path)),
    responses((status = OK, body = TermsAnswer), (status = NOT_FOUND, description = "not_found: none is in force"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    Path(code): Path<String>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<TermsAnswer>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let editions = records::all::<Terms>(app.pool()).await?;
    let texts = editions.iter().map(|found| &found.data);
    let in_force = Terms::in_force(texts, &code, app.clock.now());
    let found = editions
        .iter()
        .find(|found| Some(&found.data) == in_force)
        .ok_or_else(AppError::not_found)?;
    let terms = TermsView {
        id: found.id.clone(),
        terms: found.data.clone(),
    };
    Ok(fresh.answer(TermsAnswer { terms }))
}
