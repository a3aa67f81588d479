//! Fault injection of the mail server.

use serde::{Deserialize, Serialize};

/// The step of a conversation that a rule applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Step {
    /// The greeting.
    Connect,
    /// MAIL FROM
    Mail,
    /// RCPT TO
    Rcpt,
    /// DATA
    Data,
    /// The end of the mail.
    Message,
}

/// The fault. "Before" and "after" mean before and after the step is executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "fault",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub(crate) enum MailFault {
    /// Refused with this code, 4xx for the moment or 5xx for good; not executed.
    Refuse { code: u16 },
    /// The connection breaks; not executed.
    DropBefore,
    /// Executed, then the connection breaks without an answer.
    DropAfter,
    /// Executed at once, answered later.
    Late { milliseconds: u64 },
}

/// When to inject which fault.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MailRule {
    step: Step,
    #[serde(flatten)]
    fault: MailFault,
    /// Only for mail to this address, from RCPT on.
    #[serde(default)]
    to: Option<String>,
    /// Maximum number of uses; unlimited if missing.
    #[serde(default)]
    times: Option<u32>,
}

/// All rules, in the order they were added.
#[derive(Debug, Default)]
pub(crate) struct MailFaults {
    pub(crate) rules: Vec<MailRule>,
}

impl MailFaults {
    /// The fault of one step, if any: that of the first matching rule, which is counted.
    pub(crate) fn pick(&mut self, step: Step, to: &[String]) -> Option<MailFault> {
        let rule = self.rules.iter_mut().find(|rule| {
            rule.step == step
                && rule.times != Some(0)
                && rule.to.as_ref().is_none_or(|only| to.contains(only))
        })?;
        rule.times = rule.times.map(|left| left.saturating_sub(1));
        Some(rule.fault.clone())
    }
}
