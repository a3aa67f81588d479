//! Lines: valid and invalid ones.

use domain::Amount;
use domain::ids::{OptionId, ProductId, StockId};
use domain::order::StockTaken;
use domain::pricing::{Line, PricingError, QUANTITY_MAX};
use domain::shipping::{ChargeType, ShippingOption};

use crate::basket::{Basket, Item, amount, fixed, id, item, percent, purchase_no};

#[test]
fn a_line_freezes_what_was_bought() {
    let mut bought = item(5, 1000, 2).option(51, 0, false).option(52, 250, true);
    bought.product.thumb.url = "/files/5.webp".to_owned();
    let quote = Basket::of([bought.discounted(percent(10)), item(6, 100, 1)])
        .at_level(amount(25))
        .quote()
        .unwrap();
    let line = &quote.purchases[0];
    assert_eq!(line.purchase_no, purchase_no(1));
    assert_eq!(line.option, Some(id::<OptionId>(52)));
    assert_eq!(line.option_name.as_deref(), Some("option 52"));
    assert_eq!(line.thumb.as_deref(), Some("/files/5.webp"));
    assert_eq!(line.unit_price, Amount::new(1250));
    assert_eq!(line.product_discount, Amount::new(250));
    assert_eq!(line.level_discount, Amount::new(50));
    assert_eq!(line.paid, Amount::new(2200));
    assert_eq!(line.product_version, 7);
    let own = |stock, quantity| {
        vec![StockTaken {
            stock: id::<StockId>(stock),
            quantity,
        }]
    };
    assert_eq!(line.stock, own(52, 2));
    assert_eq!(quote.purchases[1].stock, own(6, 1));
    assert_eq!(quote.purchases[1].thumb, None);
}

#[test]
fn a_set_takes_its_parts() {
    let parts = serde_json::from_value::<Vec<domain::catalogue::BundledPart>>(serde_json::json!([
        { "_product": id::<ProductId>(8), "quantity": 2 },
        { "_product": id::<ProductId>(9), "_option": id::<OptionId>(91), "quantity": 1 },
    ]))
    .unwrap();
    let mut set = item(7, 5000, 3);
    set.parts = Line::parts_of(&parts, set.quantity).unwrap();
    let quote = Basket::of([set]).quote().unwrap();
    let taken: Vec<_> = quote.purchases[0]
        .stock
        .iter()
        .map(|taken| (taken.stock, taken.quantity))
        .collect();
    assert_eq!(taken, [(id(8), 6), (id(91), 3)]);
    assert_eq!(
        Line::parts_of(&parts, u32::MAX),
        Err(PricingError::Overflow)
    );
}

#[test]
fn the_products_own_id_stands_for_its_only_way_to_buy() {
    let mut plain = item(5, 1000, 1);
    plain.option = Some(id(5));
    let quote = Basket::of([plain]).quote().unwrap();
    assert_eq!(quote.purchases[0].option, None);
}

#[test]
fn wrong_lines_are_refused_with_their_number() {
    let one = || item(1, 1000, 1);
    let mut no_option = one().option(11, 0, true);
    no_option.option = None;
    let mut unknown_option = one().option(11, 0, true);
    unknown_option.option = Some(id(12));
    let mut option_of_nothing = one();
    option_of_nothing.option = Some(id(12));
    let priced_by = |charge_type| {
        one().sent(ShippingOption {
            charge_type,
            ..fixed(0)
        })
    };
    let rows: [(&str, Item); 13] = [
        ("quantity_zero", item(1, 1000, 0)),
        ("quantity_too_large", item(1, 1000, QUANTITY_MAX + 1)),
        ("option_required", no_option),
        ("option_unknown", unknown_option),
        ("option_unknown", option_of_nothing),
        ("option_unknown", one().option(11, 0, false)),
        ("price_negative", item(1, -1, 1)),
        ("price_negative", one().option(11, -1001, true)),
        ("discount_invalid", one().discounted(percent(101))),
        ("discount_invalid", one().discounted(amount(-1))),
        ("distance_unknown", priced_by(ChargeType::TravelRange)),
        ("fare_undefined", priced_by(ChargeType::PriceRange)),
        ("fare_undefined", one().sent(fixed(-1))),
    ];
    for (code, wrong) in rows {
        let error = Basket::of([item(2, 1, 1), wrong]).quote().unwrap_err();
        assert_eq!(error.code(), code);
        assert_eq!(error.purchase_no(), Some(purchase_no(2).as_str()), "{code}");
    }
    let empty = Basket::default().quote().unwrap_err();
    assert_eq!((empty.code(), empty.purchase_no()), ("empty_order", None));
    let dear = Basket::of([item(1, i64::MAX, 2)]).quote().unwrap_err();
    assert_eq!(dear.code(), "overflow");
    let dear = Basket::of([item(1, i64::MAX, 1), item(2, 1, 1)]).quote();
    assert_eq!(dear.unwrap_err().code(), "overflow");
}

#[test]
fn one_number_belongs_to_one_line() {
    let basket = Basket::of([item(1, 1000, 1), item(2, 1000, 1)]);
    let mut request = basket.request();
    request.lines[1].purchase_no = purchase_no(1);
    assert_eq!(
        domain::pricing::quote(&request).unwrap_err().code(),
        "purchase_twice"
    );
}
