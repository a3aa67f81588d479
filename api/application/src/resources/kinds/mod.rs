//! The kinds of records of the console, one file each: schema, permissions, and side effects.

mod answers;
mod band_banner;
mod banner;
mod banner_advertisement;
mod brand;
mod contact;
mod coupon;
pub(crate) mod display;
mod faq;
mod form;
mod holiday;
mod inquire;
mod inquiry;
mod island;
mod level;
mod member_content;
mod notice;
mod popup;
mod product;
mod question;
mod review;
pub(in crate::resources) mod shipping;
mod shop_event;
mod showroom;
mod site_setting;
mod store;
mod terms;

use super::schema::{Action, Field, FieldChoice, Filter, choice};

/// Units of a discount or of a coupon's value.
const UNITS: &[FieldChoice] = &[choice("AMOUNT", "원"), choice("PERCENT", "%")];

/// Whether it is shown, as in `domain::storefront::Display`.
const ENABLED: Field = Field::boolean("display.enabled", "노출");
/// Whether the display period applies.
const HAS_PERIOD: Field = Field::boolean("display.hasPeriod", "기간 설정");
/// Start of the display period.
const STARTED_AT: Field = Field::datetime("display.startedAt", "노출 시작");
/// End of the display period.
const ENDED_AT: Field = Field::datetime("display.endedAt", "노출 종료");

/// Filters of kinds with a display period.
const SHOWN: &[Filter] = &[
    Filter::boolean("display.enabled"),
    Filter::period("display.startedAt"),
    Filter::period("display.endedAt"),
    Filter::period("createdAt"),
];

/// Actions of the console on content written by members.
const MODERATED: &[Action] = &[
    Action::Update,
    Action::Delete,
    Action::Restore,
    Action::Export,
    Action::Bulk,
];
