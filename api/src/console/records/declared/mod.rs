//! What each kind of record says about itself, by what it is about.

pub mod catalogue;
pub mod coupons;
pub mod delivery;
pub mod front;
pub mod ledgers;
pub mod site;
pub mod voices;

use super::schema::{Choice, Field, choice};

/// How a discount or a coupon's value is meant.
pub const UNITS: &[Choice] = &[choice("AMOUNT", "원"), choice("PERCENT", "%")];

/// Where a link opens.
pub const TARGETS: &[Choice] = &[choice("_self", "현재 창"), choice("_blank", "새 창")];

/// When something is shown, as `domain::front::Display` has it.
pub const ENABLED: Field = Field::boolean("display.enabled", "노출");
/// Whether its period counts.
pub const HAS_PERIOD: Field = Field::boolean("display.hasPeriod", "기간 설정");
/// Where the period begins.
pub const STARTED_AT: Field = Field::datetime("display.startedAt", "노출 시작");
/// Where the period ends.
pub const ENDED_AT: Field = Field::datetime("display.endedAt", "노출 종료");
