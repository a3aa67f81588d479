//! Misbehaviour the sandbox can be told to show.

use serde::{Deserialize, Serialize};

/// Which call misbehaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Call {
    /// POST /v1/payments/{tid}
    Approve,
    /// GET /v1/payments/{tid} and /v1/payments/find/{orderId}
    Query,
    /// POST /v1/payments/{tid}/cancel
    Cancel,
    /// POST /v1/payments/netcancel
    NetCancel,
    /// POST /v1/check-amount/{tid}
    CheckAmount,
    /// A notice the sandbox sends.
    Notice,
}

/// How it misbehaves. "Before" and "after" are before and after the call is carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "fault",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub(super) enum Fault {
    /// Never answers; nothing is done.
    TimeoutBefore,
    /// Does it, then never answers.
    TimeoutAfter,
    /// Does it at once and answers later. A notice is sent later.
    Late { milliseconds: u64 },
    /// The call is carried out as if it had come twice, and the second answer is sent. A notice is sent twice.
    Twice,
    /// HTTP 500; nothing is done.
    ErrorBefore,
    /// Does it, then HTTP 500.
    ErrorAfter,
    /// The connection breaks; nothing is done.
    DropBefore,
    /// Does it, then the connection breaks in the middle of the answer.
    DropAfter,
    /// Refuses with this code.
    Refuse { code: String },
    /// Answers with a wrong signature.
    BadSignature,
    /// The notice is sent, and taken, before the answer it belongs to. Only for notices.
    Early,
}

/// When to misbehave how.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule {
    call: Call,
    #[serde(flatten)]
    fault: Fault,
    /// Only for this order id.
    #[serde(default)]
    order_id: Option<String>,
    /// Only so many times; always if missing.
    #[serde(default)]
    times: Option<u32>,
    /// In so many of a hundred cases; in all if missing.
    #[serde(default)]
    percent: Option<u8>,
}

/// All rules, in the order they were given.
#[derive(Debug, Default)]
pub(super) struct Faults {
    pub(super) rules: Vec<Rule>,
}

impl Faults {
    /// The misbehaviour for one call, if any: the first rule that fits. Counts it.
    pub(super) fn pick(&mut self, call: Call, order_id: &str) -> Option<Fault> {
        let rule = self.rules.iter_mut().find(|rule| {
            rule.call == call
                && rule.times != Some(0)
                && rule.order_id.as_deref().is_none_or(|only| only == order_id)
                && rule
                    .percent
                    .is_none_or(|percent| rand::random_range(0..100) < percent)
        })?;
        rule.times = rule.times.map(|left| left.saturating_sub(1));
        Some(rule.fault.clone())
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn the_first_rule_that_fits_is_used_and_counted() {
        let rules = r#"[{"call":"approve","fault":"late","milliseconds":5,"orderId":"a","times":1},
                        {"call":"approve","fault":"timeoutAfter","percent":0},
                        {"call":"approve","fault":"refuse","code":"3095","percent":100}]"#;
        let mut faults = Faults {
            rules: serde_json::from_str(rules).unwrap(),
        };
        assert_eq!(faults.pick(Call::Cancel, "a"), None);
        assert_eq!(
            faults.pick(Call::Approve, "a"),
            Some(Fault::Late { milliseconds: 5 })
        );
        assert_eq!(
            faults.pick(Call::Approve, "a"),
            Some(Fault::Refuse {
                code: "3095".into()
            })
        );
    }
}
