//! Products, other records, and the feed of the search index.

use std::sync::Arc;

use domain::Amount;
use domain::catalogue::Product;
use domain::ids::ProductId;
use domain::shipping::ShippingGroup;
use event_store::projection::Rebuild;
use projections::Page;
use projections::categories::{categories, category_tree};
use projections::products::{
    CardReader, CardRuleCache, ProductFilter, ProductSort, shipping_group,
};
use projections::record_lists::{Column, Order as Sorted, RecordListQuery, Source, narrowed};
use projections::records::{Records, all, record, site_setting};
use projections::search_documents::changed_documents;
use serde_json::Value;

use super::{ALL, busy};
use crate::rows::{lived, run_to};

#[tokio::test(flavor = "multi_thread")]
async fn products_are_listed_found_and_priced() {
    let mut shop = lived(13, 400).await;
    while shop.tree.categories.is_empty() {
        shop.live(5).await;
    }
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
    let pool = shop.store.pool();
    let cards = CardReader {
        pool,
        rules: CardRuleCache::default().current(pool).await.unwrap(),
        now: shop.now,
    };
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
        let listed = cards.page(&filter, ALL).await.unwrap();
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
        // consecutive pages have no gaps and no overlaps
        let mut paged = Vec::new();
        for skip in (0..shown.len() as i64).step_by(2) {
            let page = Page::new(Some(skip), Some(2));
            paged.extend(cards.page(&filter, page).await.unwrap().rows);
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
            cards.page(&filter, ALL).await.unwrap().total_count,
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
    for card in cards.page(&with_search, ALL).await.unwrap().rows {
        assert!(card.name.contains("자전거"));
        assert!(card.sale_price >= Amount::new(2_000) && card.sale_price <= Amount::new(60_000));
        assert_eq!(
            card.price.minus(card.discount_price).unwrap(),
            card.sale_price
        );
    }
    let wanted: Vec<ProductId> = live.iter().map(|(id, _)| *id).collect();
    let together = cards.details(&wanted).await.unwrap();
    assert_eq!(
        together.len(),
        live.iter().filter(|(_, one)| one.shows).count()
    );
    for (id, one) in &live {
        let detail = cards.detail(*id).await.unwrap();
        assert_eq!(detail.is_some(), one.shows);
        let Some(detail) = detail else { continue };
        if let Some(found) = together.iter().find(|found| found.card.id == *id) {
            let mut alone = detail.clone();
            alone.relateds.clear();
            alone.choicees.clear();
            alone.seller_card.product_count = 0;
            assert_eq!(*found, alone);
        }
        let offered = one
            .choicees
            .iter()
            .filter(|id| shown.iter().any(|(own, _)| own == *id));
        let choicees = detail.choicees.iter().map(|card| &card.id);
        assert!(choicees.eq(offered), "in the order of the product");
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
        assert!(detail.bundleds.iter().all(|part| !part.name.is_empty()));
    }
    let mut ids: Vec<ProductId> = shown.iter().map(|(id, _)| *id).collect();
    ids.reverse();
    let found = cards.shown(&ids).await.unwrap();
    assert_eq!(found.iter().map(|card| card.id).collect::<Vec<_>>(), ids);
}

/// The rules in memory are those of the tables after every change, and are not loaded again without one.
#[tokio::test(flavor = "multi_thread")]
async fn rules_of_cards_in_memory_follow_the_tables() {
    let mut shop = lived(7, 1).await;
    let kept = CardRuleCache::default();
    let mut loaded = 0;
    let mut before = None;
    for _ in 0..60 {
        shop.live(5).await;
        run_to(&shop.store, projections::all(), shop.last_position, 500).await;
        let pool = shop.store.pool();
        let rules = kept.current(pool).await.unwrap();
        assert_eq!(rules, CardRuleCache::default().current(pool).await.unwrap());
        assert!(Arc::ptr_eq(&rules, &kept.current(pool).await.unwrap()));
        loaded += i32::from(
            before
                .replace(rules.clone())
                .is_none_or(|before| !Arc::ptr_eq(&before, &rules)),
        );
    }
    assert!((2..60).contains(&loaded), "{loaded}");
    // A stream that was parked comes late, below the newest position.
    let late = "UPDATE p_records_v2 SET data = jsonb_set(data, '{name}', '\"late\"'), position = position + 1 \
        WHERE id = (SELECT id FROM p_records_v2 WHERE kind = 'shipping' ORDER BY position LIMIT 1)";
    let pool = shop.store.pool();
    sqlx::query(late).execute(pool).await.unwrap();
    let rules = kept.current(pool).await.unwrap();
    assert_eq!(rules, CardRuleCache::default().current(pool).await.unwrap());
    // A record that vanishes without another change, and a rebuild of rows that were damaged.
    for damage in [
        "DELETE FROM p_records_v2 WHERE id = (SELECT id FROM p_records_v2 WHERE kind = 'shipping' ORDER BY position LIMIT 1)",
        "UPDATE p_records_v2 SET data = jsonb_set(data, '{name}', '\"damaged\"') WHERE kind = 'shipping'",
    ] {
        sqlx::query(damage).execute(pool).await.unwrap();
    }
    let damaged = kept.current(pool).await.unwrap();
    assert_eq!(
        damaged,
        CardRuleCache::default().current(pool).await.unwrap()
    );
    Rebuild::of(&shop.store, Arc::new(Records))
        .run()
        .await
        .unwrap();
    let rules = kept.current(pool).await.unwrap();
    assert_eq!(rules, CardRuleCache::default().current(pool).await.unwrap());
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
        &RecordListQuery {
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
