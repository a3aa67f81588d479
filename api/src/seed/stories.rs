//! What becomes of orders: thirty stories of a small shop, told by hand, and any number made up for a large one.

use time::{Duration, OffsetDateTime};

use super::catalogue::Goods;
use super::dice::Dice;
use super::people::Shopper;

/// What becomes of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Unpaid,
    /// A virtual account waits for the deposit.
    AwaitingDeposit,
    /// Paid into one some hours later.
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
}

/// What takes something off the price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Help {
    None,
    Coupon(&'static str),
    Points(i64),
}

/// The story of one order.
#[derive(Clone, Debug)]
pub(super) struct Story {
    /// When it was placed.
    pub placed: OffsetDateTime,
    /// Who placed it, by their place among the shoppers.
    pub shopper: usize,
    /// What: codes and pieces.
    pub lines: Vec<(String, u32)>,
    /// With which help.
    pub help: Help,
    /// What became of it.
    pub fate: Fate,
}

/// Hours before now it was placed, who, what (code and pieces), with which help, and its fate.
type Row = (i64, usize, &'static [(&'static str, u32)], Help, Fate);

/// Thirty orders of a small shop.
const TOLD: [Row; 30] = [
    (
        80 * 24,
        0,
        &[("BK-ROAD-01", 1)],
        Help::Coupon("total"),
        Fate::Completed,
    ),
    (
        72 * 24,
        1,
        &[("JU-01", 4), ("JU-05", 2)],
        Help::None,
        Fate::Completed,
    ),
    (
        64 * 24,
        2,
        &[("KB-04", 1)],
        Help::Points(500),
        Fate::Completed,
    ),
    (
        55 * 24,
        9,
        &[("BK-CITY-01", 1), ("KB-05", 1)],
        Help::Coupon("total"),
        Fate::Completed,
    ),
    (
        47 * 24,
        7,
        &[("BK-MINI-04", 2)],
        Help::None,
        Fate::Completed,
    ),
    (
        40 * 24,
        12,
        &[("JU-12", 6)],
        Help::Points(200),
        Fate::Completed,
    ),
    (
        33 * 24,
        4,
        &[("KB-01", 1)],
        Help::None,
        Fate::CanceledByBuyer,
    ),
    (27 * 24, 5, &[("BK-MTB-06", 1)], Help::None, Fate::Forgotten),
    (
        20 * 24,
        8,
        &[("BK-CITY-03", 1), ("JU-02", 3)],
        Help::None,
        Fate::CanceledBySeller,
    ),
    (
        9 * 24,
        10,
        &[("JU-08", 5), ("JU-03", 5)],
        Help::None,
        Fate::Delivered,
    ),
    (8 * 24, 3, &[("BK-MINI-05", 1)], Help::None, Fate::Delivered),
    (
        7 * 24,
        0,
        &[("JU-16", 8)],
        Help::Coupon("total"),
        Fate::Delivered,
    ),
    (
        7 * 24 - 5,
        6,
        &[("BK-MTB-03", 1)],
        Help::None,
        Fate::Delivered,
    ),
    (
        6 * 24,
        11,
        &[("KB-09", 1)],
        Help::None,
        Fate::CancelRejected,
    ),
    (
        5 * 24,
        1,
        &[("BK-CITY-04", 1)],
        Help::Coupon("fare"),
        Fate::Shipped,
    ),
    (5 * 24 - 7, 2, &[("SC-08", 1)], Help::None, Fate::Shipped),
    (
        4 * 24,
        12,
        &[("BK-ROAD-08", 1), ("BK-CITY-05", 1)],
        Help::None,
        Fate::Shipped,
    ),
    (
        4 * 24 - 3,
        9,
        &[("JU-10", 4)],
        Help::Points(300),
        Fate::Shipped,
    ),
    (
        4 * 24 - 9,
        7,
        &[("BK-MTB-01", 1)],
        Help::None,
        Fate::Delayed,
    ),
    (
        3 * 24,
        3,
        &[("KB-02", 1), ("JU-06", 2)],
        Help::None,
        Fate::Delayed,
    ),
    (
        3 * 24 - 6,
        4,
        &[("BK-MINI-03", 1)],
        Help::None,
        Fate::Preparing,
    ),
    (2 * 24 + 8, 5, &[("JU-14", 10)], Help::None, Fate::Preparing),
    (
        2 * 24,
        8,
        &[("BK-CITY-06", 1)],
        Help::Coupon("total"),
        Fate::Preparing,
    ),
    (40, 10, &[("KB-06", 1)], Help::None, Fate::CancelRequested),
    (30, 6, &[("JU-17", 3)], Help::None, Fate::CanceledUnpaid),
    (
        26,
        11,
        &[("BK-MINI-02", 1)],
        Help::None,
        Fate::PaidByDeposit,
    ),
    (
        20,
        0,
        &[("SC-06", 1), ("KB-05", 2)],
        Help::Points(1_000),
        Fate::Paid,
    ),
    (12, 2, &[("JU-04", 6)], Help::None, Fate::PaidByDeposit),
    (
        7,
        12,
        &[("BK-ROAD-06", 1)],
        Help::None,
        Fate::AwaitingDeposit,
    ),
    (4, 1, &[("KB-08", 1)], Help::None, Fate::Unpaid),
];

/// The stories told by hand.
pub(super) fn told(now: OffsetDateTime) -> Vec<Story> {
    (0_i64..)
        .zip(TOLD)
        .map(|(number, (hours_ago, shopper, lines, help, fate))| Story {
            placed: now - Duration::hours(hours_ago) + Duration::minutes(number * 3),
            shopper,
            lines: lines
                .iter()
                .map(|(code, pieces)| ((*code).to_owned(), *pieces))
                .collect(),
            help,
            fate,
        })
        .collect()
}

/// `count` stories of the last `over`, made up of these goods and shoppers.
pub(super) fn made_up(
    count: usize,
    over: Duration,
    now: OffsetDateTime,
    goods: &Goods,
    shoppers: &[Shopper],
    dice: &mut Dice,
) -> Vec<Story> {
    let goods: Vec<(&String, i64)> = goods
        .iter()
        .map(|(code, good)| (code, good.price))
        .collect();
    let mut stories: Vec<Story> = (0..count)
        .map(|_| {
            let placed = placed_over(over, now, dice);
            // who joined some hours before
            let here = shoppers
                .iter()
                .filter(|shopper| shopper.joined + Duration::hours(3) < placed)
                .count();
            let shopper = dice.place(here);
            let lines = (0..1 + dice.below(3) / 2).map(|_| {
                let (code, price) = goods.get(dice.place(goods.len())).copied()?;
                // of what costs little people take more
                let most = if price < 2_000 { 6 } else { 1 };
                Some((
                    code.clone(),
                    1 + u32::try_from(dice.below(most)).unwrap_or(0),
                ))
            });
            let mut lines: Vec<(String, u32)> = lines.flatten().collect();
            lines.dedup_by(|one, other| one.0 == other.0);
            let help = match dice.below(8) {
                0 => Help::Points(100 * (1 + i64::try_from(dice.below(4)).unwrap_or_default())),
                1 => Help::Coupon("total"),
                2 => Help::Coupon("fare"),
                _ => Help::None,
            };
            let fate = fate(now - placed, dice);
            Story {
                placed,
                shopper,
                lines,
                help,
                fate,
            }
        })
        .collect();
    stories.sort_by_key(|story| story.placed);
    stories
}

/// Some minute of the last `over`, and not of the last ten.
pub(super) fn placed_over(over: Duration, now: OffsetDateTime, dice: &mut Dice) -> OffsetDateTime {
    let minutes = u64::try_from(over.whole_minutes()).unwrap_or_default();
    let ago = Duration::minutes(i64::try_from(dice.below(minutes)).unwrap_or_default());
    now - ago - Duration::minutes(10)
}

/// What may have become of an order after that time.
fn fate(age: Duration, dice: &mut Dice) -> Fate {
    use Fate::{
        AwaitingDeposit, CancelRejected, CancelRequested, CanceledByBuyer, CanceledBySeller,
        CanceledUnpaid, Completed, Delayed, Delivered, Forgotten, Paid, PaidByDeposit, Preparing,
        Shipped, Unpaid,
    };
    let fates: &[Fate] = if age < Duration::hours(20) {
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
            CancelRejected,
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
            CancelRejected,
        ]
    };
    fates
        .get(dice.place(fates.len()))
        .copied()
        .unwrap_or(Completed)
}
