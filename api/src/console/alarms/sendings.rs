//! /api/console/shop/alarms: an alarm, a mail or a text to many members, which the worker sends at a pace.

use std::collections::HashMap;

use application::executor::CommandContext;
use application::members::profiles::shown_names;
use application::messages::phone::{self, PhoneText};
use application::sendings::{self, SendingPreview};
use axum::extract::{DefaultBodyLimit, State};
use domain::ids::{MemberId, SendingId};
use domain::message::MessageState;
use domain::sending::{Sending, SendingChannel, SendingCommand, SkipReason, marked_title};
use event_store::StreamId;
use projections::sendings::{self as read, SendingRow};
use projections::{members, messages};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::forms::{SendingChangeForm, SendingForm};
use crate::app::AppState;
use crate::console::bulk_grants::{BODY_MOST, DryRunQuery, Orderer};
use crate::console::points::MemoQuery;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, ConsistencyToken, Freshness, Page, Path, Query,
    RequestMeta, Respond, Staff, Summary, ValidJson, routes,
};

/// The calls.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list, order))
        .routes(routes!(show, revise, withdraw))
        .routes(routes!(stop))
        .routes(routes!(skipped))
        .route_layer(DefaultBodyLimit::max(BODY_MOST))
}

/// Which sendings.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SendingListQuery {
    /// Those that travel this way.
    channel: Option<SendingChannel>,
}

/// Where a sending stands.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SendingState {
    /// Nothing was sent yet.
    Planned,
    /// A part was sent.
    Sending,
    /// All receivers had their turn.
    Done,
    /// Staff stopped it.
    Stopped,
    /// Staff took its alarms back.
    Withdrawn,
}

/// A sending, and how far it has come.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SendingView {
    /// The sending.
    #[serde(rename = "_id")]
    id: SendingId,
    /// The way it travels.
    channel: SendingChannel,
    /// Whether it is advertising.
    advertising: bool,
    /// Headline, as staff wrote it.
    title: String,
    /// Headline, as receivers read it.
    marked_title: String,
    /// Text.
    content: String,
    /// Path within the shop; empty: none.
    url: String,
    /// How the receivers were named: `MEMBERS`, `LEVEL:...`, `TYPE:...`, `ALL`.
    target: String,
    /// Where it stands.
    state: SendingState,
    /// Receivers in all.
    members: u32,
    /// Those who had their turn.
    served: u32,
    /// Those of them who got nothing: closed accounts, no consent, or switched off.
    skipped: u32,
    /// Receivers a minute at most.
    per_minute: u32,
    /// When the next part is due.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    due_at: Option<OffsetDateTime>,
    /// When it was ordered.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    created_at: OffsetDateTime,
    /// Who ordered it.
    created_by: Option<Orderer>,
}

impl SendingView {
    fn of(row: SendingRow, names: &HashMap<MemberId, String>) -> Self {
        let state = match row.due_at {
            _ if row.withdrawn => SendingState::Withdrawn,
            _ if row.stopped => SendingState::Stopped,
            None => SendingState::Done,
            Some(_) if row.served == 0 => SendingState::Planned,
            Some(_) => SendingState::Sending,
        };
        Self {
            id: row.id,
            channel: row.channel,
            advertising: row.advertising,
            marked_title: marked_title(&row.title, row.advertising),
            title: row.title,
            content: row.content,
            url: row.url,
            target: row.target,
            state,
            members: row.members,
            served: row.served,
            skipped: row.skipped,
            per_minute: row.per_minute,
            due_at: row.due_at,
            created_at: row.created_at,
            created_by: row.created_by.map(|id| Orderer {
                id,
                name: names.get(&id).cloned(),
            }),
        }
    }
}

/// How many receivers got nothing for a reason.
#[derive(Serialize, ToSchema)]
pub struct SkipCount {
    /// Why.
    reason: SkipReason,
    /// How many.
    count: i64,
}

impl SkipCount {
    fn all(counts: Vec<(SkipReason, i64)>) -> Vec<Self> {
        let counts = counts.into_iter();
        counts
            .map(|(reason, count)| Self { reason, count })
            .collect()
    }
}

/// How many messages of a sending are in a state.
#[derive(Serialize, ToSchema)]
pub struct MessageCount {
    /// The state.
    state: MessageState,
    /// How many.
    count: i64,
}

/// One sending, with what became of it.
#[derive(Serialize, ToSchema)]
pub struct SendingDetailAnswer {
    /// The sending.
    sending: SendingView,
    /// Receivers who got nothing, by reason.
    skipped: Vec<SkipCount>,
    /// Its mails or texts, by state.
    messages: Vec<MessageCount>,
}

/// A page of sendings.
#[derive(Serialize, ToSchema)]
pub struct SendingListAnswer {
    summary: Summary,
    /// The page, newest first.
    sendings: Vec<SendingView>,
}

/// One sending.
#[derive(Serialize, ToSchema)]
pub struct SendingAnswer {
    /// The sending.
    sending: SendingView,
}

/// What an order would send.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SendingPreviewView {
    /// Receivers of the target.
    members: i64,
    /// Those of them who would get it now.
    receiving: i64,
    /// The others, by reason.
    skipped: Vec<SkipCount>,
    /// Headline, as receivers read it.
    title: String,
    /// Text; to phones the whole of it.
    content: String,
    /// Bytes of a text to phones: up to 90 it is an SMS, else an LMS.
    bytes: Option<usize>,
    /// When it begins.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    begins_at: OffsetDateTime,
}

/// What an order would send.
#[derive(Serialize, ToSchema)]
pub struct SendingPreviewAnswer {
    preview: SendingPreviewView,
}

/// What was ordered, or what an order would send.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum SendingOutcome {
    Preview(SendingPreviewAnswer),
    Ordered(SendingAnswer),
}

async fn views(app: &AppState, found: Vec<SendingRow>) -> AppResult<Vec<SendingView>> {
    let people = found.iter().filter_map(|row| row.created_by);
    let names = shown_names(app, people).await?;
    let rows = found.into_iter();
    Ok(rows.map(|row| SendingView::of(row, &names)).collect())
}

/// The sending after a command, from the log.
pub(super) async fn answer(app: &AppState, id: SendingId) -> AppResult<SendingAnswer> {
    let events = app.store.read_stream(&StreamId::of::<Sending>(id)).await?;
    let row = read::row_of(&events)?.ok_or_else(AppError::not_found)?;
    let view = views(app, vec![row]).await?.pop();
    Ok(SendingAnswer {
        sending: view.ok_or_else(AppError::not_found)?,
    })
}

/// Alarms and mails to many members, newest first.
#[utoipa::path(
    get, path = "/api/console/shop/alarms", tag = "console", operation_id = "listShopAlarms",
    params(SendingListQuery, Page), security(("access" = [])), responses((status = OK, body = SendingListAnswer))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    _who: Staff,
    Query(query): Query<SendingListQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<SendingListAnswer>> {
    let fresh = wait.until(&app, &[read::NAME, members::NAME]).await?;
    let found = read::sending_list(app.pool(), query.channel, page.into()).await?;
    let summary = Summary::of(&found);
    let sendings = views(&app, found.rows).await?;
    Ok(fresh.answer(SendingListAnswer { summary, sendings }))
}

/// An alarm or a mail to many members, and how far it has come.
#[utoipa::path(
    get, path = "/api/console/shop/alarms/{id}", tag = "console", operation_id = "showShopAlarm",
    params(("id" = SendingId, Path)), security(("access" = [])),
    responses((status = OK, body = SendingDetailAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    _who: Staff,
    Path(id): Path<SendingId>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<SendingDetailAnswer>> {
    let models = [read::NAME, members::NAME, messages::NAME];
    let fresh = wait.until(&app, &models).await?;
    let found = read::sending(app.pool(), id).await?;
    let view = views(&app, found.into_iter().collect()).await?.pop();
    let skipped = read::skip_counts(app.pool(), id).await?;
    let sent = read::message_counts(app.pool(), id).await?.into_iter();
    Ok(fresh.answer(SendingDetailAnswer {
        sending: view.ok_or_else(AppError::not_found)?,
        skipped: SkipCount::all(skipped),
        messages: sent
            .map(|(state, count)| MessageCount { state, count })
            .collect(),
    }))
}

/// Why receivers of a sending got nothing, for the list of them.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SkippedListQuery {
    /// Only for this reason.
    #[param(inline)]
    reason: Option<SkipReason>,
}

/// A receiver who got nothing.
#[derive(Serialize, ToSchema)]
pub struct SkippedView {
    /// The receiver, and the name for who may see it.
    member: Orderer,
    /// Why.
    reason: SkipReason,
    /// When their turn came.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    at: OffsetDateTime,
}

/// A page of receivers who got nothing.
#[derive(Serialize, ToSchema)]
pub struct SkippedListAnswer {
    summary: Summary,
    /// The page, those whose turn came first before the others.
    skipped: Vec<SkippedView>,
}

/// The receivers of a sending who got nothing, and why.
#[utoipa::path(
    get, path = "/api/console/shop/alarms/{id}/skipped", tag = "console", operation_id = "listSkippedOfShopAlarm",
    params(("id" = SendingId, Path), SkippedListQuery, Page), security(("access" = [])),
    responses((status = OK, body = SkippedListAnswer))
)]
pub(crate) async fn skipped(
    State(app): State<AppState>,
    _who: Staff,
    Path(id): Path<SendingId>,
    Query(query): Query<SkippedListQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<SkippedListAnswer>> {
    let fresh = wait.until(&app, &[read::NAME, members::NAME]).await?;
    let found = read::skipped_list(app.pool(), (id, query.reason), page.into()).await?;
    let summary = Summary::of(&found);
    let names = shown_names(&app, found.rows.iter().map(|row| row.member)).await?;
    let rows = found.rows.into_iter();
    let skipped = rows.map(|row| SkippedView {
        member: Orderer {
            id: row.member,
            name: names.get(&row.member).cloned(),
        },
        reason: row.reason,
        at: row.at,
    });
    Ok(fresh.answer(SkippedListAnswer {
        summary,
        skipped: skipped.collect(),
    }))
}

/// Send an alarm or a mail to many members, or see whom it would reach.
#[utoipa::path(
    post, path = "/api/console/shop/alarms", tag = "console", operation_id = "orderShopAlarm",
    params(DryRunQuery), request_body = SendingForm, security(("access" = [])),
    responses(
        (status = OK, body = SendingPreviewAnswer, description = "dryRun: whom it would reach"),
        (status = CREATED, body = SendingAnswer),
        (status = BAD_REQUEST, description = "unknown_members (details.unknown: index and value of each)")
    )
)]
pub(crate) async fn order(
    State(app): State<AppState>,
    who: Staff,
    Query(query): Query<DryRunQuery>,
    ValidJson { body, origin }: ValidJson<SendingForm>,
) -> ApiResult<ApiResponse<SendingOutcome>> {
    let order = body.order();
    if query.dry_run {
        let SendingPreview {
            members,
            skipped,
            begins_at,
        } = sendings::preview(&app, &order).await?;
        let skipping: i64 = skipped.iter().map(|(_, count)| count).sum();
        let title = marked_title(&order.text.title, order.advertising);
        let text = match order.channel {
            SendingChannel::Sms => {
                let (text, _) = phone::of_sending(&app, order.advertising, &order.text);
                Some(text)
            }
            SendingChannel::Alarm | SendingChannel::Mail => None,
        };
        let preview = SendingPreviewView {
            members,
            receiving: members.saturating_sub(skipping),
            skipped: SkipCount::all(skipped),
            title,
            bytes: text.as_ref().map(PhoneText::bytes),
            content: text.map_or(order.text.content, |text| text.text),
            begins_at,
        };
        let answer = SendingPreviewAnswer { preview };
        return Ok(Freshness::LOG.answer(SendingOutcome::Preview(answer)));
    }
    let command = CommandContext::new("order-sending", who.actor(), &origin);
    let done = sendings::order(&app, &command, &order).await?;
    let answer = answer(&app, done.result()?).await?;
    Ok(done.created(SendingOutcome::Ordered(answer)))
}

/// Change a sending that is not done: its pace and time, and its text before the first part.
#[utoipa::path(
    put, path = "/api/console/shop/alarms/{id}", tag = "console", operation_id = "reviseShopAlarm",
    params(("id" = SendingId, Path)), request_body = SendingChangeForm, security(("access" = [])),
    responses((status = OK, body = SendingAnswer), (status = CONFLICT, description = "not_allowed_now: it is done, or the text has been sent"))
)]
pub(crate) async fn revise(
    State(app): State<AppState>,
    who: Staff,
    Path(id): Path<SendingId>,
    ValidJson { body, origin }: ValidJson<SendingChangeForm>,
) -> ApiResult<ApiResponse<SendingAnswer>> {
    let command = CommandContext::new("revise-sending", who.actor(), &origin);
    let change = SendingCommand::Revise {
        text: body.text(),
        per_minute: body.per_minute,
        starts_at: body.starts_at,
    };
    let done = sendings::change(&app, &command, id, change).await?;
    Ok(done.answer(answer(&app, id).await?))
}

/// Stop a sending: the rest gets nothing.
#[utoipa::path(
    post, path = "/api/console/shop/alarms/{id}/stop", tag = "console", operation_id = "stopShopAlarm",
    params(("id" = SendingId, Path), MemoQuery), security(("access" = [])),
    responses((status = OK, body = SendingAnswer), (status = CONFLICT, description = "not_allowed_now: it is done"))
)]
pub(crate) async fn stop(
    State(app): State<AppState>,
    who: Staff,
    Path(id): Path<SendingId>,
    Query(query): Query<MemoQuery>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<SendingAnswer>> {
    let command = CommandContext::new("stop-sending", who.actor(), &origin);
    let memo = query.memo()?;
    let done = sendings::change(&app, &command, id, SendingCommand::Stop { memo }).await?;
    Ok(done.answer(answer(&app, id).await?))
}

/// Take a sending back: the rest gets nothing, and its alarms leave the members' drawers. Mail that was sent stays sent.
#[utoipa::path(
    delete, path = "/api/console/shop/alarms/{id}", tag = "console", operation_id = "withdrawShopAlarm",
    params(("id" = SendingId, Path), MemoQuery), security(("access" = [])),
    responses((status = OK, body = SendingAnswer), (status = CONFLICT, description = "not_allowed_now: there is nothing to take back"))
)]
pub(crate) async fn withdraw(
    State(app): State<AppState>,
    who: Staff,
    Path(id): Path<SendingId>,
    Query(query): Query<MemoQuery>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<SendingAnswer>> {
    let command = CommandContext::new("withdraw-sending", who.actor(), &origin);
    let memo = query.memo()?;
    let done = sendings::change(&app, &command, id, SendingCommand::Withdraw { memo }).await?;
    Ok(done.answer(answer(&app, id).await?))
}
