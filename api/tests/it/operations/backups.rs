//! A shop restored from its backup on another cluster has the same data, and continues.

use std::path::PathBuf;

use api::audit::verify::report_text;
use api::backup::{backup, backup_keys, restore, restore_keys};
use event_store::testing::Server;
use event_store::{KeyRing, MasterKey, Store, StoreOptions};
use projections::verify::{VerifyOptions, verify_as};
use search_index::Query;
use serde_json::json;
use sqlx::{Connection, Executor, PgConnection, PgPool};

use crate::support::pictures::{giving, on_disk, picture_bytes};
use crate::support::shop::id_of;
use crate::support::{Place, TestApp};

/// An empty database on a separate cluster.
pub async fn elsewhere() -> (Server, String) {
    let server = tokio::task::spawn_blocking(|| Server::start(&[]))
        .await
        .unwrap()
        .unwrap();
    let mut admin = PgConnection::connect(&server.url("postgres"))
        .await
        .unwrap();
    admin.execute("CREATE DATABASE jangbu").await.unwrap();
    let url = server.url("jangbu");
    (server, url)
}

/// The whole log without transaction ids, and the positions of the policies.
async fn log_of(pool: &PgPool) -> (Vec<String>, Vec<(String, i64)>) {
    let events =
        "SELECT (to_jsonb(e) - 'transaction_id')::text FROM events e ORDER BY global_position";
    let policies =
        "SELECT name, position FROM projection_checkpoint WHERE name LIKE 'policy%' ORDER BY 1";
    (
        sqlx::query_scalar(events).fetch_all(pool).await.unwrap(),
        sqlx::query_as(policies).fetch_all(pool).await.unwrap(),
    )
}

fn asked_of(shop: &TestApp) -> VerifyOptions<'_> {
    VerifyOptions {
        keys: Some(&shop.app.keys),
        ..VerifyOptions::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_comes_back_on_another_cluster_and_who_was_forgotten_does_not() {
    let shop = TestApp::start().await;
    // A cluster whose transaction ids are far ahead of the next one's.
    let mut busy = PgConnection::connect(&shop.database).await.unwrap();
    busy.execute(
        "DO $$ BEGIN FOR i IN 1..20000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$",
    )
    .await
    .unwrap();
    let seller = shop.seller().await;
    let product = shop.product(seller, 10_000, 10).await;
    let stays = shop.sign_up("stayer01").await;
    let leaves = shop.sign_up("leaver02").await;
    let order = id_of(&shop.order(&stays, product, 1).await.expect(201));
    shop.pay(&stays.token, &order).await;
    let given = giving(&shop, "/api/v1/files", "image", "a.png", &picture_bytes(7));
    given.as_(&stays).send().await.expect(201);
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| -> PathBuf { folder.path().join(name) };

    // The keys while both members exist, the rest after one account was closed.
    assert!(backup_keys(&shop.app, &file("keys")).await.unwrap() >= 2);
    let form = json!({ "password": leaves.password, "reason": "PRIVACY" });
    let left = shop.post("/api/v1/me/withdraw", &form);
    left.as_(&leaves).send().await.expect(200);
    shop.settled().await;
    api::audit::seal::seal(&shop.app.store, &shop.app.settings)
        .await
        .unwrap();
    let told_of = backup(&shop.app, &file("shop")).await.unwrap();
    assert_eq!(told_of.files, on_disk(&shop).len());
    assert!(told_of.files >= 1);
    let before = log_of(shop.app.pool()).await;
    assert!(!before.1.is_empty());
    assert!(
        backup(&shop.app, &file("shop")).await.is_err(),
        "nothing is overwritten"
    );
    let stolen = std::fs::read(file("shop")).unwrap();

    // Products of tests have codes that are not reserved.
    let asked = VerifyOptions {
        keys: Some(&shop.app.keys),
        ..VerifyOptions::default()
    };
    let known = verify_as(&shop.app.store, &asked, |_| {})
        .await
        .unwrap()
        .differences;

    // On another cluster.
    let (_server, database) = elsewhere().await;
    let place = Place::like(&shop).await;
    let mut damaged = stolen.clone();
    let middle = damaged.len() / 3;
    for byte in &mut damaged[middle..middle + 500] {
        *byte ^= 1;
    }
    std::fs::write(file("damaged"), damaged).unwrap();
    assert!(
        restore(&place.settings, &database, &file("damaged"))
            .await
            .is_err()
    );
    let moved = restore(&place.settings, &database, &file("shop"))
        .await
        .unwrap();
    assert_eq!(moved.events, i64::try_from(before.0.len()).unwrap());
    let again = restore(&place.settings, &database, &file("shop")).await;
    assert!(again.unwrap_err().to_string().contains("not empty"));

    let store = Store::connect(&database, StoreOptions::default())
        .await
        .unwrap();
    let after = log_of(store.pool()).await;
    assert_eq!(after.0, before.0);
    assert_eq!(after.1, before.1, "policies go on where they were");
    let from_the_future: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM events WHERE NOT pg_visible_in_snapshot(transaction_id, pg_current_snapshot())",
    )
    .fetch_one(store.pool())
    .await
    .unwrap();
    assert_eq!(from_the_future, 0, "transaction ids of another cluster");
    let master = MasterKey::from_bytes(place.settings.keys().unwrap().master_key);
    let keys = KeyRing::load(store.pool().clone(), master).await.unwrap();
    let (_, trusted) = api::audit::seal::keys(&place.settings).unwrap();
    let asked = VerifyOptions {
        keys: Some(&keys),
        chain: Some(projections::verify::ChainOptions {
            trusted: &trusted,
            marks: &[],
            after: None,
        }),
        ..VerifyOptions::default()
    };
    let report = verify_as(&store, &asked, |_| {}).await.unwrap();
    assert_eq!(report.differences, known, "{}", report_text(&report));

    // Without keys: the shop works, names are erased.
    let settings = place.settings.clone();
    let second = place.open(&database).await;
    let me = second.account(&stays.username, &stays.password).await;
    let seen = second
        .get(&format!("/api/v1/me/orders/{order}"))
        .as_(&me)
        .send()
        .await
        .expect(200);
    assert!(!seen.text.contains("홍길동"), "{}", seen.text);
    let info = second
        .get("/api/v1/me/info")
        .as_(&me)
        .send()
        .await
        .expect(200);
    assert!(!info.text.contains("홍길동"), "{}", info.text);
    let change = second.put("/api/v1/me/info", &json!({ "nickname": "새이름" }));
    let refused = change.as_(&me).send().await;
    assert_eq!(refused.status / 100, 4, "{}", refused.text);
    // New personal data gets a new key, beside which the old one is restored.
    let meanwhile = id_of(&second.order(&me, product, 1).await.expect(201));
    second.pay(&me.token, &meanwhile).await;
    second.settled().await;
    let report = verify_as(&second.app.store, &asked_of(&second), |_| {})
        .await
        .unwrap();
    assert_eq!(report.differences, known, "{}", report_text(&report));
    assert_eq!(on_disk(&second), on_disk(&shop));

    // With keys: names are restored, except those of members erased since.
    let merged = restore_keys(&settings, &database, &file("keys"), None)
        .await
        .unwrap();
    assert!(
        merged.restored >= 2 && merged.stayed_destroyed >= 1,
        "{merged:?}"
    );
    let profile = "SELECT wrapped IS NOT NULL FROM keys.data_key WHERE subject = $1::uuid AND purpose = 'profile'";
    for (who, alive) in [(&stays, true), (&leaves, false)] {
        let key: bool = sqlx::query_scalar(profile)
            .bind(&who.id)
            .fetch_one(store.pool())
            .await
            .unwrap();
        assert_eq!(key, alive, "{}", who.username);
    }
    second.app.keys.forget_cached();
    for order in [&order, &meanwhile] {
        let seen = second
            .get(&format!("/api/v1/me/orders/{order}"))
            .as_(&me)
            .send()
            .await
            .expect(200);
        let named = seen.text.contains("홍길동") || seen.text.contains("김받음");
        assert!(named, "{}", seen.text);
    }
    let info = second
        .get("/api/v1/me/info")
        .as_(&me)
        .send()
        .await
        .expect(200);
    assert!(info.text.contains("홍길동"), "{}", info.text);
    let again = restore_keys(&settings, &database, &file("keys"), None)
        .await
        .unwrap();
    assert_eq!(again.restored, 0);

    // And it continues: higher positions, every read model follows, nothing is executed twice.
    let next = second.order(&me, product, 1).await.expect(201);
    assert!(next.position().parse::<i64>().unwrap() > moved.head);
    second.settled().await;
    let report = verify_as(
        &second.app.store,
        &VerifyOptions {
            keys: Some(&second.app.keys),
            ..VerifyOptions::default()
        },
        |_| {},
    )
    .await
    .unwrap();
    assert_eq!(report.differences, known, "{}", report_text(&report));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_index_that_is_ahead_of_the_log_is_built_anew() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    shop.product(seller, 10_000, 10).await;
    shop.settled().await;
    // As if the database had been restored to an earlier state and the index had not.
    shop.app.search.commit(1_000_000).await.unwrap();
    shop.product(seller, 20_000, 10).await;
    let begun = std::time::Instant::now();
    loop {
        let found = shop.app.search.search(Query::default()).await.unwrap();
        let position = shop.app.search.position().await.unwrap();
        if found.total == 2 && position <= shop.app.store.head().await.unwrap() {
            return;
        }
        let patience = std::time::Duration::from_secs(30);
        assert!(begun.elapsed() < patience, "{found:?} at {position}");
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
}
