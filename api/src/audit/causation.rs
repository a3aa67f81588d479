//! What led to what: the chain of causes through everything that happened to something, across all ledgers it touched.
//!
//! An act is one command with the events it decided together, in whatever ledgers they are. What caused an act is an event (a policy
//! reacted, a deadline came, a payment notice answered a request), or nobody but whoever asked for it.
//!
//! What was part of many orders is told in parts: some orders each, the newest first.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use event_store::StoredEvent;
use projections::Page;
use uuid::Uuid;

use super::history;
use super::story::{self, Subject};
use crate::app::AppState;
use crate::http::AppResult;
use application::orders::find::FoundOrder;

/// A part of what led to what: the acts around some of the orders.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The acts, each right after the event that caused it and what came before of that.
    pub acts: Vec<Act>,
    /// Orders named in all; one for an order itself.
    pub orders: usize,
    /// How many orders to skip for the next, older part; none: this is the last one.
    pub next: Option<i64>,
}

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
    pub events: Vec<StoredEvent>,
}

/// A part of the chain of causes of something up to a position: the orders of a page, the newest first.
///
/// Everything that happened to it is in one of the parts, once, and what else its orders' ledgers tell about them.
///
/// # Errors
/// `not_found`, also when it was not there yet; the database's.
pub async fn of(
    app: &AppState,
    subject: Subject,
    id: &str,
    up_to: i64,
    page: Page,
) -> AppResult<Chain> {
    let told = story::tell(app, subject, id, up_to).await?.events;
    let own: Vec<StoredEvent> = told.into_iter().map(|told| told.event).collect();
    let (orders, places) = orders_in(&own);
    let skip = usize::try_from(page.skip).unwrap_or(usize::MAX);
    let part = skip..skip.saturating_add(usize::try_from(page.limit).unwrap_or(usize::MAX));
    let mut all: BTreeMap<i64, StoredEvent> = BTreeMap::new();
    if subject != Subject::Order {
        for order in within(&orders, &part) {
            let found = FoundOrder::by_id_or_no(app, order).await?;
            let around = history::events(app, &found, up_to).await?;
            all.extend(around.into_iter().map(|event| (event.position, event)));
        }
    }
    let own = own.into_iter().zip(places);
    let own = own.filter(|(_, place)| part.contains(place));
    let own: BTreeMap<i64, StoredEvent> = own.map(|(event, _)| (event.position, event)).collect();
    let wanted: BTreeSet<i64> = own.keys().copied().collect();
    all.extend(own);
    let acts = drawn(all.into_values().collect(), &wanted);
    Ok(Chain {
        acts,
        orders: orders.len(),
        next: (part.end < orders.len()).then(|| page.skip.saturating_add(page.limit)),
    })
}

/// Those in these places, as far as there are any: the ledgers of the others are not read.
fn within<'a, T>(all: &'a [T], part: &Range<usize>) -> &'a [T] {
    let [start, end] = [part.start, part.end].map(|place| place.min(all.len()));
    all.get(start..end).unwrap_or_default()
}

/// The orders these events name, the newest first, and beside each event the place of its order among them; of one that names
/// none, the place of the order before which it happened.
fn orders_in(events: &[StoredEvent]) -> (Vec<String>, Vec<usize>) {
    let mut orders: Vec<String> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut places: Vec<usize> = Vec::with_capacity(events.len());
    for event in events.iter().rev() {
        let order = match event.stream.kind.as_str() {
            "order" => Some(event.stream.id.clone()),
            _ => history::order_of(event),
        };
        places.push(match order {
            Some(order) => *known.entry(order.clone()).or_insert_with(|| {
                orders.push(order);
                orders.len().saturating_sub(1)
            }),
            None => orders.len().saturating_sub(1),
        });
    }
    places.reverse();
    (orders, places)
}

/// The acts of these events as a tree written down from its roots; of trees without anything wanted nothing.
fn drawn(events: Vec<StoredEvent>, wanted: &BTreeSet<i64>) -> Vec<Act> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_reads_the_ledgers_of_its_own_orders_only() {
        let all = [1, 2, 3, 4, 5];
        assert_eq!(within(&all, &(0..2)), [1, 2]);
        assert_eq!(within(&all, &(2..4)), [3, 4]);
        assert_eq!(within(&all, &(4..6)), [5]);
        assert!(within(&all, &(6..8)).is_empty());
        assert!(within(&all, &(usize::MAX..usize::MAX)).is_empty());
    }
}
