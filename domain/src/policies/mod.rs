//! Automatic reactions of the shop: which event leads to which command, and with which content. Loading and appending is up to the caller.
//!
//! | topic | module |
//! |---|---|
//! | points for confirmed purchases | [`purchase_points`] |
//! | points for reviews | [`review_points`] |
//! | coupons for actions of members | [`instant_coupons`] |
//! | coupons of special dates and days of the shop | [`coupon_days`] |
//! | notifications of members | [`notifications`], [`alarm_kinds`] |
//! | mail to buyers | [`order_mail`] |
//! | erasing personal data | [`erasure`] |
//! | reserving gateway transactions | [`transactions`] |

pub mod alarm_kinds;
pub mod coupon_days;
pub mod erasure;
pub mod instant_coupons;
pub mod notifications;
pub mod order_mail;
pub mod purchase_points;
pub mod review_points;
pub mod transactions;

use crate::ids::{LotId, derived_id};

/// The lot of points that a purchase earns for a reason; the same for every repetition, so that points are granted once.
fn lot_of(reason: &str, purchase_no: &str) -> LotId {
    LotId(derived_id(&format!("{reason} {purchase_no}")))
}
