//! A database that takes no writes: the shop says so, and shows what there is.

use std::time::Instant;

use serde_json::json;
use sqlx::{Connection, Executor, PgConnection};

use crate::support::{Reply, TestApp, until};

/// Waits until the shop says so; answers what it says.
async fn told(shop: &TestApp, writable: bool) -> Reply {
    until("it is noticed", async || {
        let ready = shop.get("/ready").once().await;
        // connections that were cut are begun anew
        let is_told = ready.body["database"] == true && ready.body["writable"] == writable;
        is_told.then_some(ready)
    })
    .await
}

async fn for_writes(shop: &TestApp) -> u16 {
    shop.get("/ready?for=writes").once().await.status
}

/// Nothing is written, and what is there is shown.
async fn only_shows(shop: &TestApp, refused: &str) {
    let ready = told(shop, false).await.expect(200);
    assert_eq!(ready.body["ready"], json!(true));
    assert_eq!(ready.body["standby"], json!(false));
    assert_eq!(for_writes(shop).await, 503);
    assert_eq!(shop.get("/ready?for=reads").once().await.status, 200);
    for path in ["/api/v1/shop/products", "/api/v1/shop/categories"] {
        shop.get(path).once().await.expect(200);
    }
    let joining = crate::support::sign_up_form("late12345");
    let reply = shop.post("/api/v1/users", &joining).send().await;
    assert_eq!(
        (reply.status, reply.code()),
        (503, refused),
        "{}",
        reply.text
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_set_to_read_only_is_told_and_shown() {
    let shop = TestApp::start().await;
    told(&shop, true).await.expect(200);
    assert_eq!(for_writes(&shop).await, 200);
    let unknown = shop.get("/ready?for=anything").send().await.expect(400);
    assert_eq!(unknown.code(), "invalid_query");

    let mut admin = PgConnection::connect(&shop.database).await.unwrap();
    admin
        .execute("SET default_transaction_read_only = off")
        .await
        .unwrap();
    let name: String = sqlx::query_scalar("SELECT current_database()::text")
        .fetch_one(&mut admin)
        .await
        .unwrap();
    let begin_anew = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                      WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let read_only = format!("ALTER DATABASE \"{name}\" SET default_transaction_read_only = on");
    admin.execute(read_only.as_str()).await.unwrap();
    admin.execute(begin_anew).await.unwrap();
    only_shows(&shop, "read_only").await;
    let usual = format!("ALTER DATABASE \"{name}\" RESET default_transaction_read_only");
    admin.execute(usual.as_str()).await.unwrap();
    admin.execute(begin_anew).await.unwrap();
    told(&shop, true).await.expect(200);
    assert_eq!(for_writes(&shop).await, 200);
}

/// Who asks often tries seldom: a probe of the database is believed for two seconds.
#[tokio::test(flavor = "multi_thread")]
async fn a_probe_is_believed_for_a_while() {
    let shop = TestApp::start().await;
    told(&shop, true).await;
    let count = "CREATE TABLE probes (at timestamptz NOT NULL DEFAULT clock_timestamp()); \
                 CREATE FUNCTION note_probe() RETURNS trigger LANGUAGE plpgsql AS $$ \
                 BEGIN INSERT INTO probes DEFAULT VALUES; RETURN NEW; END $$; \
                 CREATE TRIGGER note_probe BEFORE INSERT ON write_probe EXECUTE FUNCTION note_probe();";
    sqlx::raw_sql(count).execute(shop.app.pool()).await.unwrap();
    let begun = Instant::now();
    for _ in 0..40 {
        told(&shop, true).await.expect(200);
    }
    let seconds = begun.elapsed().as_secs();
    let probes: i64 = sqlx::query_scalar("SELECT count(*) FROM probes")
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
    assert!(
        u64::try_from(probes).unwrap() <= seconds / 2 + 1,
        "{probes} probes in {seconds} s"
    );
}

/// A full disk, as far as a test can have one: whatever needs room is refused as Postgres refuses it then.
#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_told_and_shown() {
    let shop = TestApp::start().await;
    told(&shop, true).await;
    let full = "CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE disk_full; END $$; \
                CREATE TRIGGER no_room BEFORE INSERT ON write_probe EXECUTE FUNCTION no_room(); \
                CREATE TRIGGER no_room BEFORE INSERT ON events EXECUTE FUNCTION no_room();";
    sqlx::raw_sql(full).execute(shop.app.pool()).await.unwrap();
    only_shows(&shop, "unavailable").await;
    let room = "DROP TRIGGER no_room ON write_probe; DROP TRIGGER no_room ON events";
    sqlx::raw_sql(room).execute(shop.app.pool()).await.unwrap();
    told(&shop, true).await;
    let joining = crate::support::sign_up_form("late12345");
    shop.post("/api/v1/users", &joining)
        .send()
        .await
        .expect(201);
}

/// Somebody reads every table at length (`pg_dump`): the probe cannot have its table for itself, and writing goes on.
#[tokio::test(flavor = "multi_thread")]
async fn a_dump_that_is_under_way_is_no_database_that_takes_no_writes() {
    let shop = TestApp::start().await;
    let mut dump = PgConnection::connect(&shop.database).await.unwrap();
    dump.execute("BEGIN; LOCK TABLE write_probe IN ACCESS SHARE MODE")
        .await
        .unwrap();
    assert!(shop.app.store.takes_writes().await);
    // and one who holds it altogether is waited for no longer than a moment
    dump.execute("LOCK TABLE write_probe IN ACCESS EXCLUSIVE MODE")
        .await
        .unwrap();
    assert!(!shop.app.store.takes_writes().await);
    dump.execute("ROLLBACK").await.unwrap();
    assert!(shop.app.store.takes_writes().await);
}
