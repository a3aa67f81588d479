//! POST /api/v1/shop/inquires: asks about a product that is on show.

use axum::extract::State;
use domain::catalogue::Product;
use domain::event::Decider;
use domain::forms::{FormErrors, Validate};
use domain::ids::ProductId;
use domain::inquire::{AnswerState, Inquire};
use domain::record::{Record, RecordCommand};
use event_store::{Expected, StreamAppend};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{InquireAnswer, InquireForm, own};
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, CurrentMember, RequestMeta, Respond, ValidJson,
};
use application::executor::{AppendBatch, CommandContext};

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

#[derive(Serialize, Deserialize)]
struct Asking {
    id: Uuid,
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
    let member = who.member();
    let form = InquireForm {
        subject: body.subject,
        content: body.content,
        secret: body.secret,
    };
    let question = form.sealed(app, member).await?;
    let id = Uuid::now_v7();
    let command = CommandContext::new("ask", who.actor(), origin);
    let done = app.executor.transact(&command, |context| {
        let question = question.clone();
        async move {
            let product = app
                .store
                .load::<Record<Product>>(&body.product.to_string())
                .await?;
            let about = product.state.data()?;
            if !about.shows {
                return Err(AppError::not_found());
            }
            let inquire = Inquire {
                user: member,
                seller: about.seller,
                product: body.product,
                name: about.name,
                question,
                secret: body.secret,
                reply: String::new(),
                state: AnswerState::AnswerAwaiting,
            };
            let act = RecordCommand::Create(Box::new(inquire));
            let events = Record::<Inquire>::default().decide(act, &context)?;
            let made = StreamAppend::new::<Record<Inquire>>(id, Expected::NoStream, &events)?;
            AppendBatch::of([made]).with_result(Asking { id })
        }
    });
    let done = done.await?;
    let Asking { id } = done.result()?;
    Ok(done.created(own(app, id, &who.0).await?))
}
