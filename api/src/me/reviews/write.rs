//! POST /api/v1/me/reviews: reviews a confirmed purchase.

use axum::extract::State;
use domain::catalogue::Picture;
use domain::forms::{FormErrors, Validate};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{MyReviewAnswer, ReviewForm, own};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, CurrentMember, Respond, ValidJson};
use application::executor::CommandContext;
use application::reviews;

/// A new review.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct NewReview {
    /// Number of the purchase.
    #[serde(rename = "_purchase")]
    purchase: String,
    /// One to five stars.
    star: u8,
    /// One-line summary.
    subject: String,
    /// Full text.
    content: String,
    /// Pictures, as returned by their upload.
    #[serde(default)]
    images: Vec<Picture>,
}

impl Validate for NewReview {
    /// The rules are those of the review record.
    fn check(&self, _checks: &mut FormErrors) {}
}

/// Review a purchase. A review that was removed by its author may be written again.
#[utoipa::path(
    post, path = "/api/v1/me/reviews", tag = "me", operation_id = "writeReview", security(("access" = [])), request_body = NewReview,
    responses(
        (status = CREATED, body = MyReviewAnswer),
        (status = NOT_FOUND, description = "not_found"),
        (status = CONFLICT, description = "purchase_not_confirmed, review_written, not_allowed_now")
    )
)]
pub(crate) async fn write(
    State(app): State<AppState>,
    who: CurrentMember,
    ValidJson { body, origin }: ValidJson<NewReview>,
) -> ApiResult<ApiResponse<MyReviewAnswer>> {
    let member = who.member();
    let purchase_no = body.purchase.trim().to_uppercase();
    let form = ReviewForm {
        star: body.star,
        subject: body.subject,
        content: body.content,
        images: body.images,
    };
    let command = CommandContext::new("write-review", who.actor(), &origin);
    let (id, done) = reviews::write(&app, &command, member, &purchase_no, form.words()).await?;
    Ok(done.created(own(&app, id, member).await?))
}
