//! Lists, counts and searches agree with the orders and products themselves.

use std::collections::BTreeSet;

use domain::catalogue::Product;
use domain::coupon::CouponStatus;
use domain::ids::{MemberId, OrderId, ProductId};
use domain::order::{
    Buyer, ClaimStatus, CollectionStatus, Order, OrderStatus, Purchase, PurchaseStatus, Reader,
};
use domain::shipping::ShippingGroup;
use domain::{Amount, Decider};
use projections::categories::{categories, category_tree};
use projections::deadlines::{DeadlineKind, due, next_due};
use projections::member_coupons::{
    CouponTab, coupon_box, drawn_by, expiring_coupons, usable_coupons,
};
use projections::order_timeline::{MASK, history, timeline};
use projections::orders::{
    ClaimStep, ConsoleFilter, OrderFilter, OrderSlice, OrderView, PurchaseTab, console_orders,
    console_purchases, my_orders, my_purchases, order, order_of_purchase, payment_by_gateway_id,
    payments_by, payments_of, status_counts, tab, tab_counts, to_be_confirmed,
};
use projections::points_statement::{point_entries, points_summary};
use projections::products::{
    ProductFilter, ProductSort, product, product_cards, product_details, products, shipping_group,
};
use projections::records::{
    Column, Order as Sorted, Source, Wanted, all, narrowed, offered_coupons, record, site_setting,
};
use projections::search_documents::changed_documents;
use projections::state::order_contacts;
use projections::{Listed, Page};
use serde_json::Value;

use super::rows::{lived, read, rows, run_to};
use super::shop::{SECRET, Shop};

const ALL: Page = Page {
    skip: 0,
    limit: 100,
};

async fn busy() -> Shop {
    read(11, 350).await
}

fn purchases(shop: &Shop) -> impl Iterator<Item = (OrderId, &Order, &Purchase)> {
    shop.orders
        .iter()
        .flat_map(|(id, order)| order.purchases.iter().map(move |one| (*id, order, one)))
}

fn buyer(order: &Order) -> Option<MemberId> {
    match order.buyer() {
        Some(Buyer::Member { id }) => Some(*id),
        _ => None,
    }
}

/// Paid, not final, and nobody asked to give it back.
fn is_coming(one: &Purchase) -> bool {
    let codes = (one.purchase_status.code(), one.claim_status.code());
    matches!(codes.0, "PURCHASE_AWAITING" | "PURCHASE_SCHEDULE")
        && (codes.1 == "NONE" || codes.1.starts_with("EXCHANGE") || codes.1.ends_with("REJECTED"))
}

#[tokio::test(flavor = "multi_thread")]
async fn how_many_there_are_in_all_is_kept_and_not_counted() {
    let shop = busy().await;
    let pool = shop.store.pool();
    // nobody counts what they list, or they would not believe this
    for table in [
        "p_orders_v3_counts",
        "p_reviews_v2_counts",
        "p_inquires_v2_counts",
        "p_products_v2_counts",
    ] {
        let more = format!("UPDATE {table} SET live = live + 1000000");
        sqlx::query(&more).execute(pool).await.unwrap();
    }
    for source in [Source::Products, Source::Reviews, Source::Inquires] {
        let wanted = Wanted {
            source,
            seller: None,
            search: None,
            tests: Vec::new(),
            removed: false,
            order: Sorted {
                column: Column::Created,
                descending: true,
                nullable: false,
            },
        };
        let all = narrowed(pool, &wanted, ALL).await.unwrap().total_count;
        assert!(all > 1_000_000, "{source:?}: {all}");
        let wanted = Wanted {
            removed: true,
            ..wanted
        };
        let removed = narrowed(pool, &wanted, ALL).await.unwrap().total_count;
        assert!(removed < 1_000_000, "{source:?}: {removed} removed");
    }
    let everything = ConsoleFilter::default();
    let listed = console_purchases(pool, &everything, Reader::Staff, ALL);
    assert!(listed.await.unwrap().total_count > 1_000_000);
    let listed = console_orders(pool, &everything, Reader::Staff, ALL);
    assert!(listed.await.unwrap().total_count > 1_000_000);
    let complete = ConsoleFilter {
        tab: PurchaseTab::Complete,
        ..everything.clone()
    };
    let listed = console_purchases(pool, &complete, Reader::Staff, ALL);
    assert!(listed.await.unwrap().total_count > 1_000_000);
    // what is narrowed down is counted
    let searched = ConsoleFilter {
        search: Some("nobody calls anything so".to_owned()),
        ..everything
    };
    let listed = console_purchases(pool, &searched, Reader::Staff, ALL);
    assert_eq!(listed.await.unwrap().total_count, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_consoles_tabs_hold_every_purchase_once() {
    let shop = busy().await;
    let pool = shop.store.pool();
    let tabs = [
        PurchaseTab::Nonpayment,
        PurchaseTab::Payment,
        PurchaseTab::Delivery,
        PurchaseTab::Cancel,
        PurchaseTab::Complete,
    ];
    let counts = tab_counts(pool, &ConsoleFilter::default()).await.unwrap();
    assert_eq!(counts.all, purchases(&shop).count() as i64);
    let numbers = [
        counts.nonpayment,
        counts.payment,
        counts.delivery,
        counts.cancel,
        counts.complete,
    ];
    for (wanted, number) in tabs.into_iter().zip(numbers) {
        let filter = ConsoleFilter {
            tab: wanted,
            ..ConsoleFilter::default()
        };
        let listed = console_purchases(pool, &filter, Reader::Staff, ALL)
            .await
            .unwrap();
        assert_eq!(listed.total_count, number, "{wanted:?}");
        let expected: BTreeSet<&str> = purchases(&shop)
            .filter(|(_, _, one)| tab(one) == wanted)
            .map(|(_, _, one)| one.purchase_no.as_str())
            .collect();
        assert_eq!(expected.len() as i64, number);
        for found in &listed.rows {
            let row = &found.row.purchase;
            assert!(expected.contains(row.purchase_no.as_str()), "{wanted:?}");
            let state = &shop.orders[&found.row.order];
            let one = state.purchase(&row.purchase_no).unwrap();
            assert_eq!(row.next_actions, state.purchase_actions(Reader::Staff, one));
            assert_eq!(row.status_text, state.status_text(one));
        }
        let newest_first: Vec<_> = listed.rows.iter().map(|one| one.row.created_at).collect();
        assert!(newest_first.is_sorted_by(|one, other| one >= other));
    }
    let everybodys = ConsoleFilter::default();
    let listed = console_orders(pool, &everybodys, Reader::Staff, ALL);
    assert_eq!(listed.await.unwrap().total_count, shop.orders.len() as i64);
    // a seller sees their slice only
    let seller = shop.orders.values().next().unwrap().purchases[0].seller;
    let own = ConsoleFilter {
        seller: Some(seller),
        ..ConsoleFilter::default()
    };
    let reader = Reader::Seller(seller);
    let listed = console_purchases(pool, &own, reader, ALL).await.unwrap();
    let expected = purchases(&shop)
        .filter(|(_, _, one)| one.seller == seller)
        .count();
    assert_eq!(listed.total_count, expected as i64);
    assert!(
        listed
            .rows
            .iter()
            .all(|one| one.row.purchase.seller.id == seller)
    );
    for found in console_orders(pool, &own, reader, ALL).await.unwrap().rows {
        assert!(
            found
                .card
                .purchases
                .iter()
                .all(|one| one.seller.id == seller)
        );
        let detail = OrderView::from(&found.row)
            .detail(reader, vec![], vec![])
            .unwrap();
        let paid: i64 = detail
            .card
            .purchases
            .iter()
            .map(|one| one.paid.hundredths())
            .sum();
        let fares: i64 = detail.fares.iter().map(|fare| fare.paid.hundredths()).sum();
        assert_eq!(detail.totals.payable.hundredths(), paid + fares);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_are_found_by_number_name_and_contact() {
    let shop = busy().await;
    let pool = shop.store.pool();
    let (id, state) = shop.orders.iter().next_back().unwrap();
    let terms = state.terms().unwrap();
    let search = |text: &str| ConsoleFilter {
        search: Some(text.to_owned()),
        ..ConsoleFilter::default()
    };
    let of = async |filter: ConsoleFilter| -> Listed<_> {
        console_purchases(pool, &filter, Reader::Staff, ALL)
            .await
            .unwrap()
    };

    let found = of(search(&terms.order_no.to_lowercase())).await;
    assert_eq!(found.total_count, terms.purchases.len() as i64);
    assert!(found.rows.iter().all(|one| one.row.order == *id));
    assert_eq!(
        of(search(&terms.purchases[0].purchase_no))
            .await
            .total_count,
        1
    );
    let day = &terms.order_no[..8];
    let that_day = purchases(&shop)
        .filter(|(_, _, one)| one.purchase_no.starts_with(day))
        .count();
    assert_eq!(of(search(day)).await.total_count, that_day as i64);

    for (name, inside) in [
        ("자전거", true),
        ("0%", true),
        ("_x", true),
        ("p-1", true),
        ("%", true),
        ("없는 것", false),
    ] {
        let lower = name.to_lowercase();
        let expected = purchases(&shop)
            .filter(|(_, order, one)| {
                let line = order.purchase_terms(&one.purchase_no).unwrap();
                let has = |text: &str| text.to_lowercase().contains(&lower);
                has(&line.name) || has(&line.code) || line.option_name.as_deref().is_some_and(has)
            })
            .count() as i64;
        assert_eq!(expected > 0, inside, "{name}");
        assert_eq!(of(search(name)).await.total_count, expected, "{name}");
    }

    let hash = vec![7_u8; 32];
    order_contacts::remember(pool, *id, &[hash.clone(), hash.clone()])
        .await
        .unwrap();
    assert_eq!(
        order_contacts::find(pool, std::slice::from_ref(&hash))
            .await
            .unwrap(),
        [*id]
    );
    let by_phone = ConsoleFilter {
        search: Some("01012345678".to_owned()),
        contact_hashes: vec![hash],
        ..ConsoleFilter::default()
    };
    assert_eq!(of(by_phone).await.total_count, terms.purchases.len() as i64);

    let by_id = order(pool, &id.to_string()).await.unwrap().unwrap();
    let by_no = order(pool, &terms.order_no).await.unwrap().unwrap();
    let by_purchase = order_of_purchase(pool, &terms.purchases[0].purchase_no)
        .await
        .unwrap();
    assert_eq!(by_id, by_no);
    assert_eq!(Some(&by_id), by_purchase.as_ref());
    assert_eq!(by_id.state, *state, "the detail is the ledger's own state");
    assert_eq!(order(pool, "20990101-NOTHING1").await.unwrap(), None);
}

/// The one list a purchase stands in, by the words of the specification: with a claim the group of that claim until it is
/// confirmed (V104, V105, reading 11), without one the list of its order status (V101-V103). What was canceled before it was paid
/// is among the cancellations.
fn stands_in(one: &Purchase) -> OrderFilter {
    let claim = one.claim_status.code();
    let claim = match one.purchase_status.code() {
        "PURCHASE_COMPLETE" => "NONE",
        _ => claim,
    };
    match (claim.split('_').next(), one.order_status.code()) {
        (Some("CANCEL"), _) | (Some("NONE"), "ORDER_CANCELED") => OrderFilter::Cancel,
        (Some("EXCHANGE"), _) => OrderFilter::Exchange,
        (Some("RETURN"), _) => OrderFilter::Return,
        (_, "ORDER_NONPAYMENT" | "ORDER_PAYMENT" | "ORDER_CONFIRM") => OrderFilter::Processing,
        (_, "SHIPPING_CONFIRM" | "SHIPPING_DELAYED") => OrderFilter::Shipped,
        (_, "DELIVERY_COMPLETE") => OrderFilter::Delivered,
        (claim, order) => panic!("{claim:?} {order} stands in no list"),
    }
}

/// How far a claim is, by its last word.
fn step_of(one: &Purchase) -> ClaimStep {
    match one.claim_status.code().rsplit('_').next() {
        Some("REQUESTED") => ClaimStep::Requested,
        Some("REJECTED") => ClaimStep::Rejected,
        Some("COMPLETED" | "NONE") => ClaimStep::Completed,
        _ => ClaimStep::Processing,
    }
}

fn is_in(slice: OrderSlice, one: &Purchase) -> bool {
    let list = stands_in(one);
    let listed = match slice.filter {
        OrderFilter::All => !list.is_of_claims(),
        wanted => wanted == list,
    };
    listed && slice.step.is_none_or(|step| step == step_of(one))
}

/// Also the statuses that the shop of the other tests does not come to.
#[test]
fn whatever_its_statuses_a_purchase_stands_in_one_list_and_at_one_step() {
    let lists = [
        OrderFilter::Processing,
        OrderFilter::Shipped,
        OrderFilter::Delivered,
        OrderFilter::Cancel,
        OrderFilter::Exchange,
        OrderFilter::Return,
    ];
    let steps = [
        ClaimStep::Requested,
        ClaimStep::Processing,
        ClaimStep::Completed,
        ClaimStep::Rejected,
    ];
    let mut one = Purchase {
        purchase_no: "20261121-7KD2M9QX-1".to_owned(),
        seller: MemberId(uuid::Uuid::nil()),
        order_status: OrderStatus::Payment,
        claim_status: ClaimStatus::None,
        purchase_status: PurchaseStatus::Awaiting,
        collection_status: CollectionStatus::None,
        invoice: None,
        delay_reason: None,
        confirm_on: None,
    };
    for &order in OrderStatus::ALL {
        for &claim in ClaimStatus::ALL {
            for &purchase in PurchaseStatus::ALL {
                // what was canceled is never confirmed
                if (order.code(), purchase.code()) == ("ORDER_CANCELED", "PURCHASE_COMPLETE") {
                    continue;
                }
                one.order_status = order;
                one.claim_status = claim;
                one.purchase_status = purchase;
                let said = format!("{} {} {}", order.code(), claim.code(), purchase.code());
                let of = |filter, step| OrderSlice { filter, step };
                let all = of(OrderFilter::All, None);
                assert_eq!(all.holds(&one), is_in(all, &one), "{said}: all");
                let within = lists.iter().filter(|list| of(**list, None).holds(&one));
                let within: Vec<&OrderFilter> = within.collect();
                assert_eq!(within, [&stands_in(&one)], "{said}");
                for list in lists.into_iter().filter(|list| list.is_of_claims()) {
                    for step in steps {
                        let slice = of(list, Some(step));
                        assert_eq!(slice.holds(&one), is_in(slice, &one), "{said}: {slice:?}");
                    }
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn my_orders_follow_the_filters_v100_to_v105() {
    let mut shop = lived(15, 700).await;
    // a refused claim keeps a purchase out of the lists of orders
    shop.live_to_see(&["CancelRejected"]).await;
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
    let pool = shop.store.pool();
    let of = |filter, step| OrderSlice { filter, step };
    let lists = [
        OrderFilter::All,
        OrderFilter::Processing,
        OrderFilter::Shipped,
        OrderFilter::Delivered,
        OrderFilter::Cancel,
        OrderFilter::Exchange,
        OrderFilter::Return,
    ];
    let steps = [
        ClaimStep::Requested,
        ClaimStep::Processing,
        ClaimStep::Completed,
        ClaimStep::Rejected,
    ];
    let claims = lists.into_iter().filter(|list| list.is_of_claims());
    let slices: Vec<OrderSlice> = lists
        .into_iter()
        .map(|list| of(list, None))
        .chain(claims.flat_map(|list| steps.map(|step| of(list, Some(step)))))
        .collect();
    let mut any_coming = false;
    let mut met = BTreeSet::new();
    for member in shop.members.keys() {
        let own: Vec<(&OrderId, &Order)> = shop
            .orders
            .iter()
            .filter(|(_, order)| buyer(order) == Some(*member))
            .collect();
        for &slice in &slices {
            let expected: BTreeSet<OrderId> = own
                .iter()
                .filter(|(_, order)| order.purchases.iter().any(|one| is_in(slice, one)))
                .map(|(id, _)| **id)
                .collect();
            let listed = my_orders(pool, *member, slice, None, ALL).await.unwrap();
            let found: BTreeSet<OrderId> = listed.rows.iter().map(|card| card.id).collect();
            assert_eq!(found, expected, "{slice:?}");
            assert_eq!(listed.total_count, expected.len() as i64);
            for card in &listed.rows {
                let state = &shop.orders[&card.id];
                assert_eq!(card.next_actions, state.next_actions(Reader::Buyer));
                for row in &card.purchases {
                    let one = state.purchase(&row.purchase_no).unwrap();
                    assert!(is_in(slice, one), "only what is in the slice");
                    met.insert(format!("{:?} {:?}", slice.filter, slice.step));
                }
            }
        }
        // each purchase stands in exactly one of the lists (reading 11)
        let mut in_one = 0;
        for filter in lists.into_iter().filter(|list| *list != OrderFilter::All) {
            let listed = my_purchases(pool, *member, of(filter, None), ALL).await;
            in_one += listed.unwrap().total_count;
        }
        let own_purchases = own.iter().map(|(_, order)| order.purchases.len());
        assert_eq!(in_one, own_purchases.sum::<usize>() as i64);
        let counts = status_counts(pool, *member, None).await.unwrap();
        for (filter, number) in [
            (OrderFilter::Cancel, counts.cancel),
            (OrderFilter::Exchange, counts.exchange),
            (OrderFilter::Return, counts.returns),
        ] {
            let count = async |step| {
                let listed = my_purchases(pool, *member, of(filter, step), ALL).await;
                listed.unwrap().total_count
            };
            assert_eq!(number, count(None).await, "{filter:?}");
            let mut at_steps = 0;
            for step in steps {
                at_steps += count(Some(step)).await;
            }
            assert_eq!(at_steps, number, "every claim is at one step (spec V104)");
        }
        let unpaid = own
            .iter()
            .flat_map(|(_, order)| &order.purchases)
            .filter(|one| one.order_status == domain::order::OrderStatus::Nonpayment)
            .count();
        assert_eq!(counts.nonpayment, unpaid as i64);
        let mut coming: Vec<Amount> = own
            .iter()
            .flat_map(|(_, order)| order.purchases.iter().map(move |one| (order, one)))
            .filter(|(_, one)| is_coming(one))
            .map(|(order, one)| order.purchase_terms(&one.purchase_no).unwrap().paid)
            .collect();
        let mut promised = to_be_confirmed(pool, *member).await.unwrap();
        coming.sort();
        promised.sort();
        assert_eq!(promised, coming);
        any_coming |= !coming.is_empty() && coming.len() < own.len();
        // nothing is from after the last deed
        let later = my_orders(
            pool,
            *member,
            OrderSlice::default(),
            Some(shop.now + time::Duration::days(1)),
            ALL,
        );
        assert_eq!(later.await.unwrap().total_count, 0);
    }
    for slice in [
        "All None",
        "Processing None",
        "Cancel Some(Completed)",
        "Cancel Some(Rejected)",
    ] {
        assert!(met.contains(slice), "nothing is in {slice}: {met:?}");
    }
    assert!(any_coming, "some purchases will earn, some will not");
}

#[tokio::test(flavor = "multi_thread")]
async fn payments_histories_and_deadlines_are_read() {
    let shop = busy().await;
    let pool = shop.store.pool();
    for (id, payment) in &shop.payments {
        let started = payment.started.as_ref().unwrap();
        let of_order = payments_of(pool, started.order).await.unwrap();
        let card = of_order.iter().find(|card| card.id == *id).unwrap();
        assert_eq!(Some(card.status), payment.status());
        assert_eq!(card.refunded, payment.refunded().unwrap());
        let gateway = format!("{}-{}", started.order_no, started.attempt);
        let found = payment_by_gateway_id(pool, &gateway)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(found.state, *payment);
    }
    for member in shop.members.keys() {
        let expected = shop
            .payments
            .values()
            .filter(|one| one.started.as_ref().unwrap().member == Some(*member))
            .count();
        let listed = payments_by(pool, *member, ALL).await.unwrap();
        assert_eq!(listed.total_count, expected as i64);
    }

    let longest = shop
        .orders
        .keys()
        .max_by_key(|id| shop.orders[*id].claims.len())
        .unwrap();
    let told = history(pool, *longest).await.unwrap();
    assert!(told.iter().any(|event| event.stream.kind == "stock"));
    assert!(
        told.iter()
            .any(|event| event.title == "주문이 접수되었습니다")
    );
    assert!(told.is_sorted_by_key(|event| event.position));
    let first = told.first().unwrap().position;
    assert_eq!(
        timeline(pool, *longest, Some(first)).await.unwrap().len(),
        1
    );
    assert!(
        timeline(pool, *longest, None)
            .await
            .unwrap()
            .iter()
            .all(|entry| !entry.text.contains("재고"))
    );

    let unpaid: BTreeSet<String> = shop
        .orders
        .iter()
        .filter(|(_, order)| order.paid.is_none() && order.canceled.is_none())
        .map(|(id, _)| id.to_string())
        .collect();
    let end = shop.now + time::Duration::days(1);
    let waiting = due(pool, &[DeadlineKind::UnpaidOrder], end, 1_000)
        .await
        .unwrap();
    let waiting: BTreeSet<String> = waiting.into_iter().map(|row| row.id).collect();
    assert_eq!(waiting, unpaid);
    assert!(next_due(pool).await.unwrap().is_some());
    // every deadline to confirm is one the ledger would agree to
    for row in due(pool, &[DeadlineKind::ConfirmPurchase], end, 1_000)
        .await
        .unwrap()
    {
        let state = &shop.orders[&row.stream.parse::<OrderId>().unwrap()];
        let context = domain::Context {
            now: row.due_at,
            actor: domain::Actor::System,
        };
        let act = domain::order::OrderCommand::ConfirmByDate {
            purchase_no: row.id,
        };
        assert!(
            state
                .decide(act, &context)
                .is_ok_and(|events| !events.is_empty())
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_history_holds_a_persons_data() {
    let shop = busy().await;
    let mut connection = shop.store.pool().acquire().await.unwrap();
    let all = rows(&mut connection).await;
    let text = serde_json::to_string(&all["order_timeline"]).unwrap();
    assert!(!text.contains(SECRET) && !text.contains(&"ab".repeat(32)));
    assert!(text.contains(MASK));
    let documents = serde_json::to_string(&all["search_documents"]).unwrap();
    assert!(!documents.contains("sealed"));
}

#[tokio::test(flavor = "multi_thread")]
async fn coupons_and_points_are_shown_as_they_are() {
    let shop = busy().await;
    let pool = shop.store.pool();
    let now = shop.now;
    let (mut used, mut expired) = (0, 0);
    for member in shop.members.keys() {
        let own: Vec<_> = shop
            .issued
            .values()
            .filter(|one| one.held.as_ref().is_some_and(|held| held.member == *member))
            .collect();
        let is_old = |one: &&&domain::coupon::IssuedCoupon| {
            let ends = one.held.as_ref().unwrap().terms.ends_at;
            one.used_on.is_none() && ends.is_some_and(|ends| ends <= now)
        };
        let is_near = |one: &&&domain::coupon::IssuedCoupon| {
            let ends = one.held.as_ref().unwrap().terms.ends_at;
            let soon = now + time::Duration::days(7);
            one.used_on.is_none() && ends.is_some_and(|ends| now < ends && ends <= soon)
        };
        let expected = [
            (
                CouponTab::Used,
                own.iter().filter(|one| one.used_on.is_some()).count(),
                CouponStatus::Used,
            ),
            (
                CouponTab::Expired,
                own.iter().filter(is_old).count(),
                CouponStatus::Expired,
            ),
            (
                CouponTab::Usable,
                own.len()
                    - own.iter().filter(is_old).count()
                    - own.iter().filter(|one| one.used_on.is_some()).count(),
                CouponStatus::Held,
            ),
            (
                CouponTab::Expiring,
                own.iter().filter(is_near).count(),
                CouponStatus::Held,
            ),
        ];
        for (tab, count, status) in expected {
            let listed = coupon_box(pool, *member, tab, now, ALL).await.unwrap();
            assert_eq!(listed.total_count, count as i64, "{tab:?}");
            assert!(listed.rows.iter().all(|one| one.state == status));
            match tab {
                CouponTab::Used => used += count,
                CouponTab::Expired => expired += count,
                CouponTab::Expiring => {
                    assert!(listed.rows.iter().all(|one| one.expiring_soon));
                    let counted = expiring_coupons(pool, *member, now).await.unwrap();
                    assert_eq!(counted, count as i64);
                }
                CouponTab::Usable => {
                    assert_eq!(
                        usable_coupons(pool, *member, now).await.unwrap().len(),
                        count
                    );
                }
            }
        }
        let coupons: Vec<_> = shop.coupons.keys().copied().collect();
        let drawn: i64 = drawn_by(pool, *member, &coupons)
            .await
            .unwrap()
            .iter()
            .map(|one| one.1)
            .sum();
        assert_eq!(drawn, own.len() as i64);

        let live: i64 = shop.points.get(member).map_or(0, |points| {
            let live = points.lots.values().filter(|lot| lot.expires_at > now);
            live.map(|lot| lot.left.hundredths()).sum()
        });
        let summary = points_summary(pool, *member, now).await.unwrap();
        assert_eq!(summary.available, Amount::new(live));
        assert!(summary.expiring_soon <= summary.available);
        let entries = point_entries(pool, *member, ALL).await.unwrap();
        assert!(entries.rows.iter().all(|one| !one.amounts.is_negative()));
    }
    assert!(used > 0 && expired > 0, "{used} used, {expired} expired");

    let offered = offered_coupons(pool, shop.members.keys().next().copied())
        .await
        .unwrap();
    let on_display = shop
        .coupons
        .values()
        .filter(|record| record.data().is_ok_and(|coupon| coupon.on_display))
        .count();
    assert_eq!(offered.len(), on_display);
}

#[tokio::test(flavor = "multi_thread")]
async fn products_are_listed_found_and_priced() {
    let shop = busy().await;
    let pool = shop.store.pool();
    let live: Vec<(ProductId, Product)> = shop
        .products
        .iter()
        .filter_map(|(id, record)| Some((*id, record.data().ok()?)))
        .collect();
    let shown: Vec<&(ProductId, Product)> = live.iter().filter(|(_, one)| one.shows).collect();

    for sort in [
        ProductSort::Latest,
        ProductSort::Name,
        ProductSort::PriceAsc,
        ProductSort::PriceDesc,
        ProductSort::Review,
    ] {
        let filter = ProductFilter {
            sort,
            ..ProductFilter::default()
        };
        let listed = products(pool, &filter, ALL, shop.now).await.unwrap();
        assert_eq!(listed.total_count, shown.len() as i64);
        let rows = &listed.rows;
        assert!(match sort {
            ProductSort::Latest =>
                rows.is_sorted_by(|one, other| one.created_at >= other.created_at),
            ProductSort::Name =>
                rows.is_sorted_by(|one, other| one.name.as_bytes() <= other.name.as_bytes()),
            ProductSort::PriceAsc =>
                rows.is_sorted_by(|one, other| one.sale_price <= other.sale_price),
            ProductSort::PriceDesc =>
                rows.is_sorted_by(|one, other| one.sale_price >= other.sale_price),
            ProductSort::Review =>
                rows.is_sorted_by(|one, other| one.meta.review_count >= other.meta.review_count),
        });
        // pages hang together
        let mut paged = Vec::new();
        for skip in (0..shown.len() as i64).step_by(2) {
            let page = Page::new(Some(skip), Some(2));
            paged.extend(products(pool, &filter, page, shop.now).await.unwrap().rows);
        }
        assert_eq!(paged, *rows);
    }

    let (tree, version) = category_tree(pool).await.unwrap();
    assert!(version > 0);
    for category in &tree.categories {
        let under = shop.tree.with_descendants(&category.code);
        let expected = shown
            .iter()
            .filter(|(_, one)| {
                one.categories
                    .iter()
                    .any(|code| under.contains(&code.as_str()))
            })
            .count();
        let filter = ProductFilter {
            categories: vec![category.code.clone()],
            ..ProductFilter::default()
        };
        assert_eq!(
            products(pool, &filter, ALL, shop.now)
                .await
                .unwrap()
                .total_count,
            expected as i64
        );
    }
    let top = categories(pool, None, Some(1), true).await.unwrap();
    assert!(top.iter().all(|branch| branch.children.is_empty()));
    assert_eq!(top.len(), shop.tree.tree().len());

    let mut groups = all::<ShippingGroup>(pool).await.unwrap();
    groups.retain(|group| group.data.is_used_at(shop.now));
    let with_search = ProductFilter {
        search: Some("자전거".to_owned()),
        price_min: Some(Amount::new(2_000)),
        price_max: Some(Amount::new(60_000)),
        hidden_too: true,
        ..ProductFilter::default()
    };
    for card in products(pool, &with_search, ALL, shop.now)
        .await
        .unwrap()
        .rows
    {
        assert!(card.name.contains("자전거"));
        assert!(card.sale_price >= Amount::new(2_000) && card.sale_price <= Amount::new(60_000));
        assert_eq!(
            card.price.minus(card.discount_price).unwrap(),
            card.sale_price
        );
    }
    let wanted: Vec<ProductId> = live.iter().map(|(id, _)| *id).collect();
    let together = product_details(pool, &wanted, shop.now).await.unwrap();
    assert_eq!(
        together.len(),
        live.iter().filter(|(_, one)| one.shows).count()
    );
    for (id, one) in &live {
        let detail = product(pool, *id, true, shop.now).await.unwrap().unwrap();
        if let Some(found) = together.iter().find(|found| found.card.id == *id) {
            let mut alone = detail.clone();
            alone.relateds.clear();
            alone.seller_card.product_count = 0;
            assert_eq!(*found, alone);
        }
        let codes: Vec<String> = one
            .categories
            .iter()
            .flat_map(|code| {
                [code.as_str()]
                    .into_iter()
                    .chain(shop.tree.ancestors(code))
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            })
            .collect();
        let group = shipping_group(*id, one, &codes, &groups);
        assert_eq!(
            detail.shipping.as_ref().map(|one| one.name.clone()),
            group.map(|one| one.data.name.clone())
        );
        assert_eq!(detail.card.sold_out, detail.card.stock <= 0);
        let own: i64 = one
            .stock_ids(*id)
            .iter()
            .filter_map(|ledger| shop.stock.get(ledger))
            .map(|ledger| i64::try_from(ledger.taken).unwrap())
            .sum();
        assert_eq!(detail.card.sells, own, "sold and not given back");
        assert_eq!(
            product(pool, *id, false, shop.now).await.unwrap().is_some(),
            one.shows
        );
        assert!(detail.bundleds.iter().all(|part| !part.name.is_empty()));
    }
    let mut ids: Vec<ProductId> = live.iter().map(|(id, _)| *id).collect();
    ids.reverse();
    let cards = product_cards(pool, &ids, shop.now).await.unwrap();
    assert_eq!(cards.iter().map(|card| card.id).collect::<Vec<_>>(), ids);
}

#[tokio::test(flavor = "multi_thread")]
async fn records_are_read_by_kind() {
    let mut shop = lived(12, 50).await;
    shop.live_to_see(&["SiteSettingRevised", "ShippingRemoved", "IslandRemoved"])
        .await;
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
    let pool = shop.store.pool();
    let alive = shop
        .shippings
        .values()
        .filter(|one| one.data().is_ok())
        .count();
    assert_eq!(all::<ShippingGroup>(pool).await.unwrap().len(), alive);
    let listed = narrowed(
        pool,
        &Wanted {
            source: Source::Records("shipping"),
            seller: None,
            search: None,
            tests: Vec::new(),
            removed: false,
            order: Sorted {
                column: Column::Created,
                descending: true,
                nullable: false,
            },
        },
        ALL,
    )
    .await
    .unwrap();
    assert_eq!(listed.total_count, alive as i64);
    let gone = shop.shippings.iter().find(|(_, one)| one.removed);
    if let Some((id, _)) = gone {
        assert!(
            record(pool, "shipping", &id.to_string())
                .await
                .unwrap()
                .unwrap()
                .removed
        );
    }
    let setting = site_setting(pool).await.unwrap().map(|found| found.data);
    assert_eq!(setting, shop.settings["main"].data().ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_search_feed_gets_every_change_in_order() {
    let mut shop = busy().await;
    let pool = shop.store.pool().clone();
    let mut engine = std::collections::BTreeMap::new();
    let mut at = 0;
    loop {
        let changed = changed_documents(&pool, at, 3).await.unwrap();
        let Some(last) = changed.last() else {
            break;
        };
        assert!(changed.is_sorted_by_key(|one| (one.position, one.product)));
        at = last.position;
        for one in changed {
            if let Some(document) = &one.document {
                assert_eq!(document["_position"], Value::from(one.position));
            }
            engine.insert(one.product, one.document);
        }
    }
    assert_eq!(engine.len(), shop.products.len());
    for (id, record) in &shop.products {
        assert_eq!(engine[id].is_none(), record.removed);
    }
    shop.count().await;
    shop.live(60).await;
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
    let after = changed_documents(&pool, at, 1_000).await.unwrap();
    assert!(!after.is_empty() && after.iter().all(|one| one.position > at));
}
