//! The read models equal the folds; and a row that does not is reported, whichever table it is in.

mod resumed;

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::bulk_grant::BulkGrantEvent;
use domain::catalogue::Product;
use domain::catalogue::tree::CategoryTreeEvent;
use domain::coupon::{CampaignEvent, CodeBatchEvent, Coupon, IssuedCouponEvent};
use domain::deadline::DeadlineEvent;
use domain::event::EventNames;
use domain::inquire::Inquire;
use domain::member::MemberEvent;
use domain::message::MessageEvent;
use domain::order::{Claim, OrderEvent};
use domain::payment::PaymentEvent;
use domain::points::PointsEvent;
use domain::raffle::{RaffleEntryEvent, RaffleEvent};
use domain::record::RecordEvent;
use domain::review::Review;
use domain::sending::SendingEvent;
use domain::shipping::{Island, ShippingGroup};
use domain::site::{Level, SiteSetting};
use domain::stock::StockEvent;
use domain::user_payment::UserPaymentEvent;
use event_store::projection::Rebuild;
use event_store::{Projection, ProjectionError, Store, StoredEvent, async_trait};
use projections::verify::{Report, verify};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::rows::{TABLES, assert_same, lived, rows, run_to};

async fn report(store: &Store) -> Report {
    verify(store, |_| {}).await.unwrap()
}

fn assert_clean(report: &Report) {
    let first: Vec<_> = report.differences.iter().take(3).collect();
    assert!(
        report.is_clean(),
        "{}: {first:#?}",
        report.differences.len()
    );
}

/// All event types of all aggregates and records.
fn every_event() -> Vec<&'static str> {
    let ledgers = [
        OrderEvent::NAMES,
        PaymentEvent::NAMES,
        StockEvent::NAMES,
        CampaignEvent::NAMES,
        IssuedCouponEvent::NAMES,
        CodeBatchEvent::NAMES,
        RaffleEvent::NAMES,
        RaffleEntryEvent::NAMES,
        PointsEvent::NAMES,
        UserPaymentEvent::NAMES,
        BulkGrantEvent::NAMES,
        MemberEvent::NAMES,
        MessageEvent::NAMES,
        SendingEvent::NAMES,
        CategoryTreeEvent::NAMES,
        DeadlineEvent::NAMES,
        RecordEvent::<Product>::NAMES,
        RecordEvent::<ShippingGroup>::NAMES,
        RecordEvent::<Island>::NAMES,
        RecordEvent::<SiteSetting>::NAMES,
        RecordEvent::<Level>::NAMES,
        RecordEvent::<Coupon>::NAMES,
        RecordEvent::<Review>::NAMES,
        RecordEvent::<Inquire>::NAMES,
    ];
    ledgers.concat().iter().map(|(name, _)| *name).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_read_model_is_a_fold_of_the_log() {
    for seed in [1, 5] {
        let mut shop = lived(seed, 0).await;
        shop.live_to_see(&every_event()).await;
        run_to(&shop.store, projections::all(), shop.last_position, 500).await;
        let report = report(&shop.store).await;
        assert_clean(&report);
        assert_eq!(report.position, shop.last_position);
        assert!(report.entries_checked > 1_000, "{}", report.entries_checked);
    }
}

/// While this program's version is built beside that of an earlier program, readers see rows that the earlier program wrote.
#[tokio::test(flavor = "multi_thread")]
async fn a_read_model_of_another_version_is_not_compared() {
    let shop = lived(2, 60).await;
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
    assert_clean(&report(&shop.store).await);
    for change in [
        "UPDATE projection_checkpoint SET version = version - 1 WHERE name IN ('order_timeline', 'orders')",
        "UPDATE order_timeline SET data = '{}'",
        "UPDATE orders SET payable = payable + 1",
    ] {
        let done = sqlx::query(change)
            .execute(shop.store.pool())
            .await
            .unwrap();
        assert!(done.rows_affected() > 0, "{change}");
    }
    let report = report(&shop.store).await;
    assert_eq!(report.differences, []);
    assert_eq!(report.unfinished, ["order_timeline", "orders"]);
    assert!(!report.is_clean());
}

#[tokio::test(flavor = "multi_thread")]
async fn read_models_that_followed_the_shop_are_the_same_as_rebuilt_ones() {
    let mut shop = lived(3, 10).await;
    for batch in [1, 3, 50] {
        shop.live(60).await;
        run_to(&shop.store, projections::all(), shop.last_position, batch).await;
        assert_clean(&report(&shop.store).await);
    }
    let mut connection = shop.store.pool().acquire().await.unwrap();
    let followed = rows(&mut connection).await;
    for projection in projections::all() {
        shop.store
            .reset_projection(projection.name(), projection.version())
            .await
            .unwrap();
    }
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
    assert_same(&rows(&mut connection).await, &followed, "rebuilt");
    for segments in [1, 3] {
        for projection in projections::all() {
            let name = projection.name();
            let rebuild = Rebuild::of(&shop.store, projection).with_segments(segments);
            let rebuilt = rebuild.run().await.unwrap();
            assert_eq!(
                (rebuilt.position, rebuilt.parked),
                (shop.last_position, 0),
                "{name}"
            );
        }
        let built = rows(&mut connection).await;
        assert_same(&built, &followed, &format!("built beside in {segments}"));
        assert_clean(&report(&shop.store).await);
    }
}

fn key_of(row: &Value, key: &[&str]) -> String {
    let texts: Vec<String> = key
        .iter()
        .map(|column| match &row[*column] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        })
        .collect();
    texts.join("/")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_or_missing_row_is_named_in_every_table() {
    let mut shop = lived(4, 400).await;
    shop.live_to_see(&["UserPaymentRequested"]).await;
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
    let pool = shop.store.pool();
    for (view, table, key) in TABLES {
        let row: Value = sqlx::query_scalar(&format!(
            "SELECT to_jsonb(t) FROM {table} t ORDER BY {} LIMIT 1",
            key.join(", ")
        ))
        .fetch_one(pool)
        .await
        .unwrap_or_else(|_| panic!("the shop left {table} empty"));
        let named = key_of(&row, key);
        let same_key: Vec<String> = key
            .iter()
            .map(|column| {
                format!(
                    "to_jsonb({column}) #>> '{{}}' = '{}'",
                    row[*column]
                        .as_str()
                        .map_or(row[*column].to_string(), str::to_owned)
                )
            })
            .collect();
        let this = same_key.join(" AND ");

        // missing row
        sqlx::query(&format!("DELETE FROM {table} WHERE {this}"))
            .execute(pool)
            .await
            .unwrap();
        let found = report(&shop.store).await;
        let named_as = |report: &Report| {
            report
                .differences
                .iter()
                .filter(|one| one.model == view && one.key == named)
                .count()
        };
        assert_eq!(named_as(&found), 1, "{table}: {:#?}", found.differences);
        assert_eq!(
            found.differences.len(),
            1,
            "{table}: {:#?}",
            found.differences
        );
        assert_eq!(found.differences[0].found, Value::Null, "{table}");
        sqlx::query(&format!(
            "INSERT INTO {table} SELECT * FROM jsonb_populate_record(NULL::{table}, $1)"
        ))
        .bind(&row)
        .execute(pool)
        .await
        .unwrap();

        // wrong value
        let (wrong, column) = wrong(&row, key);
        sqlx::query(&format!(
            "UPDATE {table} SET \"{column}\" = (jsonb_populate_record(NULL::{table}, $1)).\"{column}\" WHERE {this}"
        ))
        .bind(&wrong)
        .execute(pool)
        .await
        .unwrap();
        let found = report(&shop.store).await;
        assert_eq!(
            named_as(&found),
            1,
            "{table}.{column}: {:#?}",
            found.differences
        );
        assert!(
            found.differences[0].found.get(&column).is_some(),
            "{table}.{column}"
        );
        sqlx::query(&format!(
            "UPDATE {table} SET \"{column}\" = (jsonb_populate_record(NULL::{table}, $1)).\"{column}\" WHERE {this}"
        ))
        .bind(&row)
        .execute(pool)
        .await
        .unwrap();
    }
    // checkpoint ahead of the log: it would skip the next events
    let ahead = "UPDATE projection_checkpoint SET position = position + $1 WHERE name = 'stock'";
    for by in [1_000_i64, -1_000] {
        sqlx::query(ahead).bind(by).execute(pool).await.unwrap();
        let found = report(&shop.store).await;
        let named: Vec<_> = found
            .differences
            .iter()
            .map(|one| (one.model.as_str(), one.key.as_str()))
            .collect();
        assert_eq!(
            named.contains(&("stock", "checkpoint")),
            by > 0,
            "{named:?}"
        );
        assert!(named.len() <= 1, "{named:?}");
    }
    // superfluous row
    sqlx::query("INSERT INTO p_deadlines_v7 VALUES ('unpaid-order', 'nobody', 'nobody', now(), 1)")
        .execute(pool)
        .await
        .unwrap();
    let found = report(&shop.store).await;
    assert_eq!(found.differences.len(), 1);
    assert_eq!(found.differences[0].expected, Value::Null);
    sqlx::query("DELETE FROM p_deadlines_v7 WHERE id = 'nobody'")
        .execute(pool)
        .await
        .unwrap();
    assert_clean(&report(&shop.store).await);
}

/// The same row with its last number (or else its last text, or its document) changed.
fn wrong(row: &Value, key: &[&str]) -> (Value, String) {
    let mut row = row.clone();
    let fields = row.as_object_mut().unwrap();
    let not_key = |name: &&String| !key.contains(&name.as_str());
    let number = fields
        .iter()
        .filter(|(_, value)| value.is_i64())
        .map(|(name, _)| name.clone())
        .rfind(|name| not_key(&name));
    if let Some(name) = number {
        let more = fields[&name].as_i64().unwrap() + 1;
        fields.insert(name.clone(), more.into());
        return (row, name);
    }
    let name = fields.keys().rfind(not_key).unwrap().clone();
    let is_id = fields[&name]
        .as_str()
        .is_some_and(|text| text.parse::<Uuid>().is_ok());
    let other = match is_id {
        true => serde_json::json!(Uuid::nil()),
        false => serde_json::json!({"wrong": true}),
    };
    fields.insert(name.clone(), other);
    (row, name)
}

/// A projection that skips one type of event, or applies it twice.
struct Faulty {
    of: Arc<dyn Projection>,
    event_type: &'static str,
    times: usize,
}

#[async_trait]
impl Projection for Faulty {
    fn name(&self) -> &'static str {
        self.of.name()
    }

    fn version(&self) -> u32 {
        self.of.version()
    }

    fn create_sql(&self) -> &'static str {
        self.of.create_sql()
    }

    fn kinds(&self) -> &'static [&'static str] {
        self.of.kinds()
    }

    async fn apply(
        &self,
        tx: &mut PgConnection,
        batch: &[StoredEvent],
    ) -> Result<(), ProjectionError> {
        let heard: Vec<StoredEvent> = batch
            .iter()
            .flat_map(|one| {
                let times = if one.event_type == self.event_type {
                    self.times
                } else {
                    1
                };
                std::iter::repeat_n(one.clone(), times)
            })
            .collect();
        if heard.is_empty() {
            return Ok(());
        }
        self.of.apply(tx, &heard).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_left_out_or_applied_twice_is_seen() {
    let faults = [
        ("members", "ScopesChanged", 0),
        ("records", "LevelRevised", 0),
        ("products", "ProductRevised", 0),
        ("categories", "CategoryMoved", 0),
        ("stock", "StockGivenBack", 0),
        ("stock", "StockTaken", 2),
        ("stock", "StockWrittenOff", 0),
        ("orders", "PurchaseDelivered", 0),
        ("orders", "PurchaseSplit", 0),
        ("orders", "GoodsInspected", 0),
        ("orders", "ReturnApproved", 0),
        ("orders", "ClaimWithdrawn", 0),
        ("orders", "ReceiverCorrected", 0),
        ("orders", "StaffNoteWritten", 0),
        ("orders", "ReceiverDisclosed", 0),
        ("orders", "PaymentApproved", 0),
        ("orders", "DepositReceived", 0),
        ("orders", "DepositWaitEnded", 0),
        ("deadlines", "AccountCloseRequested", 0),
        ("deadlines", "PurchaseShipped", 0),
        ("deadlines", "PurchaseDelivered", 0),
        ("order_timeline", "CouponUsed", 0),
        ("order_timeline", "StockWrittenOff", 0),
        ("order_timeline", "UserPaymentCompleted", 0),
        ("orders", "ExchangeFeeReceived", 0),
        ("orders", "ExchangeFeeWaived", 0),
        ("refunds", "FeeRefundTransferred", 0),
        ("user_payments", "UserPaymentCompleted", 0),
        ("user_payments", "UserPaymentCanceled", 0),
        ("coupon_box", "CouponReturned", 0),
        ("coupon_box", "CouponUsed", 2),
        ("coupon_box", "CouponTaken", 0),
        ("coupon_box", "CouponPeriodChanged", 0),
        ("points_book", "PointsExpired", 0),
        ("bulk_grants", "BulkGrantPartGiven", 0),
        ("bulk_grants", "BulkGrantPartTaken", 0),
        ("coupon_codes", "CouponCodeRedeemed", 0),
        ("coupon_codes", "CouponCodesStopped", 0),
        ("raffles", "RaffleEntryCounted", 0),
        ("raffles", "RaffleWon", 0),
        ("raffles", "RaffleDrawn", 0),
        ("messages", "MessageBounced", 0),
        ("messages", "MessageDelivered", 0),
        ("messages", "MessageResendRequested", 0),
        ("sendings", "SendingPartSent", 0),
        ("sendings", "SendingPostponed", 0),
        ("sendings", "SendingWithdrawn", 0),
        ("points_book", "PointsTaken", 2),
        ("points_book", "PointsExpiryAnnounced", 0),
        ("points_book", "PointsLifeChanged", 0),
        ("points_book", "PointsSpent", 2),
        ("search_documents", "StockCounted", 0),
        ("search_documents", "StockWrittenOff", 0),
        ("search_documents", "ReviewCreated", 0),
        ("search_documents", "ShippingRevised", 0),
        ("deadlines", "OrderPaid", 0),
        ("deadlines", "StatutoryDataErased", 0),
        ("deadlines", "GuestRecordsErased", 0),
        ("deadlines", "PaymentStarted", 0),
        ("refunds", "GoodsInspected", 0),
        ("refunds", "CancelApproved", 0),
        ("refunds", "RefundRefused", 0),
        ("refunds", "RefundTransferred", 0),
        ("members", "MemberLeft", 0),
        ("reviews", "ReviewRevised", 0),
        ("inquires", "InquireRevised", 0),
    ];
    let mut shop = lived(5, 400).await;
    shop.live_to_see(&faults.map(|(_, event_type, _)| event_type))
        .await;
    // the last change of some products, and of a category: a later revision would hide an error
    shop.rename_shipping().await;
    shop.move_category().await;
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
    for (name, event_type, times) in faults {
        let right = projections::all()
            .into_iter()
            .find(|one| one.name() == name)
            .unwrap();
        let version = right.version();
        let faulty = Arc::new(Faulty {
            of: Arc::clone(&right),
            event_type,
            times,
        });
        shop.store.reset_projection(name, version).await.unwrap();
        run_to(&shop.store, vec![faulty], shop.last_position, 500).await;
        let found = report(&shop.store).await;
        assert!(
            !found.is_clean(),
            "{name}: {event_type} {times} times was not seen"
        );
        assert!(
            found
                .differences
                .iter()
                .all(|one| one.model.starts_with(name)),
            "{name}: {:#?}",
            found.differences
        );
        shop.store.reset_projection(name, version).await.unwrap();
        run_to(&shop.store, vec![right], shop.last_position, 500).await;
    }
    assert_clean(&report(&shop.store).await);
}

/// A log that breaks a rule is reported, although every read model follows it faithfully.
#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_does_not_conserve_is_named() {
    let mut shop = lived(6, 250).await;
    shop.live_to_see(&[
        "BulkGrantPartGiven",
        "CouponCodeRedeemed",
        "CouponDrawn",
        "CouponUseCounted",
        "CouponUsed",
        "PointsSpent",
        "PriceDifferenceRefunded",
        "PurchaseSplit",
        "StockGivenBack",
        "UserPaymentCompleted",
    ])
    .await;
    shop.live_until(|shop| {
        let claims = shop.orders.values().flat_map(|order| &order.claims);
        let kept = claims
            .filter_map(Claim::exchange)
            .any(|exchange| exchange.fee_received.is_some() && exchange.fee_refund.is_none());
        (!kept)
            .then(|| "a fee that is kept".to_owned())
            .into_iter()
            .collect()
    })
    .await;
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
    assert_clean(&report(&shop.store).await);
    // more units than exist are taken by an order that does not exist
    sqlx::query(
        "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata) \
         SELECT 'stock', aggregate_id, sequence + 1, 'StockTaken', '1.0', \
                json_build_object('StockTaken', json_build_object('order', gen_random_uuid(), 'quantity', 1000000)), '{}' \
         FROM events WHERE aggregate_type = 'stock' ORDER BY sequence DESC LIMIT 1",
    )
    .execute(shop.store.pool())
    .await
    .unwrap();
    // and points expire that were never granted
    sqlx::query(
        "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata) \
         SELECT 'points', aggregate_id, 1000, 'PointsExpired', '1.0', \
                json_build_object('PointsExpired', json_build_object('lot', payload -> 'PointsGranted' ->> 'lot', 'amount', 1000000000)), '{}' \
         FROM events WHERE event_type = 'PointsGranted' LIMIT 1",
    )
    .execute(shop.store.pool())
    .await
    .unwrap();
    // and a coupon drawn under a number that is not the next, which is in no member's box
    let astray: String = sqlx::query_scalar(
        "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata) \
         SELECT 'coupon-campaign', aggregate_id, 1000, 'CouponDrawn', event_version, \
                jsonb_set(jsonb_set(payload::jsonb, '{CouponDrawn,issued}', to_jsonb(gen_random_uuid())), '{CouponDrawn,number}', '77')::json, \
                '{}' \
         FROM events WHERE event_type = 'CouponDrawn' LIMIT 1 \
         RETURNING payload -> 'CouponDrawn' ->> 'issued'",
    )
    .fetch_one(shop.store.pool())
    .await
    .unwrap();
    // and what orders use is repeated: points, and the counted use of a coupon that does not exist; and a coupon is given back
    for (copied, event_type, payload) in [
        ("PointsSpent", "PointsSpent", "payload"),
        (
            "CouponUseCounted",
            "CouponUseCounted",
            "jsonb_set(payload::jsonb, '{CouponUseCounted,issued}', to_jsonb(gen_random_uuid()))::json",
        ),
        (
            "CouponUsed",
            "CouponReturned",
            "json_build_object('CouponReturned', json_build_object('order', payload -> 'CouponUsed' -> 'order'))",
        ),
    ] {
        let planted = sqlx::query(&format!(
            "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata) \
             SELECT aggregate_type, aggregate_id, 1001, '{event_type}', event_version, {payload}, '{{}}' \
             FROM events e WHERE event_type = '{copied}' \
               AND NOT EXISTS (SELECT FROM events n WHERE n.aggregate_id = e.aggregate_id AND n.event_type = 'CouponReturned') LIMIT 1"
        ))
        .execute(shop.store.pool())
        .await
        .unwrap();
        assert_eq!(planted.rows_affected(), 1, "{event_type}");
    }
    // and a coupon that was taken is used; and one occasion brings two coupons by two commands
    for (event_type, sequence, payload) in [
        (
            "CouponTaken",
            1003,
            "json_build_object('CouponTaken', json_build_object('memo', '회수'))",
        ),
        (
            "CouponUsed",
            1004,
            "json_build_object('CouponUsed', json_build_object('order', gen_random_uuid(), 'amount', 1))",
        ),
    ] {
        sqlx::query(&format!(
            "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata) \
             SELECT aggregate_type, aggregate_id, {sequence}, '{event_type}', '1.0', {payload}, '{{}}' \
             FROM events WHERE event_type = 'CouponIssued' ORDER BY global_position LIMIT 1"
        ))
        .execute(shop.store.pool())
        .await
        .unwrap();
    }
    for command in [1, 2] {
        sqlx::query(&format!(
            "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata) \
             SELECT aggregate_type, gen_random_uuid()::text, 1, event_type, event_version, \
                    jsonb_set(payload::jsonb, '{{CouponIssued,occasion}}', '\"2026\"')::json, \
                    json_build_object('commandId', '00000000-0000-0000-0000-00000000000{command}') \
             FROM events WHERE event_type = 'CouponIssued' ORDER BY global_position LIMIT 1"
        ))
        .execute(shop.store.pool())
        .await
        .unwrap();
    }
    // and returned goods are written off, although no inspection found them unsellable
    let written_off = sqlx::query(
        "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata) \
         SELECT 'stock', aggregate_id, 1002, 'StockWrittenOff', '1.0', \
                json_build_object('StockWrittenOff', payload -> 'StockGivenBack'), '{}' \
         FROM events WHERE event_type = 'StockGivenBack' LIMIT 1",
    );
    let written_off = written_off.execute(shop.store.pool()).await.unwrap();
    assert_eq!(written_off.rows_affected(), 1);
    // and units are split off once more, with more money than they cost
    let split = sqlx::query(
        "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata) \
         SELECT 'order', aggregate_id, 1003, 'PurchaseSplit', '1.0', \
                jsonb_set(jsonb_set(payload::jsonb, '{PurchaseSplit,purchaseNo}', to_jsonb('ASTRAY-1'::text)), \
                          '{PurchaseSplit,part,paid}', '1')::json, '{}' \
         FROM events WHERE event_type = 'PurchaseSplit' LIMIT 1",
    );
    let split = split.execute(shop.store.pool()).await.unwrap();
    assert_eq!(split.rows_affected(), 1);
    // and the difference of an exchange is given back twice
    let again = sqlx::query(
        "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata) \
         SELECT aggregate_type, aggregate_id, 1006, event_type, event_version, payload, '{}' \
         FROM events WHERE event_type = 'PriceDifferenceRefunded' LIMIT 1",
    );
    let again = again.execute(shop.store.pool()).await.unwrap();
    assert_eq!(again.rows_affected(), 1);
    // and a code is redeemed twice
    let again = sqlx::query(
        "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata) \
         SELECT aggregate_type, aggregate_id, 1007, event_type, event_version, payload, '{}' \
         FROM events WHERE event_type = 'CouponCodeRedeemed' LIMIT 1",
    );
    let again = again.execute(shop.store.pool()).await.unwrap();
    assert_eq!(again.rows_affected(), 1);
    // and a fee that was paid is given up
    let given_up = sqlx::query(
        "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata) \
         SELECT aggregate_type, aggregate_id, 1004, 'UserPaymentCanceled', '1.0', \
                '{\"UserPaymentCanceled\":{\"reason\":\"x\"}}', '{}' \
         FROM events e WHERE event_type = 'UserPaymentCompleted' \
           AND NOT EXISTS (SELECT FROM events n WHERE n.aggregate_id = e.aggregate_id AND n.event_type = 'UserPaymentRefunded') LIMIT 1",
    );
    let given_up = given_up.execute(shop.store.pool()).await.unwrap();
    assert_eq!(given_up.rows_affected(), 1);
    // and a bulk grant serves one receiver twice
    let twice = sqlx::query(
        "INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata) \
         SELECT aggregate_type, aggregate_id, 1005, event_type, event_version, \
                jsonb_set(payload::jsonb, '{PointsGranted,lot}', to_jsonb(gen_random_uuid()))::json, '{}' \
         FROM events WHERE event_type = 'PointsGranted' AND payload -> 'PointsGranted' ->> 'grant' IS NOT NULL LIMIT 1",
    );
    let twice = twice.execute(shop.store.pool()).await.unwrap();
    assert_eq!(twice.rows_affected(), 1);
    shop.last_position += 11;
    run_to(&shop.store, projections::all(), shop.last_position, 500).await;
    let found = report(&shop.store).await;
    let draws: Vec<&str> = found
        .differences
        .iter()
        .filter(|one| one.model == "draws")
        .map(|one| one.key.as_str())
        .collect();
    assert_eq!(draws.len(), 2, "{draws:?}");
    assert!(draws.iter().any(|key| key.contains("number")), "{draws:?}");
    assert!(draws.contains(&astray.as_str()), "{draws:?}");
    let rules: BTreeSet<&str> = found
        .differences
        .iter()
        .map(|one| one.model.as_str())
        .collect();
    // the books: points liability is overdrawn
    for rule in [
        "books",
        "stock",
        "stock of orders",
        "written off",
        "splits",
        "differences",
        "coupons of orders",
        "campaigns",
        "taken coupons",
        "occasions",
        "coupon codes",
        "points",
        "points of orders",
        "bulk grants",
        "user payments",
    ] {
        assert!(rules.contains(rule), "{rule} in {rules:?}");
    }
}
