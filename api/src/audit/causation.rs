//! The causation graph: the chain of causes of everything that happened to an entity, across all streams involved.
//!
//! An act is one command with the events it decided together, in all their streams. Its cause is an event (a policy reacted, a deadline
//! passed, a payment notice answered a request), or none if a user requested it.
//!
//! The chain of an entity that is part of many orders is returned in pages: some orders each, newest first.

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

/// A page of the causation graph: the acts around some of the orders.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The acts, each after the event that caused it and the acts which that event caused before.
    pub acts: Vec<Act>,
    /// Number of all orders involved; one for an order itself.
    pub orders: usize,
    /// Number of orders to skip for the next, older page; null on the last page.
    pub next: Option<i64>,
}

/// A command and the events it decided.
#[derive(Clone, Debug)]
pub struct Act {
    /// Number of causes before it.
    pub depth: usize,
    /// Position of the event that caused it; null if a user requested it.
    pub cause: Option<i64>,
    /// The event that caused it, if that is in a stream that was not read.
    pub elsewhere: Option<Uuid>,
    /// Its events, oldest first; never empty.
    pub events: Vec<StoredEvent>,
}

/// A page of the chain of causes of an entity up to a position: the orders of the page, newest first.
///
/// Every event of the entity is on exactly one page, with the other events of its orders' streams.
///
/// # Errors
/// `not_found`, also if it did not exist yet; database errors.
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

/// The items in this range, limited to the existing ones: the streams of the others are not read.
fn within<'a, T>(all: &'a [T], part: &Range<usize>) -> &'a [T] {
    let [start, end] = [part.start, part.end].map(|place| place.min(all.len()));
    all.get(start..end).unwrap_or_default()
}

/// The orders that these events refer to, newest first, and for each event the index of its order; for an event without an order, the index
/// of the order before which it happened.
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

/// The acts of these events as a depth-first list of trees; trees without a wanted event are left out.
fn drawn(events: Vec<StoredEvent>, wanted: &BTreeSet<i64>) -> Vec<Act> {
    let at: BTreeMap<Uuid, i64> = events
        .iter()
        .map(|event| (event.event_id, event.position))
        .collect();
    // The events of one command, in all their streams, are one act, identified by its first event.
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
