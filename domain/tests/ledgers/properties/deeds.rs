//! The actions in the shop, and how often each is tried.

use domain::order::{CanceledBy, Fault};
use domain::shipping::Area;
use proptest::prelude::*;
use proptest::sample::select;

use super::super::shop::{Basket, COUPONS, PRODUCTS};

/// One action. Orders, lines and claims are given by index and wrap around.
#[derive(Clone, Debug)]
pub(super) enum Deed {
    Place(Basket),
    Pay(usize),
    CancelUnpaid(usize, CanceledBy),
    Prepare(usize, usize),
    Ship(usize, usize),
    Delay(usize, usize),
    Deliver(usize, usize),
    Confirm(usize, usize),
    ConfirmByDate(usize, usize),
    /// Everything from preparing to confirming.
    Finish(usize, usize),
    RequestCancel(usize, u8, CanceledBy),
    CancelPieces(usize, usize, u32, CanceledBy),
    RequestReturn(usize, usize, u32, Fault),
    /// A confirmed purchase, returned by staff.
    Reopen(usize, usize, u32, Fault),
    /// A confirmed purchase, exchanged by staff.
    ReopenForExchange(usize, usize, u32, Fault),
    /// Everything from preparing to the request of a return.
    ShipAndReturn(usize, usize, u32, Fault),
    RequestExchange(usize, usize, u32, Fault),
    /// Everything from preparing to the request of an exchange.
    ShipAndExchange(usize, usize, u32, Fault),
    Accept(usize, usize),
    ReceiveFee(usize, usize),
    /// The payment window for the fee is opened.
    StartFee(usize, usize),
    /// The gateway charged the newest payment of the fee, whether it is still due or not.
    ChargeFee(usize, usize),
    /// Staff send a fee that was paid by bank transfer back to the buyer's account.
    SendFeeBack(usize, usize),
    /// The shop does without the fee.
    WaiveFee(usize, usize),
    Replace(usize, usize),
    DelayReplacement(usize, usize),
    CompleteExchange(usize, usize),
    /// The card is charged for an exchange for a dearer option.
    ChargePrice(usize, usize),
    /// Everything from the acceptance to the delivery of the replacement.
    Exchange(usize, usize, (u32, u32), Fault),
    Withdraw(usize, usize),
    PickUp(usize, usize),
    Inspect(usize, usize, (u32, u32), Fault),
    /// Everything from the pickup to the approval of a return.
    TakeBack(usize, usize, (u32, u32), Fault),
    Approve(usize, usize),
    Reject(usize, usize),
    SettleClaim(usize, usize),
    /// Another receiver and another note; the surcharge area may be another.
    Correct(usize, Area),
    Grant(usize, i64, i64),
    Expire(usize),
    AnnounceExpiry(usize),
    /// Staff takes back what is left of a lot.
    TakePoints(usize),
    /// A lot lasts so many hours from now on.
    ChangeLife(usize, i64),
    Count(usize, u32),
    Limit(u32),
    /// Staff takes a coupon out of a box.
    TakeCoupon(usize, usize),
    BringBackCoupon(usize, usize),
    /// Another end of a coupon, in days.
    ChangePeriod(usize, usize, i64),
    Wait(i64),
}

fn basket() -> impl Strategy<Value = Basket> {
    (
        0..2_usize,
        proptest::collection::vec((0..PRODUCTS, 1..4_u32), 1..4),
        proptest::sample::subsequence((0..COUPONS).collect::<Vec<_>>(), 0..=COUPONS),
        prop_oneof![Just(0), 0..3_000_i64, Just(1_000_000)],
        select(vec![Area::None, Area::Island, Area::Jeju]),
    )
        .prop_map(|(buyer, lines, coupons, points, area)| Basket {
            buyer,
            lines,
            coupons,
            points,
            area,
        })
}

fn fault() -> impl Strategy<Value = Fault> {
    select(Fault::ALL)
}

/// Units that arrived, and units that can be sold again.
fn pieces() -> impl Strategy<Value = (u32, u32)> {
    (0..4_u32, 0..4_u32)
}

/// Any of them, weighted towards those that lead further.
pub(super) fn deed() -> impl Strategy<Value = Deed> {
    let order = 0..5_usize;
    let line = 0..3_usize;
    let who = select(vec![
        CanceledBy::Buyer,
        CanceledBy::Staff,
        CanceledBy::Deadline,
    ]);
    prop_oneof![
        4 => basket().prop_map(Deed::Place),
        6 => order.clone().prop_map(Deed::Pay),
        1 => (order.clone(), who.clone()).prop_map(|(order, by)| Deed::CancelUnpaid(order, by)),
        6 => (order.clone(), line.clone()).prop_map(|(order, line)| Deed::Prepare(order, line)),
        3 => (order.clone(), line.clone()).prop_map(|(order, line)| Deed::Ship(order, line)),
        4 => (order.clone(), line.clone()).prop_map(|(order, line)| Deed::Delay(order, line)),
        3 => (order.clone(), line.clone()).prop_map(|(order, line)| Deed::Deliver(order, line)),
        3 => (order.clone(), line.clone()).prop_map(|(order, line)| Deed::Confirm(order, line)),
        1 => (order.clone(), line.clone()).prop_map(|(order, line)| Deed::ConfirmByDate(order, line)),
        6 => (order.clone(), line.clone()).prop_map(|(order, line)| Deed::Finish(order, line)),
        4 => (order.clone(), 1..8_u8, who.clone()).prop_map(|(order, lines, by)| Deed::RequestCancel(order, lines, by)),
        4 => (order.clone(), line.clone(), 0..4_u32, who).prop_map(|(order, line, pieces, by)| Deed::CancelPieces(order, line, pieces, by)),
        4 => (order.clone(), line.clone(), 0..4_u32, fault()).prop_map(|(order, line, pieces, fault)| Deed::Reopen(order, line, pieces, fault)),
        2 => (order.clone(), line.clone(), 0..4_u32, fault()).prop_map(|(order, line, pieces, fault)| Deed::ReopenForExchange(order, line, pieces, fault)),
        2 => (order.clone(), line.clone(), 0..4_u32, fault()).prop_map(|(order, line, pieces, fault)| Deed::RequestReturn(order, line, pieces, fault)),
        6 => (order.clone(), line.clone(), 0..4_u32, fault()).prop_map(|(order, line, pieces, fault)| Deed::ShipAndReturn(order, line, pieces, fault)),
        2 => (order.clone(), line.clone(), 0..4_u32, fault()).prop_map(|(order, line, pieces, fault)| Deed::RequestExchange(order, line, pieces, fault)),
        6 => (order.clone(), line.clone(), 0..4_u32, fault()).prop_map(|(order, line, pieces, fault)| Deed::ShipAndExchange(order, line, pieces, fault)),
        4 => (order.clone(), line.clone()).prop_map(|(order, claim)| Deed::Accept(order, claim)),
        2 => (order.clone(), line.clone()).prop_map(|(order, claim)| Deed::ReceiveFee(order, claim)),
        2 => (order.clone(), line.clone()).prop_map(|(order, claim)| Deed::SendFeeBack(order, claim)),
        1 => (order.clone(), line.clone()).prop_map(|(order, claim)| Deed::WaiveFee(order, claim)),
        4 => (order.clone(), line.clone()).prop_map(|(order, claim)| Deed::StartFee(order, claim)),
        4 => (order.clone(), line.clone()).prop_map(|(order, claim)| Deed::ChargeFee(order, claim)),
        2 => (order.clone(), line.clone()).prop_map(|(order, claim)| Deed::Replace(order, claim)),
        2 => (order.clone(), line.clone()).prop_map(|(order, claim)| Deed::DelayReplacement(order, claim)),
        2 => (order.clone(), line.clone()).prop_map(|(order, claim)| Deed::CompleteExchange(order, claim)),
        5 => (order.clone(), line.clone(), pieces(), fault()).prop_map(|(order, claim, found, fault)| Deed::Exchange(order, claim, found, fault)),
        1 => (order.clone(), line.clone()).prop_map(|(order, claim)| Deed::Withdraw(order, claim)),
        2 => (order.clone(), line.clone()).prop_map(|(order, claim)| Deed::PickUp(order, claim)),
        2 => (order.clone(), line.clone(), pieces(), fault()).prop_map(|(order, claim, found, fault)| Deed::Inspect(order, claim, found, fault)),
        5 => (order.clone(), line.clone(), pieces(), fault()).prop_map(|(order, claim, found, fault)| Deed::TakeBack(order, claim, found, fault)),
        2 => (order.clone(), line.clone()).prop_map(|(order, claim)| Deed::Approve(order, claim)),
        6 => (order.clone(), line.clone()).prop_map(|(order, claim)| Deed::Reject(order, claim)),
        3 => (order.clone(), line).prop_map(|(order, claim)| Deed::SettleClaim(order, claim)),
        2 => (order, select(vec![Area::None, Area::Island])).prop_map(|(order, area)| Deed::Correct(order, area)),
        1 => (0..2_usize, 1..2_000_i64, 1..5_i64).prop_map(|(buyer, amount, days)| Deed::Grant(buyer, amount, days)),
        1 => (0..8_usize).prop_map(Deed::Expire),
        1 => (0..8_usize).prop_map(Deed::AnnounceExpiry),
        1 => (0..8_usize).prop_map(Deed::TakePoints),
        1 => (0..8_usize, -10..200_i64).prop_map(|(lot, hours)| Deed::ChangeLife(lot, hours)),
        1 => (0..PRODUCTS, 0..8_u32).prop_map(|(product, quantity)| Deed::Count(product, quantity)),
        1 => (0..3_u32).prop_map(Deed::Limit),
        1 => (0..COUPONS, 0..2_usize).prop_map(|(coupon, buyer)| Deed::TakeCoupon(coupon, buyer)),
        2 => (0..COUPONS, 0..2_usize).prop_map(|(coupon, buyer)| Deed::BringBackCoupon(coupon, buyer)),
        1 => (0..COUPONS, 0..2_usize, 0..60_i64).prop_map(|(coupon, buyer, days)| Deed::ChangePeriod(coupon, buyer, days)),
        2 => (1..200_i64).prop_map(Deed::Wait),
    ]
}
