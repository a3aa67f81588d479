//! POST /api/v1/me/reviews: reviews a purchase of mine that is final. Decided from the order's own stream, which may not move
//! meanwhile.

use axum::extract::State;
use domain::catalogue::Picture;
use domain::forms::{FormErrors, Validate};
use domain::order::Order;
use domain::record::RecordCommand;
use domain::review::Review;
use event_store::StreamId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{LoadedReview, MyReviewAnswer, ReviewForm, id_of_review};
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, Code, CurrentMember, Respond, ValidJson,
};
use crate::me::purchases::show::order_no_of;
use application::executor::CommandContext;
use application::orders::find::FoundOrder;

/// A review to be written.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct NewReview {
    /// The purchase.
    #[serde(rename = "_purchase")]
    purchase: String,
    /// One to five.
    star: u8,
    /// In a line.
    subject: String,
    /// In full.
    content: String,
    /// Pictures, as giving them answered.
    #[serde(default)]
    images: Vec<Picture>,
}

impl Validate for NewReview {
    /// The rules are the record's own.
    fn check(&self, _checks: &mut FormErrors) {}
}

#[derive(Serialize, Deserialize)]
struct WriteReviewResult {
    id: uuid::Uuid,
}

/// Review a purchase. One that was removed by its writer may be written again.
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
    let order_no = order_no_of(&purchase_no)?;
    let said = ReviewForm {
        star: body.star,
        subject: body.subject,
        content: body.content,
        images: body.images,
    };
    let command = CommandContext::new("write-review", who.actor(), &origin);
    let done = app.executor.transact(&command, |context| {
        let (app, purchase_no, said) = (&app, &purchase_no, &said);
        async move {
            let order = FoundOrder::by_id_or_no(app, order_no).await?;
            let state = &order.order.state;
            let review = Review::of_purchase(state, purchase_no, member, said.words())?;
            let found = LoadedReview::by_id(app, id_of_review(purchase_no)).await?;
            let act = match &found.row {
                None => RecordCommand::Create(Box::new(review)),
                Some(row) if !row.removed => return Err(AppError::new(Code::ReviewWritten)),
                Some(row) if row.barred => return Err(AppError::new(Code::NotAllowedNow)),
                Some(row) => {
                    let again = row.review()?.saying(said.words());
                    RecordCommand::Restore(document(&again)?)
                }
            };
            found
                .change(act, &context)?
                .require(StreamId::of::<Order>(order.id), order.order.version)
                .with_result(WriteReviewResult { id: found.id })
        }
    });
    let done = done.await?;
    let WriteReviewResult { id } = done.result()?;
    let shown = LoadedReview::own(&app, id, member)
        .await?
        .shown(&app)
        .await?;
    Ok(done.created(shown))
}

/// A review as its document.
pub(super) fn document(review: &Review) -> AppResult<domain::record::Document> {
    let value = serde_json::to_value(review)?;
    Ok(value.as_object().cloned().unwrap_or_default())
}
