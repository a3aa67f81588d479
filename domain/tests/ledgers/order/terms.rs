use super::*;

/// Any amount that is off by one hundredth is rejected.
#[test]
fn have_to_add_up() {
    let more = |amount: &mut Amount| *amount = amount.plus(Amount::new(1)).unwrap();
    type Slip = Box<dyn Fn(&mut OrderTerms)>;
    let slips: Vec<(&str, Slip)> = vec![
        (
            "line paid",
            Box::new(move |t| more(&mut t.purchases[0].paid)),
        ),
        (
            "line points",
            Box::new(move |t| more(&mut t.purchases[1].points)),
        ),
        (
            "level",
            Box::new(move |t| more(&mut t.purchases[0].level_discount)),
        ),
        (
            "unit price",
            Box::new(move |t| more(&mut t.purchases[2].unit_price)),
        ),
        ("fare paid", Box::new(move |t| more(&mut t.fares[0].paid))),
        (
            "island fee",
            Box::new(move |t| more(&mut t.fares[0].island_fee)),
        ),
        ("payable", Box::new(move |t| more(&mut t.totals.payable))),
        ("points", Box::new(move |t| more(&mut t.points[0].amount))),
        ("coupon", Box::new(move |t| more(&mut t.coupons[0].amount))),
        (
            "share",
            Box::new(|t| t.coupons[0].seller_share = t.coupons[0].amount.times(2).unwrap()),
        ),
        ("nothing", Box::new(|t| t.purchases.clear())),
        (
            "same number",
            Box::new(|t| t.purchases[1].purchase_no = no(0)),
        ),
        (
            "stranger",
            Box::new(|t| t.fares[0].purchase_nos = vec!["x".to_owned()]),
        ),
        ("no pieces", Box::new(|t| t.purchases[0].quantity = 0)),
    ];
    order([])
        .when(OrderCommand::Place(Box::new(super::terms())))
        .then([placed()]);
    for (what, slip) in slips {
        let mut wrong = super::terms();
        slip(&mut wrong);
        let answer = domain::Decider::decide(
            &Order::default(),
            OrderCommand::Place(Box::new(wrong)),
            &super::super::given::at_noon(),
        );
        assert!(
            matches!(answer, Err(OrderError::TermsDoNotAddUp(_))),
            "{what}: {answer:?}"
        );
    }
}

#[test]
fn what_sellers_bear_is_shared_over_what_was_taken_off() {
    let terms = super::terms();
    let lines = terms
        .purchases
        .iter()
        .map(|line| terms.borne_by_seller_of_line(line).unwrap());
    let fares = terms
        .fares
        .iter()
        .map(|fare| terms.borne_by_seller_of_fare(fare).unwrap());
    let borne = Amount::total(lines.chain(fares)).unwrap();
    let agreed = terms.coupons.iter().map(|used| used.seller_share);
    let agreed = Amount::total(agreed).unwrap();
    assert!(agreed > Amount::ZERO);
    assert_eq!(borne, agreed);
    let bike = &terms.purchases[0];
    assert_eq!(
        terms.borne_by_seller_of_line(bike).unwrap(),
        bike.product_coupon,
        "a seller's own coupon is all theirs"
    );
}
