//! What led to what: the chain of causes through everything that happened to something, across all ledgers it touched.
//!
//! An act is one command with the events it decided together, in whatever ledgers they are. What caused an act is an event (a policy
//! reacted, a deadline came, a payment notice answered a request), or nobody but whoever asked for it.

use std::collections::{BTreeMap, BTreeSet};

use event_store::Recorded;
use uuid::Uuid;

use super::history;
use super::story::{self, Subject};
use crate::app::AppState;
use crate::http::ApiResult;
use crate::shop::orders::detail::FoundOrder;

/// Orders looked into on the way, the newest ones, where something was part of many.
const ORDERS_MOST: usize = 20;

/// One command and what it decided.
#[derive(Clone, Debug)]
pub struct Act {
    /// How many causes lie before it.
    pub depth: usize,
    /// Position of the event that caused it; none where somebody asked for it.
    pub cause: Option<i64>,
    /// The event that caused it where that is in no ledger looked into.
    pub elsewhere: Option<Uuid>,
    /// Its events, oldest first; never empty.
    pub events: Vec<Recorded>,
}

/// The chain of causes of something up to a position: acts, each right after the event that caused it and what came before of that.
///
/// Everything that happened to it is in there once, and what else its orders' ledgers tell about them.
///
/// # Errors
/// `not_found`, also when it was not there yet; the database's.
pub async fn of(app: &AppState, subject: Subject, id: &str, up_to: i64) -> ApiResult<Vec<Act>> {
    let told = story::tell(app, subject, id, up_to).await?.events;
    let own: Vec<Recorded> = told.into_iter().map(|told| told.event).collect();
    let mut all: BTreeMap<i64, Recorded> = BTreeMap::new();
    if subject != Subject::Order {
        for order in orders_in(&own) {
            let found = FoundOrder::by_id_or_no(app, &order).await?;
            let around = history::events(app, &found, up_to).await?;
            all.extend(around.into_iter().map(|event| (event.position, event)));
        }
    }
    let wanted: BTreeSet<i64> = own.iter().map(|event| event.position).collect();
    all.extend(own.into_iter().map(|event| (event.position, event)));
    Ok(drawn(all.into_values().collect(), &wanted))
}

/// The newest orders these events name.
fn orders_in(events: &[Recorded]) -> Vec<String> {
    let mut orders: Vec<String> = Vec::new();
    for event in events.iter().rev() {
        let order = match event.stream.kind.as_str() {
            "order" => Some(event.stream.id.clone()),
            _ => history::order_of(&event.payload).map(str::to_owned),
        };
        orders.extend(order.filter(|order| !orders.contains(order)));
        if orders.len() >= ORDERS_MOST {
            break;
        }
    }
    orders
}

/// The acts of these events as a tree written down from its roots; of trees without anything wanted nothing.
fn drawn(events: Vec<Recorded>, wanted: &BTreeSet<i64>) -> Vec<Act> {
    let at: BTreeMap<Uuid, i64> = events
        .iter()
        .map(|event| (event.event_id, event.position))
        .collect();
    // the events of one command, in whatever ledgers, are one act; told by their first
    let mut acts: BTreeMap<i64, Act> = BTreeMap::new();
    let mut by_command: BTreeMap<(Option<Uuid>, Option<Uuid>, Uuid), i64> = BTreeMap::new();
    for event in events {
        let meta = &event.metadata;
        let key = match meta.command_id {
            Some(command) => (Some(command), meta.causation_id, meta.correlation_id),
            None => (None, meta.causation_id, event.event_id),
        };
        let first = *by_command.entry(key).or_insert(event.position);
        let cause = meta.causation_id.and_then(|id| at.get(&id).copied());
        acts.entry(first)
            .or_insert_with(|| Act {
                depth: 0,
                cause,
                elsewhere: meta.causation_id.filter(|_| cause.is_none()),
                events: Vec::new(),
            })
            .events
            .push(event);
    }
    let mut after: BTreeMap<Option<i64>, Vec<Act>> = BTreeMap::new();
    for act in acts.into_values() {
        after.entry(act.cause).or_default().push(act);
    }
    let mut written = Vec::new();
    for root in after.remove(&None).unwrap_or_default() {
        let begun = written.len();
        write(root, 0, &mut after, &mut written);
        let tree = written.get(begun..).unwrap_or_default();
        let mut all = tree.iter().flat_map(|act| &act.events);
        if !all.any(|event| wanted.contains(&event.position)) {
            written.truncate(begun);
        }
    }
    written
}

fn write(
    mut act: Act,
    depth: usize,
    after: &mut BTreeMap<Option<i64>, Vec<Act>>,
    written: &mut Vec<Act>,
) {
    act.depth = depth;
    let positions: Vec<i64> = act.events.iter().map(|event| event.position).collect();
    written.push(act);
    for position in positions {
        for caused in after.remove(&Some(position)).unwrap_or_default() {
            write(caused, depth.saturating_add(1), after, written);
        }
    }
}
