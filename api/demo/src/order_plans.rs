//! The orders to create: written by hand for the small demonstration, randomly generated for others.

use time::{Duration, OffsetDateTime};

use crate::goods::Goods;
use crate::people::Shopper;
use crate::rng::SeededRng;

/// The course of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OrderScenario {
    Unpaid,
    /// A virtual account waits for its deposit.
    AwaitingDeposit,
    /// The deposit comes some hours later.
    PaidByDeposit,
    CanceledUnpaid,
    Forgotten,
    Paid,
    Preparing,
    Shipped,
    Delayed,
    Delivered,
    Completed,
    CancelRequested,
    CanceledByBuyer,
    CanceledBySeller,
    CancelRejected,
    /// One piece of the first line was canceled, the rest sent.
    CanceledInPart,
    ReturnRequested,
    ReturnOnTheWay,
    ReturnInspected,
    Returned,
    ReturnRejected,
    ExchangeRequested,
    /// The goods are inspected; the buyer's fare is awaited.
    ExchangeUnpaid,
    /// Refused for its state once the goods were picked up.
    ExchangeRejected,
    /// The replacement sold out after the buyer had paid the fare by card, which went back.
    PaidExchangeRejected,
    /// The same of a fare that was transferred, which staff have to send back.
    TransferredExchangeRejected,
    /// The fare is paid; the replacement is late.
    ExchangeDelayed,
    ReplacementShipped,
    Exchanged,
}

/// The benefit that reduces the price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Benefit {
    None,
    Coupon(&'static str),
    Points(i64),
}

/// An order to create.
#[derive(Clone, Debug)]
pub(crate) struct OrderPlan {
    /// Time at which it is placed.
    pub placed: OffsetDateTime,
    /// Its buyer: an index of the shoppers.
    pub shopper: usize,
    /// Codes of products and their quantities.
    pub lines: Vec<(String, u32)>,
    /// The benefit that reduces its price.
    pub benefit: Benefit,
    /// Its course.
    pub scenario: OrderScenario,
}

/// Age in hours, buyer, lines (code and quantity), benefit, scenario.
type Row = (
    i64,
    usize,
    &'static [(&'static str, u32)],
    Benefit,
    OrderScenario,
);

/// The orders of a small shop.
const SMALL_SHOP: [Row; 44] = [
    (
        80 * 24,
        0,
        &[("BK-ROAD-01", 1)],
        Benefit::Coupon("total"),
        OrderScenario::Completed,
    ),
    (
        72 * 24,
        1,
        &[("JU-01", 4), ("JU-05", 2)],
        Benefit::None,
        OrderScenario::Completed,
    ),
    (
        64 * 24,
        2,
        &[("KB-04", 1)],
        Benefit::Points(500),
        OrderScenario::Completed,
    ),
    (
        55 * 24,
        9,
        &[("BK-CITY-01", 1), ("KB-05", 1)],
        Benefit::Coupon("total"),
        OrderScenario::Completed,
    ),
    (
        47 * 24,
        7,
        &[("BK-MINI-04", 2)],
        Benefit::None,
        OrderScenario::Completed,
    ),
    (
        40 * 24,
        12,
        &[("JU-12", 6)],
        Benefit::Points(200),
        OrderScenario::Completed,
    ),
    (
        33 * 24,
        4,
        &[("KB-01", 1)],
        Benefit::None,
        OrderScenario::CanceledByBuyer,
    ),
    (
        27 * 24,
        5,
        &[("BK-MTB-06", 1)],
        Benefit::None,
        OrderScenario::Forgotten,
    ),
    (
        20 * 24,
        8,
        &[("BK-CITY-03", 1), ("JU-02", 3)],
        Benefit::None,
        OrderScenario::CanceledBySeller,
    ),
    (
        9 * 24,
        10,
        &[("JU-08", 5), ("JU-03", 5)],
        Benefit::None,
        OrderScenario::Delivered,
    ),
    (
        8 * 24,
        3,
        &[("BK-MINI-05", 1)],
        Benefit::None,
        OrderScenario::Delivered,
    ),
    (
        7 * 24,
        0,
        &[("JU-16", 8)],
        Benefit::Coupon("total"),
        OrderScenario::Delivered,
    ),
    (
        7 * 24 - 5,
        6,
        &[("BK-MTB-03", 1)],
        Benefit::None,
        OrderScenario::Delivered,
    ),
    (
        6 * 24,
        11,
        // Two sellers: a claim for each.
        &[("KB-09", 1), ("JU-10", 2)],
        Benefit::None,
        OrderScenario::CancelRejected,
    ),
    (
        5 * 24,
        1,
        &[("BK-CITY-04", 1)],
        Benefit::Coupon("fare"),
        OrderScenario::Shipped,
    ),
    (
        5 * 24 - 7,
        2,
        &[("SC-08", 1)],
        Benefit::None,
        OrderScenario::Shipped,
    ),
    (
        4 * 24,
        12,
        &[("BK-ROAD-08", 1), ("BK-CITY-05", 1)],
        Benefit::None,
        OrderScenario::Shipped,
    ),
    (
        4 * 24 - 3,
        9,
        &[("JU-10", 4)],
        Benefit::Points(300),
        OrderScenario::Shipped,
    ),
    (
        4 * 24 - 9,
        7,
        &[("BK-MTB-01", 1)],
        Benefit::None,
        OrderScenario::Delayed,
    ),
    (
        3 * 24,
        3,
        &[("KB-02", 1), ("JU-06", 2)],
        Benefit::None,
        OrderScenario::Delayed,
    ),
    (
        3 * 24 - 6,
        4,
        &[("BK-MINI-03", 1)],
        Benefit::None,
        OrderScenario::Preparing,
    ),
    (
        2 * 24 + 8,
        5,
        &[("JU-14", 10)],
        Benefit::None,
        OrderScenario::Preparing,
    ),
    (
        2 * 24,
        8,
        &[("BK-CITY-06", 1)],
        Benefit::Coupon("total"),
        OrderScenario::Preparing,
    ),
    (
        40,
        10,
        &[("KB-06", 1)],
        Benefit::None,
        OrderScenario::CancelRequested,
    ),
    (
        30,
        6,
        &[("JU-17", 3)],
        Benefit::None,
        OrderScenario::CanceledUnpaid,
    ),
    (
        26,
        11,
        &[("BK-MINI-02", 1)],
        Benefit::None,
        OrderScenario::PaidByDeposit,
    ),
    (
        20,
        0,
        &[("SC-06", 1), ("KB-05", 2)],
        Benefit::Points(1_000),
        OrderScenario::Paid,
    ),
    (
        12,
        2,
        &[("JU-04", 6)],
        Benefit::None,
        OrderScenario::PaidByDeposit,
    ),
    (
        7,
        12,
        &[("BK-ROAD-06", 1)],
        Benefit::None,
        OrderScenario::AwaitingDeposit,
    ),
    (4, 1, &[("KB-08", 1)], Benefit::None, OrderScenario::Unpaid),
    (
        15 * 24,
        2,
        &[("JU-01", 3), ("JU-14", 2)],
        Benefit::Coupon("total"),
        OrderScenario::Returned,
    ),
    (
        13 * 24,
        3,
        &[("JU-17", 2)],
        Benefit::None,
        OrderScenario::ReturnRejected,
    ),
    (
        8 * 24,
        5,
        &[("JU-04", 4)],
        Benefit::None,
        OrderScenario::ReturnInspected,
    ),
    (
        7 * 24,
        6,
        &[("JU-06", 2), ("JU-05", 1)],
        Benefit::None,
        OrderScenario::ReturnOnTheWay,
    ),
    (
        5 * 24,
        8,
        &[("JU-05", 3)],
        Benefit::Points(500),
        OrderScenario::ReturnRequested,
    ),
    (
        3 * 24,
        10,
        &[("JU-01", 5)],
        Benefit::None,
        OrderScenario::CanceledInPart,
    ),
    (
        5 * 24 + 6,
        7,
        &[("JU-05", 2)],
        Benefit::None,
        OrderScenario::ExchangeRequested,
    ),
    (
        8 * 24 + 5,
        9,
        &[("JU-06", 3)],
        Benefit::None,
        OrderScenario::ExchangeUnpaid,
    ),
    (
        10 * 24,
        11,
        &[("JU-17", 2)],
        Benefit::None,
        OrderScenario::ReplacementShipped,
    ),
    (
        14 * 24,
        1,
        &[("JU-01", 2), ("JU-04", 1)],
        Benefit::Points(500),
        OrderScenario::Exchanged,
    ),
    (
        9 * 24 + 4,
        4,
        &[("JU-05", 2)],
        Benefit::None,
        OrderScenario::ExchangeRejected,
    ),
    (
        11 * 24,
        12,
        &[("JU-06", 2)],
        Benefit::None,
        OrderScenario::PaidExchangeRejected,
    ),
    (
        8 * 24 + 9,
        2,
        &[("JU-17", 1)],
        Benefit::None,
        OrderScenario::TransferredExchangeRejected,
    ),
    (
        8 * 24 + 1,
        6,
        &[("JU-04", 2)],
        Benefit::None,
        OrderScenario::ExchangeDelayed,
    ),
];

/// The orders of the small demonstration.
pub(crate) fn small_shop(now: OffsetDateTime) -> Vec<OrderPlan> {
    (0_i64..)
        .zip(SMALL_SHOP)
        .map(
            |(number, (hours_ago, shopper, lines, benefit, scenario))| OrderPlan {
                placed: now - Duration::hours(hours_ago) + Duration::minutes(number * 3),
                shopper,
                lines: lines
                    .iter()
                    .map(|(code, quantity)| ((*code).to_owned(), *quantity))
                    .collect(),
                benefit,
                scenario,
            },
        )
        .collect()
}

/// `count` random orders within the last `period`, of these products and shoppers.
pub(crate) fn generate(
    count: usize,
    period: Duration,
    now: OffsetDateTime,
    goods: &Goods,
    shoppers: &[Shopper],
    rng: &mut SeededRng,
) -> Vec<OrderPlan> {
    let goods: Vec<(&String, i64)> = goods
        .iter()
        .map(|(code, good)| (code, good.price))
        .collect();
    let mut plans: Vec<OrderPlan> = (0..count)
        .map(|_| {
            let placed = placed_within(period, now, rng);
            // Members who joined some hours before.
            let members = shoppers
                .iter()
                .filter(|shopper| shopper.joined + Duration::hours(3) < placed)
                .count();
            let shopper = rng.index(members);
            let lines = (0..1 + rng.below(3) / 2).map(|_| {
                let (code, price) = goods.get(rng.index(goods.len())).copied()?;
                // Larger quantities for cheap products.
                let most = if price < 2_000 { 6 } else { 1 };
                Some((
                    code.clone(),
                    1 + u32::try_from(rng.below(most)).unwrap_or(0),
                ))
            });
            let mut lines: Vec<(String, u32)> = lines.flatten().collect();
            lines.dedup_by(|one, other| one.0 == other.0);
            let benefit = match rng.below(8) {
                0 => Benefit::Points(100 * (1 + i64::try_from(rng.below(4)).unwrap_or_default())),
                1 => Benefit::Coupon("total"),
                2 => Benefit::Coupon("fare"),
                _ => Benefit::None,
            };
            let scenario = match scenario(now - placed, rng) {
                // A single piece cannot be canceled in part.
                OrderScenario::CanceledInPart if lines.first().is_none_or(|line| line.1 == 1) => {
                    OrderScenario::Shipped
                }
                scenario => scenario,
            };
            OrderPlan {
                placed,
                shopper,
                lines,
                benefit,
                scenario,
            }
        })
        .collect();
    plans.sort_by_key(|story| story.placed);
    plans
}

/// A random minute of the last `period`, but not of the last ten.
pub(crate) fn placed_within(
    period: Duration,
    now: OffsetDateTime,
    rng: &mut SeededRng,
) -> OffsetDateTime {
    let minutes = u64::try_from(period.whole_minutes()).unwrap_or_default();
    let ago = Duration::minutes(i64::try_from(rng.below(minutes)).unwrap_or_default());
    now - ago - Duration::minutes(10)
}

/// A random scenario for an order of this age.
fn scenario(age: Duration, rng: &mut SeededRng) -> OrderScenario {
    use OrderScenario::{
        AwaitingDeposit, CancelRejected, CancelRequested, CanceledByBuyer, CanceledBySeller,
        CanceledInPart, CanceledUnpaid, Completed, Delayed, Delivered, ExchangeRequested,
        ExchangeUnpaid, Exchanged, Forgotten, Paid, PaidByDeposit, Preparing, ReplacementShipped,
        ReturnInspected, ReturnOnTheWay, ReturnRejected, ReturnRequested, Returned, Shipped,
        Unpaid,
    };
    let scenarios: &[OrderScenario] = if age < Duration::hours(20) {
        &[
            Paid,
            Paid,
            PaidByDeposit,
            Unpaid,
            AwaitingDeposit,
            Preparing,
            CanceledUnpaid,
            CanceledByBuyer,
        ]
    } else if age < Duration::days(3) {
        &[
            Preparing,
            Preparing,
            Preparing,
            Paid,
            CancelRequested,
            Shipped,
            Shipped,
            CanceledUnpaid,
            Delayed,
        ]
    } else if age < Duration::days(8) {
        &[
            Delivered,
            Delivered,
            Delivered,
            Shipped,
            Shipped,
            Delayed,
            CanceledBySeller,
            CanceledByBuyer,
            CanceledInPart,
            CancelRejected,
            ReturnRequested,
            ReturnOnTheWay,
            ReturnInspected,
            ExchangeRequested,
            ExchangeUnpaid,
            Completed,
        ]
    } else {
        &[
            Completed,
            Completed,
            Completed,
            Completed,
            Completed,
            Completed,
            Completed,
            Completed,
            Completed,
            Completed,
            Completed,
            Completed,
            CanceledByBuyer,
            CanceledByBuyer,
            CanceledBySeller,
            Forgotten,
            CanceledUnpaid,
            CanceledInPart,
            Returned,
            ReturnRejected,
            ReplacementShipped,
            Exchanged,
            CancelRejected,
        ]
    };
    scenarios
        .get(rng.index(scenarios.len()))
        .copied()
        .unwrap_or(Completed)
}
