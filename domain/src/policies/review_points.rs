//! Points for reviews, as set in the site setting, more for one with a picture. Granted once for each purchase: a review that is removed
//! and written again earns nothing.

use serde_json::Value;
use time::OffsetDateTime;

use super::lot_of;
use crate::Amount;
use crate::points::PointsCommand;
use crate::record::RecordEvent;
use crate::review::{Review, ReviewPoints};
use crate::site::PointsRules;

/// The review that an event writes, given the version of the stream; none for one that is restored after its removal.
///
/// # Errors
/// The event is not one of a review.
pub fn written_review(
    event: RecordEvent<Review>,
    version: u64,
) -> Result<Option<Review>, serde_json::Error> {
    match event {
        RecordEvent::Created { data, .. } if version == 1 => {
            serde_json::from_value(Value::Object(data)).map(Some)
        }
        _ => Ok(None),
    }
}

/// The grant for a review written at this time; none if the shop grants no points.
pub fn grant(
    review: &Review,
    points: &ReviewPoints,
    rules: PointsRules,
    written_at: OffsetDateTime,
) -> Option<PointsCommand> {
    let amount = points.of(review);
    let reason = match review.images.is_empty() {
        true => "상품 후기 적립",
        false => "사진 후기 적립",
    };
    (amount > Amount::ZERO).then(|| PointsCommand::Grant {
        member: review.user,
        lot: lot_of("reviewed", &review.purchase),
        amount,
        reason: reason.to_owned(),
        order: None,
        grant: None,
        expires_at: rules.expiry(written_at),
    })
}

#[cfg(test)]
#[expect(clippy::panic, clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    const AT: OffsetDateTime = OffsetDateTime::UNIX_EPOCH;
    const POINTS: ReviewPoints = ReviewPoints {
        text: Amount::ZERO,
        photo: Amount::new(500),
    };

    fn sample() -> RecordEvent<Review> {
        serde_json::from_str(include_str!("../../samples/ReviewCreated.1.0.json")).unwrap()
    }

    fn rules() -> PointsRules {
        PointsRules {
            life_days: 30,
            ..PointsRules::default()
        }
    }

    #[test]
    fn a_review_that_is_restored_is_not_written() {
        assert!(written_review(sample(), 1).unwrap().is_some());
        assert!(written_review(sample(), 3).unwrap().is_none());
    }

    #[test]
    fn a_picture_earns_what_a_text_does_not() {
        let mut review = written_review(sample(), 1).unwrap().unwrap();
        let Some(PointsCommand::Grant {
            amount,
            lot,
            expires_at,
            ..
        }) = grant(&review, &POINTS, rules(), AT)
        else {
            panic!("nothing is granted");
        };
        assert_eq!(amount, Amount::new(500));
        assert_eq!(expires_at, AT + time::Duration::days(30));
        // the lot of a review written again is the same
        review.content = "다시 씁니다.".to_owned();
        let again = grant(&review, &POINTS, rules(), AT);
        assert!(matches!(again, Some(PointsCommand::Grant { lot: other, .. }) if other == lot));
        review.images.clear();
        assert_eq!(grant(&review, &POINTS, rules(), AT), None);
    }
}
