//! POST /api/v1/shop/inquires: creates an inquiry about a product that is on display.

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

/// A new inquiry.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct NewInquire {
    /// Id of the product.
    #[serde(rename = "_product")]
    product: ProductId,
    /// One-line summary.
    subject: String,
    /// Full text.
    content: String,
    /// Whether only the member, the seller and staff may read it.
    #[serde(default)]
    secret: bool,
}

impl Validate for NewInquire {
    /// The rules are those of the question.
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

/// Creates the inquiry.
///
/// # Errors
/// `not_found` for a product that is not visible; `invalid`.
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
