//! Display values: relative time, ranking changes, masked names. The texts themselves belong to the screens.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Unit of a relative time (spec V294-V299).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AgoUnit {
    /// Under a minute: `just now`.
    Now,
    /// Minutes.
    Minute,
    /// Hours.
    Hour,
    /// Days, up to seven.
    Day,
    /// Weeks of seven days, up to 366 days.
    Week,
    /// Years of 365 days.
    Year,
}

/// A relative time: whole units, rounded down; 0 for [`AgoUnit::Now`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Ago {
    /// The unit.
    pub unit: AgoUnit,
    /// Number of units.
    pub count: u64,
}

impl Ago {
    /// The relative time of `seconds` elapsed (spec V294-V299). Seven whole days are still days, 366 are still weeks.
    pub const fn of_seconds(seconds: u64) -> Self {
        const MINUTE: u64 = 60;
        const HOUR: u64 = 60 * MINUTE;
        const DAY: u64 = 24 * HOUR;
        let (unit, count) = match seconds {
            0..MINUTE => (AgoUnit::Now, 0),
            MINUTE..HOUR => (AgoUnit::Minute, seconds / MINUTE),
            HOUR..DAY => (AgoUnit::Hour, seconds / HOUR),
            _ => match seconds / DAY {
                days @ 0..=7 => (AgoUnit::Day, days),
                days @ 8..=366 => (AgoUnit::Week, days / 7),
                days => (AgoUnit::Year, days / 365),
            },
        };
        Self { unit, count }
    }
}

/// How a rank changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RankMove {
    /// Not ranked before.
    New,
    /// Better rank than before.
    Up,
    /// Worse rank than before.
    Down,
    /// Same rank.
    Same,
}

/// A ranked item and its change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RankedItem {
    /// Id of the item.
    #[serde(rename = "_id")]
    pub id: String,
    /// Number of occurrences.
    pub count: u64,
    /// Rank, from 1.
    pub rank: u64,
    /// Direction of the change.
    pub change: RankMove,
    /// Number of ranks moved; none for new items (spec section 3: `diff` missing means new).
    pub steps: Option<u64>,
}

/// Ranks `current` by count, highest first, and compares it with the ranking of `previous`. Equal counts keep their order.
pub fn ranking(previous: &[(String, u64)], current: &[(String, u64)]) -> Vec<RankedItem> {
    let before = in_order(previous);
    (1_u64..)
        .zip(in_order(current))
        .map(|(rank, (id, count))| {
            let old = (1_u64..)
                .zip(&before)
                .find(|(_, before)| before.0 == *id)
                .map(|(old, _)| old);
            let change = match old {
                None => RankMove::New,
                Some(old) if rank < old => RankMove::Up,
                Some(old) if rank > old => RankMove::Down,
                Some(_) => RankMove::Same,
            };
            RankedItem {
                id: id.clone(),
                count: *count,
                rank,
                change,
                steps: old.map(|old| old.abs_diff(rank)),
            }
        })
        .collect()
}

/// Highest count first; the sort is stable.
fn in_order(counts: &[(String, u64)]) -> Vec<&(String, u64)> {
    let mut ordered: Vec<_> = counts.iter().collect();
    ordered.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    ordered
}

/// A nickname for public display: its first letter, or two of a longer one, followed by asterisks.
pub fn masked_nickname(nickname: &str) -> String {
    let shown = if nickname.chars().count() > 3 { 2 } else { 1 };
    let letters = nickname.chars().enumerate();
    letters
        .map(|(place, letter)| if place < shown { letter } else { '*' })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_go_up_to_seven_and_weeks_up_to_366_days() {
        const DAY: u64 = 86_400;
        let rows = [
            (59, AgoUnit::Now, 0),
            (60, AgoUnit::Minute, 1),
            (3_600, AgoUnit::Hour, 1),
            (DAY, AgoUnit::Day, 1),
            (7 * DAY - 1, AgoUnit::Day, 6),
            (7 * DAY, AgoUnit::Day, 7),
            (8 * DAY - 1, AgoUnit::Day, 7),
            (8 * DAY, AgoUnit::Week, 1),
            (366 * DAY, AgoUnit::Week, 52),
            (367 * DAY - 1, AgoUnit::Week, 52),
            (367 * DAY, AgoUnit::Year, 1),
            (730 * DAY, AgoUnit::Year, 2),
        ];
        for (seconds, unit, count) in rows {
            assert_eq!(Ago::of_seconds(seconds), Ago { unit, count }, "{seconds}");
        }
    }

    #[test]
    fn equal_counts_keep_their_order() {
        let counts = |names: &[&str]| {
            names
                .iter()
                .map(|name| ((*name).to_owned(), 5))
                .collect::<Vec<_>>()
        };
        let ranks = ranking(&counts(&["a", "b"]), &counts(&["b", "a", "c"]));
        let told: Vec<_> = ranks
            .iter()
            .map(|ranked| (ranked.id.as_str(), ranked.rank, ranked.change, ranked.steps))
            .collect();
        assert_eq!(
            told,
            [
                ("b", 1, RankMove::Up, Some(1)),
                ("a", 2, RankMove::Down, Some(1)),
                ("c", 3, RankMove::New, None)
            ]
        );
    }

    #[test]
    fn a_nickname_keeps_its_beginning_only() {
        for (nickname, masked) in [
            ("바람", "바*"),
            ("달리기", "달**"),
            ("느긋한고라니", "느긋****"),
            ("", ""),
        ] {
            assert_eq!(masked_nickname(nickname), masked);
        }
    }
}
