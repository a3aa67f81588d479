//! POST /api/v1/shop/inquires: asks about a product that is on show.

use axum::extract::State;
use domain::forms::{FormErrors, Validate};
use domain::ids::ProductId;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{InquireAnswer, own};
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppResult, CurrentMember, RequestMeta, Respond, ValidJson,
};
use application::executor::CommandContext;
use application::inquires::{self, InquireWords};

/// An inquiry to be made.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct NewInquire {
    /// About this product.
    #[serde(rename = "_product")]
    product: ProductId,
    /// In a line.
    subject: String,
    /// In full.
    content: String,
    /// Only I, the seller and staff may read it.
    #[serde(default)]
    secret: bool,
}

impl Validate for NewInquire {
    /// The rules are the question's own.
    fn check(&self, _checks: &mut FormErrors) {}
}

/// Ask about a product.
#[utoipa::path(
    post, path = "/api/v1/shop/inquires", tag = "shop", operation_id = "ask", security(("access" = [])), request_body = NewInquire,
    responses((status = CREATED, body = InquireAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn ask(
    State(app): State<AppState>,
    who: CurrentMember,
    ValidJson { body, origin }: ValidJson<NewInquire>,
) -> ApiResult<ApiResponse<InquireAnswer>> {
    Ok(create_inquire(&app, &who, body, &origin).await?)
}

/// Asks.
///
/// # Errors
/// `not_found` for a product nobody sees; `invalid`.
pub(crate) async fn create_inquire(
    app: &AppState,
    who: &CurrentMember,
    body: NewInquire,
    origin: &RequestMeta,
) -> AppResult<ApiResponse<InquireAnswer>> {
    let words = InquireWords {
        subject: body.subject,
        content: body.content,
        secret: body.secret,
    };
    let command = CommandContext::new("ask", who.actor(), origin);
    let asked = inquires::ask(app, &command, who.member(), body.product, &words);
    let (id, done) = asked.await?;
    Ok(done.created(own(app, id, &who.0).await?))
}
