use super::super::given::at_noon;
use std::collections::{BTreeMap, BTreeSet};

use super::*;
use domain::Decider;
use domain::order::FareOutcome;

/// An order that keeps its events, so that a test can continue.
struct Story(Order);

impl Story {
    fn of(events: impl IntoIterator<Item = OrderEvent>) -> Self {
        Self(folded(events))
    }

    fn does(&mut self, act: OrderCommand) -> Vec<OrderEvent> {
        let events = self.0.decide(act, &at_noon()).unwrap();
        for event in &events {
            self.0.evolve(event.clone());
        }
        events
    }

    fn refund(&self, claim: u128) -> &RefundTerms {
        &self.0.claim(id::<ClaimId>(claim)).unwrap().refund
    }
}

fn names(events: &[OrderEvent]) -> Vec<String> {
    events
        .iter()
        .map(cqrs_es::DomainEvent::event_type)
        .collect()
}

#[test]
fn before_preparing_policy_approves_at_once_after_it_somebody_has_to() {
    let asks = |past: Vec<OrderEvent>, lines: &[usize], by| {
        names(&Story::of(past).does(cancel(10, lines, by)))
    };
    let both = ["CancelRequested", "CancelApproved"];
    let buyer = CanceledBy::Buyer;
    assert_eq!(asks(vec![placed(), paid()], &[0], buyer), both);
    let preparing = || vec![placed(), paid(), prepared(0)];
    assert_eq!(asks(preparing(), &[0], buyer), ["CancelRequested"]);
    // a claim for each stage and seller: what is only paid is canceled at once even if its neighbour is being prepared
    let staged = ["CancelRequested", "CancelRequested", "CancelApproved"];
    assert_eq!(asks(preparing(), &[0, 1], buyer), staged);
    assert_eq!(asks(preparing(), &[1, 2], buyer), [both, both].concat());
    assert_eq!(asks(preparing(), &[0], CanceledBy::Staff), both);
}

/// Whether a delayed purchase was sent is determined by its invoice number (books.md, reading 3).
#[test]
fn delayed_before_it_was_sent_counts_as_being_prepared() {
    let late = || vec![placed(), paid(), prepared(0), delayed(0)];
    let asked_by = |by| names(&Story::of(late()).does(cancel(10, &[0], by)));
    assert_eq!(asked_by(CanceledBy::Buyer), ["CancelRequested"]);
    let at_once = ["CancelRequested", "CancelApproved"];
    assert_eq!(asked_by(CanceledBy::Staff), at_once);
    // a purchase that is only paid is canceled at once beside it, as beside one being prepared
    let mixed = names(&Story::of(late()).does(cancel(10, &[0, 1], CanceledBy::Buyer)));
    assert_eq!(
        mixed,
        ["CancelRequested", "CancelRequested", "CancelApproved"]
    );

    let mut story = Story::of(late());
    story.does(cancel(10, &[0], CanceledBy::Buyer));
    story.does(approve(10));
    let mut in_preparation = Story::of([placed(), paid(), prepared(0)]);
    in_preparation.does(cancel(10, &[0], CanceledBy::Staff));
    assert_eq!(story.refund(10), in_preparation.refund(10));
    let mut refused = Story::of(late());
    refused.does(cancel(10, &[0], CanceledBy::Buyer));
    refused.does(OrderCommand::RejectClaim {
        claim: id(10),
        reason: "곧 보냅니다".to_owned(),
        invoice: None,
        by: Reader::Staff,
    });
    assert_eq!(
        names(&refused.does(ship(0, "123456789012"))),
        ["PurchaseShipped"]
    );

    let wrong = || OrderError::WrongStatus {
        purchase_no: no(0),
        at: OrderStatus::Delayed,
    };
    let deliver = OrderCommand::Deliver {
        purchase_no: no(0),
        auto_confirm_days: 8,
    };
    order(late()).when(deliver).then_refuses(wrong());
    let sent = || vec![placed(), paid(), prepared(0), shipped(0), delayed(0)];
    for by in [CanceledBy::Buyer, CanceledBy::Staff] {
        order(sent())
            .when(cancel(10, &[0], by))
            .then_refuses(wrong());
    }
}

#[test]
fn everything_gives_everything_back() {
    let mut story = Story::of([placed(), paid()]);
    story.does(cancel(10, &[0, 1, 2], CanceledBy::Buyer));
    let terms = terms();
    // the claims of two sellers, with one refund
    let [first, second] = [story.refund(10), story.refund(11)];
    let money = first.money.plus(second.money).unwrap();
    assert_eq!(money, terms.totals.payable);
    let refund_of = |claim| match story.0.claim(id(claim)).unwrap().state {
        ClaimState::Approved { refund } => refund,
        ref other => panic!("{other:?}"),
    };
    assert_eq!(refund_of(10), Some(id(11)));
    assert_eq!(refund_of(11), Some(id(11)));
    let mut back: BTreeMap<_, Amount> = BTreeMap::new();
    for part in first.points.iter().chain(&second.points) {
        let amount = back.entry(part.lot).or_default();
        *amount = amount.plus(part.amount).unwrap();
    }
    let lots = terms.points.iter().map(|part| (part.lot, part.amount));
    assert_eq!(back, lots.collect());
    let last_used = terms.points.last().unwrap().lot;
    assert_eq!(
        first.points.first().unwrap().lot,
        last_used,
        "last used first"
    );
    let back = first.coupons.iter().chain(&second.coupons);
    let back: BTreeSet<_> = back.collect();
    let used = terms.coupons.iter().map(|used| &used.issued);
    assert_eq!(back, used.collect());
}

#[test]
fn a_part_gives_its_own_shares_back_and_a_fare_with_its_last_purchase() {
    let terms = terms();
    let share = |line: usize| terms.purchases[line].paid;
    let fare_of = |line: usize| {
        let fare = terms
            .fares
            .iter()
            .find(|fare| fare.purchase_nos.contains(&no(line)));
        fare.unwrap()
    };
    assert_eq!(fare_of(1).purchase_nos, [no(1)], "the helmets' parcel");
    let mut story = Story::of([placed(), paid()]);
    story.does(cancel(10, &[1], CanceledBy::Buyer));
    let first = story.refund(10).clone();
    assert_eq!(
        first.money,
        share(1).plus(fare_of(1).paid).unwrap(),
        "its parcel goes with it"
    );
    assert_eq!(
        first.coupons,
        [],
        "every coupon but none is wholly of the helmets"
    );
    let points = Amount::total(first.points.iter().map(|part| part.amount)).unwrap();
    let expected = terms.purchases[1].points.plus(fare_of(1).points).unwrap();
    assert_eq!(points, expected);

    story.does(cancel(20, &[0], CanceledBy::Buyer));
    let second = story.refund(20).clone();
    assert_eq!(
        second.coupons,
        [issued_id(TEN_PERCENT_OFF_BIKES, 0)],
        "the bike's own coupon"
    );
    story.does(cancel(30, &[2], CanceledBy::Buyer));
    let third = story.refund(30).clone();
    let all = Amount::total([first.money, second.money, third.money]).unwrap();
    assert_eq!(all, terms.totals.payable, "the parts are the whole");
    let mut back: Vec<_> = [&first, &second, &third]
        .into_iter()
        .flat_map(|refund| refund.points.clone())
        .collect();
    back.sort_by_key(|part| part.lot);
    for used in &terms.points {
        let of_lot = back.iter().filter(|part| part.lot == used.lot);
        let of_lot = Amount::total(of_lot.map(|part| part.amount)).unwrap();
        assert_eq!(of_lot, used.amount, "each lot gets its own back");
    }
}

#[test]
fn what_is_final_is_decided_when_it_is_approved() {
    // both lines of one bundle are requested before either is answered: neither considers the other as gone
    let mut shop = Shop::open();
    let basket = Basket {
        lines: vec![(HELMET, 1), (super::super::shop::SET, 1)],
        ..Basket::default()
    };
    shop.place(id(1), &basket).unwrap();
    let terms = shop.order(id(1)).terms().unwrap().clone();
    let [fare] = terms.fares.as_slice() else {
        panic!("one parcel")
    };
    assert!(fare.paid > Amount::ZERO);
    let start = || {
        let mut story = Story::of([
            OrderEvent::OrderPlaced(Box::new(terms.clone())),
            OrderEvent::OrderPaid {
                payment: Some(id(2)),
                amount: terms.totals.payable,
            },
            prepared(0),
            prepared(1),
        ]);
        story.does(cancel(10, &[0], CanceledBy::Buyer));
        story.does(cancel(20, &[1], CanceledBy::Buyer));
        story
    };
    let mut both = start();
    both.does(approve(10));
    both.does(approve(20));
    let back = [both.refund(10).money, both.refund(20).money];
    assert_eq!(Amount::total(back).unwrap(), terms.totals.payable);
    assert_eq!(both.refund(10).money, terms.purchases[0].paid);

    let mut one = start();
    one.does(OrderCommand::RejectClaim {
        claim: id(10),
        reason: "이미 포장했습니다".to_owned(),
        invoice: None,
        by: Reader::Staff,
    });
    one.does(approve(20));
    assert_eq!(
        one.refund(20).money,
        terms.purchases[1].paid,
        "the parcel still goes"
    );
}

#[test]
fn a_claim_is_answered_once() {
    let mut story = Story::of([placed(), paid(), prepared(0)]);
    story.does(cancel(10, &[0], CanceledBy::Buyer));
    assert_eq!(story.does(cancel(10, &[0], CanceledBy::Buyer)), []);
    let complete = || OrderCommand::CompleteClaim { claim: id(10) };
    let reject = || OrderCommand::RejectClaim {
        claim: id(10),
        reason: "늦음".to_owned(),
        invoice: None,
        by: Reader::Staff,
    };
    assert_eq!(
        story.0.decide(complete(), &at_noon()),
        Err(OrderError::ClaimNotApproved)
    );
    story.does(approve(10));
    assert_eq!(story.does(approve(10)), []);
    assert_eq!(
        story.0.decide(reject(), &at_noon()),
        Err(OrderError::ClaimClosed)
    );
    assert_eq!(names(&story.does(complete())), ["CancelCompleted"]);
    assert_eq!(story.does(complete()), []);
    let line = story.0.purchase(&no(0)).unwrap();
    assert_eq!(line.purchase_status, PurchaseStatus::Canceled);
    assert_eq!(story.0.status_text(line), "취소완료");
    assert!(matches!(
        story.0.claim(id(10)).unwrap().state,
        ClaimState::Completed { refund: Some(_) }
    ));
}

#[test]
fn names_and_reasons_are_needed() {
    let order = folded([placed(), paid()]);
    for (lines, error) in [
        (vec![], OrderError::PurchasesRequired),
        (
            vec!["nothing".to_owned()],
            OrderError::UnknownPurchase("nothing".to_owned()),
        ),
        (vec![no(0), no(0)], OrderError::UnknownPurchase(no(0))),
    ] {
        let act = OrderCommand::RequestCancel(Box::new(CancelRequest::whole(
            ClaimIds {
                claim: id(10),
                refund: id(11),
            },
            lines,
            CanceledBy::Buyer,
            CancelReason::plain("변심"),
        )));
        assert_eq!(order.decide(act, &at_noon()), Err(error));
    }
    let act = OrderCommand::RequestCancel(Box::new(CancelRequest::whole(
        ClaimIds {
            claim: id(10),
            refund: id(11),
        },
        vec![no(0)],
        CanceledBy::Buyer,
        CancelReason::plain(" "),
    )));
    assert_eq!(
        order.decide(act, &at_noon()),
        Err(OrderError::ReasonRequired)
    );
}

#[test]
fn a_reason_is_one_of_the_shops_or_sealed_and_stored_as_a_text_or_a_seal() {
    let late = CancelReason::plain("배송이 늦어요");
    assert_eq!(
        CancelReason::standard(" 배송이 늦어요 "),
        Some(late.clone())
    );
    assert_eq!(CancelReason::standard("배송이 늦어요, 홍길동"), None);
    let seal = Sealed::from_parts(
        id::<MemberId>(1).0,
        Purpose::Statutory,
        "c2VhbA==".to_owned(),
    );
    let stored = [
        (late, json!("배송이 늦어요")),
        (CancelReason::Sealed(seal.clone()), json!(seal)),
    ];
    for (reason, text) in stored {
        assert_eq!(json!(reason), text);
        assert_eq!(
            serde_json::from_value::<CancelReason>(text).unwrap(),
            reason
        );
    }
}

/// Claims from before requests were split by seller: only staff answer them.
#[test]
fn an_older_claim_of_several_sellers_is_answered_by_staff() {
    let requested = OrderEvent::CancelRequested {
        claim: id(10),
        purchase_nos: vec![no(0), no(2)],
        by: CanceledBy::Buyer,
        reason: CancelReason::plain("변심"),
        refund: RefundTerms::default(),
    };
    let order = folded([placed(), paid(), prepared(0), prepared(2), requested]);
    let line = order.purchase(&no(0)).unwrap();
    let theirs = order.purchase_actions(Reader::Seller(seller(1)), line);
    assert_eq!(theirs, []);
    let staffs = [Action::ApproveCancel, Action::RejectCancel];
    assert_eq!(order.purchase_actions(Reader::Staff, line), staffs);
    for (by, error) in [
        (Reader::Seller(seller(1)), OrderError::ClaimOfSeveralSellers),
        (Reader::Seller(seller(3)), OrderError::UnknownClaim),
    ] {
        let answer = ClaimAnswer {
            claim: id(10),
            refund: id(11),
            by,
            parcels: ParcelRules::default(),
            earned: EarnedPoints::default(),
        };
        let approve = OrderCommand::ApproveClaim(Box::new(answer));
        assert_eq!(order.decide(approve, &at_noon()), Err(error));
    }
    let mut story = Story(order);
    story.does(approve(10));
    // the fares of both parcels that are empty now were refunded by the rule of that time
    let empty = story.0.terms().unwrap().fares.iter().enumerate();
    for (place, fare) in empty.filter(|(_, fare)| !fare.carries(&no(1))) {
        let place = u32::try_from(place).unwrap();
        let outcome = story.0.fares.get(&place);
        assert_eq!(outcome, Some(&FareOutcome::Refunded), "{}", fare.name);
    }
}

/// Nothing but the frozen `returnable` decides: the same order with and without it differs in the coupon alone, and before the payment it
/// is given back.
#[test]
fn a_coupon_that_is_not_returnable_is_kept() {
    let kept = issued_id(TEN_PERCENT_OFF_BIKES, 0);
    let mut terms = terms();
    let used = terms.coupons.iter_mut().find(|used| used.issued == kept);
    used.unwrap().returnable = false;
    let placed_with = OrderEvent::OrderPlaced(Box::new(terms.clone()));
    let all = |story: &mut Story| {
        story.does(cancel(10, &[0, 1, 2], CanceledBy::Buyer));
        [story.refund(10).clone(), story.refund(11).clone()]
    };
    let mut story = Story::of([placed_with.clone(), paid()]);
    let with = all(&mut story);
    let without = all(&mut Story::of([placed(), paid()]));
    for (with, without) in with.iter().zip(&without) {
        let mut expected = without.clone();
        expected.coupons.retain(|issued| *issued != kept);
        assert_eq!(*with, expected);
    }
    let back = without.iter().flat_map(|refund| &refund.coupons);
    assert!(back.copied().any(|issued| issued == kept));
    let shown = |past: Vec<OrderEvent>, lines: &[usize]| {
        let order = folded(past);
        let lines: Vec<String> = lines.iter().map(|line| no(*line)).collect();
        let detail = order.refund_detail(None, &lines, (None, &ParcelRules::default()));
        let coupons = detail.unwrap().coupons;
        let its = coupons.into_iter().find(|coupon| coupon.issued == kept);
        its.map(|coupon| (coupon.returns, coupon.reason)).unwrap()
    };
    let reason = Some("취소하거나 반품해도 돌려드리지 않는 쿠폰입니다.");
    let with = || vec![placed_with.clone(), paid()];
    assert_eq!(shown(with(), &[0]), (false, reason));
    assert_eq!(shown(vec![placed(), paid()], &[0]), (true, None));
    assert_eq!(shown(vec![placed_with.clone()], &[0, 1, 2]), (true, None));
}
