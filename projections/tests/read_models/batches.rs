//! The rows do not depend on how the log is split into batches.

use event_store::StoredEvent;
use sqlx::{Connection, PgConnection};

use super::rows::{Rows, assert_same, lived, rows};

async fn apply_all(connection: &mut PgConnection, parts: &[&[StoredEvent]]) {
    for projection in projections::all() {
        for part in parts {
            let batch: Vec<StoredEvent> = part
                .iter()
                .filter(|one| projection.kinds().contains(&one.stream.kind.as_str()))
                .cloned()
                .collect();
            if !batch.is_empty() {
                projection.apply(connection, &batch).await.unwrap();
            }
        }
    }
}

/// Applies the batches in a transaction that is rolled back.
async fn applied(connection: &mut PgConnection, parts: &[&[StoredEvent]]) -> Rows {
    let mut transaction = connection.begin().await.unwrap();
    apply_all(&mut transaction, parts).await;
    let found = rows(&mut transaction).await;
    transaction.rollback().await.unwrap();
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn a_split_at_any_position_makes_no_difference() {
    let shop = lived(7, 90).await;
    let log = shop
        .store
        .read_all(0, shop.last_position, 100_000)
        .await
        .unwrap();
    let mut connection = shop.store.pool().acquire().await.unwrap();
    for projection in projections::all() {
        sqlx::raw_sql(projection.create_sql())
            .execute(&mut *connection)
            .await
            .unwrap();
    }
    let whole = applied(&mut connection, &[&log]).await;
    for place in 1..log.len() {
        let (before, after) = log.split_at(place);
        let split = applied(&mut connection, &[before, after]).await;
        assert_same(&split, &whole, &format!("split before event {place}"));
    }
    let singles: Vec<&[StoredEvent]> = log.chunks(1).collect();
    let one_by_one = applied(&mut connection, &singles).await;
    assert_same(&one_by_one, &whole, "one by one");
}
