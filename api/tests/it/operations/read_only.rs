//! A database that accepts no writes: the shop reports it, and stays readable.

use std::time::Instant;

use serde_json::json;
use sqlx::{Connection, Executor, PgConnection};

use crate::support::{Reply, TestApp, until};

/// Waits until the shop reports this; returns the response.
async fn told(shop: &TestApp, writable: bool) -> Reply {
    until("it is noticed", async || {
        let ready = shop.get("/ready").once().await;
        // Broken connections are opened again.
        let is_told = ready.body["database"] == true && ready.body["writable"] == writable;
        is_told.then_some(ready)
    })
    .await
}

async fn for_writes(shop: &TestApp) -> u16 {
    shop.get("/ready?for=writes").once().await.status
}

/// Nothing is written, and existing data is readable.
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

/// The result of a write test is cached for two seconds, so frequent callers rarely cause one.
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

/// A simulated full disk: statements that need space fail as in Postgres.
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

/// A long read of all tables (`pg_dump`): the write test cannot lock its table exclusively, and writes continue.
#[tokio::test(flavor = "multi_thread")]
async fn a_dump_that_is_under_way_is_no_database_that_takes_no_writes() {
    let shop = TestApp::start().await;
    let mut dump = PgConnection::connect(&shop.database).await.unwrap();
    dump.execute("BEGIN; LOCK TABLE write_probe IN ACCESS SHARE MODE")
        .await
        .unwrap();
    assert!(shop.app.store.takes_writes().await);
    // And the wait for an exclusive lock of another transaction is short.
    dump.execute("LOCK TABLE write_probe IN ACCESS EXCLUSIVE MODE")
        .await
        .unwrap();
    assert!(!shop.app.store.takes_writes().await);
    dump.execute("ROLLBACK").await.unwrap();
    assert!(shop.app.store.takes_writes().await);
}
