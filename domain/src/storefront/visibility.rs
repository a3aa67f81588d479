//! Visibility of storefront content at a moment.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::validation::RecordErrors;

/// Visibility: enabled, and within its period if it has one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Display {
    /// Whether it is enabled.
    pub enabled: bool,
    /// Whether the period applies; otherwise it is visible while enabled.
    pub has_period: bool,
    /// Start of visibility (inclusive); none for no start.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub started_at: Option<OffsetDateTime>,
    /// End of visibility (exclusive); none for no end.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub ended_at: Option<OffsetDateTime>,
}

impl Display {
    /// Visible without an end.
    pub const fn always() -> Self {
        Self {
            enabled: true,
            has_period: false,
            started_at: None,
            ended_at: None,
        }
    }

    /// Whether it is visible at `now`: start inclusive, end exclusive.
    pub fn shown_at(&self, now: OffsetDateTime) -> bool {
        let within = self.started_at.is_none_or(|start| start <= now)
            && self.ended_at.is_none_or(|end| now < end);
        self.enabled && (!self.has_period || within)
    }

    pub(crate) fn check(&self, errors: &mut RecordErrors) {
        errors.require(
            !self.has_period || self.started_at.is_some() || self.ended_at.is_some(),
            "display.startedAt",
            "required",
            "노출 기간을 입력해 주세요.",
        );
        errors.between(
            ("display.startedAt", self.started_at),
            ("display.endedAt", self.ended_at),
        );
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    const MAY: OffsetDateTime = datetime!(2026-05-01 00:00 +9);
    const JUNE: OffsetDateTime = datetime!(2026-06-01 00:00 +9);

    fn may() -> Display {
        Display {
            enabled: true,
            has_period: true,
            started_at: Some(MAY),
            ended_at: Some(JUNE),
        }
    }

    #[test]
    fn a_period_begins_with_its_start_and_ends_before_its_end() {
        let instant = time::Duration::nanoseconds(1);
        assert!(!may().shown_at(MAY - instant));
        assert!(may().shown_at(MAY));
        assert!(may().shown_at(JUNE - instant));
        assert!(!may().shown_at(JUNE));
    }

    #[test]
    fn a_period_counts_only_where_there_is_one_and_never_when_switched_off() {
        let without = Display {
            has_period: false,
            ..may()
        };
        assert!(without.shown_at(JUNE));
        let off = Display {
            enabled: false,
            ..without
        };
        assert!(!off.shown_at(MAY));
        let from_may = Display {
            ended_at: None,
            ..may()
        };
        assert!(from_may.shown_at(JUNE));
    }
}
