//! Every transition of docs/spec/transitions.tsv for orders, cancellations, payments and coupons, tested one by one.
//!
//! A row without a story here fails the test, and so does a story without a row.

mod steps;

use std::path::Path;

use domain::accounting::AccountingFault;
use domain::coupon::{Coupon, CouponStatus};
use domain::ids::{ClaimId, OrderId, PaymentId};
use domain::order::{CancelReason, CancelRequest, CanceledBy, ClaimIds, OrderCommand};
use domain::payment::PaymentCommand;
use domain::user_payment::{UserPayment, exchange_fee_id};

use self::steps::*;
use super::given::id;
use super::shop::{FIRST_COME, Shop, issued_id};

const MACHINES: [&str; 7] = [
    "order",
    "claim",
    "purchase",
    "collection",
    "payment",
    "pay",
    "coupon issue",
];

/// A purchase whose return or exchange was rejected was sent, so it cannot be canceled any more: the row's own condition never holds. What
/// an exchange costs is refunded with the rejection of the exchange (a row of the readings), not by a call of its own.
const NEVER: [(&str, &str); 3] = [
    ("RETURN_REJECTED", "cancel application"),
    ("EXCHANGE_REJECTED", "cancel application"),
    ("PAY_COMPLETED", "refund, PUT"),
];

/// One order of one bike by a member, with every coupon in the box.
#[derive(Default)]
struct Walk {
    shop: Shop,
    definition: Option<Coupon>,
}

const ORDER: u128 = 1;

fn order() -> OrderId {
    id(ORDER)
}

fn payment() -> PaymentId {
    id(2)
}

fn claim() -> ClaimId {
    id(3)
}

fn no() -> String {
    "20261121-00000001-1".to_owned()
}

impl Walk {
    /// The state of a machine, in the specification's terms.
    fn at(&self, machine: &str) -> String {
        let order = self.shop.order(order());
        // if a claim split the purchase, the newest part counts
        let purchase = order.purchases.last();
        let code = match machine {
            "payment" => self
                .shop
                .payments
                .get(&payment())
                .and_then(domain::payment::Payment::status)
                .map(|status| status.code()),
            "pay" => self
                .shop
                .user_payments
                .get(&exchange_fee_id(claim()))
                .and_then(UserPayment::status)
                .map(|status| status.code()),
            "coupon issue" => self.coupon(),
            "order" => purchase.map(|purchase| purchase.order_status.code()),
            "claim" => purchase.map(|purchase| purchase.claim_status.code()),
            "purchase" => purchase.map(|purchase| purchase.purchase_status.code()),
            "collection" => purchase.map(|purchase| purchase.collection_status.code()),
            other => panic!("no machine {other}"),
        };
        code.unwrap_or("(none)").to_owned()
    }

    fn coupon(&self) -> Option<&'static str> {
        let now = self.shop.time();
        let issued = self.shop.issued.get(&issued_id(FIRST_COME, 0));
        match issued.and_then(|issued| issued.status(now)) {
            Some(CouponStatus::Held) => Some("held"),
            Some(CouponStatus::Used) => Some("used"),
            Some(CouponStatus::Expired) => Some("expired"),
            Some(CouponStatus::Taken) => Some("taken"),
            None => self
                .definition
                .as_ref()
                .filter(|definition| definition.is_issuable(now))
                .map(|_| "issuable"),
        }
    }

    fn handle(&mut self, act: OrderCommand) {
        self.shop.handle(order(), act).unwrap();
    }

    fn act(&mut self, act: OrderCommand) {
        assert!(self.shop.act(order(), act).unwrap() > 0);
    }

    fn pay_acts(&mut self, acts: impl IntoIterator<Item = PaymentCommand>) {
        for act in acts {
            self.shop.act_payment(payment(), act).unwrap();
        }
    }

    fn ask_cancel(&mut self, by: CanceledBy) {
        let ids = ClaimIds {
            claim: claim(),
            refund: id(4),
        };
        let reason = CancelReason::plain("마음이 바뀌었습니다");
        let request = CancelRequest::whole(ids, [no()], by, reason);
        self.shop.request_cancel(order(), request).unwrap();
    }
}

type Step = fn(&mut Walk);

/// machine, from, words of the event column, to, preparation, step
#[rustfmt::skip] // a table reads in rows
const STORIES: &[(&str, &str, &str, &str, Step, Step)] = &[
    ("order", "(none)", "POST", "ORDER_NONPAYMENT", nothing, placed),
    ("order", "ORDER_NONPAYMENT", "payment approved", "ORDER_PAYMENT", placed, pay),
    ("order", "ORDER_NONPAYMENT", "by the buyer", "ORDER_CANCELED", placed, buyer_cancels_unpaid),
    ("order", "ORDER_NONPAYMENT", "console", "ORDER_CANCELED", placed, staff_cancels_unpaid),
    ("order", "ORDER_PAYMENT", "starts preparing", "ORDER_CONFIRM", paid, prepare),
    ("order", "ORDER_PAYMENT", "console", "ORDER_CANCELED", paid, staff_cancels_with_refund),
    ("order", "ORDER_CONFIRM", "console", "ORDER_CANCELED", preparing, staff_cancels_with_refund),
    ("order", "ORDER_PAYMENT", "claim reaches", "ORDER_CANCELED", paid, buyer_cancels_with_refund),
    ("order", "ORDER_CONFIRM", "claim reaches", "ORDER_CANCELED", granted, money_back),
    ("order", "ORDER_CONFIRM", "tracking number", "SHIPPING_CONFIRM", preparing, ship),
    ("order", "ORDER_CONFIRM", "delayed", "SHIPPING_DELAYED", preparing, delay),
    ("order", "SHIPPING_DELAYED", "invoices", "SHIPPING_CONFIRM", delayed, ship),
    ("order", "SHIPPING_CONFIRM", "delayed", "SHIPPING_DELAYED", shipped, delay),
    ("order", "SHIPPING_CONFIRM", "delivery finished", "DELIVERY_COMPLETE", shipped, deliver),
    ("order", "SHIPPING_DELAYED", "delivery finished", "DELIVERY_COMPLETE", delayed_on_the_way, deliver),
    ("claim", "(none)", "purchase line created", "NONE", nothing, placed),
    ("order", "SHIPPING_DELAYED", "console", "ORDER_CANCELED", delayed, staff_cancels_with_refund),
    ("order", "SHIPPING_DELAYED", "claim reaches", "ORDER_CANCELED", delayed, ask_grant_and_money_back),
    ("claim", "NONE", "me/purchases/cancel", "CANCEL_REQUESTED", preparing, buyer_asks),
    ("claim", "NONE", "SHIPPING_DELAYED without", "CANCEL_REQUESTED", delayed, buyer_asks),
    ("claim", "CANCEL_REQUESTED", "approves", "CANCEL_COMPLETED", asked, grant_and_money_back),
    ("claim", "CANCEL_REQUESTED", "rejects", "CANCEL_REJECTED", asked, reject),
    ("claim", "CANCEL_REJECTED", "cancel application", "CANCEL_REQUESTED", rejected, ask_again),
    ("claim", "NONE", "return application", "RETURN_REQUESTED", delivered, ask_return),
    ("claim", "RETURN_REQUESTED", "refund done", "RETURN_COMPLETED", goods_back, approve_and_money_back),
    ("claim", "RETURN_REQUESTED", "rejects", "RETURN_REJECTED", return_asked, reject),
    ("claim", "CANCEL_REJECTED", "return application", "RETURN_REQUESTED", rejected_and_sent, ask_return),
    ("claim", "RETURN_REJECTED", "return application", "RETURN_REQUESTED", return_rejected, ask_return),
    ("claim", "CANCEL_REQUESTED", "withdrawn", "NONE", asked, withdraw),
    ("claim", "RETURN_REQUESTED", "withdrawn", "NONE", return_asked, withdraw),
    ("claim", "RETURN_REQUESTED", "did not arrive", "RETURN_REJECTED", two_returned_on_the_way, one_arrives),
    ("claim", "NONE", "exchange application", "EXCHANGE_REQUESTED", delivered, ask_exchange),
    ("claim", "EXCHANGE_REQUESTED", "accepts", "EXCHANGE_PENDING", exchange_asked, accept),
    ("claim", "EXCHANGE_REQUESTED", "rejects", "EXCHANGE_REJECTED", exchange_asked, reject),
    ("claim", "EXCHANGE_PENDING", "do not qualify", "EXCHANGE_REJECTED", exchange_back, reject),
    ("claim", "EXCHANGE_PENDING", "replacement shipped", "EXCHANGE_SHIPPING", exchange_back, send_replacement),
    ("claim", "EXCHANGE_PENDING", "replacement delayed", "EXCHANGE_DELAYED", exchange_back, delay_replacement),
    ("claim", "EXCHANGE_DELAYED", "replacement shipped", "EXCHANGE_SHIPPING", replacement_delayed, send_replacement),
    ("claim", "EXCHANGE_SHIPPING", "delayed in transit", "EXCHANGE_DELAYED", replacement_sent, delay_replacement),
    ("claim", "EXCHANGE_SHIPPING", "replacement delivered", "EXCHANGE_COMPLETED", replacement_sent, replacement_arrives),
    ("claim", "CANCEL_REJECTED", "exchange application", "EXCHANGE_REQUESTED", rejected_and_delivered, ask_exchange),
    ("claim", "RETURN_REJECTED", "exchange application", "EXCHANGE_REQUESTED", return_rejected, ask_exchange),
    ("claim", "EXCHANGE_REJECTED", "return application", "RETURN_REQUESTED", exchange_rejected, ask_return),
    ("claim", "EXCHANGE_REJECTED", "exchange application", "EXCHANGE_REQUESTED", exchange_rejected, ask_exchange),
    ("claim", "EXCHANGE_COMPLETED", "return application", "RETURN_REQUESTED", exchanged, ask_return),
    ("claim", "EXCHANGE_COMPLETED", "exchange application", "EXCHANGE_REQUESTED", exchanged, ask_exchange),
    ("claim", "EXCHANGE_REQUESTED", "withdrawn", "NONE", exchange_asked, withdraw),
    ("claim", "EXCHANGE_PENDING", "withdrawn", "NONE", exchange_accepted, withdraw),
    ("claim", "EXCHANGE_PENDING", "did not arrive", "EXCHANGE_REJECTED", two_exchanged_on_the_way, inspect_exchange),
    ("purchase", "PURCHASE_AWAITING", "exchange withdrawn", "PURCHASE_SCHEDULE", exchange_accepted, withdraw),
    ("collection", "COLLECTION_PENDING", "exchange withdrawn", "NONE", exchange_accepted, withdraw),
    ("collection", "COLLECTION_PENDING", "exchange rejected", "NONE", exchange_accepted, reject),
    ("collection", "COLLECTION_PROGRESS", "exchange rejected", "NONE", exchange_on_the_way, reject),
    ("collection", "COLLECTION_COMPLETE", "exchange rejected", "NONE", exchange_back, reject),
    ("collection", "COLLECTION_COMPLETE", "EXCHANGE_COMPLETED", "NONE", replacement_sent, replacement_arrives),
    ("purchase", "PURCHASE_COMPLETE", "return application by staff", "PURCHASE_AWAITING", confirmed, staff_ask_return),
    ("purchase", "PURCHASE_COMPLETE", "exchange application by staff", "PURCHASE_AWAITING", confirmed, staff_ask_exchange),
    ("purchase", "PURCHASE_AWAITING", "confirmed purchase refused", "PURCHASE_COMPLETE", reopened, reject),
    ("purchase", "PURCHASE_AWAITING", "confirmed purchase withdrawn", "PURCHASE_COMPLETE", reopened, withdraw),
    ("purchase", "PURCHASE_AWAITING", "confirmed purchase delivered", "PURCHASE_COMPLETE", confirmed_and_replaced, replacement_arrives),
    ("purchase", "PURCHASE_SCHEDULE", "claim reaches", "PURCHASE_AWAITING", delivered, ask_return),
    ("purchase", "PURCHASE_AWAITING", "*_REJECTED", "PURCHASE_SCHEDULE", return_asked, reject),
    ("purchase", "PURCHASE_AWAITING", "return withdrawn", "PURCHASE_SCHEDULE", return_asked, withdraw),
    ("collection", "NONE", "RETURN_REQUESTED", "COLLECTION_PENDING", delivered, ask_return),
    ("collection", "COLLECTION_PENDING", "picks the goods up", "COLLECTION_PROGRESS", return_asked, pick_up),
    ("collection", "COLLECTION_PROGRESS", "pass inspection", "COLLECTION_COMPLETE", goods_on_the_way, inspect),
    ("collection", "COLLECTION_PENDING", "return withdrawn", "NONE", return_asked, withdraw),
    ("collection", "COLLECTION_PENDING", "return rejected", "NONE", return_asked, reject),
    ("collection", "COLLECTION_PROGRESS", "return rejected", "NONE", goods_on_the_way, reject),
    ("collection", "COLLECTION_COMPLETE", "return rejected", "NONE", goods_back, reject),
    ("purchase", "(none)", "POST", "PURCHASE_PENDING", nothing, placed),
    ("purchase", "PURCHASE_PENDING", "ORDER_PAYMENT", "PURCHASE_AWAITING", placed, pay),
    ("purchase", "PURCHASE_AWAITING", "DELIVERY_COMPLETE [auto", "PURCHASE_SCHEDULE", shipped, deliver),
    ("purchase", "PURCHASE_SCHEDULE", "by the buyer", "PURCHASE_COMPLETE", delivered, confirm),
    ("purchase", "PURCHASE_SCHEDULE", "date passes", "PURCHASE_COMPLETE", delivered, the_day_comes),
    ("purchase", "PURCHASE_PENDING", "ORDER_CANCELED", "PURCHASE_CANCELED", placed, buyer_cancels_unpaid),
    ("purchase", "PURCHASE_AWAITING", "CANCEL_COMPLETED", "PURCHASE_CANCELED", granted, money_back),
    ("collection", "(none)", "purchase line created", "NONE", nothing, placed),
    ("payment", "(none)", "created", "PAYMENT_AWAITING", nothing, start_payment),
    ("payment", "PAYMENT_AWAITING", "payment approved", "PAYMENT_COMPLETED", start_payment, approve_payment),
    ("payment", "PAYMENT_AWAITING", "before payment", "PAYMENT_CANCELED", start_payment, give_payment_up),
    ("payment", "PAYMENT_COMPLETED", "refund", "PAYMENT_CANCELED", approved_payment, refund_payment),
    ("pay", "(none)", "created", "PAY_AWAITING", exchange_on_the_way, buyer_is_at_fault),
    ("pay", "PAY_AWAITING", "payment approved", "PAY_COMPLETED", fee_asked, fee_charged),
    ("pay", "PAY_AWAITING", "canceled before", "PAY_CANCELED", fee_asked, reject),
    ("pay", "PAY_AWAITING", "fee waived", "PAY_CANCELED", fee_asked, waive),
    ("pay", "PAY_COMPLETED", "refund with the payment", "PAY_CANCELED", fee_paid, reject),
    ("pay", "PAY_COMPLETED", "paid by bank transfer", "PAY_CANCELED", fee_transferred, reject),
    ("claim", "EXCHANGE_PENDING", "paid, replacement", "EXCHANGE_REJECTED", fee_paid, reject),
    ("claim", "EXCHANGE_DELAYED", "not sent", "EXCHANGE_REJECTED", replacement_delayed, reject),
    ("coupon issue", "(none)", "active issue rule", "issuable", nothing, define),
    ("coupon issue", "issuable", "downloads", "held", define, download),
    ("coupon issue", "held", "applied", "used", downloaded, order_with_it),
    ("coupon issue", "used", "canceled", "held", used, buyer_cancels_unpaid),
    ("coupon issue", "held", "endsAt passes", "expired", downloaded, time_passes),
];

#[test]
fn every_transition_of_the_specification_happens() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/spec/transitions.tsv");
    let table = std::fs::read_to_string(path).unwrap();
    let mut walked = vec![0_usize; STORIES.len()];
    let mut rows = 0;
    for row in table.lines().skip(1) {
        let [machine, from, event, to, _] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}: five columns")
        };
        if !MACHINES.contains(&machine) {
            continue;
        }
        rows += 1;
        let never = |(at, word): &(&str, &str)| *at == from && event.contains(word);
        if NEVER.iter().any(never) {
            continue;
        }
        let stories: Vec<usize> = (0..STORIES.len())
            .filter(|place| {
                let (of, start, words, end, ..) = STORIES[*place];
                of == machine && start == from && end == to && event.contains(words)
            })
            .collect();
        let [story] = stories[..] else {
            panic!("{} stories for: {row}", stories.len())
        };
        walked[story] += 1;
        let (.., setup, deed) = STORIES[story];
        let mut walk = Walk::default();
        setup(&mut walk);
        assert_eq!(walk.at(machine), from, "before: {row}");
        deed(&mut walk);
        assert_eq!(walk.at(machine), to, "after: {row}");
        let mut faults = walk.shop.books.faults().unwrap();
        if machine == "payment" {
            // These test a payment alone, whose order does not take its money.
            faults.retain(|fault| !matches!(fault, AccountingFault::Forgotten(..)));
        }
        assert_eq!(faults, vec![], "{row}");
    }
    assert!(rows > STORIES.len(), "the table was read");
    for (story, times) in STORIES.iter().zip(walked) {
        assert_eq!(times, 1, "no row for {story:?}");
    }
}
