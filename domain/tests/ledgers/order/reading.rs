use super::*;

#[test]
fn everybody_sees_their_own_next_actions() {
    use Action::{
        ApproveCancel, Cancel, Confirm, CorrectInvoice, CorrectReceiver, Delay, Deliver, Pay,
        Prepare, RejectCancel, RequestCancel, RequestExchange, RequestReturn, Ship, WithdrawClaim,
    };
    let requested = || OrderEvent::CancelRequested {
        claim: id(10),
        purchase_nos: vec![no(0)],
        by: CanceledBy::Buyer,
        reason: CancelReason::plain("변심"),
        refund: RefundTerms::default(),
    };
    let ready = || vec![placed(), paid(), prepared(0)];
    let sent = || [ready(), vec![shipped(0)]].concat();
    let asked = || [ready(), vec![requested()]].concat();
    let late = || [ready(), vec![delayed(0)]].concat();
    let late_asked = || [late(), vec![requested()]].concat();
    let late_sent = || [sent(), vec![delayed(0)]].concat();
    let arrived = || [sent(), vec![delivered(0, 29)]].concat();
    let done = || [arrived(), vec![completed(0, ConfirmedBy::Buyer)]].concat();
    for (past, buyers, sellers) in [
        (vec![placed()], vec![], vec![]),
        (vec![placed(), paid()], vec![Cancel], vec![Prepare, Cancel]),
        (ready(), vec![RequestCancel], vec![Ship, Delay, Cancel]),
        (
            asked(),
            vec![WithdrawClaim],
            vec![ApproveCancel, RejectCancel],
        ),
        (late(), vec![RequestCancel], vec![Ship, Delay, Cancel]),
        (
            late_asked(),
            vec![WithdrawClaim],
            vec![ApproveCancel, RejectCancel],
        ),
        (
            sent(),
            vec![RequestReturn],
            vec![CorrectInvoice, Delay, Deliver],
        ),
        (late_sent(), vec![RequestReturn], vec![Ship, Delay, Deliver]),
        (
            arrived(),
            vec![Confirm, RequestReturn, RequestExchange],
            vec![],
        ),
        (done(), vec![], vec![]),
    ] {
        let order = folded(past);
        let line = order.purchase(&no(0)).unwrap();
        assert_eq!(order.purchase_actions(Reader::Buyer, line), buyers);
        assert_eq!(
            order.purchase_actions(Reader::Seller(seller(1)), line),
            sellers
        );
        let mut staffs = sellers;
        let opened = [RequestReturn, RequestExchange];
        let is_open = |action: &Action| match line.purchase_status {
            // not allowed for the buyer any more
            PurchaseStatus::Complete => true,
            _ => buyers.contains(action),
        };
        staffs.extend(opened.into_iter().filter(is_open));
        assert_eq!(order.purchase_actions(Reader::Staff, line), staffs);
        assert_eq!(
            order.purchase_actions(Reader::Seller(seller(2)), line),
            [],
            "not their purchase"
        );
    }
    let unpaid = folded([placed()]);
    assert_eq!(unpaid.next_actions(Reader::Buyer), [Pay, Cancel]);
    assert_eq!(
        unpaid.next_actions(Reader::Staff),
        [Cancel, CorrectReceiver]
    );
    assert_eq!(unpaid.next_actions(Reader::Seller(seller(1))), []);
    assert_eq!(
        folded([placed(), paid()]).next_actions(Reader::Buyer),
        [Cancel]
    );
    assert_eq!(folded(ready()).next_actions(Reader::Buyer), [RequestCancel]);
    assert_eq!(folded(late()).next_actions(Reader::Buyer), [RequestCancel]);
    assert_eq!(folded(sent()).next_actions(Reader::Buyer), []);
    assert_eq!(folded(late_sent()).next_actions(Reader::Buyer), []);
    let as_json = serde_json::to_string(&RequestCancel).unwrap();
    assert_eq!(as_json, "\"requestCancel\"");
}

#[test]
fn the_orders_own_status_is_its_slowest_purchase() {
    let status = |events: Vec<OrderEvent>| folded(events).status();
    assert_eq!(status(vec![placed()]), OrderStatus::Nonpayment);
    assert_eq!(status(vec![placed(), paid()]), OrderStatus::Payment);
    assert_eq!(
        status(vec![placed(), paid(), prepared(0), shipped(0)]),
        OrderStatus::Payment
    );
    let mut order = folded([placed(), paid()]);
    for line in 0..3 {
        order.evolve(prepared(line));
    }
    order.evolve(shipped(1));
    assert_eq!(order.status(), OrderStatus::Confirm);
    let canceled = OrderEvent::OrderCanceled {
        by: CanceledBy::Buyer,
        reason: None,
    };
    assert_eq!(status(vec![placed(), canceled]), OrderStatus::Canceled);
}
