use super::super::given::at_noon;
use super::super::shop::{pickup, stock_of};
use super::*;
use domain::Decider;
use domain::accounting::{Account, Entry, MoneyEvent, entries};
use domain::order::{
    ClaimPieces, CollectionStatus, EarnedPoints, ExchangeRequest, Fault, Inspection, Invoice,
    Replacement,
};
use domain::stock::Stock;

/// The helmets: two units, alone in a parcel of the first seller.
const HELMETS: usize = 1;

/// Both ways at the fare of the smallest amount of goods, 3.01.
pub(super) const FEE: Amount = Amount::new(602);

/// A shop with the order delivered; helmets and juices are in stock.
pub(super) fn delivered_shop() -> Shop {
    let mut shop = Shop::open();
    shop.place_terms(id(1), terms()).unwrap();
    shop.pay(id(1), id(2)).unwrap();
    let purchase_no = no(HELMETS);
    let acts = [
        OrderCommand::Prepare {
            purchase_nos: vec![purchase_no.clone()],
        },
        OrderCommand::Ship {
            purchase_no: purchase_no.clone(),
            courier: "kr.epost".to_owned(),
            invoice_no: "123456789012".to_owned(),
            auto_deliver_days: 7,
        },
        OrderCommand::Deliver {
            purchase_no,
            auto_confirm_days: 8,
        },
    ];
    for act in acts {
        shop.act(id(1), act).unwrap();
    }
    shop
}

pub(super) fn ask(
    shop: &Shop,
    quantity: Option<u32>,
    fault: Fault,
    instead: Replacement,
) -> OrderCommand {
    OrderCommand::RequestExchange(Box::new(ExchangeRequest {
        claim: id(10),
        pieces: ClaimPieces {
            purchase_no: no(HELMETS),
            quantity,
        },
        replacement: instead,
        by: CanceledBy::Buyer,
        reason: CancelReason::plain("사이즈나 색상이 맞지 않아요"),
        fault,
        pickup: pickup(),
        pictures: vec![],
        parcels: shop.parcels(id(1)),
    }))
}

fn blue() -> Replacement {
    Replacement::Other {
        option: id(0xB1),
        name: "파랑".to_owned(),
        stock: stock_of(JUICE),
        difference: Amount::ZERO,
    }
}

pub(super) fn accept() -> OrderCommand {
    OrderCommand::AcceptExchange {
        claim: id(10),
        by: Reader::Staff,
    }
}

pub(super) fn pick_up() -> OrderCommand {
    OrderCommand::PickUpGoods {
        claim: id(10),
        invoice: None,
        by: Reader::Staff,
    }
}

pub(super) fn inspect(arrived: u32, resellable: u32, fault: Fault) -> OrderCommand {
    OrderCommand::InspectGoods {
        claim: id(10),
        inspection: Inspection {
            arrived,
            resellable,
            fault,
        },
        by: Reader::Staff,
    }
}

pub(super) fn fee(amount: Amount) -> OrderCommand {
    OrderCommand::ReceiveFee {
        claim: id(10),
        amount,
        reference: "20261123-0007".to_owned(),
        payment: None,
    }
}

fn parcel(number: &str) -> Invoice {
    Invoice {
        courier: "kr.epost".to_owned(),
        invoice_no: number.to_owned(),
    }
}

pub(super) fn send(number: &str) -> OrderCommand {
    OrderCommand::ShipReplacement {
        claim: id(10),
        invoice: parcel(number),
        auto_deliver_days: 7,
        by: Reader::Staff,
        earned: EarnedPoints::default(),
    }
}

pub(super) fn complete() -> OrderCommand {
    OrderCommand::CompleteExchange {
        claim: id(10),
        auto_confirm_days: 8,
        by: Reader::Staff,
    }
}

pub(super) fn reject() -> OrderCommand {
    OrderCommand::RejectClaim {
        claim: id(10),
        reason: "사용한 흔적이 있습니다".to_owned(),
        invoice: Some(parcel("999999999999")),
        by: Reader::Staff,
    }
}

pub(super) fn withdraw() -> OrderCommand {
    OrderCommand::WithdrawClaim { claim: id(10) }
}

pub(super) fn handle(shop: &mut Shop, acts: impl IntoIterator<Item = OrderCommand>) {
    for act in acts {
        shop.handle(id(1), act).unwrap();
    }
}

/// Units in stock and units held by orders.
fn stock(shop: &Shop, product: usize) -> (u32, u64) {
    let stock: &Stock = &shop.stock[&stock_of(product)];
    (stock.available, stock.taken)
}

#[test]
fn the_replacement_is_taken_once_accepted_and_the_goods_are_in_stock_once_it_is_sent() {
    let mut shop = delivered_shop();
    let (helmets, juices) = (stock(&shop, HELMET), stock(&shop, JUICE));
    let request = ask(&shop, None, Fault::Seller, blue());
    handle(&mut shop, [request]);
    assert_eq!(stock(&shop, JUICE), juices, "nothing before an answer");
    handle(&mut shop, [accept()]);
    assert_eq!(stock(&shop, JUICE), (juices.0 - 2, juices.1 + 2));
    handle(&mut shop, [pick_up(), inspect(2, 1, Fault::Seller)]);
    assert_eq!(stock(&shop, HELMET), helmets);
    handle(&mut shop, [send("111111111111")]);
    // one can be sold again, the other is written off
    assert_eq!(stock(&shop, HELMET), (helmets.0 + 1, helmets.1 - 2));
    // a corrected number, a delay and the delivery move nothing
    let delay = OrderCommand::DelayReplacement {
        claim: id(10),
        reason: "폭설".to_owned(),
        by: Reader::Staff,
    };
    handle(
        &mut shop,
        [
            send("222222222222"),
            delay,
            send("222222222222"),
            complete(),
        ],
    );
    assert_eq!(stock(&shop, HELMET), (helmets.0 + 1, helmets.1 - 2));
    assert_eq!(stock(&shop, JUICE), (juices.0 - 2, juices.1 + 2));
    let order = shop.order(id(1));
    let line = order.purchase_terms(&no(HELMETS)).unwrap();
    assert_eq!(line.option, Some(id(0xB1)));
    assert_eq!(line.option_name.as_deref(), Some("파랑"));
    assert_eq!(line.paid, terms().purchases[HELMETS].paid);
    assert_eq!(*order.placed_terms().unwrap(), terms());
    let purchase = order.purchase(&no(HELMETS)).unwrap();
    assert_eq!(purchase.claim_status, ClaimStatus::ExchangeCompleted);
    assert_eq!(purchase.purchase_status, PurchaseStatus::Schedule);
    let day = Date::from_calendar_date(2026, Month::November, 29).unwrap();
    assert_eq!(purchase.confirm_on, Some(day), "all days anew");
    assert_eq!(order.claims[0].state, ClaimState::Exchanged);
}

#[test]
fn the_buyer_at_fault_pays_both_ways_before_the_replacement_is_sent() {
    let mut shop = delivered_shop();
    let request = ask(&shop, None, Fault::Seller, Replacement::Same);
    handle(&mut shop, [request, accept(), pick_up()]);
    let refuses = |shop: &Shop, act, why| {
        assert_eq!(shop.order(id(1)).decide(act, &at_noon()), Err(why));
    };
    let at = CollectionStatus::Progress;
    refuses(&shop, fee(FEE), OrderError::WrongCollection { at });
    // the inspection finds the buyer at fault
    handle(&mut shop, [inspect(2, 2, Fault::Buyer)]);
    refuses(&shop, send("111111111111"), OrderError::FeeDue { due: FEE });
    let short = fee(Amount::new(301));
    refuses(&shop, short, OrderError::AmountMismatch { expected: FEE });
    let before = shop.order(id(1));
    handle(&mut shop, [fee(FEE), fee(FEE)]);
    let received = OrderEvent::ExchangeFeeReceived {
        claim: id(10),
        amount: FEE,
        price: Amount::ZERO,
        reference: "20261123-0007".to_owned(),
        payment: None,
    };
    let booked = entries(&MoneyEvent::Order {
        order: id(1),
        before: &before,
        event: &received,
    });
    let bank = Entry {
        account: Account::Bank,
        amount: FEE,
    };
    let payable = Entry {
        account: Account::SellerPayable(seller(1)),
        amount: FEE.negated().unwrap(),
    };
    assert_eq!(booked.unwrap(), [bank, payable]);
    handle(&mut shop, [send("111111111111"), complete()]);
    assert_eq!(shop.order(id(1)).claims[0].state, ClaimState::Exchanged);
}

#[test]
fn a_replacement_that_is_not_sent_goes_back_into_stock() {
    for ends in [
        vec![reject()],
        vec![withdraw()],
        vec![pick_up(), reject()],
        vec![pick_up(), inspect(2, 2, Fault::Seller), reject()],
        vec![pick_up(), inspect(1, 0, Fault::Seller), reject()],
    ] {
        let mut shop = delivered_shop();
        let before = (stock(&shop, HELMET), stock(&shop, JUICE));
        let request = ask(&shop, None, Fault::Seller, blue());
        handle(&mut shop, [request, accept()]);
        handle(&mut shop, ends);
        assert_eq!((stock(&shop, HELMET), stock(&shop, JUICE)), before);
        let order = shop.order(id(1));
        let purchase = order.purchase(&no(HELMETS)).unwrap();
        assert_eq!(purchase.purchase_status, PurchaseStatus::Schedule);
        assert_eq!(purchase.collection_status, CollectionStatus::None);
        let line = order.purchase_terms(&no(HELMETS)).unwrap();
        assert_eq!(line.option, terms().purchases[HELMETS].option);
    }
}

#[test]
fn only_what_arrived_is_replaced() {
    let mut shop = delivered_shop();
    let juices = stock(&shop, JUICE);
    let request = ask(&shop, None, Fault::Seller, blue());
    let acts = [request, accept(), pick_up(), inspect(1, 1, Fault::Seller)];
    handle(&mut shop, acts);
    assert_eq!(stock(&shop, JUICE), (juices.0 - 1, juices.1 + 1));
    let order = shop.order(id(1));
    let missing = order.purchases.last().unwrap();
    assert_eq!(missing.claim_status, ClaimStatus::ExchangeRejected);
    assert_eq!(missing.purchase_status, PurchaseStatus::Schedule);
    handle(&mut shop, [send("111111111111"), complete()]);
    let order = shop.order(id(1));
    let kept = order.purchase_terms(&no(HELMETS)).unwrap();
    assert_eq!((kept.quantity, kept.option), (1, Some(id(0xB1))));
    let last = &order.terms().unwrap().purchases.last().unwrap().option;
    assert_eq!(*last, terms().purchases[HELMETS].option);
    assert_eq!(*order.placed_terms().unwrap(), terms());
}

#[test]
fn what_is_sold_out_cannot_be_promised() {
    let mut shop = delivered_shop();
    shop.count(JUICE, 1).unwrap();
    let request = ask(&shop, None, Fault::Seller, blue());
    handle(&mut shop, [request]);
    let refused = shop.handle(id(1), accept()).unwrap_err();
    assert_eq!(refused.code(), "sold_out");
    let order = shop.order(id(1));
    assert_eq!(order.claims[0].state, ClaimState::Requested);
}

#[test]
fn a_seller_handles_only_their_own_exchanges_and_a_step_comes_after_the_other() {
    let mut shop = delivered_shop();
    let request = ask(&shop, Some(1), Fault::Buyer, Replacement::Same);
    handle(&mut shop, [request]);
    let at = |at| OrderError::WrongCollection { at };
    let order = shop.order(id(1));
    let foreign = OrderCommand::AcceptExchange {
        claim: id(10),
        by: Reader::Seller(seller(2)),
    };
    use CollectionStatus::{None, Pending};
    for (act, why) in [
        (foreign, OrderError::UnknownClaim),
        (pick_up(), at(None)),
        (inspect(1, 1, Fault::Buyer), at(None)),
        (send("111111111111"), at(None)),
        (complete(), OrderError::ReplacementNotSent),
    ] {
        assert_eq!(order.decide(act, &at_noon()), Err(why));
    }
    handle(&mut shop, [accept(), accept()]);
    let order = shop.order(id(1));
    for (act, why) in [
        (inspect(1, 1, Fault::Buyer), at(Pending)),
        (send("111111111111"), at(Pending)),
        (
            OrderCommand::ApproveClaim(Box::new(ClaimAnswer {
                claim: id(10),
                refund: id(11),
                by: Reader::Staff,
                parcels: ParcelRules::default(),
                earned: EarnedPoints::default(),
            })),
            OrderError::ClaimClosed,
        ),
    ] {
        assert_eq!(order.decide(act, &at_noon()), Err(why));
    }
    // only half of the purchase is exchanged; the other half can be confirmed
    let confirm = OrderCommand::Confirm {
        purchase_nos: vec![no(HELMETS)],
    };
    assert!(order.decide(confirm, &at_noon()).is_ok());
}

#[test]
fn a_replacement_whose_delivery_is_not_reported_counts_as_delivered_on_its_day() {
    let mut shop = delivered_shop();
    let request = ask(&shop, None, Fault::Seller, Replacement::Same);
    let acts = [
        request,
        accept(),
        pick_up(),
        inspect(2, 2, Fault::Seller),
        send("111111111111"),
    ];
    handle(&mut shop, acts);
    let order = shop.order(id(1));
    let by_date = |days: i64| {
        let act = OrderCommand::DeliverByDate {
            purchase_no: no(HELMETS),
            day: Date::MIN,
            auto_confirm_days: 8,
        };
        let mut context = at_noon();
        context.now += Duration::days(days);
        order.decide(act, &context)
    };
    assert_eq!(by_date(6), Err(OrderError::NotDue));
    let confirm_on = Date::from_calendar_date(2026, Month::December, 6).unwrap();
    let completed = OrderEvent::ExchangeCompleted {
        claim: id(10),
        confirm_on: Some(confirm_on),
    };
    assert_eq!(by_date(7), Ok(vec![completed]));
}
