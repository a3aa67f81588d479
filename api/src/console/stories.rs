//! GET /api/console/history/{subject}/{id}: the history of any entity, and its state at any time, derived from the log.

use application::members::profiles::shown_names;
use axum::extract::State;
use domain::accounting::Account;
use domain::catalogue::Product;
use domain::coupon::Coupon;
use domain::record::{Record, Resource};
use domain::registry::event_title;
use projections::mask::masked;
use projections::records;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::history::{HistoryEvent, named};
use super::orders::asof::position_of;
use crate::app::AppState;
use crate::audit::causation;
use crate::audit::story::{self, Difference, Subject, differences, member, tell};
use crate::http::{ApiResult, AppResult, Json, Page, Path, Query, Staff};
use application::json::typed;
use application::orders::find::FoundOrder;

/// One point in time, or two.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct Moments {
    /// After everything up to this position of the log; default: now.
    position: Option<i64>,
    /// After everything up to this time (RFC 3339).
    time: Option<String>,
    /// Also return the changes since this position.
    since: Option<i64>,
}

/// End of the history.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UpTo {
    /// Everything up to this position of the log; default: everything.
    position: Option<i64>,
}

/// An entry of the general ledger.
#[derive(Serialize, ToSchema)]
pub struct BookEntry {
    /// Position of the event it is derived from.
    position: i64,
    /// The account.
    account: String,
    /// Amount in hundredths; debits positive, credits negative.
    amount: i64,
}

/// The history of an entity, and its state.
#[derive(Serialize, ToSchema)]
pub struct StoryAnswer {
    /// Name for users: of the product, coupon, record or member, the order number, for a seller's account the seller's name; none if it has
    /// none or is erased.
    name: Option<String>,
    /// The events, oldest first; for a ledger account the newest 200, with the balance before them in `state`.
    events: Vec<HistoryEvent>,
    /// Their ledger entries (for `money`).
    entries: Vec<BookEntry>,
    /// The state after these events, personal data masked.
    state: Value,
    /// The changes since the requested position.
    changes: Vec<Difference>,
}

/// Paging of the causation graph.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CausesSummary {
    /// Number of orders involved; a page covers `limit` of them, newest first.
    total_count: i64,
    /// `skip` of the next, older page; left out on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<i64>,
}

/// A page of the causation graph.
#[derive(Serialize, ToSchema)]
pub struct CausesAnswer {
    /// Paging.
    summary: CausesSummary,
    /// The acts, each after the event that caused it.
    acts: Vec<ActInChain>,
    /// Their events, oldest first.
    events: Vec<HistoryEvent>,
}

/// A command and the events it decided, in all their streams.
#[derive(Serialize, ToSchema)]
pub struct ActInChain {
    /// Number of causes before it.
    depth: usize,
    /// Position of the event that caused it; left out if a user requested it.
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<i64>,
    /// Id of the event that caused it, if that is in a stream that was not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    elsewhere: Option<Uuid>,
    /// Positions of its events.
    events: Vec<i64>,
}

/// The causation graph of an entity: all its events and those in the streams of its orders. `skip` and `limit` count orders.
#[utoipa::path(
    get, path = "/api/console/history/{subject}/{id}/causes", tag = "console", operation_id = "causesOf",
    params(("subject" = inline(Subject), Path), ("id" = String, Path), UpTo, Page), security(("access" = [])),
    responses((status = OK, body = CausesAnswer))
)]
pub(crate) async fn chain(
    State(app): State<AppState>,
    _who: Staff,
    Path((subject, id)): Path<(Subject, String)>,
    Query(until): Query<UpTo>,
    page: Page,
) -> ApiResult<Json<CausesAnswer>> {
    let position = position_of(&app, until.position, None)
        .await?
        .unwrap_or(i64::MAX);
    let chain = causation::of(&app, subject, &id, position, page.into()).await?;
    let (mut acts, mut events) = (Vec::new(), Vec::new());
    for act in chain.acts {
        acts.push(ActInChain {
            depth: act.depth,
            cause: act.cause,
            elsewhere: act.elsewhere,
            events: act.events.iter().map(|event| event.position).collect(),
        });
        events.extend(act.events);
    }
    events.sort_by_key(|event| event.position);
    let events = events
        .iter()
        .map(|event| HistoryEvent::of(event, event_title(&event.event_type)))
        .collect::<AppResult<Vec<_>>>()?;
    Ok(Json(CausesAnswer {
        summary: CausesSummary {
            total_count: i64::try_from(chain.orders).unwrap_or(i64::MAX),
            next: chain.next,
        },
        acts,
        events: named(&app, events).await?,
    }))
}

/// Name of the entity for users.
async fn called(
    app: &AppState,
    subject: Subject,
    id: &str,
    state: &Value,
) -> AppResult<Option<String>> {
    let text = |value: &Value, path: &str| value.pointer(path)?.as_str().map(str::to_owned);
    if let (Subject::Money, Ok(account)) = (subject, id.parse::<Account>()) {
        let Some(seller) = account.seller() else {
            return Ok(None);
        };
        return Ok(shown_names(app, [seller]).await?.remove(&seller));
    }
    Ok(match subject {
        Subject::Order | Subject::Money => {
            let found = FoundOrder::by_id_or_no(app, id).await?;
            Some(found.order.state.terms()?.order_no.clone())
        }
        Subject::Member | Subject::Points => {
            let member = member(app, id).await?;
            shown_names(app, [member]).await?.remove(&member)
        }
        Subject::Coupon => match text(state, "/held/terms/name") {
            Some(name) => Some(name),
            None => {
                let campaign = records::record(app.pool(), Coupon::KIND, id).await?;
                campaign.and_then(|row| row.data.get("name")?.as_str().map(str::to_owned))
            }
        },
        Subject::Stock => match text(state, "/product") {
            Some(product) => goods(app, id, &product).await?,
            None => None,
        },
        Subject::Codes => text(state, "/terms/memo"),
        Subject::Deadline | Subject::File => None,
        Subject::Record => ["/name", "/subject", "/facts/name"]
            .iter()
            .find_map(|path| text(state, path)),
    })
}

/// The name of a stock's product, with its option.
async fn goods(app: &AppState, id: &str, product: &str) -> AppResult<Option<String>> {
    let product = app.store.load::<Record<Product>>(product);
    let Some(document) = product.await?.state.document else {
        return Ok(None);
    };
    let product: Product = typed(Value::Object(document))?;
    let option = product.options.iter().find(|one| one.id.to_string() == id);
    Ok(Some(match option {
        Some(option) => format!("{} ({})", product.name, option.value),
        None => product.name,
    }))
}

/// The history of an entity, and its state.
#[utoipa::path(
    get, path = "/api/console/history/{subject}/{id}", tag = "console", operation_id = "storyOf",
    params(("subject" = inline(Subject), Path), ("id" = String, Path), Moments), security(("access" = [])),
    responses((status = OK, body = StoryAnswer))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    _who: Staff,
    Path((subject, id)): Path<(Subject, String)>,
    Query(moments): Query<Moments>,
) -> ApiResult<Json<StoryAnswer>> {
    let position = position_of(&app, moments.position, moments.time.as_deref())
        .await?
        .unwrap_or(i64::MAX);
    let story = tell(&app, subject, &id, position).await?;
    let changes = match moments.since {
        Some(since) => {
            let before = story::state(&app, subject, &id, since).await?;
            differences(&before, &story.state)
        }
        None => Vec::new(),
    };
    let (mut events, mut entries) = (Vec::new(), Vec::new());
    for told in story.events {
        let event = HistoryEvent::of(&told.event, event_title(&told.event.event_type))?;
        events.push(event.saying(masked(&told.event.value()?)));
        entries.extend(told.entries.iter().map(|entry| BookEntry {
            position: told.event.position,
            account: entry.account.to_string(),
            amount: entry.amount.hundredths(),
        }));
    }
    Ok(Json(StoryAnswer {
        name: called(&app, subject, &id, &story.state).await?,
        events: named(&app, events).await?,
        entries,
        state: story.state,
        changes,
    }))
}
