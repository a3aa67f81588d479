//! Fault injection: rules that make calls and notices misbehave.

use serde::{Deserialize, Serialize};

/// The call a rule applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Call {
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
    /// POST /messages/v4/send-many/detail
    SendSms,
    /// GET /messages/v4/list
    FindSms,
    /// The report of the carrier on a text that was taken: late, none (`timeoutBefore`) or not delivered (`refuse`); by webhook twice.
    ReportSms,
    /// POST /recaptcha/api/siteverify
    SiteVerify,
    /// A notice sent by the sandbox.
    Notice,
}

/// The fault. "Before" and "after" mean before and after the call is executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "fault",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub(crate) enum Fault {
    /// Never answers; not executed.
    TimeoutBefore,
    /// Executed, never answers.
    TimeoutAfter,
    /// Executed at once, answered later. A notice is sent later.
    Late { milliseconds: u64 },
    /// Executed twice, answers with the second result. A notice is sent twice.
    Twice,
    /// HTTP 500; not executed.
    ErrorBefore,
    /// Executed, then HTTP 500.
    ErrorAfter,
    /// The connection breaks; not executed.
    DropBefore,
    /// Executed, then the connection breaks in the middle of the answer.
    DropAfter,
    /// Refused with this code.
    Refuse { code: String },
    /// Answers with a wrong signature.
    BadSignature,
    /// The notice is sent and acknowledged before the answer it belongs to. Only for notices.
    Early,
}

/// When to inject which fault.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Rule {
    call: Call,
    #[serde(flatten)]
    fault: Fault,
    /// Only for this order id, or this number.
    #[serde(default, alias = "to")]
    order_id: Option<String>,
    /// Maximum number of uses; unlimited if missing.
    #[serde(default)]
    times: Option<u32>,
    /// Probability in percent; always if missing.
    #[serde(default)]
    percent: Option<u8>,
}

/// All rules, in the order they were added.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    pub(crate) rules: Vec<Rule>,
}

impl Faults {
    /// The fault for one call, if any: that of the first matching rule, which is counted.
    pub(crate) fn pick(&mut self, call: Call, order_id: &str) -> Option<Fault> {
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
