//! The kinds of records the console keeps, one file each: what it says about itself, who may do what, and what changes together
//! with it.

mod band_banner;
mod banner;
mod banner_advertisement;
mod brand;
mod coupon;
pub(crate) mod display;
mod holiday;
mod inquire;
mod island;
mod level;
mod popup;
mod product;
mod review;
mod shipping;
mod showroom;
mod site_setting;
mod store;
mod terms;

use super::schema::{Action, Field, FieldChoice, Filter, choice};

/// How a discount or a coupon's value is meant.
const UNITS: &[FieldChoice] = &[choice("AMOUNT", "원"), choice("PERCENT", "%")];

/// Where a link opens.
const TARGETS: &[FieldChoice] = &[choice("_self", "현재 창"), choice("_blank", "새 창")];

/// When something is shown, as `domain::storefront::Display` has it.
const ENABLED: Field = Field::boolean("display.enabled", "노출");
/// Whether its period counts.
const HAS_PERIOD: Field = Field::boolean("display.hasPeriod", "기간 설정");
/// Where the period begins.
const STARTED_AT: Field = Field::datetime("display.startedAt", "노출 시작");
/// Where the period ends.
const ENDED_AT: Field = Field::datetime("display.endedAt", "노출 종료");

/// What is shown for a time is narrowed by it.
const SHOWN: &[Filter] = &[
    Filter::boolean("display.enabled"),
    Filter::period("display.startedAt"),
    Filter::period("display.endedAt"),
    Filter::period("createdAt"),
];

/// What the back office does with what members wrote.
const MODERATED: &[Action] = &[
    Action::Update,
    Action::Delete,
    Action::Restore,
    Action::Export,
    Action::Bulk,
];
