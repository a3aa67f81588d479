//! What happened to anything the shop keeps, and how it was at any moment: read from the log alone, so it is right even when
//! the read models are not.

use application::error::ErrorClass;
use application::members::names::username_hash;
use application::reservations::USERNAME;
use std::collections::{BTreeMap, VecDeque};

use domain::Amount;
use domain::accounting::{Account, Entry, MoneyEvent, entries};
use domain::catalogue::tree::{CategoryTree, STREAM_ID};
use domain::coupon::{Campaign, IssuedCoupon};
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

/// Events told of an account of the books: the newest.
const STATED_MOST: usize = 200;
/// Stored events read at a time for one.
const PAGE: i64 = 2_000;

/// What a history is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    /// An order, by id or number: its own events and what it did to payments, stock, coupons and points.
    Order,
    /// A member, by id or sign-in name.
    Member,
    /// The entries in the books that an order made, by its id or number; or an account of the books, as entries name it:
    /// `gateway`, `seller-payable:ID`, `promotion-expense:platform`, `points-liability`.
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

/// One event of a story, with its ledger entries.
#[derive(Clone, Debug)]
pub struct StoryEvent {
    /// The event.
    pub event: StoredEvent,
    /// Debits positive, credits negative; they sum to zero.
    pub entries: Vec<Entry>,
}

/// What happened up to a position, and how it was then.
#[derive(Clone, Debug)]
pub struct Story {
    /// The events, oldest first.
    pub events: Vec<StoryEvent>,
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

/// How something differs between two positions.
///
/// # Errors
/// As [`tell`]; where it was not there yet, everything differs.
pub async fn compare(
    app: &AppState,
    subject: Subject,
    id: &str,
    (from, to): (i64, i64),
) -> AppResult<Vec<Difference>> {
    let before = state(app, subject, id, from).await?;
    Ok(differences(&before, &state(app, subject, id, to).await?))
}

/// How something was at a position; null where it was not there yet.
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

/// The accounts an order moved, and every entry that did.
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

/// What moved an account of the books, and what is on it. Its ledgers are read from their beginnings.
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

/// An account while its ledgers are read.
struct Statement<T> {
    account: Account,
    /// How many of the newest events are kept.
    most: usize,
    /// Those, oldest first, with all their entries.
    told: VecDeque<(T, Vec<Entry>)>,
    /// How many events moved it.
    events: usize,
    /// What they debited.
    debits: Amount,
    /// What they credited.
    credits: Amount,
    /// Debits less credits.
    balance: Amount,
    /// The balance before the first event that is kept.
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

/// The states entries are made from.
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

/// A document of any kind: the only streams whose events create, revise and remove.
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

/// A category: what the tree of all of them tells about it.
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
