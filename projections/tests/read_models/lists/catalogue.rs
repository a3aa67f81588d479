//! Products, other records, and the feed of the search index.

use domain::Amount;
use domain::catalogue::Product;
use domain::ids::ProductId;
use domain::shipping::ShippingGroup;
use projections::Page;
use projections::categories::{categories, category_tree};
use projections::products::{
    ProductFilter, ProductSort, product, product_cards, product_details, products, shipping_group,
};
use projections::record_lists::{Column, Order as Sorted, RecordListQuery, Source, narrowed};
use projections::records::{all, record, site_setting};
use projections::search_documents::changed_documents;
use serde_json::Value;

use super::{ALL, busy};
use crate::rows::{lived, run_to};

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
        // consecutive pages have no gaps and no overlaps
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
