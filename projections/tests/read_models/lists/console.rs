//! The console's lists of orders and purchases, payments, histories and deadlines.

use std::collections::BTreeSet;

use domain::Decider;
use domain::ids::OrderId;
use domain::order::{Order, Purchase, Reader};
use projections::ListPage;
use projections::deadlines::{DeadlineKind, due, next_due};
use projections::mask::MASK;
use projections::order_timeline::{history, timeline};
use projections::orders::{
    ConsoleFilter, OrderView, PurchaseTab, console_orders, console_purchases, console_purchases_of,
    order, order_of_purchase, payment_by_gateway_id, payments_by, payments_of, purchase_row, tab,
    tab_counts,
};
use projections::record_lists::{Column, Order as Sorted, RecordListQuery, Source, narrowed};
use projections::state::order_contacts;
use projections::verify::verify;

use super::{ALL, busy, purchases};
use crate::rows::{lived, rows, run_to};
use crate::shop::SECRET;

#[tokio::test(flavor = "multi_thread")]
async fn how_many_there_are_in_all_is_kept_and_not_counted() {
    let mut shop = busy().await;
    shop.live_to_see(&["PurchaseCompleted"]).await;
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
    let pool = shop.store.pool();
    // the list queries must return the stored counts, so those are inflated here
    for table in [
        "p_orders_v8_counts",
        "p_reviews_v2_counts",
        "p_inquires_v2_counts",
        "p_products_v2_counts",
    ] {
        let more = format!("UPDATE {table} SET live = live + 1000000");
        sqlx::query(&more).execute(pool).await.unwrap();
    }
    for source in [Source::Products, Source::Reviews, Source::Inquires] {
        let query = RecordListQuery {
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
        let all = narrowed(pool, &query, ALL).await.unwrap().total_count;
        assert!(all > 1_000_000, "{source:?}: {all}");
        let query = RecordListQuery {
            removed: true,
            ..query
        };
        let removed = narrowed(pool, &query, ALL).await.unwrap().total_count;
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
    // filtered lists are counted
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
        PurchaseTab::Return,
        PurchaseTab::Complete,
    ];
    let counts = tab_counts(pool, &ConsoleFilter::default()).await.unwrap();
    assert_eq!(counts.all, purchases(&shop).count() as i64);
    let numbers = [
        counts.nonpayment,
        counts.payment,
        counts.delivery,
        counts.cancel,
        counts.returns,
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
            assert_eq!(*row, purchase_row(state, one, Reader::Staff).unwrap());
        }
        let newest_first: Vec<_> = listed.rows.iter().map(|one| one.row.created_at).collect();
        assert!(newest_first.is_sorted_by(|one, other| one >= other));
    }
    let everybodys = ConsoleFilter::default();
    let listed = console_orders(pool, &everybodys, Reader::Staff, ALL);
    assert_eq!(listed.await.unwrap().total_count, shop.orders.len() as i64);
    // a seller sees only their part
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
    for found in &listed.rows {
        let row = &found.row.purchase;
        assert_eq!(row.seller.id, seller);
        let state = &shop.orders[&found.row.order];
        let one = state.purchase(&row.purchase_no).unwrap();
        assert_eq!(*row, purchase_row(state, one, reader).unwrap());
        let terms = state.terms().unwrap();
        assert_eq!(
            (&found.sender, &found.receiver, found.row.payable),
            (
                &terms.sender,
                state.receiver().unwrap(),
                terms.totals.payable
            )
        );
    }
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

/// A claim waits for its answer, a virtual account for its deposit.
#[tokio::test(flavor = "multi_thread")]
async fn a_row_shows_what_an_order_waits_for() {
    let mut shop = lived(11, 0).await;
    shop.live_to_be_asked().await;
    shop.await_deposits().await;
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
    let waits = |order: &Order, one: &Purchase| {
        (order.pending_claim(one).is_some(), order.awaits_deposit())
    };
    let mut met = BTreeSet::new();
    for (_, order, one) in purchases(&shop) {
        met.insert(waits(order, one));
        let no = std::slice::from_ref(&one.purchase_no);
        for reader in [Reader::Staff, Reader::Seller(one.seller), Reader::Buyer] {
            let listed = console_purchases_of(shop.store.pool(), no, reader).await;
            let listed = listed.unwrap().into_iter().map(|found| found.row.purchase);
            let expected = purchase_row(order, one, reader).unwrap();
            assert_eq!(listed.collect::<Vec<_>>(), [expected], "{reader:?}");
        }
    }
    let wanted = [(false, false), (false, true), (true, false)];
    assert_eq!(met, BTreeSet::from(wanted));
    let report = verify(&shop.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:#?}", report.differences.first());
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
    let of = async |filter: ConsoleFilter| -> ListPage<_> {
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
        let gateway = started.gateway_order_id();
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
    let mut placed = told.iter();
    let placed = placed.find(|event| event.title == "주문이 접수되었습니다");
    let placed = placed.unwrap().position;
    assert!(told.is_sorted_by_key(|event| event.position));
    let shown = timeline(pool, *longest, Some(placed)).await.unwrap();
    assert_eq!(shown.last().map(|event| event.position), Some(placed));
    let later = timeline(pool, *longest, None).await.unwrap();
    assert_eq!(
        later.first().map(|event| event.position),
        shown.first().map(|event| event.position)
    );
    assert!(later.len() > shown.len());
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
    assert!(
        next_due(pool, time::OffsetDateTime::UNIX_EPOCH)
            .await
            .unwrap()
            .is_some()
    );
    // every deadline to confirm is one the order accepts
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
