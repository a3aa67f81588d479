//! Histories of all entities and their state at any time, derived from the log alone, so they are correct even if the read models are not.

use application::error::ErrorClass;
use application::members::names::username_hash;
use application::reservations::USERNAME;
use std::collections::{BTreeMap, VecDeque};

use domain::Amount;
use domain::accounting::{Account, Entry, MoneyEvent, entries};
use domain::catalogue::tree::{CategoryTree, STREAM_ID};
use domain::coupon::{Campaign, CodeBatch, IssuedCoupon};
use domain::deadline::Deadline;
use domain::file::File;
use domain::ids::{CategoryId, MemberId, OrderId, PaymentId};
use domain::member::Member;
use domain::money::MoneyError;
use domain::order::Order;
use domain::payment::Payment;
use domain::points::{self, Points};
use domain::registry::{RECORD_KINDS, replay};
use domain::stock::Stock;
use event_store::{At, StoredEvent, StreamId, Versioned};
use projections::mask::masked;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::history;
use crate::app::AppState;
use crate::http::{AppError, AppResult};
use application::orders::find::FoundOrder;

/// Maximum number of events in the history of a ledger account: the newest.
const STATED_MOST: usize = 200;
/// Events per read of such an account.
const PAGE: i64 = 2_000;

/// Kinds of entities with a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    /// An order, by id or number: its own events and those on payments, stock, coupons and points.
    Order,
    /// A member, by id or sign-in name.
    Member,
    /// The ledger entries of an order, by its id or number; or a ledger account, by its name in entries: `gateway`, `seller-payable:ID`,
    /// `promotion-expense:platform`, `points-liability`.
    Money,
    /// An issued coupon, or a limited campaign, by id.
    Coupon,
    /// The points of a member, by id or sign-in name.
    Points,
    /// A batch of coupon codes, by id.
    Codes,
    /// A stock, by the id of its product or option.
    Stock,
    /// A deadline that was retried after a refusal, as `kind:id`.
    Deadline,
    /// A file that was replaced, by id.
    File,
    /// A product, coupon, level, banner, category or any other record, by id; `main` is the category tree.
    Record,
}

/// An event of a history, with its ledger entries.
#[derive(Clone, Debug)]
pub struct StoryEvent {
    /// The event.
    pub event: StoredEvent,
    /// Debits positive, credits negative; they sum to zero.
    pub entries: Vec<Entry>,
}

/// The history of an entity up to a position, and its state then.
#[derive(Clone, Debug)]
pub struct Story {
    /// The events, oldest first.
    pub events: Vec<StoryEvent>,
    /// The state after these events, personal data masked.
    pub state: Value,
}

/// A difference between two points in time.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Difference {
    /// Path, e.g. `purchases.0.orderStatus`.
    pub path: String,
    /// The value before; null if there was none.
    pub before: Value,
    /// The value after; null if there is none.
    pub after: Value,
}

/// The history of an entity up to a position.
///
/// # Errors
/// `not_found`, also if it did not exist yet; database errors.
pub async fn tell(app: &AppState, subject: Subject, id: &str, up_to: i64) -> AppResult<Story> {
    let story = match subject {
        Subject::Order => of_order(app, id, up_to).await?,
        Subject::Money => match id.parse() {
            Ok(account) => of_account(app, account, up_to).await?,
            Err(_) => of_money(app, id, up_to).await?,
        },
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
            Err(error) if error.class() == ErrorClass::NotFound => {
                of_ledger::<Campaign>(app, id, up_to).await?
            }
            other => other?,
        },
        Subject::Codes => of_codes(app, id, up_to).await?,
        Subject::Record if id == STREAM_ID => of_ledger::<CategoryTree>(app, id, up_to).await?,
        Subject::Record => match of_record(app, id, up_to).await? {
            story if story.events.is_empty() => of_category(app, id, up_to).await?,
            story => story,
        },
    };
    match story.events.is_empty() {
        true => Err(AppError::not_found()),
        false => Ok(story),
    }
}

/// The differences of an entity between two positions.
///
/// # Errors
/// As [`tell`]; if it did not exist yet, everything differs.
pub async fn compare(
    app: &AppState,
    subject: Subject,
    id: &str,
    (from, to): (i64, i64),
) -> AppResult<Vec<Difference>> {
    let before = state(app, subject, id, from).await?;
    Ok(differences(&before, &state(app, subject, id, to).await?))
}

/// The state of an entity at a position; null if it did not exist yet.
///
/// # Errors
/// As [`tell`].
pub async fn state(app: &AppState, subject: Subject, id: &str, position: i64) -> AppResult<Value> {
    match tell(app, subject, id, position).await {
        Ok(story) => Ok(story.state),
        Err(error) if error.class() == ErrorClass::NotFound => Ok(Value::Null),
        Err(error) => Err(error),
    }
}

/// A member by id or sign-in name.
pub async fn member(app: &AppState, text: &str) -> AppResult<MemberId> {
    if let Ok(id) = text.parse() {
        return Ok(id);
    }
    let owner = app
        .store
        .reserved_by(USERNAME, &username_hash(&app.keys, text))
        .await?;
    owner
        .and_then(|owner| owner.parse().ok())
        .ok_or_else(AppError::not_found)
}

fn plain(events: impl IntoIterator<Item = StoredEvent>, up_to: i64) -> Vec<StoryEvent> {
    events
        .into_iter()
        .filter(|event| event.position <= up_to)
        .map(|event| StoryEvent {
            event,
            entries: Vec::new(),
        })
        .collect()
}

async fn of_ledger<A: cqrs_es::Aggregate>(
    app: &AppState,
    id: &str,
    up_to: i64,
) -> AppResult<Story> {
    let events = app.store.read_stream(&StreamId::of::<A>(id)).await?;
    let events = plain(events, up_to);
    if events.is_empty() {
        return Err(AppError::not_found());
    }
    let recorded: Vec<StoredEvent> = events.iter().map(|told| told.event.clone()).collect();
    let loaded: Versioned<A> = Versioned::fold(&recorded)?;
    Ok(Story {
        events,
        state: masked(&serde_json::to_value(&loaded.state)?),
    })
}

async fn of_order(app: &AppState, id: &str, up_to: i64) -> AppResult<Story> {
    let found = FoundOrder::by_id_or_no(app, id).await?;
    let events = history::events(app, &found, up_to).await?;
    let then: Versioned<Order> = app
        .store
        .load_at(&found.id.to_string(), At::Position(up_to))
        .await?;
    Ok(Story {
        events: plain(events, up_to),
        state: masked(&serde_json::to_value(&then.state)?),
    })
}

/// A batch of codes; of its redeemed ones only the number is in the state, the events say who.
async fn of_codes(app: &AppState, id: &str, up_to: i64) -> AppResult<Story> {
    let mut story = of_ledger::<CodeBatch>(app, id, up_to).await?;
    if let Some(redeemed) = story.state.get_mut("redeemed") {
        let count = redeemed.as_object().map_or(0, Map::len);
        *redeemed = json!(count);
    }
    Ok(story)
}

/// The accounts changed by an order, and all its entries.
async fn of_money(app: &AppState, id: &str, up_to: i64) -> AppResult<Story> {
    let found = FoundOrder::by_id_or_no(app, id).await?;
    let mut books = Ledgers::default();
    let mut balances: BTreeMap<String, Amount> = BTreeMap::new();
    let mut events = Vec::new();
    for event in history::events(app, &found, up_to).await? {
        let entries = books.enter(&event)?;
        for entry in &entries {
            let balance = balances.entry(entry.account.to_string()).or_default();
            *balance = balance.plus(entry.amount).map_err(AppError::internal)?;
        }
        if !entries.is_empty() {
            events.push(StoryEvent { event, entries });
        }
    }
    Ok(Story {
        events,
        state: json!(balances),
    })
}

/// The entries and the balance of a ledger account. Its streams are read from the beginning.
async fn of_account(app: &AppState, account: Account, up_to: i64) -> AppResult<Story> {
    let up_to = up_to.min(app.store.settle().await?);
    let mut statement = Statement::of(account, STATED_MOST);
    let (mut books, mut at) = (Ledgers::default(), 0);
    loop {
        let kinds = account.kinds();
        let page = app.store.read_kinds(kinds, at, up_to, PAGE).await?;
        let Some(last) = page.last() else {
            break;
        };
        at = last.position;
        for event in page {
            let entries = books.enter(&event)?;
            let entered = statement.enter(event, entries);
            entered.map_err(AppError::internal)?;
        }
    }
    Ok(Story {
        state: json!({
            "account": account.to_string(),
            "events": statement.events,
            "debits": statement.debits,
            "credits": statement.credits,
            "balance": statement.balance,
            "opening": statement.opening,
        }),
        events: statement
            .told
            .into_iter()
            .map(|(event, entries)| StoryEvent { event, entries })
            .collect(),
    })
}

/// A ledger account while its streams are read.
struct Statement<T> {
    account: Account,
    /// Maximum number of events kept, the newest.
    most: usize,
    /// The kept events, oldest first, with all their entries.
    told: VecDeque<(T, Vec<Entry>)>,
    /// Number of events with entries on it.
    events: usize,
    /// Sum of the debits.
    debits: Amount,
    /// Sum of the credits.
    credits: Amount,
    /// Debits less credits.
    balance: Amount,
    /// The balance before the first kept event.
    opening: Amount,
}

impl<T> Statement<T> {
    fn of(account: Account, most: usize) -> Self {
        Self {
            account,
            most,
            told: VecDeque::new(),
            events: 0,
            debits: Amount::ZERO,
            credits: Amount::ZERO,
            balance: Amount::ZERO,
            opening: Amount::ZERO,
        }
    }

    fn enter(&mut self, event: T, entries: Vec<Entry>) -> Result<(), MoneyError> {
        let account = self.account;
        let own = |entries: &[Entry]| -> Vec<Amount> {
            let own = entries.iter().filter(|entry| entry.account == account);
            own.map(|entry| entry.amount).collect()
        };
        let moved = own(&entries);
        if moved.is_empty() {
            return Ok(());
        }
        for amount in moved {
            self.balance = self.balance.plus(amount)?;
            match amount > Amount::ZERO {
                true => self.debits = self.debits.plus(amount)?,
                false => self.credits = self.credits.minus(amount)?,
            }
        }
        self.events = self.events.saturating_add(1);
        self.told.push_back((event, entries));
        if self.told.len() > self.most
            && let Some((_, entries)) = self.told.pop_front()
        {
            self.opening = self.opening.plus(Amount::total(own(&entries))?)?;
        }
        Ok(())
    }
}

/// The states that entries are derived from.
#[derive(Default)]
struct Ledgers {
    orders: BTreeMap<OrderId, Order>,
    payments: BTreeMap<PaymentId, Payment>,
}

impl Ledgers {
    fn enter(&mut self, recorded: &StoredEvent) -> AppResult<Vec<Entry>> {
        let id = &recorded.stream.id;
        Ok(match recorded.stream.kind.as_str() {
            "order" => {
                let order: OrderId = id.parse().map_err(AppError::internal)?;
                let before = self.orders.entry(order).or_default();
                let event = recorded.event::<Order>()?;
                let booked = entries(&MoneyEvent::Order {
                    order,
                    before,
                    event: &event,
                });
                before.evolve(event);
                booked.map_err(AppError::internal)?
            }
            "payment" => {
                let payment: PaymentId = id.parse().map_err(AppError::internal)?;
                let before = self.payments.entry(payment).or_default();
                let event = recorded.event::<Payment>()?;
                let booked = entries(&MoneyEvent::Payment {
                    before,
                    event: &event,
                });
                before.evolve(event);
                booked.map_err(AppError::internal)?
            }
            "points" => {
                let event = recorded.event::<Points>()?;
                entries(&MoneyEvent::Points { event: &event }).map_err(AppError::internal)?
            }
            _ => Vec::new(),
        })
    }
}

/// A record of any kind: the only streams with create, revise and remove events.
async fn of_record(app: &AppState, id: &str, up_to: i64) -> AppResult<Story> {
    let kinds = RECORD_KINDS.iter().map(|record| record.kind);
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
            .map(StoredEvent::value)
            .collect::<Result<_, _>>()?;
        let Some(record) = replay(&stream.kind, None, &payloads).transpose()? else {
            continue;
        };
        if record.get("removed") == Some(&Value::Bool(false)) {
            story.state = masked(record.get("document").unwrap_or(&Value::Null));
        }
        story.events.extend(plain(events, up_to));
    }
    Ok(story)
}

/// A category: its events in the stream of the category tree.
async fn of_category(app: &AppState, id: &str, up_to: i64) -> AppResult<Story> {
    let category: CategoryId = id.parse().map_err(|_| AppError::not_found())?;
    let tree = StreamId::of::<CategoryTree>(STREAM_ID);
    let (mut tree, mut events) = (CategoryTree::default(), app.store.read_stream(&tree).await?);
    events.retain(|event| event.position <= up_to);
    let mut about = Vec::new();
    for recorded in events {
        let event = recorded.event::<CategoryTree>()?;
        if event.category() == category {
            about.push(recorded);
        }
        tree.evolve(event);
    }
    Ok(Story {
        events: plain(about, up_to),
        state: serde_json::to_value(tree.get(category))?,
    })
}

/// The differences between two documents, by leaf.
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
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_statement_keeps_the_newest_events_and_what_was_there_before_them() {
        let mut statement = Statement::of(Account::Gateway, 2);
        let entry = |account, amount| Entry {
            account,
            amount: Amount::new(amount),
        };
        let moves = [("a", 500), ("b", 300), ("c", -200), ("d", 50)];
        for (event, amount) in moves {
            let other = entry(Account::PointsLiability, -amount);
            let entries = vec![entry(Account::Gateway, amount), other];
            statement.enter(event, entries).unwrap();
            statement.enter("elsewhere", vec![other]).unwrap();
        }
        let told: Vec<&str> = statement.told.iter().map(|(event, _)| *event).collect();
        assert_eq!((told, statement.events), (vec!["c", "d"], 4));
        let amounts = [
            statement.opening,
            statement.debits,
            statement.credits,
            statement.balance,
        ];
        assert_eq!(amounts.map(Amount::hundredths), [800, 850, 200, 650]);
    }

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
