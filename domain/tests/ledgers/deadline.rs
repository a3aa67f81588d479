//! A refused deadline can be retried once after each refusal.

use domain::deadline::{Deadline, DeadlineCommand, DeadlineError, DeadlineEvent, Refusal};
use time::Duration;

use super::given::{NOON, given};

fn refused(hours: i64) -> Refusal {
    Refusal {
        kind: "confirm-purchase".to_owned(),
        id: "20261121-7KD2M9QX-1".to_owned(),
        stream: "an order".to_owned(),
        set_by: 7,
        code: "not_allowed_now".to_owned(),
        message: "지금은 할 수 없습니다.".to_owned(),
        refused_at: NOON + Duration::hours(hours),
    }
}

#[test]
fn a_refusal_is_answered_by_one_retry() {
    let retried = |hours| DeadlineEvent::DeadlineRetried(refused(hours));
    given::<Deadline>([])
        .when(DeadlineCommand::Retry(refused(0)))
        .then([retried(0)]);
    given::<Deadline>([retried(0)])
        .when(DeadlineCommand::Retry(refused(0)))
        .then_refuses(DeadlineError::RetriedAlready);
    given::<Deadline>([retried(0)])
        .when(DeadlineCommand::Retry(refused(1)))
        .then([retried(1)]);
}
