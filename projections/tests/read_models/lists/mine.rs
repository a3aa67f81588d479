//! A member's own orders, coupons and points.

use std::collections::BTreeSet;

use domain::Amount;
use domain::coupon::{CouponStatus, IssuedCoupon};
use domain::ids::{MemberId, OrderId};
use domain::order::{
    Buyer, ClaimStatus, CollectionStatus, Order, OrderStatus, Purchase, PurchaseStatus, Reader,
};
use projections::member_coupons::{
    CouponTab, coupon_box, drawn_by, expiring_coupons, usable_coupons,
};
use projections::orders::{
    ClaimStep, OrderFilter, OrderSlice, my_orders, my_purchases, purchase_row, status_counts,
    to_be_confirmed,
};
use projections::points_statement::{point_entries, points_summary};
use projections::records::offered_coupons;

use super::ALL;
use crate::rows::{lived, run_to};

fn buyer(order: &Order) -> Option<MemberId> {
    match order.buyer() {
        Some(Buyer::Member { id }) => Some(*id),
        _ => None,
    }
}

/// Paid, not final, and without a claim.
fn is_coming(one: &Purchase) -> bool {
    let codes = (one.purchase_status.code(), one.claim_status.code());
    matches!(codes.0, "PURCHASE_AWAITING" | "PURCHASE_SCHEDULE")
        && (codes.1 == "NONE" || codes.1.starts_with("EXCHANGE") || codes.1.ends_with("REJECTED"))
}

/// The one list a purchase is in, by the specification: with a claim the group of that claim until it is confirmed (V104, V105, reading
/// 11), without one the list of its order status (V101-V103). What was canceled before payment is among the cancellations.
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

/// The step of a claim, by the end of its status.
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

/// Includes statuses that do not occur in the shop of the other tests.
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
        deliver_by: None,
        split_from: None,
        borne_by_seller: None,
        ordered: None,
        difference: domain::Amount::ZERO,
        other_payments: Vec::new(),
        confirmed: None,
    };
    for &order in OrderStatus::ALL {
        for &claim in ClaimStatus::ALL {
            for &purchase in PurchaseStatus::ALL {
                // canceled purchases are never confirmed
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
    // a rejected claim keeps a purchase out of the lists of orders
    shop.live_to_see(&["CancelRejected"]).await;
    shop.live_until(|shop| {
        let own = shop.orders.values().filter(|order| buyer(order).is_some());
        let all: BTreeSet<&str> = own
            .flat_map(|order| &order.purchases)
            .filter(|one| one.purchase_status != PurchaseStatus::Complete)
            .map(|one| one.claim_status.code())
            .collect();
        let wanted = [
            "CANCEL_COMPLETED",
            "CANCEL_REJECTED",
            "RETURN_REQUESTED",
            "RETURN_COMPLETED",
            "RETURN_REJECTED",
        ];
        let missing = wanted.iter().filter(|code| !all.contains(**code));
        missing.map(ToString::to_string).collect()
    })
    .await;
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
        // each purchase is in exactly one of the lists (reading 11)
        let mut in_one = 0;
        for filter in lists.into_iter().filter(|list| *list != OrderFilter::All) {
            let listed = my_purchases(pool, *member, of(filter, None), ALL).await;
            let listed = listed.unwrap();
            in_one += listed.total_count;
            for row in &listed.rows {
                let mut found = own.iter().filter_map(|(_, order)| {
                    let one = order.purchase(&row.purchase_no)?;
                    Some(purchase_row(order, one, Reader::Buyer).unwrap())
                });
                assert_eq!(found.next().as_ref(), Some(row));
            }
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
        let promised = to_be_confirmed(pool, *member).await.unwrap();
        let mut promised: Vec<Amount> = promised.iter().map(|one| one.paid).collect();
        coming.sort();
        promised.sort();
        assert_eq!(promised, coming);
        any_coming |= !coming.is_empty() && coming.len() < own.len();
        // nothing was placed after the last action
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
        "Return Some(Requested)",
        "Return Some(Completed)",
        "Return Some(Rejected)",
    ] {
        assert!(met.contains(slice), "nothing is in {slice}: {met:?}");
    }
    assert!(any_coming, "some purchases will earn, some will not");
}

#[tokio::test(flavor = "multi_thread")]
async fn coupons_and_points_are_shown_as_they_are() {
    let mut shop = lived(11, 350).await;
    let is_over = |one: &IssuedCoupon, now: time::OffsetDateTime| {
        let held = one.held.as_ref().filter(|_| one.used_on.is_none());
        held.is_some_and(|held| one.taken || held.terms.ends_at.is_some_and(|ends| ends <= now))
    };
    shop.live_until(|shop| {
        let issued = || shop.issued.values();
        let missing = [
            ("a used coupon", !issued().any(|one| one.used_on.is_some())),
            (
                "an expired one",
                !issued().any(|one| is_over(one, shop.now)),
            ),
        ];
        let missing = missing.into_iter().filter(|(_, missing)| *missing);
        missing.map(|(name, _)| name.to_owned()).collect()
    })
    .await;
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
    let pool = shop.store.pool();
    let now = shop.now;
    let is_taken = |state, tab| (state, tab) == (CouponStatus::Taken, CouponTab::Expired);
    let (mut used, mut expired) = (0, 0);
    for member in shop.members.keys() {
        let issued = shop.issued.values().chain(shop.from_paper.values());
        let own: Vec<_> = issued
            .filter(|one| one.held.as_ref().is_some_and(|held| held.member == *member))
            .collect();
        let is_old = |one: &&&IssuedCoupon| is_over(one, now);
        let is_near = |one: &&&IssuedCoupon| {
            let ends = one.held.as_ref().unwrap().terms.ends_at;
            let soon = now + time::Duration::days(7);
            one.used_on.is_none()
                && !one.taken
                && ends.is_some_and(|ends| now < ends && ends <= soon)
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
            let is_in = |state| state == status || is_taken(state, tab);
            let boxed = || {
                listed
                    .rows
                    .iter()
                    .map(|one| one.clone().boxed(now, Vec::new()))
            };
            assert!(boxed().all(|one| is_in(one.state)));
            match tab {
                CouponTab::Used => used += count,
                CouponTab::Expired => expired += count,
                CouponTab::Expiring => {
                    assert!(boxed().all(|one| one.expiring_soon));
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
        let on_paper = shop.from_paper.values().filter_map(|one| one.held.as_ref());
        let on_paper: BTreeSet<_> = on_paper.map(|held| held.coupon).collect();
        let coupons: Vec<_> = shop.coupons.keys().copied().chain(on_paper).collect();
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
