//! The running total of an explanation: contributions with the result after each.

use anyhow::anyhow;
use cqrs_es::Aggregate;
use event_store::StoredEvent;

use super::{Contribution, Explanation, NamedAmount, words};
use crate::http::{AppError, AppResult};

/// Maximum number of separate contributions; beyond it, the oldest are combined into one.
const MOST: usize = 200;

/// An explanation under construction.
#[derive(Default)]
pub struct Book {
    contributions: Vec<Contribution>,
    result: i64,
    events: Vec<StoredEvent>,
}

/// A contribution.
#[derive(Default)]
pub struct Line<'a> {
    /// Its description, with the rule.
    pub text: String,
    /// Number of the rule in the specification.
    pub spec: Option<&'static str>,
    /// Its amount.
    pub amount: i64,
    /// The event that contributed it.
    pub event: Option<&'a StoredEvent>,
    /// The event that defined the rule.
    pub source: Option<&'a StoredEvent>,
    /// Another amount of the same entity that it consists of.
    pub explains: Option<String>,
}

impl Book {
    /// Adds a contribution.
    ///
    /// # Errors
    /// An overflow.
    pub fn write(&mut self, line: Line<'_>) -> AppResult<()> {
        let result = self.result.checked_add(line.amount);
        self.result =
            result.ok_or_else(|| AppError::internal(anyhow!("an explanation overflows")))?;
        for event in line.event.iter().chain(&line.source) {
            if !self
                .events
                .iter()
                .any(|known| known.position == event.position)
            {
                self.events.push((*event).clone());
            }
        }
        self.contributions.push(Contribution {
            text: line.text,
            spec: line.spec.map(str::to_owned),
            amount: line.amount,
            result: self.result,
            event: line.event.map(|event| event.position),
            source: line.source.map(|event| event.position),
            explains: line.explains,
        });
        Ok(())
    }

    /// Adds the contribution of each event to a value derived from an aggregate's state: replaying the events is the explanation.
    ///
    /// # Errors
    /// A malformed event; an overflow.
    pub fn write_fold<A: Aggregate>(
        &mut self,
        events: &[StoredEvent],
        measure: impl Fn(&A) -> i64,
        text: impl Fn(&A::Event, &A) -> String,
    ) -> AppResult<A> {
        let mut state = A::default();
        let mut before = measure(&state);
        for recorded in events {
            let event = recorded.event::<A>()?;
            state.apply(recorded.event::<A>()?);
            let after = measure(&state);
            if after != before {
                self.write(Line {
                    text: text(&event, &state),
                    amount: after.saturating_sub(before),
                    event: Some(recorded),
                    ..Line::default()
                })?;
            }
            before = after;
        }
        Ok(state)
    }

    /// The explanation of an amount.
    ///
    /// # Errors
    /// The contributions do not add up to it: then nothing is shown.
    pub fn close(mut self, amount: NamedAmount) -> AppResult<Explanation> {
        if self.result != amount.value {
            return Err(AppError::internal(anyhow!(
                "{} is {}, what made it is {}",
                amount.name,
                amount.value,
                self.result
            )));
        }
        let older = self.contributions.len().saturating_sub(MOST);
        if older > 0 {
            let told = self.contributions.split_off(older);
            let brought = self.contributions.last().map_or(0, |last| last.result);
            self.contributions = vec![Contribution {
                text: words::brought_forward(older),
                spec: None,
                amount: brought,
                result: brought,
                event: None,
                source: None,
                explains: None,
            }];
            self.contributions.extend(told);
            let named = |event: &StoredEvent| {
                let at = Some(event.position);
                let lines = &self.contributions;
                lines.iter().any(|one| one.event == at || one.source == at)
            };
            self.events = self
                .events
                .iter()
                .filter(|event| named(event))
                .cloned()
                .collect();
        }
        self.events.sort_by_key(|event| event.position);
        Ok(Explanation {
            amount,
            contributions: self.contributions,
            events: self.events,
        })
    }
}
