//! GET /api/console/history/{subject}/{id}: what happened to anything the shop keeps, and how it was. Folded from the log.

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

/// Which moment, or which two.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct Moments {
    /// After everything up to this position of the log; otherwise now.
    position: Option<i64>,
    /// After everything up to this time (RFC 3339).
    time: Option<String>,
    /// What changed since this position, too.
    since: Option<i64>,
}

/// Up to when.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UpTo {
    /// Everything up to this position of the log; otherwise all.
    position: Option<i64>,
}

/// One side of a booking.
#[derive(Serialize, ToSchema)]
pub struct BookEntry {
    /// Position of the event that made it.
    position: i64,
    /// The account.
    account: String,
    /// Hundredths; debits positive, credits negative.
    amount: i64,
}

/// What happened, and how it was.
#[derive(Serialize, ToSchema)]
pub struct StoryAnswer {
    /// What people call it: a goods', coupon's, document's or member's name, an order's number, of a seller's account theirs;
    /// none: it has none, or not any more.
    name: Option<String>,
    /// The events, oldest first; of an account of the books the newest 200, and `state` says what it held before them.
    events: Vec<HistoryEvent>,
    /// What they moved in the books (of `money`).
    entries: Vec<BookEntry>,
    /// What they made of it, personal data masked.
    state: Value,
    /// What is different since the position asked for.
    changes: Vec<Difference>,
}

/// How much there is of it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CausesSummary {
    /// Orders it names; a part of the answer is around `limit` of them, the newest first.
    total_count: i64,
    /// `skip` of the next, older part; left out where this is the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<i64>,
}

/// What led to what.
#[derive(Serialize, ToSchema)]
pub struct CausesAnswer {
    /// How much there is of it.
    summary: CausesSummary,
    /// The acts: each after the event that caused it.
    acts: Vec<ActInChain>,
    /// Their events, oldest first.
    events: Vec<HistoryEvent>,
}

/// One command and what it decided, in whatever ledgers.
#[derive(Serialize, ToSchema)]
pub struct ActInChain {
    /// How many causes lie before it.
    depth: usize,
    /// Position of the event that caused it; left out where somebody asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<i64>,
    /// Id of the event that caused it where that is in no ledger told of here.
    #[serde(skip_serializing_if = "Option::is_none")]
    elsewhere: Option<Uuid>,
    /// Positions of its events.
    events: Vec<i64>,
}

/// What led to what, through everything that happened to something and in the ledgers of its orders. `skip` and `limit` count orders.
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

/// What people call it.
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
        Subject::Deadline | Subject::File => None,
        Subject::Record => ["/name", "/subject", "/facts/name"]
            .iter()
            .find_map(|path| text(state, path)),
    })
}

/// The product a pile is of, with its option.
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

/// What happened to something, and how it was.
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
