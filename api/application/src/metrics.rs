//! Metrics of commands and of open streams. The page that shows them is in the main program.

use event_store::StreamAppend;
use metrics::{counter, gauge};

/// The stream kind whose events are the outcomes of payments.
const PAYMENT: &str = "payment";

/// How an append ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppendOutcome {
    /// It is in the log.
    Appended,
    /// Another append was faster; the decision is made again.
    Conflict,
    /// It was in the log already.
    Repeated,
    /// It was rejected by the log, or could not be written.
    Failed,
}

impl AppendOutcome {
    const fn name(self) -> &'static str {
        match self {
            Self::Appended => "appended",
            Self::Conflict => "conflict",
            Self::Repeated => "repeated",
            Self::Failed => "failed",
        }
    }
}

/// Counts an attempted append of a command.
pub fn tried_to_append(command: &'static str, outcome: AppendOutcome) {
    counter!("jangbu_appends_total", "command" => command, "outcome" => outcome.name())
        .increment(1);
}

/// Changes the number of open alarm streams.
pub fn alarm_streams(more: f64) {
    gauge!("jangbu_alarm_streams").increment(more);
}

/// The types of the payment events in a batch, to be counted after the append.
pub fn payment_outcomes(streams: &[StreamAppend]) -> Vec<String> {
    streams
        .iter()
        .filter(|append| append.stream.kind == PAYMENT)
        .flat_map(|append| &append.events)
        .map(|event| event.event_type.clone())
        .collect()
}

/// Counts outcomes of payments.
pub fn payments(outcomes: Vec<String>) {
    for outcome in outcomes {
        counter!("jangbu_payments_total", "outcome" => outcome).increment(1);
    }
}
