//! Refunds: partial ones, and never twice.

use domain::Amount;
use integrations::payment::{PaymentGateway, Status, UnknownReason};
use serde_json::json;

use crate::{Stand, done, done_before, refused, unknown};

#[tokio::test]
async fn money_goes_back_in_parts_and_never_more_than_came() {
    let stand = Stand::new().await;
    let tid = stand.paid("order-1", 1000).await;
    let first = done(stand.cancel(&tid, "c1", Some(300)).await);
    assert_eq!(
        (first.status, first.balance),
        (Status::PartialCancelled, Amount::new(700))
    );
    assert_eq!(refused(stand.cancel(&tid, "c2", Some(701)).await), "2032");
    assert_eq!(
        done_before(stand.cancel(&tid, "c1", Some(300)).await),
        "2015"
    );
    assert_eq!(
        done_before(stand.cancel(&tid, "c1", Some(301)).await),
        "2156"
    );
    let rest = done(stand.cancel(&tid, "c3", None).await);
    assert_eq!(
        (rest.status, rest.balance),
        (Status::Cancelled, Amount::ZERO)
    );
    assert_eq!(
        rest.cancels
            .iter()
            .map(|c| c.amount.hundredths())
            .collect::<Vec<_>>(),
        [300, 700]
    );
    assert_eq!(
        rest.cancelled_tid.as_ref(),
        rest.cancels.last().map(|c| &c.tid)
    );
    assert_eq!(done_before(stand.cancel(&tid, "c4", None).await), "2013");
    assert_eq!(refused(stand.cancel("nobody", "c5", None).await), "A115");
    assert_eq!(stand.sums().await, (1000, 0));
}

#[tokio::test]
async fn a_phone_bill_is_cancelled_as_a_whole_or_not_at_all() {
    let stand = Stand::new().await;
    let tid = stand.paid_by("cellphone", "order-1", 1000).await;
    assert_eq!(refused(stand.cancel(&tid, "c1", Some(300)).await), "2028");
    let whole = done(stand.cancel(&tid, "c2", None).await);
    assert_eq!(whole.status, Status::Cancelled);
    assert_eq!(stand.sums().await, (1000, 0));
}

#[tokio::test]
async fn a_payment_can_be_cancelled_for_a_year() {
    let stand = Stand::new().await;
    let (early, late) = (
        stand.paid("order-1", 1000).await,
        stand.paid("order-2", 1000).await,
    );
    let days = |days: u32| json!({ "forwardSeconds": days * 24 * 60 * 60 });
    stand.tell("/sandbox/clock", days(364)).await;
    done(stand.cancel(&early, "c1", Some(300)).await);
    stand.tell("/sandbox/clock", days(2)).await;
    assert_eq!(refused(stand.cancel(&late, "c2", None).await), "2016");
    assert_eq!(stand.sums().await, (2000, 1700));
}

#[tokio::test]
async fn a_refund_needs_what_the_merchant_has() {
    let stand = Stand::new().await;
    let tid = stand.paid("order-1", 1000).await;
    stand
        .tell("/sandbox/balance", json!({ "balance": 500 }))
        .await;
    done(stand.cancel(&tid, "c1", Some(300)).await);
    assert_eq!(refused(stand.cancel(&tid, "c2", Some(201)).await), "2003");
    done(stand.cancel(&tid, "c3", Some(200)).await);
    assert_eq!(stand.sums().await, (1000, 500));
    stand
        .tell("/sandbox/balance", json!({ "balance": null }))
        .await;
    done(stand.cancel(&tid, "c2", Some(201)).await);
}

#[tokio::test]
async fn a_refund_without_an_answer_is_found_and_not_given_twice() {
    let stand = Stand::new().await;
    let tid = stand.paid("order-1", 1000).await;
    let known: Vec<String> = done(stand.cancel(&tid, "c1", Some(100)).await)
        .cancels
        .into_iter()
        .map(|c| c.tid)
        .collect();
    stand
        .fault(json!({ "call": "cancel", "fault": "dropAfter", "times": 1 }))
        .await;
    assert!(matches!(
        unknown(stand.cancel(&tid, "c2", Some(100)).await),
        UnknownReason::ConnectionLost(_)
    ));
    let asked = done(stand.gateway.query(&tid).await);
    let found: Vec<_> = asked.unrecorded_cancels(&known).map(|c| c.amount).collect();
    assert_eq!(found, [Amount::new(100)]);
    assert_eq!(
        done_before(stand.cancel(&tid, "c2", Some(100)).await),
        "2015"
    );
    // A refund that was not executed may be requested again with the same id.
    stand
        .fault(json!({ "call": "cancel", "fault": "timeoutBefore", "times": 1 }))
        .await;
    assert_eq!(
        unknown(stand.cancel(&tid, "c3", Some(200)).await),
        UnknownReason::Timeout
    );
    assert_eq!(
        done(stand.cancel(&tid, "c3", Some(200)).await).balance,
        Amount::new(600)
    );
    assert_eq!(stand.sums().await, (1000, 600));
}
