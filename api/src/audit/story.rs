//! What happened to anything the shop keeps, and how it was at any moment: read from the log alone, so it is right even when
//! the read models are not.

use std::collections::BTreeMap;

use domain::Amount;
use domain::books::{Entry, MoneyEvent, entries};
use domain::catalogue::tree::{CategoryTree, STREAM_ID};
use domain::coupon::{Campaign, IssuedCoupon};
use domain::deadline::Deadline;
use domain::file::File;
use domain::ids::{CategoryId, MemberId, OrderId, PaymentId};
use domain::member::Member;
use domain::order::Order;
use domain::payment::Payment;
use domain::points::{self, Points};
use domain::refold::refold;
use domain::stock::Stock;
use event_store::{At, Loaded, Recorded, StreamId};
use projections::order_timeline::masked;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::history;
use crate::app::AppState;
use crate::http::{ApiError, ApiResult};
use crate::shop::orders::detail::FoundOrder;
use crate::users::{USERNAME, username_hash};

/// What a history is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    /// An order, by id or number: its own events and what it did to payments, stock, coupons and points.
    Order,
    /// A member, by id or sign-in name.
    Member,
    /// The entries in the books that an order made, by its id or number.
    Money,
    /// A coupon somebody has, or a limited campaign, by id.
    Coupon,
    /// The points of a member, by id or sign-in name.
    Points,
    /// A pile of goods, by the id of its product or option.
    Stock,
    /// A deadline somebody had tried again after it was refused, as `kind:id`.
    Deadline,
    /// A file that became another one, by id.
    File,
    /// A product, coupon, level, banner, category or anything else that people edit, by id; `main`: the tree of categories.
    Record,
}

/// One event of a story, and what it moved in the books.
#[derive(Clone, Debug)]
pub struct Told {
    /// The event.
    pub event: Recorded,
    /// Debits positive, credits negative; they sum to zero.
    pub entries: Vec<Entry>,
}

/// What happened up to a position, and how it was then.
#[derive(Clone, Debug)]
pub struct Story {
    /// The events, oldest first.
    pub events: Vec<Told>,
    /// What they made of it, personal data masked.
    pub state: Value,
}

/// Something that differs between two moments.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Difference {
    /// Where, e.g. `purchases.0.orderStatus`.
    pub path: String,
    /// What was there first; null: nothing.
    pub before: Value,
    /// What was there then; null: nothing.
    pub after: Value,
}

/// The story of something up to a position.
///
/// # Errors
/// `not_found`, also when it was not there yet; the database's.
pub async fn tell(app: &AppState, subject: Subject, id: &str, up_to: i64) -> ApiResult<Story> {
    let story = match subject {
        Subject::Order => of_order(app, id, up_to).await?,
        Subject::Money => of_money(app, id, up_to).await?,
        Subject::Member => {
            let member = member(app, id).await?;
            of_ledger::<Member>(app, &member.to_string(), up_to).await?
        }
        Subject::Points => {
            let member = member(app, id).await?;
            of_ledger::<Points>(app, &points::stream_id(member), up_to).await?
        }
        Subject::Stock => of_ledger::<Stock>(app, id, up_to).await?,
        Subject::File => of_ledger::<File>(app, id, up_to).await?,
        Subject::Deadline => of_ledger::<Deadline>(app, id, up_to).await?,
        Subject::Coupon => match of_ledger::<IssuedCoupon>(app, id, up_to).await {
            Err(error) if error.status() == axum::http::StatusCode::NOT_FOUND => {
                of_ledger::<Campaign>(app, id, up_to).await?
            }
            other => other?,
        },
        Subject::Record if id == STREAM_ID => of_ledger::<CategoryTree>(app, id, up_to).await?,
        Subject::Record => match of_record(app, id, up_to).await? {
            story if story.events.is_empty() => of_category(app, id, up_to).await?,
            story => story,
        },
    };
    match story.events.is_empty() {
        true => Err(ApiError::not_found()),
        false => Ok(story),
    }
}

/// How something differs between two positions.
///
/// # Errors
/// As [`tell`]; where it was not there yet, everything differs.
pub async fn compare(
    app: &AppState,
    subject: Subject,
    id: &str,
    (from, to): (i64, i64),
) -> ApiResult<Vec<Difference>> {
    let state = async |position| match tell(app, subject, id, position).await {
        Ok(story) => Ok(story.state),
        Err(error) if error.status() == axum::http::StatusCode::NOT_FOUND => Ok(Value::Null),
        Err(error) => Err(error),
    };
    Ok(differences(&state(from).await?, &state(to).await?))
}

/// A member by id or sign-in name.
pub async fn member(app: &AppState, text: &str) -> ApiResult<MemberId> {
    if let Ok(id) = text.parse() {
        return Ok(id);
    }
    let owner = app
        .store
        .reserved_by(USERNAME, &username_hash(&app.keys, text))
        .await?;
    owner
        .and_then(|owner| owner.parse().ok())
        .ok_or_else(ApiError::not_found)
}

fn plain(events: impl IntoIterator<Item = Recorded>, up_to: i64) -> Vec<Told> {
    events
        .into_iter()
        .filter(|event| event.position <= up_to)
        .map(|event| Told {
            event,
            entries: Vec::new(),
        })
        .collect()
}

async fn of_ledger<A: cqrs_es::Aggregate>(
    app: &AppState,
    id: &str,
    up_to: i64,
) -> ApiResult<Story> {
    let events = app.store.read_stream(&StreamId::of::<A>(id)).await?;
    let events = plain(events, up_to);
    if events.is_empty() {
        return Err(ApiError::not_found());
    }
    let recorded: Vec<Recorded> = events.iter().map(|told| told.event.clone()).collect();
    let loaded: Loaded<A> = Loaded::fold(&recorded)?;
    Ok(Story {
        events,
        state: masked(&serde_json::to_value(&loaded.state)?),
    })
}

async fn of_order(app: &AppState, id: &str, up_to: i64) -> ApiResult<Story> {
    let found = FoundOrder::by_id_or_no(app, id).await?;
    let events = history::events(app, &found, up_to).await?;
    let then: Loaded<Order> = app
        .store
        .load_at(&found.id.to_string(), At::Position(up_to))
        .await?;
    Ok(Story {
        events: plain(events, up_to),
        state: masked(&serde_json::to_value(&then.state)?),
    })
}

/// The accounts an order moved, and every entry that did.
async fn of_money(app: &AppState, id: &str, up_to: i64) -> ApiResult<Story> {
    let found = FoundOrder::by_id_or_no(app, id).await?;
    let mut books = Ledgers::default();
    let mut balances: BTreeMap<String, Amount> = BTreeMap::new();
    let mut events = Vec::new();
    for event in history::events(app, &found, up_to).await? {
        let entries = books.enter(&event)?;
        for entry in &entries {
            let balance = balances.entry(entry.account.to_string()).or_default();
            *balance = balance.plus(entry.amount).map_err(ApiError::internal)?;
        }
        if !entries.is_empty() {
            events.push(Told { event, entries });
        }
    }
    Ok(Story {
        events,
        state: json!(balances),
    })
}

/// The states entries are made from.
#[derive(Default)]
struct Ledgers {
    orders: BTreeMap<OrderId, Order>,
    payments: BTreeMap<PaymentId, Payment>,
}

impl Ledgers {
    fn enter(&mut self, recorded: &Recorded) -> ApiResult<Vec<Entry>> {
        let id = &recorded.stream.id;
        Ok(match recorded.stream.kind.as_str() {
            "order" => {
                let order: OrderId = id.parse().map_err(ApiError::internal)?;
                let before = self.orders.entry(order).or_default();
                let event = recorded.event::<Order>()?;
                let booked = entries(&MoneyEvent::Order {
                    order,
                    before,
                    event: &event,
                });
                before.fold(event);
                booked.map_err(ApiError::internal)?
            }
            "payment" => {
                let payment: PaymentId = id.parse().map_err(ApiError::internal)?;
                let before = self.payments.entry(payment).or_default();
                let event = recorded.event::<Payment>()?;
                let booked = entries(&MoneyEvent::Payment {
                    before,
                    event: &event,
                });
                before.fold(event);
                booked.map_err(ApiError::internal)?
            }
            "points" => {
                let event = recorded.event::<Points>()?;
                entries(&MoneyEvent::Points { event: &event }).map_err(ApiError::internal)?
            }
            _ => Vec::new(),
        })
    }
}

/// A document of any kind: the only streams whose events create, revise and remove.
async fn of_record(app: &AppState, id: &str, up_to: i64) -> ApiResult<Story> {
    let kinds = crate::console::records::kinds().into_iter();
    let streams: Vec<StreamId> = kinds.map(|kind| StreamId::new(kind, id)).collect();
    let mut story = Story {
        events: Vec::new(),
        state: Value::Null,
    };
    let there = app.store.heads(&[], &streams).await?;
    for stream in streams.iter().filter(|stream| there.contains_key(stream)) {
        let mut events = app.store.read_stream(stream).await?;
        events.retain(|event| event.position <= up_to);
        let payloads: Vec<Value> = events
            .iter()
            .map(Recorded::value)
            .collect::<Result<_, _>>()?;
        let Some(record) = refold(&stream.kind, None, &payloads).transpose()? else {
            continue;
        };
        if record.get("removed") == Some(&Value::Bool(false)) {
            story.state = masked(record.get("document").unwrap_or(&Value::Null));
        }
        story.events.extend(plain(events, up_to));
    }
    Ok(story)
}

/// A category: what the tree of all of them tells about it.
async fn of_category(app: &AppState, id: &str, up_to: i64) -> ApiResult<Story> {
    let category: CategoryId = id.parse().map_err(|_| ApiError::not_found())?;
    let tree = StreamId::of::<CategoryTree>(STREAM_ID);
    let (mut tree, mut events) = (CategoryTree::default(), app.store.read_stream(&tree).await?);
    events.retain(|event| event.position <= up_to);
    let mut about = Vec::new();
    for recorded in events {
        let event = recorded.event::<CategoryTree>()?;
        if event.category() == category {
            about.push(recorded);
        }
        tree.fold(event);
    }
    Ok(Story {
        events: plain(about, up_to),
        state: serde_json::to_value(tree.get(category))?,
    })
}

/// What differs between two documents, leaf by leaf.
pub fn differences(before: &Value, after: &Value) -> Vec<Difference> {
    let (mut old, mut new) = (Map::new(), Map::new());
    leaves("", before, &mut old);
    leaves("", after, &mut new);
    let mut found = Vec::new();
    for (path, value) in &old {
        let now = new.get(path).cloned().unwrap_or_default();
        if now != *value {
            found.push(Difference {
                path: path.clone(),
                before: value.clone(),
                after: now,
            });
        }
    }
    for (path, value) in new.into_iter().filter(|(path, _)| !old.contains_key(path)) {
        if !value.is_null() {
            found.push(Difference {
                path,
                before: Value::Null,
                after: value,
            });
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

fn leaves(path: &str, value: &Value, into: &mut Map<String, Value>) {
    let below = |name: &str| match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    };
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            for (name, value) in fields {
                leaves(&below(name), value, into);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (place, value) in items.iter().enumerate() {
                leaves(&below(&place.to_string()), value, into);
            }
        }
        leaf if !path.is_empty() => {
            into.insert(path.to_owned(), leaf.clone());
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_differ_where_their_leaves_do() {
        let before = json!({"status": "A", "lines": [{"n": 1}, {"n": 2}], "gone": true});
        let after = json!({"status": "B", "lines": [{"n": 1}, {"n": 3}], "new": 7});
        let found = differences(&before, &after);
        let told: Vec<String> = found
            .iter()
            .map(|one| format!("{} {} {}", one.path, one.before, one.after))
            .collect();
        assert_eq!(
            told,
            [
                "gone true null",
                "lines.1.n 2 3",
                "new null 7",
                "status \"A\" \"B\""
            ]
        );
        assert_eq!(differences(&before, &before), []);
        assert_eq!(differences(&Value::Null, &json!({"a": 1})).len(), 1);
    }
}
