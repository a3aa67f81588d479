//! What events, exhibitions and tag events have in common: a period, and whether it goes on at a moment.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::{LINE_MOST, PAGE_MOST, PRODUCTS_MOST};
use crate::catalogue::Picture;
use crate::schema::Filter;
use crate::validation::RecordErrors;

/// Sorts of promotions in the console.
pub(super) const SORTS: &[&str] = &[
    "index",
    "name",
    "startsAt",
    "endsAt",
    "createdAt",
    "updatedAt",
];

/// Filters of promotions in the console.
pub(super) const FILTERS: &[Filter] = &[
    Filter::boolean("shows"),
    Filter::reference("_products", "product"),
    Filter::period("startsAt"),
    Filter::period("endsAt"),
    Filter::period("createdAt"),
];

/// State of a promotion at a moment; the shop lists all, the ongoing or the ended ones (spec V112).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PromotionState {
    /// Not started yet.
    Upcoming,
    /// Within its period.
    Ongoing,
    /// Its end has passed.
    Ended,
}

impl PromotionState {
    /// The state at `now`: start inclusive, end exclusive.
    pub fn at(
        now: OffsetDateTime,
        starts_at: Option<OffsetDateTime>,
        ends_at: Option<OffsetDateTime>,
    ) -> Self {
        if ends_at.is_some_and(|end| now >= end) {
            Self::Ended
        } else if starts_at.is_some_and(|start| now < start) {
            Self::Upcoming
        } else {
            Self::Ongoing
        }
    }
}

/// The checks of texts, pictures, products and period.
pub(super) fn check(
    errors: &mut RecordErrors,
    (desc, content): (&str, &str),
    (thumb, banner): (&Picture, Option<&Picture>),
    products: usize,
    (starts_at, ends_at): (Option<OffsetDateTime>, Option<OffsetDateTime>),
) {
    errors.at_most("desc", desc, LINE_MOST);
    errors.at_most("content", content, PAGE_MOST);
    errors.picture("thumb.url", &thumb.url);
    if let Some(banner) = banner {
        errors.picture("banner.url", &banner.url);
    }
    errors.no_more_than("_products", products, PRODUCTS_MOST);
    errors.between(("startsAt", starts_at), ("endsAt", ends_at));
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_promotion_goes_on_from_its_start_until_just_before_its_end() {
        let (start, end) = (datetime!(2026-05-01 0:00 +9), datetime!(2026-06-01 0:00 +9));
        let second = time::Duration::SECOND;
        let state = |now| PromotionState::at(now, Some(start), Some(end));
        assert_eq!(state(start - second), PromotionState::Upcoming);
        assert_eq!(state(start), PromotionState::Ongoing);
        assert_eq!(state(end - second), PromotionState::Ongoing);
        assert_eq!(state(end), PromotionState::Ended);
        assert_eq!(
            PromotionState::at(end, Some(start), None),
            PromotionState::Ongoing
        );
        assert_eq!(
            PromotionState::at(start - second, None, Some(end)),
            PromotionState::Ongoing
        );
    }
}
