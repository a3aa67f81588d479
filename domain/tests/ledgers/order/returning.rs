use super::super::given::at_noon;
use super::super::shop::pickup;
use super::*;
use domain::Decider;
use domain::order::{
    ClaimFee, ClaimPieces, CollectionStatus, EarnedPoints, FareOutcome, FareSettlement, Fault,
    FeeKind, Inspection, Invoice, ReturnRequest,
};

/// The helmets: two units, alone in a parcel of the first seller.
const HELMETS: usize = 1;

fn arrived() -> Vec<OrderEvent> {
    vec![
        placed(),
        paid(),
        prepared(HELMETS),
        shipped(HELMETS),
        delivered(HELMETS, 29),
    ]
}

fn parcels() -> ParcelRules {
    let mut shop = Shop::open();
    shop.place_terms(id(1), terms()).unwrap();
    shop.parcels(id(1))
}

fn ask(quantity: Option<u32>, fault: Fault) -> OrderCommand {
    OrderCommand::RequestReturn(Box::new(ReturnRequest {
        claim: id(10),
        pieces: ClaimPieces {
            purchase_no: no(HELMETS),
            quantity,
        },
        by: CanceledBy::Buyer,
        reason: CancelReason::plain("사이즈나 색상이 맞지 않아요"),
        fault,
        pickup: pickup(),
        pictures: vec![],
        parcels: parcels(),
        earned: EarnedPoints::default(),
    }))
}

fn pick_up() -> OrderCommand {
    OrderCommand::PickUpGoods {
        claim: id(10),
        invoice: None,
        by: Reader::Staff,
    }
}

fn inspect(arrived: u32, resellable: u32, fault: Fault) -> OrderCommand {
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

fn approve_return() -> OrderCommand {
    OrderCommand::ApproveClaim(Box::new(ClaimAnswer {
        claim: id(10),
        refund: id(11),
        by: Reader::Staff,
        parcels: parcels(),
        earned: EarnedPoints::default(),
    }))
}

/// An order after these commands, one a day.
fn done(acts: impl IntoIterator<Item = OrderCommand>) -> Order {
    let mut order = folded(arrived());
    let mut context = at_noon();
    for act in acts {
        for event in order.decide(act, &context).unwrap() {
            order.evolve(event);
        }
        context.now += Duration::DAY;
    }
    order
}

fn helmets() -> (Amount, FareTerms, u32) {
    let terms = terms();
    let place = terms
        .fares
        .iter()
        .position(|fare| fare.purchase_nos == [no(HELMETS)])
        .unwrap();
    let fare = terms.fares[place].clone();
    let place = u32::try_from(place).unwrap();
    (terms.purchases[HELMETS].paid, fare, place)
}

#[test]
fn a_buyer_at_fault_pays_both_ways() {
    let order = done([
        ask(None, Fault::Buyer),
        pick_up(),
        inspect(2, 2, Fault::Buyer),
        approve_return(),
    ]);
    let (goods, fare, place) = helmets();
    let refund = &order.claim(id(10)).unwrap().refund;
    // the fare of the smallest amount of goods, 3.01; nothing remains that could fall below a threshold
    let way_back = ClaimFee {
        kind: FeeKind::ReturnFare,
        fare: place,
        amount: Amount::new(301),
    };
    assert_eq!(refund.fees, [way_back]);
    assert_eq!(refund.money, goods.minus(Amount::new(301)).unwrap());
    let kept = FareSettlement {
        fare: place,
        outcome: FareOutcome::Earned,
    };
    assert_eq!(refund.fares, [kept], "the way there stays paid");
    assert!(!fare.gross().unwrap().is_zero());
}

#[test]
fn a_seller_at_fault_pays_both_ways_also_when_only_the_inspection_finds_it() {
    let (goods, fare, place) = helmets();
    for asked in [Fault::Seller, Fault::Buyer] {
        let order = done([
            ask(None, asked),
            pick_up(),
            inspect(2, 0, Fault::Seller),
            approve_return(),
        ]);
        let claim = order.claim(id(10)).unwrap();
        assert_eq!(claim.refund.fees, []);
        assert_eq!(claim.refund.money, goods.plus(fare.paid).unwrap());
        assert_eq!(claim.fault(), Some(Fault::Seller));
        assert_eq!(claim.written_off(), 2);
        assert_eq!(order.fares.get(&place), Some(&FareOutcome::Refunded));
    }
}

#[test]
fn a_fare_is_settled_once() {
    // one helmet is confirmed, then the other comes back through the seller's fault: the fare was earned
    let mut order = done([ask(Some(1), Fault::Seller)]);
    let (_, _, place) = helmets();
    order.evolve(completed(HELMETS, ConfirmedBy::Buyer));
    assert_eq!(order.fares.get(&place), Some(&FareOutcome::Earned));
    for act in [pick_up(), inspect(1, 1, Fault::Seller), approve_return()] {
        for event in order.decide(act, &at_noon()).unwrap() {
            order.evolve(event);
        }
    }
    let claim = order.claim(id(10)).unwrap();
    assert_eq!(claim.refund.fares, []);
    assert_eq!(
        claim.refund.money,
        order.purchase_terms(&no(3)).unwrap().paid
    );
    assert_eq!(order.fares.get(&place), Some(&FareOutcome::Earned));
}

#[test]
fn fees_take_at_most_the_refund() {
    let mut expensive = parcels();
    for option in expensive.options.values_mut() {
        option.return_amount = Some(Amount::new(99_999));
    }
    let mut act = ask(None, Fault::Buyer);
    if let OrderCommand::RequestReturn(request) = &mut act {
        request.parcels = expensive;
    }
    let order = done([act]);
    let refund = &order.claim(id(10)).unwrap().refund;
    assert_eq!(refund.money, Amount::ZERO);
    assert_eq!(refund.fees[0].amount, helmets().0);
}

#[test]
fn goods_that_stay_pay_what_they_would_have_cost_once() {
    let order = done([
        ask(Some(1), Fault::Buyer),
        pick_up(),
        inspect(1, 1, Fault::Buyer),
        approve_return(),
    ]);
    let refund = &order.claim(id(10)).unwrap().refund;
    let kinds: Vec<_> = refund.fees.iter().map(|fee| fee.kind).collect();
    // the fare did not depend on the second helmet
    assert_eq!(kinds, [FeeKind::ReturnFare]);
    assert_eq!(refund.fares, [], "one helmet stays");
}

#[test]
fn an_open_return_stops_the_confirmation_and_the_days_left_go_on_from_the_answer() {
    let order = done([ask(None, Fault::Buyer)]);
    let line = order.purchase(&no(HELMETS)).unwrap();
    assert_eq!(line.purchase_status, PurchaseStatus::Awaiting);
    assert_eq!(line.confirm_on, None);
    assert_eq!(line.collection_status, CollectionStatus::Pending);
    let by_date = OrderCommand::ConfirmByDate {
        purchase_no: no(HELMETS),
    };
    let mut late = at_noon();
    late.now += Duration::days(30);
    assert_eq!(
        order.decide(by_date, &late),
        Err(OrderError::ClaimOpen(no(HELMETS)))
    );
    // requested on the 21st with eight days left, answered on the 23rd: until the 1st of December
    let day = |claim: OrderCommand| {
        let mut context = at_noon();
        context.now += Duration::days(2);
        let mut order = order.clone();
        for event in order.decide(claim, &context).unwrap() {
            order.evolve(event);
        }
        let line = order.purchase(&no(HELMETS)).unwrap();
        assert_eq!(line.purchase_status, PurchaseStatus::Schedule);
        assert_eq!(line.collection_status, CollectionStatus::None);
        line.confirm_on.unwrap()
    };
    let first = Date::from_calendar_date(2026, Month::December, 1).unwrap();
    assert_eq!(day(OrderCommand::WithdrawClaim { claim: id(10) }), first);
    let reject = OrderCommand::RejectClaim {
        claim: id(10),
        reason: "사용한 흔적이 있습니다".to_owned(),
        invoice: None,
        by: Reader::Staff,
    };
    assert_eq!(day(reject), first);
}

#[test]
fn what_did_not_arrive_is_refused_and_only_what_did_is_refunded() {
    let order = done([
        ask(None, Fault::Buyer),
        pick_up(),
        inspect(1, 1, Fault::Buyer),
        approve_return(),
    ]);
    let missing = order.purchases.last().unwrap();
    assert_eq!(missing.split_from, Some(no(HELMETS)));
    assert_eq!(missing.claim_status, ClaimStatus::ReturnRejected);
    assert_eq!(missing.purchase_status, PurchaseStatus::Schedule);
    let [arrived, refused] = order.claims.as_slice() else {
        panic!("two claims")
    };
    assert_eq!(arrived.purchase_nos, [no(HELMETS)]);
    assert_eq!(
        refused.purchase_nos,
        std::slice::from_ref(&missing.purchase_no)
    );
    assert!(matches!(refused.state, ClaimState::Rejected { .. }));
    assert_eq!(refused.refund, RefundTerms::default());
    let line = order.purchase_terms(&no(HELMETS)).unwrap();
    assert_eq!(line.quantity, 1);
    assert_eq!(
        arrived.refund.money,
        line.paid.minus(Amount::new(301)).unwrap()
    );
}

#[test]
fn goods_picked_up_go_back_with_a_rejection() {
    let order = done([ask(None, Fault::Buyer), pick_up()]);
    let reject = |invoice| OrderCommand::RejectClaim {
        claim: id(10),
        reason: "사용한 흔적이 있습니다".to_owned(),
        invoice,
        by: Reader::Staff,
    };
    assert_eq!(
        order.decide(reject(None), &at_noon()),
        Err(OrderError::InvoiceMalformed)
    );
    let parcel = Invoice {
        courier: "kr.epost".to_owned(),
        invoice_no: "1234-5678-9012".to_owned(),
    };
    let events = order.decide(reject(Some(parcel)), &at_noon()).unwrap();
    assert!(matches!(
        events.as_slice(),
        [OrderEvent::ReturnRejected { .. }, OrderEvent::GoodsSentBack { invoice_no, .. }]
            if invoice_no == "123456789012"
    ));
}

#[test]
fn the_number_goods_went_back_with_is_corrected_and_nothing_else() {
    let parcel = |invoice_no: &str| Invoice {
        courier: "kr.epost".to_owned(),
        invoice_no: invoice_no.to_owned(),
    };
    let correct = |number: &str, by| OrderCommand::CorrectSentBack {
        claim: id(10),
        invoice: parcel(number),
        by,
    };
    let reject = OrderCommand::RejectClaim {
        claim: id(10),
        reason: "사용한 흔적이 있습니다".to_owned(),
        invoice: Some(parcel("123456789012")),
        by: Reader::Staff,
    };
    let asked = done([ask(None, Fault::Buyer), pick_up()]);
    assert_eq!(
        asked.decide(correct("999988887777", Reader::Staff), &at_noon()),
        Err(OrderError::WrongCollection {
            at: CollectionStatus::Progress
        }),
        "nothing went back yet"
    );
    let order = done([ask(None, Fault::Buyer), pick_up(), reject]);
    let same = order.decide(correct("1234-5678-9012", Reader::Staff), &at_noon());
    assert_eq!(same, Ok(vec![]));
    assert_eq!(
        order.decide(correct("1234", Reader::Staff), &at_noon()),
        Err(OrderError::InvoiceMalformed)
    );
    for foreign in [Reader::Buyer, Reader::Seller(id(99))] {
        let refused = order.decide(correct("999988887777", foreign), &at_noon());
        assert_eq!(refused, Err(OrderError::UnknownClaim));
    }
    let events = order.decide(correct("999988887777", Reader::Staff), &at_noon());
    let mut corrected = order.clone();
    for event in events.unwrap() {
        corrected.evolve(event);
    }
    let goods = corrected.claims[0].collection.as_ref().unwrap();
    assert_eq!(goods.sent_back, Some(parcel("999988887777")));
    assert_eq!(corrected.purchases, order.purchases);
    assert_eq!(corrected.claims[0].state, order.claims[0].state);
}

#[test]
fn an_application_shows_at_most_five_pictures_and_each_once() {
    let with = |claim: u128, pictures: &[u128]| {
        let OrderCommand::RequestReturn(request) = ask(Some(1), Fault::Seller) else {
            panic!("a return")
        };
        OrderCommand::RequestReturn(Box::new(ReturnRequest {
            claim: id(claim),
            pictures: pictures.iter().map(|picture| id(*picture)).collect(),
            ..*request
        }))
    };
    let order = done([]);
    for (pictures, error) in [
        (&[1, 2, 3, 4, 5, 6][..], OrderError::TooManyPictures),
        (&[1, 2, 1], OrderError::PictureUsed),
    ] {
        let refused = order.decide(with(10, pictures), &at_noon());
        assert_eq!(refused, Err(error));
    }
    let order = done([with(10, &[1, 2, 3, 4, 5])]);
    let goods = order.claims[0].collection.as_ref().unwrap();
    assert_eq!(goods.pictures, [1, 2, 3, 4, 5].map(id));
    // of the other helmet
    let refused = order.decide(with(20, &[6, 5]), &at_noon());
    assert_eq!(refused, Err(OrderError::PictureUsed));
    assert!(order.decide(with(20, &[6]), &at_noon()).is_ok());
}

#[test]
fn a_return_goes_step_by_step() {
    let at = |at| OrderError::WrongCollection { at };
    let asked = || done([ask(None, Fault::Buyer)]);
    let on_the_way = || done([ask(None, Fault::Buyer), pick_up()]);
    let back = || {
        done([
            ask(None, Fault::Buyer),
            pick_up(),
            inspect(2, 2, Fault::Buyer),
        ])
    };
    let withdraw = || OrderCommand::WithdrawClaim { claim: id(10) };
    use CollectionStatus::{Complete, Pending, Progress};
    for (order, act, error) in [
        (asked(), inspect(2, 2, Fault::Buyer), at(Pending)),
        (asked(), approve_return(), at(Pending)),
        (on_the_way(), approve_return(), at(Progress)),
        (on_the_way(), withdraw(), at(Progress)),
        (back(), withdraw(), at(Complete)),
        (back(), pick_up(), at(Complete)),
        (back(), inspect(2, 2, Fault::Buyer), at(Complete)),
    ] {
        assert_eq!(order.decide(act, &at_noon()), Err(error));
    }
    for (found, most) in [((0, 0), 2), ((3, 0), 2), ((1, 2), 1)] {
        let act = inspect(found.0, found.1, Fault::Buyer);
        let purchase_no = no(HELMETS);
        assert_eq!(
            on_the_way().decide(act, &at_noon()),
            Err(OrderError::PiecesOutOfRange { purchase_no, most })
        );
    }
}

#[test]
fn only_what_was_sent_and_not_confirmed_can_be_returned() {
    let wrong = |at| OrderError::WrongStatus {
        purchase_no: no(HELMETS),
        at,
    };
    let sent = arrived().into_iter().take(4);
    let events = folded(sent).decide(ask(None, Fault::Seller), &at_noon());
    assert_eq!(events.map(|events| events.len()), Ok(1));
    for (past, error) in [
        (vec![placed()], OrderError::NotPaid),
        (vec![placed(), paid()], wrong(OrderStatus::Payment)),
        (
            vec![placed(), paid(), prepared(HELMETS), delayed(HELMETS)],
            wrong(OrderStatus::Delayed),
        ),
        (
            [arrived(), vec![completed(HELMETS, ConfirmedBy::Buyer)]].concat(),
            OrderError::Final(no(HELMETS)),
        ),
    ] {
        order(past)
            .when(ask(None, Fault::Seller))
            .then_refuses(error);
    }
}

/// Another seller cannot see the claim, so it does not exist for them.
#[test]
fn only_its_seller_and_staff_answer_a_return() {
    let order = done([ask(None, Fault::Buyer), pick_up()]);
    for (by, allowed) in [
        (Reader::Seller(seller(1)), true),
        (Reader::Staff, true),
        (Reader::Seller(seller(2)), false),
        (Reader::Buyer, false),
    ] {
        let acts = [
            OrderCommand::InspectGoods {
                claim: id(10),
                inspection: Inspection {
                    arrived: 2,
                    resellable: 2,
                    fault: Fault::Seller,
                },
                by,
            },
            OrderCommand::RejectClaim {
                claim: id(10),
                reason: "사용한 흔적이 있습니다".to_owned(),
                invoice: Some(Invoice {
                    courier: "kr.epost".to_owned(),
                    invoice_no: "123456789012".to_owned(),
                }),
                by,
            },
            OrderCommand::PickUpGoods {
                claim: id(10),
                invoice: None,
                by,
            },
        ];
        for act in acts {
            let decided = order.decide(act, &at_noon());
            match allowed {
                true => assert!(decided.is_ok(), "{decided:?}"),
                false => assert_eq!(decided, Err(OrderError::UnknownClaim)),
            }
        }
    }
}

#[test]
fn an_open_return_stops_the_day_of_an_unreported_delivery() {
    let by_date = || OrderCommand::DeliverByDate {
        purchase_no: no(HELMETS),
        day: november(28),
        auto_confirm_days: 8,
    };
    let sent = || vec![placed(), paid(), prepared(HELMETS), shipped(HELMETS)];
    let mut order = folded(sent());
    let mut context = at_noon();
    let act = |order: &mut Order, act, context: &_| {
        let events = order.decide(act, context).unwrap();
        for event in events {
            order.evolve(event);
        }
    };
    // one of two helmets: the other keeps the day
    act(&mut order, ask(Some(1), Fault::Buyer), &context);
    let days: Vec<_> = order.purchases.iter().map(|one| one.deliver_by).collect();
    assert_eq!(days.iter().flatten().count(), 2, "a part has the day, too");
    let part = order.purchases.last().unwrap().purchase_no.clone();
    let of_part = || OrderCommand::DeliverByDate {
        purchase_no: part.clone(),
        day: november(28),
        auto_confirm_days: 8,
    };
    context.now += Duration::days(7);
    let open = OrderError::ClaimOpen(part.clone());
    assert_eq!(order.decide(of_part(), &context), Err(open));
    let rest = order.decide(by_date(), &context).unwrap();
    assert!(matches!(
        rest.as_slice(),
        [OrderEvent::PurchaseDelivered { .. }]
    ));
    let withdraw = OrderCommand::WithdrawClaim { claim: id(10) };
    act(&mut order, withdraw, &context);
    assert_eq!(order.decide(of_part(), &context).unwrap().len(), 1);
}
