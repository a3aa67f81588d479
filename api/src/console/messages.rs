//! /api/console/messages: the state of each message, for staff; sending again what was given up, and
//! lifting the stop of an address that bounced. Receivers and texts are not shown.

use application::executor::CommandContext;
use application::messages::{self as outbox, stops};
use axum::extract::State;
use domain::forms::{FormErrors, MEMO, Validate};
use domain::ids::MessageId;
use domain::message::{Channel, Message, MessageState, Template, TemplateVersion};
use event_store::StreamId;
use projections::messages::{self, MessageFilter, MessageRow, message_list};
use projections::orders;
use projections::state::stopped_addresses::stopping;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, ConsistencyToken, Page, Path, Query, RequestMeta,
    Respond, Staff, Summary, ValidJson, routes,
};

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(resend))
        .routes(routes!(release))
}

/// Filters of the list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MessageListQuery {
    /// Only in this state.
    #[param(inline)]
    state: Option<MessageState>,
    /// Only by this channel.
    #[param(inline)]
    channel: Option<Channel>,
    /// Only from this template.
    #[param(inline)]
    template: Option<Template>,
    /// Only about this order or member.
    about: Option<Uuid>,
}

/// What a message is about.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageSubject {
    /// `order` or `member`.
    kind: String,
    /// Its id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The order number.
    order_no: Option<String>,
    /// The event that led to the message; none if it was asked for.
    #[serde(rename = "_event")]
    event: Option<Uuid>,
}

/// A message.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageView {
    /// Id.
    #[serde(rename = "_id")]
    id: MessageId,
    /// The way it travels.
    channel: Channel,
    /// Code of the template.
    template: Template,
    /// Korean title of the template.
    title: &'static str,
    /// Its state.
    state: MessageState,
    /// What it is about.
    cause: MessageSubject,
    /// Attempts begun.
    attempts: u32,
    /// Why the last attempt failed, or why it was given up.
    reason: Option<String>,
    /// The server's reply code then.
    code: Option<u16>,
    /// The server's id of it, once sent.
    queue_id: Option<String>,
    /// The template record the last attempt was written from; none: the built-in text.
    text: Option<TemplateVersion>,
    /// Whether mail to its address is stopped because it bounced.
    stops_address: bool,
    /// When it is tried next.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    due_at: Option<OffsetDateTime>,
    /// When it was requested.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    created_at: OffsetDateTime,
    /// Time of the last change.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    changed_at: OffsetDateTime,
    /// Whether it can be sent again.
    resendable: bool,
}

impl MessageView {
    fn of(row: MessageRow, order_no: Option<String>, stopping: &[MessageId]) -> Self {
        Self {
            stops_address: stopping.contains(&row.id),
            text: row
                .text_record
                .zip(row.text_version)
                .map(|(record, version)| TemplateVersion { record, version }),
            id: row.id,
            channel: row.channel,
            template: row.template,
            title: row.template.title(),
            state: row.state,
            cause: MessageSubject {
                kind: row.cause_kind,
                id: row.cause,
                order_no,
                event: row.cause_event,
            },
            attempts: row.attempts,
            reason: row.reason,
            code: row.code,
            queue_id: row.queue_id,
            due_at: row.due_at,
            created_at: row.created_at,
            changed_at: row.changed_at,
            resendable: row.state.is_resendable(),
        }
    }
}

/// A page of messages.
#[derive(Serialize, ToSchema)]
pub struct MessageListAnswer {
    summary: Summary,
    /// The page, newest first.
    messages: Vec<MessageView>,
}

/// One message.
#[derive(Serialize, ToSchema)]
pub struct MessageAnswer {
    /// The message.
    message: MessageView,
}

/// Messages to members and guests, newest first.
#[utoipa::path(
    get, path = "/api/console/messages", tag = "console", operation_id = "listConsoleMessages",
    params(MessageListQuery, Page), security(("access" = [])), responses((status = OK, body = MessageListAnswer))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    _who: Staff,
    Query(query): Query<MessageListQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<MessageListAnswer>> {
    let fresh = wait.until(&app, &[messages::NAME, orders::NAME]).await?;
    let filter = MessageFilter {
        states: query.state.into_iter().collect(),
        channel: query.channel,
        template: query.template,
        cause: query.about,
    };
    let found = message_list(app.pool(), &filter, page.into()).await?;
    let summary = Summary::of(&found);
    let about: Vec<Uuid> = found.rows.iter().map(|row| row.cause).collect();
    let numbers = messages::order_numbers(app.pool(), &about).await?;
    let ids: Vec<MessageId> = found.rows.iter().map(|row| row.id).collect();
    let stopping = stopping(app.pool(), &ids).await?;
    let rows = found.rows.into_iter();
    let messages = rows.map(|row| {
        let number = numbers.get(&row.cause).cloned();
        MessageView::of(row, number, &stopping)
    });
    Ok(fresh.answer(MessageListAnswer {
        summary,
        messages: messages.collect(),
    }))
}

/// Send a message again that was given up, refused, or whose outcome is unknown: a text after its gateway was asked, mail perhaps twice.
#[utoipa::path(
    post, path = "/api/console/messages/{id}/resend", tag = "console", operation_id = "resendConsoleMessage",
    params(("id" = MessageId, Path)), security(("access" = [])),
    responses(
        (status = OK, body = MessageAnswer),
        (status = NOT_FOUND, description = "not_found"),
        (status = CONFLICT, description = "not_allowed_now: it was sent, is being sent, or its link is not valid any more")
    )
)]
pub(crate) async fn resend(
    State(app): State<AppState>,
    who: Staff,
    Path(id): Path<MessageId>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<MessageAnswer>> {
    let command = CommandContext::new("resend-message", who.actor(), &origin);
    let done = outbox::resend(&app, &command, id).await?;
    Ok(done.answer(answer(&app, id).await?))
}

/// Why a stop is lifted.
#[derive(Deserialize, ToSchema)]
pub struct ReleaseForm {
    /// The reason, for the shop itself.
    memo: String,
}

impl Validate for ReleaseForm {
    fn check(&self, checks: &mut FormErrors) {
        checks.text("memo", &self.memo, MEMO);
    }
}

/// Lift the stop of mail to the address of a message that bounced because there is no such address.
#[utoipa::path(
    post, path = "/api/console/messages/{id}/release", tag = "console", operation_id = "releaseConsoleMessage",
    params(("id" = MessageId, Path)), request_body = ReleaseForm, security(("access" = [])),
    responses(
        (status = OK, body = MessageAnswer),
        (status = BAD_REQUEST, description = "invalid at `memo`"),
        (status = NOT_FOUND, description = "not_found"),
        (status = CONFLICT, description = "not_allowed_now: it does not stop mail to its address")
    )
)]
pub(crate) async fn release(
    State(app): State<AppState>,
    who: Staff,
    Path(id): Path<MessageId>,
    ValidJson { body, origin }: ValidJson<ReleaseForm>,
) -> ApiResult<ApiResponse<MessageAnswer>> {
    let command = CommandContext::new("release-address", who.actor(), &origin);
    let memo = body.memo.trim().to_owned();
    let done = stops::release(&app, &command, id, memo).await?;
    Ok(done.answer(answer(&app, id).await?))
}

/// The message, from the log.
async fn answer(app: &AppState, id: MessageId) -> AppResult<MessageAnswer> {
    let events = app.store.read_stream(&StreamId::of::<Message>(id)).await?;
    let row = messages::row_of(&events)?.ok_or_else(AppError::not_found)?;
    let mut numbers = messages::order_numbers(app.pool(), &[row.cause]).await?;
    let number = numbers.remove(&row.cause);
    let stopping = stopping(app.pool(), &[id]).await?;
    Ok(MessageAnswer {
        message: MessageView::of(row, number, &stopping),
    })
}
