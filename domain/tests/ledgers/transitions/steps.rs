//! The steps of the stories.

use domain::Amount;
use domain::catalogue::ValueUnit;
use domain::coupon::{Coupon, IssueRule, Stage, UsageLimit, UsageRule, UsageTarget};
use domain::order::{
    CancelReason, CancelRequest, CanceledBy, ClaimAnswer, ClaimIds, ClaimPieces, EarnedPoints,
    ExchangeRequest, Fault, Inspection, Invoice, OrderCommand, Reader, Replacement, ReturnRequest,
};
use domain::payment::{PaymentCommand, PaymentMethod, PaymentTerms};
use time::Duration;

use super::{Walk, claim, no, order, payment};
use crate::given::{NOON, id};
use crate::shop::{BIKE, Basket, FIRST_COME, pickup};

pub(super) fn stocked(walk: &mut Walk) {
    walk.shop.count(BIKE, 1).unwrap();
}

pub(super) fn placed(walk: &mut Walk) {
    stocked(walk);
    let basket = Basket {
        lines: vec![(BIKE, 1)],
        ..Basket::default()
    };
    walk.shop.place(order(), &basket).unwrap();
}

pub(super) fn paid(walk: &mut Walk) {
    placed(walk);
    pay(walk);
}

pub(super) fn pay(walk: &mut Walk) {
    walk.shop.pay(order(), payment()).unwrap();
}

pub(super) fn preparing(walk: &mut Walk) {
    paid(walk);
    prepare(walk);
}

pub(super) fn prepare(walk: &mut Walk) {
    walk.act(OrderCommand::Prepare {
        purchase_nos: vec![no()],
    });
}

pub(super) fn shipped(walk: &mut Walk) {
    preparing(walk);
    ship(walk);
}

pub(super) fn ship(walk: &mut Walk) {
    walk.act(OrderCommand::Ship {
        purchase_no: no(),
        courier: "kr.cjlogistics".to_owned(),
        invoice_no: "123456789012".to_owned(),
        auto_deliver_days: 7,
    });
}

pub(super) fn delayed(walk: &mut Walk) {
    preparing(walk);
    delay(walk);
}

pub(super) fn delayed_on_the_way(walk: &mut Walk) {
    shipped(walk);
    delay(walk);
}

pub(super) fn delay(walk: &mut Walk) {
    walk.act(OrderCommand::Delay {
        purchase_no: no(),
        reason: "입고 지연".to_owned(),
    });
}

pub(super) fn delivered(walk: &mut Walk) {
    shipped(walk);
    deliver(walk);
}

pub(super) fn deliver(walk: &mut Walk) {
    walk.act(OrderCommand::Deliver {
        purchase_no: no(),
        auto_confirm_days: 8,
    });
}

pub(super) fn confirm(walk: &mut Walk) {
    walk.act(OrderCommand::Confirm {
        purchase_nos: vec![no()],
    });
}

pub(super) fn the_day_comes(walk: &mut Walk) {
    walk.shop.now += Duration::days(8);
    walk.act(OrderCommand::ConfirmByDate { purchase_no: no() });
}

pub(super) fn buyer_cancels_unpaid(walk: &mut Walk) {
    walk.shop.cancel_unpaid(order(), CanceledBy::Buyer).unwrap();
}

pub(super) fn staff_cancels_unpaid(walk: &mut Walk) {
    walk.shop.cancel_unpaid(order(), CanceledBy::Staff).unwrap();
}

pub(super) fn buyer_asks(walk: &mut Walk) {
    walk.ask_cancel(CanceledBy::Buyer);
}

pub(super) fn asked(walk: &mut Walk) {
    preparing(walk);
    buyer_asks(walk);
}

pub(super) fn granted(walk: &mut Walk) {
    asked(walk);
    walk.shop.approve_cancel(order(), claim(), id(4)).unwrap();
}

pub(super) fn money_back(walk: &mut Walk) {
    walk.shop.settle_claim(order(), claim()).unwrap();
}

pub(super) fn ask_grant_and_money_back(walk: &mut Walk) {
    buyer_asks(walk);
    grant_and_money_back(walk);
}

pub(super) fn grant_and_money_back(walk: &mut Walk) {
    walk.shop.approve_cancel(order(), claim(), id(4)).unwrap();
    money_back(walk);
}

pub(super) fn staff_cancels_with_refund(walk: &mut Walk) {
    walk.ask_cancel(CanceledBy::Staff);
    money_back(walk);
}

pub(super) fn buyer_cancels_with_refund(walk: &mut Walk) {
    buyer_asks(walk);
    money_back(walk);
}

pub(super) fn reject(walk: &mut Walk) {
    walk.handle(OrderCommand::RejectClaim {
        claim: claim(),
        reason: "이미 발송했습니다".to_owned(),
        invoice: Some(parcel()),
        by: Reader::Staff,
    });
}

pub(super) fn waive(walk: &mut Walk) {
    walk.handle(OrderCommand::WaiveFee {
        claim: claim(),
        reason: "단골".to_owned(),
        by: Reader::Staff,
    });
}

pub(super) fn rejected(walk: &mut Walk) {
    asked(walk);
    reject(walk);
}

pub(super) fn ask_again(walk: &mut Walk) {
    let request = CancelRequest::whole(
        ClaimIds {
            claim: id(5),
            refund: id(6),
        },
        vec![no()],
        CanceledBy::Buyer,
        CancelReason::plain("다시 요청합니다"),
    );
    walk.shop.request_cancel(order(), request).unwrap();
}

pub(super) fn rejected_and_sent(walk: &mut Walk) {
    rejected(walk);
    ship(walk);
}

pub(super) fn ask_return(walk: &mut Walk) {
    ask_return_by(walk, CanceledBy::Buyer);
}

pub(super) fn confirmed(walk: &mut Walk) {
    delivered(walk);
    confirm(walk);
}

pub(super) fn staff_ask_return(walk: &mut Walk) {
    ask_return_by(walk, CanceledBy::Staff);
}

pub(super) fn staff_ask_exchange(walk: &mut Walk) {
    ask_exchange_by(walk, CanceledBy::Staff);
}

pub(super) fn reopened(walk: &mut Walk) {
    confirmed(walk);
    staff_ask_return(walk);
}

pub(super) fn confirmed_and_replaced(walk: &mut Walk) {
    confirmed(walk);
    staff_ask_exchange(walk);
    accept(walk);
    pick_up(walk);
    inspect_exchange(walk);
    send_replacement(walk);
}

pub(super) fn ask_return_by(walk: &mut Walk, by: CanceledBy) {
    // the previous claim, if any, keeps its id
    let claim = match walk.shop.order(order()).claims.is_empty() {
        true => claim(),
        false => id(5),
    };
    let request = ReturnRequest {
        claim,
        pieces: ClaimPieces::all(no()),
        by,
        reason: CancelReason::plain("마음이 바뀌었습니다"),
        fault: Fault::Buyer,
        pickup: pickup(),
        pictures: vec![],
        parcels: walk.shop.parcels(order()),
        earned: EarnedPoints::default(),
    };
    walk.shop.request_return(order(), request).unwrap();
}

pub(super) fn return_asked(walk: &mut Walk) {
    delivered(walk);
    ask_return(walk);
}

pub(super) fn return_rejected(walk: &mut Walk) {
    return_asked(walk);
    reject(walk);
}

pub(super) fn withdraw(walk: &mut Walk) {
    walk.handle(OrderCommand::WithdrawClaim { claim: claim() });
}

pub(super) fn ask_exchange(walk: &mut Walk) {
    ask_exchange_by(walk, CanceledBy::Buyer);
}

pub(super) fn ask_exchange_by(walk: &mut Walk, by: CanceledBy) {
    // the previous claim, if any, keeps its id
    let claim = match walk.shop.order(order()).claims.is_empty() {
        true => claim(),
        false => id(5),
    };
    let request = ExchangeRequest {
        claim,
        pieces: ClaimPieces::all(no()),
        replacement: Replacement::Same,
        by,
        reason: CancelReason::plain("사이즈나 색상이 맞지 않아요"),
        fault: Fault::Seller,
        pickup: pickup(),
        pictures: vec![],
        parcels: walk.shop.parcels(order()),
    };
    walk.handle(OrderCommand::RequestExchange(Box::new(request)));
}

pub(super) fn exchange_asked(walk: &mut Walk) {
    delivered(walk);
    ask_exchange(walk);
}

pub(super) fn accept(walk: &mut Walk) {
    // the replacement is only now in stock
    walk.shop.count(BIKE, 2).unwrap();
    walk.handle(OrderCommand::AcceptExchange {
        claim: claim(),
        by: Reader::Staff,
    });
}

pub(super) fn exchange_accepted(walk: &mut Walk) {
    exchange_asked(walk);
    accept(walk);
}

pub(super) fn exchange_on_the_way(walk: &mut Walk) {
    exchange_accepted(walk);
    pick_up(walk);
}

pub(super) fn inspect_exchange(walk: &mut Walk) {
    walk.handle(OrderCommand::InspectGoods {
        claim: claim(),
        inspection: Inspection {
            arrived: 1,
            resellable: 0,
            fault: Fault::Seller,
        },
        by: Reader::Staff,
    });
}

pub(super) fn exchange_back(walk: &mut Walk) {
    exchange_on_the_way(walk);
    inspect_exchange(walk);
}

pub(super) fn send_replacement(walk: &mut Walk) {
    walk.handle(OrderCommand::ShipReplacement {
        claim: claim(),
        invoice: parcel(),
        auto_deliver_days: 7,
        by: Reader::Staff,
        earned: EarnedPoints::default(),
    });
}

pub(super) fn replacement_sent(walk: &mut Walk) {
    exchange_back(walk);
    send_replacement(walk);
}

pub(super) fn delay_replacement(walk: &mut Walk) {
    walk.handle(OrderCommand::DelayReplacement {
        claim: claim(),
        reason: "입고 지연".to_owned(),
        by: Reader::Staff,
    });
}

pub(super) fn replacement_delayed(walk: &mut Walk) {
    exchange_back(walk);
    delay_replacement(walk);
}

pub(super) fn replacement_arrives(walk: &mut Walk) {
    walk.handle(OrderCommand::CompleteExchange {
        claim: claim(),
        auto_confirm_days: 8,
        by: Reader::Staff,
    });
}

pub(super) fn exchanged(walk: &mut Walk) {
    replacement_sent(walk);
    replacement_arrives(walk);
}

pub(super) fn exchange_rejected(walk: &mut Walk) {
    exchange_asked(walk);
    reject(walk);
}

pub(super) fn rejected_and_delivered(walk: &mut Walk) {
    rejected_and_sent(walk);
    deliver(walk);
}

pub(super) fn two_exchanged_on_the_way(walk: &mut Walk) {
    two_delivered(walk);
    ask_exchange(walk);
    accept(walk);
    pick_up(walk);
}

pub(super) fn parcel() -> Invoice {
    Invoice {
        courier: "kr.cjlogistics".to_owned(),
        invoice_no: "210987654321".to_owned(),
    }
}

pub(super) fn pick_up(walk: &mut Walk) {
    walk.act(OrderCommand::PickUpGoods {
        claim: claim(),
        invoice: Some(parcel()),
        by: Reader::Staff,
    });
}

pub(super) fn goods_on_the_way(walk: &mut Walk) {
    return_asked(walk);
    pick_up(walk);
}

pub(super) fn inspect(walk: &mut Walk) {
    walk.handle(OrderCommand::InspectGoods {
        claim: claim(),
        inspection: Inspection {
            arrived: 1,
            resellable: 1,
            fault: Fault::Buyer,
        },
        by: Reader::Staff,
    });
}

pub(super) fn one_arrives(walk: &mut Walk) {
    inspect(walk);
}

pub(super) fn goods_back(walk: &mut Walk) {
    goods_on_the_way(walk);
    inspect(walk);
}

pub(super) fn approve_and_money_back(walk: &mut Walk) {
    let answer = ClaimAnswer {
        claim: claim(),
        refund: id(4),
        by: Reader::Staff,
        parcels: walk.shop.parcels(order()),
        earned: EarnedPoints::default(),
    };
    walk.shop.approve_claim(order(), answer).unwrap();
    money_back(walk);
}

pub(super) fn two_returned_on_the_way(walk: &mut Walk) {
    two_delivered(walk);
    ask_return(walk);
    pick_up(walk);
}

pub(super) fn two_delivered(walk: &mut Walk) {
    walk.shop.count(BIKE, 2).unwrap();
    let basket = Basket {
        lines: vec![(BIKE, 2)],
        ..Basket::default()
    };
    walk.shop.place(order(), &basket).unwrap();
    pay(walk);
    prepare(walk);
    ship(walk);
    deliver(walk);
}

pub(super) fn buyer_is_at_fault(walk: &mut Walk) {
    inspect(walk);
}

pub(super) fn fee_asked(walk: &mut Walk) {
    exchange_on_the_way(walk);
    inspect(walk);
}

pub(super) fn fee_paid(walk: &mut Walk) {
    fee_asked(walk);
    fee_charged(walk);
}

pub(super) fn fee_transferred(walk: &mut Walk) {
    fee_asked(walk);
    let state = walk.shop.order(order());
    let amount = state.claim(claim()).unwrap().fee_due();
    let receive = OrderCommand::ReceiveFee {
        claim: claim(),
        amount,
        reference: "b-1".to_owned(),
        payment: None,
    };
    walk.shop.handle(order(), receive).unwrap();
}

pub(super) fn fee_charged(walk: &mut Walk) {
    let card = PaymentMethod::Card;
    let payment = walk.shop.start_fee(order(), claim(), card).unwrap();
    let amount = walk.shop.payments[&payment]
        .started
        .as_ref()
        .unwrap()
        .amount;
    walk.shop.request_approval(payment, "fee", amount).unwrap();
    walk.shop.charge(payment, "fee", amount).unwrap();
}

pub(super) fn start_payment(walk: &mut Walk) {
    walk.pay_acts([PaymentCommand::Start(PaymentTerms {
        order: order(),
        order_no: "20261121-00000001".to_owned(),
        attempt: 1,
        amount: Amount::new(1_000),
        method: PaymentMethod::Card,
        member: None,
        user_payment: None,
    })]);
}

pub(super) fn approve_payment(walk: &mut Walk) {
    let tid = || "t".to_owned();
    let amount = Amount::new(1_000);
    walk.pay_acts([
        PaymentCommand::RequestApproval { tid: tid(), amount },
        PaymentCommand::RecordApproval {
            tid: tid(),
            amount,
            approve_no: None,
            receipt_url: None,
        },
    ]);
}

pub(super) fn give_payment_up(walk: &mut Walk) {
    walk.pay_acts([PaymentCommand::Abandon {
        reason: "주문 취소".to_owned(),
    }]);
}

pub(super) fn approved_payment(walk: &mut Walk) {
    start_payment(walk);
    approve_payment(walk);
}

pub(super) fn refund_payment(walk: &mut Walk) {
    walk.shop
        .refund(payment(), id(7), Amount::new(1_000))
        .unwrap();
}

pub(super) fn nothing(_: &mut Walk) {}

pub(super) fn define(walk: &mut Walk) {
    walk.definition = Some(Coupon {
        issuer: None,
        seller: None,
        name: "선착순".to_owned(),
        unit: ValueUnit::Amount,
        value: 1_001,
        limit: None,
        share: None,
        count: 1,
        issue: IssueRule {
            is_active: true,
            starts_at: Some(NOON),
            ends_at: Some(NOON + Duration::days(1)),
            ..IssueRule::default()
        },
        usage: UsageRule {
            stage: Stage::Total,
            target: UsageTarget::default(),
            limit: UsageLimit::default(),
            starts_at: None,
            ends_at: None,
            is_active: true,
            combinable: true,
            returnable: true,
        },
        on_console: true,
        on_display: true,
    });
}

pub(super) fn download(walk: &mut Walk) {
    walk.shop.issue(FIRST_COME, 0);
}

pub(super) fn downloaded(walk: &mut Walk) {
    define(walk);
    download(walk);
}

pub(super) fn order_with_it(walk: &mut Walk) {
    stocked(walk);
    let basket = Basket {
        lines: vec![(BIKE, 1)],
        coupons: vec![FIRST_COME],
        ..Basket::default()
    };
    walk.shop.place(order(), &basket).unwrap();
}

pub(super) fn used(walk: &mut Walk) {
    downloaded(walk);
    order_with_it(walk);
}

pub(super) fn time_passes(walk: &mut Walk) {
    walk.shop.now += Duration::days(31);
}
