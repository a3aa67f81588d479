//! /api/console/users/alarms: the alarms of all members, with receiver, state and cause.

use application::executor::CommandContext;
use application::members::profiles::{FORMER_MEMBER, profiles};
use application::sendings::{self, member_named};
use axum::extract::{DefaultBodyLimit, State};
use domain::ids::{AlarmId, MemberId};
use domain::policies::notifications::AlarmCategory;
use projections::state::alarm_lists::{
    AlarmState, StoredAlarm, StoredAlarmFilter, alarm, alarm_list,
};
use projections::state::notifications;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::forms::MemberAlarmForm;
use super::sendings::{SendingAnswer, answer as sending_answer};
use crate::app::AppState;
use crate::console::bulk_grants::BODY_MOST;
use crate::console::points::MemoQuery;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, Code, Json, Page, Path, Query, RequestMeta,
    Respond, Staff, Summary, ValidJson, routes,
};
use domain::forms::{FormErrors, Validate};

/// The calls.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list, send))
        .routes(routes!(show, mark, withdraw))
        .route_layer(DefaultBodyLimit::max(BODY_MOST))
}

/// Which alarms.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MemberAlarmQuery {
    /// Of this member.
    #[serde(rename = "_user")]
    user: Option<MemberId>,
    /// Of the member with this sign-in name.
    username: Option<String>,
    /// Of this category.
    category: Option<AlarmCategory>,
    /// In this state.
    state: Option<AlarmState>,
    /// About this stream: an order, a sending.
    about: Option<String>,
    /// With this in headline or text.
    #[serde(rename = "searchValue")]
    search_value: Option<String>,
}

/// What an alarm reports.
#[derive(Serialize, ToSchema)]
pub struct AlarmSubject {
    /// Kind of the stream.
    kind: String,
    /// Its id.
    #[serde(rename = "_id")]
    id: String,
}

/// An alarm of a member.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberAlarm {
    /// The alarm.
    #[serde(rename = "_id")]
    id: AlarmId,
    /// Its receiver.
    #[serde(rename = "_user")]
    user: MemberId,
    /// Sign-in name of the receiver; none: the account is closed.
    username: Option<String>,
    /// What the receiver calls themselves.
    nickname: String,
    /// Category.
    category: AlarmCategory,
    /// Korean name of the category.
    name: &'static str,
    /// Event kind, e.g. `ORDER_PAID`.
    #[serde(rename = "type")]
    kind: String,
    /// Headline; empty if the member deleted it.
    title: String,
    /// Text; empty if the member deleted it.
    content: String,
    /// Link target.
    url: String,
    /// Whether it is unread (spec V094).
    shows: bool,
    /// What became of it.
    state: AlarmState,
    /// What it reports; none for alarms from before this was kept.
    cause: Option<AlarmSubject>,
    /// When it happened.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    created_at: OffsetDateTime,
}

/// A page of alarms.
#[derive(Serialize, ToSchema)]
pub struct MemberAlarmList {
    summary: Summary,
    /// The page, newest first.
    alarms: Vec<MemberAlarm>,
}

/// One alarm.
#[derive(Serialize, ToSchema)]
pub struct MemberAlarmAnswer {
    /// The alarm.
    alarm: MemberAlarm,
}

async fn views(app: &AppState, found: Vec<StoredAlarm>) -> AppResult<Vec<MemberAlarm>> {
    let opened = profiles(app, found.iter().map(|row| row.member)).await?;
    let rows = found.into_iter();
    Ok(rows
        .map(|row| {
            let profile = opened.get(&row.member);
            let state = row.state();
            MemberAlarm {
                id: row.id,
                user: row.member,
                username: profile.map(|profile| profile.username.clone()),
                nickname: profile
                    .map_or(FORMER_MEMBER, |profile| &profile.nickname)
                    .to_owned(),
                name: row.category.name(),
                category: row.category,
                kind: row.kind,
                title: row.title,
                content: row.content,
                url: row.url,
                shows: state == AlarmState::Unread,
                state,
                cause: row
                    .cause_kind
                    .zip(row.cause)
                    .map(|(kind, id)| AlarmSubject { kind, id }),
                created_at: row.created_at,
            }
        })
        .collect())
}

async fn answer(app: &AppState, id: AlarmId) -> AppResult<MemberAlarmAnswer> {
    let found = alarm(app.pool(), id).await?;
    let view = views(app, found.into_iter().collect()).await?.pop();
    Ok(MemberAlarmAnswer {
        alarm: view.ok_or_else(AppError::not_found)?,
    })
}

/// Alarms of all members, newest first.
#[utoipa::path(
    get, path = "/api/console/users/alarms", tag = "console", operation_id = "listMemberAlarms",
    params(MemberAlarmQuery, Page), security(("access" = [])), responses((status = OK, body = MemberAlarmList))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    _who: Staff,
    Query(query): Query<MemberAlarmQuery>,
    page: Page,
) -> ApiResult<Json<MemberAlarmList>> {
    let named = match query.username.as_deref().map(str::trim) {
        None | Some("") => None,
        Some(name) => match member_named(&app, name).await? {
            Some(member) => Some(member),
            None => {
                let summary = Summary { total_count: 0 };
                let alarms = vec![];
                return Ok(Json(MemberAlarmList { summary, alarms }));
            }
        },
    };
    let filter = StoredAlarmFilter {
        member: named.or(query.user),
        category: query.category,
        state: query.state,
        cause: query.about,
        text: query.search_value.filter(|text| !text.trim().is_empty()),
    };
    let found = alarm_list(app.pool(), &filter, page.into()).await?;
    Ok(Json(MemberAlarmList {
        summary: Summary::of(&found),
        alarms: views(&app, found.rows).await?,
    }))
}

/// An alarm of a member.
#[utoipa::path(
    get, path = "/api/console/users/alarms/{id}", tag = "console", operation_id = "showMemberAlarm",
    params(("id" = AlarmId, Path)), security(("access" = [])),
    responses((status = OK, body = MemberAlarmAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    _who: Staff,
    Path(id): Path<AlarmId>,
) -> ApiResult<Json<MemberAlarmAnswer>> {
    Ok(Json(answer(&app, id).await?))
}

/// Send an alarm to named members.
#[utoipa::path(
    post, path = "/api/console/users/alarms", tag = "console", operation_id = "sendMemberAlarm",
    request_body = MemberAlarmForm, security(("access" = [])),
    responses(
        (status = CREATED, body = SendingAnswer),
        (status = BAD_REQUEST, description = "unknown_members (details.unknown: index and value of each)")
    )
)]
pub(crate) async fn send(
    State(app): State<AppState>,
    who: Staff,
    ValidJson { body, origin }: ValidJson<MemberAlarmForm>,
) -> ApiResult<ApiResponse<SendingAnswer>> {
    let command = CommandContext::new("order-sending", who.actor(), &origin);
    let done = sendings::order(&app, &command, &body.order()).await?;
    let answer = sending_answer(&app, done.result()?).await?;
    Ok(done.created(answer))
}

/// Whether an alarm is unread.
#[derive(Deserialize, ToSchema)]
pub struct MarkForm {
    /// Unread.
    shows: bool,
}

impl Validate for MarkForm {
    fn check(&self, _checks: &mut FormErrors) {}
}

/// Mark an alarm of a member as read or unread.
#[utoipa::path(
    put, path = "/api/console/users/alarms/{id}", tag = "console", operation_id = "markMemberAlarm",
    params(("id" = AlarmId, Path)), request_body = MarkForm, security(("access" = [])),
    responses((status = OK, body = MemberAlarmAnswer), (status = CONFLICT, description = "not_allowed_now: it was deleted or taken back"))
)]
pub(crate) async fn mark(
    State(app): State<AppState>,
    _who: Staff,
    Path(id): Path<AlarmId>,
    ValidJson { body, .. }: ValidJson<MarkForm>,
) -> ApiResult<Json<MemberAlarmAnswer>> {
    let found = alarm(app.pool(), id).await?;
    let member = found.ok_or_else(AppError::not_found)?.member;
    match notifications::mark(app.pool(), member, id.0, body.shows).await? {
        Some(_) => Ok(Json(answer(&app, id).await?)),
        None => Err(AppError::new(Code::NotAllowedNow).into()),
    }
}

/// Take an alarm out of its member's drawer.
#[utoipa::path(
    delete, path = "/api/console/users/alarms/{id}", tag = "console", operation_id = "withdrawMemberAlarm",
    params(("id" = AlarmId, Path), MemoQuery), security(("access" = [])),
    responses((status = OK, body = MemberAlarmAnswer), (status = CONFLICT, description = "not_allowed_now: it is not in the drawer"))
)]
pub(crate) async fn withdraw(
    State(app): State<AppState>,
    who: Staff,
    Path(id): Path<AlarmId>,
    Query(query): Query<MemoQuery>,
    origin: RequestMeta,
) -> ApiResult<ApiResponse<MemberAlarmAnswer>> {
    let command = CommandContext::new("withdraw-alarm", who.actor(), &origin);
    let done = sendings::withdraw_alarm(&app, &command, id, query.memo()?).await?;
    Ok(done.answer(answer(&app, id).await?))
}
