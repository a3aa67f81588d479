//! /api/console/system/projections: progress of read models and policies, the reason why one is stopped, and operations on it: rebuild,
//! return to the state before, resume.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use event_store::Projection;
use event_store::projection::{
    OnPoison, ParkedStream, ProjectionState, RebuildState, ResumeOutcome, Writer,
};
use projections::search_documents::{self, Waiting};
use projections::state::search_rebuilds::{self, SearchRebuild};
use serde::Serialize;
use time::OffsetDateTime;
use tokio::time::timeout;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

use crate::app::AppState;
use crate::http::routes;
use crate::http::{ApiResult, AppError, AppResult, Code, Json, Path, Staff};
use crate::rebuild;
use application::policies::followers;

/// Maximum number of parked streams returned for each projection.
const PARKED_MOST: i64 = 20;
/// Maximum wait for the search engine's progress.
const SEARCH_PATIENCE: Duration = Duration::from_millis(500);

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(build_anew))
        .routes(routes!(go_back))
        .routes(routes!(resume))
}

/// Kind of follower of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FollowerKind {
    /// A read model.
    ReadModel,
    /// A policy, which executes automatic commands.
    Policy,
    /// The search index.
    Search,
}

/// State of a follower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FollowerState {
    /// It follows the log.
    Live,
    /// It fails and is retried.
    Failing,
    /// It is stopped until it is resumed.
    Stopped,
    /// It is being rebuilt; readers use the old version meanwhile.
    Rebuilding,
}

/// Lag behind the log.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct LagRow {
    /// Positions between it and the newest event; for the search index, documents that are not indexed yet.
    events: i64,
    /// Age in seconds of the first event it has not processed; for the search index, of the first change that is not indexed yet.
    seconds: f64,
}

/// A parked stream.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ParkedRow {
    /// Kind of the stream.
    kind: String,
    /// Its id.
    #[serde(rename = "_id")]
    id: String,
    /// Position of the event it cannot process.
    position: i64,
    /// Type of that event.
    event_type: String,
    /// The error.
    error: String,
    /// Time since when it is parked.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    parked_at: OffsetDateTime,
    /// Events held back, including that one.
    held_events: i64,
}

impl From<ParkedStream> for ParkedRow {
    fn from(parked: ParkedStream) -> Self {
        Self {
            kind: parked.stream_kind,
            id: parked.stream_id,
            position: parked.position,
            event_type: parked.event_type,
            error: parked.error,
            parked_at: parked.parked_at,
            held_events: parked.held_events,
        }
    }
}

/// Progress of the last rebuild.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RebuildRow {
    /// `rebuild`, or `back` for the return to the state before.
    act: String,
    /// `asked`, `reading`, `keys`, `catching-up`, `switching`, `done`, `failed`, or `cut-off` if the process that ran it is gone.
    phase: String,
    /// Events or documents read.
    done: i64,
    /// Events or documents to read.
    total: i64,
    /// Events per second while reading.
    rate: i64,
    /// Estimated seconds until all are read.
    seconds_left: Option<i64>,
    /// Time of the start.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    began_at: Option<OffsetDateTime>,
    /// Time of the end.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    ended_at: Option<OffsetDateTime>,
    /// The error that ended it.
    error: Option<String>,
}

impl From<RebuildState> for RebuildRow {
    fn from(state: RebuildState) -> Self {
        Self {
            act: state.act,
            phase: state.phase,
            done: state.done,
            total: state.total,
            rate: state.rate,
            seconds_left: state.seconds_left,
            began_at: state.began_at,
            ended_at: state.ended_at,
            error: state.error,
        }
    }
}

impl RebuildRow {
    fn of_search(rebuild: SearchRebuild, now: OffsetDateTime) -> Self {
        let pace = rebuild.pace(now);
        let phase = match (&rebuild.error, rebuild.began_at, rebuild.ended_at) {
            (Some(_), _, _) => "failed",
            (None, _, Some(_)) => "done",
            (None, Some(_), None) => "reading",
            (None, None, None) => "asked",
        };
        Self {
            act: "rebuild".to_owned(),
            phase: phase.to_owned(),
            done: rebuild.done,
            total: rebuild.total,
            rate: pace.rate,
            seconds_left: pace.seconds_left.filter(|_| phase == "reading"),
            began_at: rebuild.began_at,
            ended_at: rebuild.ended_at,
            error: rebuild.error,
        }
    }
}

/// A follower of the log.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProjectionRow {
    /// Its name, for requests.
    name: String,
    /// Title for staff.
    title: String,
    /// Its kind.
    kind: FollowerKind,
    /// The version that readers use.
    version: i32,
    /// The position up to which it is complete.
    position: i64,
    /// Its lag.
    lag: LagRow,
    /// Its state.
    state: FollowerState,
    /// The error because of which it does not continue.
    error: Option<String>,
    /// Time since when it fails.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    failing_since: Option<OffsetDateTime>,
    /// Whether an event it cannot process stops it; otherwise it parks the stream of that event and continues.
    stops: bool,
    /// Number of parked streams.
    parked_streams: i64,
    /// Number of events held back in them.
    held_events: i64,
    /// The oldest parked streams.
    parked: Vec<ParkedRow>,
    /// Time of the last rebuild, if the state before it is kept, so that it can be restored.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    kept_at: Option<OffsetDateTime>,
    /// Its last rebuild.
    rebuild: Option<RebuildRow>,
}

/// A transaction that all followers wait for.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WriterRow {
    /// Its process id in the database.
    process: i32,
    /// Application name of the process.
    application: String,
    /// `active`, `idle in transaction`, ...
    state: String,
    /// Its duration in seconds.
    seconds: f64,
}

impl From<Writer> for WriterRow {
    fn from(writer: Writer) -> Self {
        Self {
            process: writer.process,
            application: writer.application,
            state: writer.state,
            seconds: writer.seconds,
        }
    }
}

/// All followers of the log.
#[derive(Serialize, ToSchema)]
pub struct ProjectionsAnswer {
    /// Position of the newest event.
    position: i64,
    /// Read models, then policies, then the search index.
    projections: Vec<ProjectionRow>,
    /// The oldest open transaction that writes events; none if no follower waits for one.
    writer: Option<WriterRow>,
}

/// One follower.
#[derive(Serialize, ToSchema)]
pub struct ProjectionAnswer {
    projection: ProjectionRow,
}

/// Result of resuming.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResumedAnswer {
    /// Whether it was stopped and is retried now.
    stopped: bool,
    /// Parked streams that have caught up.
    caught_up: u64,
    /// Streams that still have an event it cannot process.
    still_parked: u64,
    /// Its present state.
    projection: ProjectionRow,
}

/// Title for staff.
fn title(name: &str) -> &str {
    match name {
        "members" => "회원",
        "records" => "설정·전시 기록",
        "products" => "상품",
        "categories" => "카테고리",
        "stock" => "재고",
        "orders" => "주문·결제",
        "order_timeline" => "주문 이력",
        "coupon_box" => "쿠폰함",
        "points_book" => "적립금 장부",
        "bulk_grants" => "일괄 지급",
        "coupon_codes" => "쿠폰 코드",
        "raffles" => "추첨",
        "messages" => "발송 메시지",
        "sendings" => "대량 발송",
        "user_payments" => "추가 결제",
        "search_documents" => "검색 문서",
        "deadlines" => "기한",
        "refunds" => "환불",
        "reviews" => "상품 후기",
        "inquires" => "문의",
        "earlier_codes" => "이전 코드",
        "policy_prizes" => "추첨 경품",
        "policy_earning" => "구매확정 적립",
        "policy_rewarding" => "후기 적립",
        "policy_coupons" => "쿠폰 자동 발급",
        "policy_member_days" => "회원 기념일 찾아보기",
        "policy_member_mails" => "회원 이메일 찾아보기",
        "policy_member_reach" => "회원 수신 여부",
        "policy_order_mails" => "주문 메일",
        "policy_sendings" => "대량 발송 전달",
        "policy_stopped_addresses" => "반송된 주소",
        "policy_telling" => "회원 알림",
        "policy_forgetting" => "탈퇴·보관 기한 정리",
        "policy_files" => "바뀐 파일 정리",
        "policy_transactions" => "결제 거래 확인",
        rebuild::SEARCH => "검색 색인",
        other => other,
    }
}

async fn rows(app: &AppState) -> AppResult<Vec<ProjectionRow>> {
    let states = app.store.projection_states().await?;
    let mut rebuilds = app.store.rebuild_states().await?;
    let mut rows = Vec::new();
    for follower in followers(&app.application()) {
        let name = follower.name();
        let shown = states
            .iter()
            .find(|state| state.name == name && state.active)
            .or_else(|| states.iter().find(|state| state.name == name));
        let rebuild = rebuilds
            .iter()
            .position(|rebuild| rebuild.name == name)
            .map(|at| rebuilds.swap_remove(at));
        rows.push(row(app, &follower, shown, rebuild).await?);
    }
    rows.push(search(app).await?);
    Ok(rows)
}

async fn row(
    app: &AppState,
    follower: &Arc<dyn Projection>,
    state: Option<&ProjectionState>,
    rebuild: Option<RebuildState>,
) -> AppResult<ProjectionRow> {
    let name = follower.name();
    let parked_streams = state.map_or(0, |state| state.parked_streams);
    let parked = match parked_streams {
        0 => Vec::new(),
        _ => app.store.parked_streams(name, PARKED_MOST).await?,
    };
    let under_way = rebuild.as_ref().is_some_and(RebuildState::is_under_way);
    Ok(ProjectionRow {
        name: name.to_owned(),
        title: title(name).to_owned(),
        kind: if follower.is_read_model() {
            FollowerKind::ReadModel
        } else {
            FollowerKind::Policy
        },
        version: state.map_or(0, |state| state.version),
        position: state.map_or(0, |state| state.position),
        lag: LagRow {
            events: state.map_or(0, |state| state.lag_events),
            seconds: state.map_or(0.0, |state| state.lag_seconds),
        },
        state: match state {
            _ if under_way => FollowerState::Rebuilding,
            Some(state) if state.stopped_at.is_some() => FollowerState::Stopped,
            Some(state) if state.last_error.is_some() => FollowerState::Failing,
            _ => FollowerState::Live,
        },
        error: state.and_then(|state| state.last_error.clone()),
        failing_since: state.and_then(|state| state.failing_since),
        stops: follower.on_poison() == OnPoison::Stop,
        parked_streams,
        held_events: state.map_or(0, |state| state.held_events),
        parked: parked.into_iter().map(ParkedRow::from).collect(),
        kept_at: state.and_then(|state| state.kept_at),
        rebuild: rebuild.map(RebuildRow::from),
    })
}

/// The search index: fed from the search documents, with its own position.
async fn search(app: &AppState) -> AppResult<ProjectionRow> {
    let position = timeout(SEARCH_PATIENCE, app.search.position()).await;
    let position = position.ok().and_then(Result::ok);
    let target = app.settings.search_target();
    let rebuild = search_rebuilds::newest(app.pool(), &target).await?;
    let under_way = rebuild
        .as_ref()
        .is_some_and(|rebuild| rebuild.ended_at.is_none() && rebuild.error.is_none());
    let waiting = match position {
        Some(position) => search_documents::waiting(app.pool(), position).await?,
        None => Waiting::default(),
    };
    Ok(ProjectionRow {
        name: rebuild::SEARCH.to_owned(),
        title: title(rebuild::SEARCH).to_owned(),
        kind: FollowerKind::Search,
        version: 0,
        position: position.unwrap_or(0),
        lag: LagRow {
            events: waiting.documents,
            seconds: waiting.seconds,
        },
        state: match position {
            _ if under_way => FollowerState::Rebuilding,
            None => FollowerState::Failing,
            Some(_) => FollowerState::Live,
        },
        error: None,
        failing_since: None,
        stops: false,
        parked_streams: 0,
        held_events: 0,
        parked: Vec::new(),
        kept_at: None,
        rebuild: rebuild.map(|rebuild| RebuildRow::of_search(rebuild, app.clock.now())),
    })
}

async fn one(app: &AppState, name: &str) -> AppResult<ProjectionRow> {
    let mut rows = rows(app).await?;
    let at = rows.iter().position(|row| row.name == name);
    at.map(|at| rows.swap_remove(at))
        .ok_or_else(AppError::not_found)
}

/// Progress of all followers of the log.
#[utoipa::path(
    get, path = "/api/console/system/projections", tag = "console", operation_id = "listProjections",
    security(("access" = [])), responses((status = OK, body = ProjectionsAnswer))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    _who: Staff,
) -> ApiResult<Json<ProjectionsAnswer>> {
    Ok(Json(ProjectionsAnswer {
        position: app.store.head().await?,
        projections: rows(&app).await?,
        writer: app.store.oldest_writer().await?.map(WriterRow::from),
    }))
}

/// Request a rebuild of a read model or of the search index. The worker starts it soon; readers use the old version until it is done.
#[utoipa::path(
    post, path = "/api/console/system/projections/{name}/rebuild", tag = "console", operation_id = "rebuildProjection",
    params(("name" = String, Path)), security(("access" = [])),
    responses((status = ACCEPTED, body = ProjectionAnswer), (status = CONFLICT, description = "not_allowed_now"))
)]
pub(crate) async fn build_anew(
    State(app): State<AppState>,
    _who: Staff,
    Path(name): Path<String>,
) -> ApiResult<(StatusCode, Json<ProjectionAnswer>)> {
    let row = one(&app, &name).await?;
    if row.state == FollowerState::Rebuilding {
        return Err(under_way().into());
    }
    match row.kind {
        FollowerKind::Policy => {
            return Err(AppError::new(Code::NotAllowedNow)
                .saying("자동 처리는 새로 만들 수 없습니다. 했던 일을 다시 하게 됩니다.")
                .into());
        }
        FollowerKind::Search => {
            let target = app.settings.search_target();
            search_rebuilds::ask(app.pool(), Uuid::now_v7(), &target, app.clock.now()).await?;
        }
        FollowerKind::ReadModel => ask(&app, &name, "rebuild").await?,
    }
    Ok(accepted(&app, &name).await?)
}

/// Request the return to the state of a read model before its last rebuild.
#[utoipa::path(
    post, path = "/api/console/system/projections/{name}/back", tag = "console", operation_id = "returnProjection",
    params(("name" = String, Path)), security(("access" = [])),
    responses((status = ACCEPTED, body = ProjectionAnswer), (status = CONFLICT, description = "not_allowed_now"))
)]
pub(crate) async fn go_back(
    State(app): State<AppState>,
    _who: Staff,
    Path(name): Path<String>,
) -> ApiResult<(StatusCode, Json<ProjectionAnswer>)> {
    let row = one(&app, &name).await?;
    if row.state == FollowerState::Rebuilding {
        return Err(under_way().into());
    }
    if row.kept_at.is_none() {
        return Err(AppError::new(Code::NotAllowedNow)
            .saying("되돌릴 이전 데이터가 남아 있지 않습니다.")
            .into());
    }
    ask(&app, &name, "back").await?;
    Ok(accepted(&app, &name).await?)
}

/// Resume a stopped follower, and process its parked streams.
#[utoipa::path(
    post, path = "/api/console/system/projections/{name}/resume", tag = "console", operation_id = "resumeProjection",
    params(("name" = String, Path)), security(("access" = [])), responses((status = OK, body = ResumedAnswer))
)]
pub(crate) async fn resume(
    State(app): State<AppState>,
    _who: Staff,
    Path(name): Path<String>,
) -> ApiResult<Json<ResumedAnswer>> {
    let ResumeOutcome {
        stopped,
        caught_up,
        still_parked,
    } = rebuild::resume(&app, &name)
        .await?
        .ok_or_else(AppError::not_found)?;
    Ok(Json(ResumedAnswer {
        stopped,
        caught_up,
        still_parked,
        projection: one(&app, &name).await?,
    }))
}

async fn ask(app: &AppState, name: &str, act: &str) -> AppResult<()> {
    if app.store.ask_rebuild(name, act).await? {
        Ok(())
    } else {
        Err(under_way())
    }
}

fn under_way() -> AppError {
    AppError::new(Code::NotAllowedNow).saying("이미 새로 만드는 중입니다.")
}

async fn accepted(app: &AppState, name: &str) -> AppResult<(StatusCode, Json<ProjectionAnswer>)> {
    let projection = one(app, name).await?;
    Ok((StatusCode::ACCEPTED, Json(ProjectionAnswer { projection })))
}
