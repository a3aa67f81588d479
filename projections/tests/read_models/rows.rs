//! Reads all tables of all read models.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use event_store::testing::Database;
use event_store::{Projection, Runner, Store};
use serde_json::Value;
use sqlx::PgConnection;

use super::shop::Shop;

/// Every table of every read model, with its key.
pub const TABLES: [(&str, &str, &[&str]); 45] = [
    ("members", "p_members_v2", &["id"]),
    ("records", "p_records_v2", &["kind", "id"]),
    ("records_counts", "p_records_v2_counts", &["kind"]),
    ("products", "p_products_v2", &["id"]),
    ("products_counts", "p_products_v2_counts", &["kind"]),
    (
        "products_options",
        "p_products_v2_options",
        &["product", "id"],
    ),
    ("categories", "p_categories_v1", &["id"]),
    ("stock", "p_stock_v2", &["id"]),
    ("orders", "p_orders_v8", &["id"]),
    (
        "orders_purchases",
        "p_orders_v8_purchases",
        &["purchase_no"],
    ),
    ("orders_parcels", "p_orders_v8_parcels", &["id"]),
    ("orders_payments", "p_orders_v8_payments", &["id"]),
    ("orders_counts", "p_orders_v8_counts", &["kind"]),
    (
        "order_timeline",
        "p_order_timeline_v10",
        &["order_id", "position", "part"],
    ),
    ("coupon_box", "p_coupon_box_v4", &["id"]),
    (
        "coupon_box_entries",
        "p_coupon_box_v4_entries",
        &["position"],
    ),
    (
        "coupon_box_campaigns",
        "p_coupon_box_v4_campaigns",
        &["coupon"],
    ),
    ("points_book", "p_points_book_v3", &["position", "part"]),
    ("points_book_lots", "p_points_book_v3_lots", &["id"]),
    (
        "points_book_notices",
        "p_points_book_v3_notices",
        &["member", "notice_at"],
    ),
    ("bulk_grants", "p_bulk_grants_v2", &["id"]),
    ("coupon_codes", "p_coupon_codes_v1", &["id"]),
    ("raffles", "p_raffles_v1", &["id"]),
    ("raffles_entries", "p_raffles_v1_entries", &["id"]),
    (
        "coupon_codes_redeemed",
        "p_coupon_codes_v1_redeemed",
        &["batch", "number"],
    ),
    ("messages", "p_messages_v3", &["id"]),
    ("sendings", "p_sendings_v2", &["id"]),
    (
        "sendings_skipped",
        "p_sendings_v2_skipped",
        &["sending", "member"],
    ),
    ("user_payments", "p_user_payments_v1", &["id"]),
    ("search_documents", "p_search_documents_v5", &["product"]),
    (
        "search_documents_stock",
        "p_search_documents_v5_stock",
        &["id"],
    ),
    (
        "search_documents_ties",
        "p_search_documents_v5_ties",
        &["id"],
    ),
    (
        "search_documents_tree",
        "p_search_documents_v5_tree",
        &["id"],
    ),
    ("deadlines", "p_deadlines_v7", &["kind", "id"]),
    ("deadlines_retries", "p_deadlines_v7_retries", &["position"]),
    ("deadlines_returns", "p_deadlines_v7_returns", &["claim"]),
    ("deadlines_keeps", "p_deadlines_v7_keeps", &["stream"]),
    ("refunds", "p_refunds_v3", &["id"]),
    ("refunds_claims", "p_refunds_v3_claims", &["claim"]),
    ("reviews", "p_reviews_v2", &["id"]),
    ("reviews_products", "p_reviews_v2_products", &["product"]),
    ("reviews_counts", "p_reviews_v2_counts", &["kind"]),
    ("inquires", "p_inquires_v2", &["id"]),
    ("inquires_counts", "p_inquires_v2_counts", &["kind"]),
    ("earlier_codes", "p_earlier_codes_v1", &["kind", "code"]),
];

pub type Rows = BTreeMap<&'static str, Vec<Value>>;

/// All rows of all tables.
pub async fn rows(connection: &mut PgConnection) -> Rows {
    let mut all = Rows::new();
    for (view, table, key) in TABLES {
        let sql = format!(
            "SELECT to_jsonb(t) FROM {table} t ORDER BY {}",
            key.join(", ")
        );
        let found = sqlx::query_scalar(&sql)
            .fetch_all(&mut *connection)
            .await
            .unwrap();
        all.insert(view, found);
    }
    all
}

/// Fails with the name of the table that differs.
pub fn assert_same(found: &Rows, wanted: &Rows, when: &str) {
    for (view, wanted) in wanted {
        let found = &found[view];
        for (found, wanted) in found.iter().zip(wanted) {
            assert_eq!(found, wanted, "{view}, {when}");
        }
        assert_eq!(found.len(), wanted.len(), "{view}, {when}");
    }
}

/// Runs projections until the checkpoints of all have reached `position` (a reset one restarts from the beginning).
pub async fn run_to(
    store: &Store,
    projections: Vec<Arc<dyn Projection>>,
    position: i64,
    batch: u32,
) {
    let names: Vec<&str> = projections.iter().map(|one| one.name()).collect();
    let runner = Runner::new(store.clone(), projections).with_batch(batch);
    let there = async {
        for _ in 0..3_000 {
            let all = store.checkpoints().await.unwrap();
            let reached = |name: &&str| {
                all.iter()
                    .any(|one| one.name == **name && one.active && one.position >= position)
            };
            if names.iter().all(reached) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!(
            "not at {position}: {:?}",
            store.checkpoints().await.unwrap()
        );
    };
    runner.run(there).await.unwrap();
}

/// A shop after this many actions, without read models.
pub async fn lived(seed: u64, deeds: usize) -> Shop {
    let store = Database::create().await.store().await;
    projections::state::migrate(store.pool()).await.unwrap();
    let mut shop = Shop::new(store, seed);
    shop.open().await;
    shop.live(deeds).await;
    shop
}

/// The same with its read models.
pub async fn read(seed: u64, deeds: usize) -> Shop {
    let shop = lived(seed, deeds).await;
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
    shop
}
