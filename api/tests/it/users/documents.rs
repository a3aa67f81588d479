//! Registration documents, uploaded before joining.

use application::members::registration_documents;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;
use sha2::Digest;

use crate::support::{Reply, TestApp, company_form};

#[tokio::test]
async fn of_four_who_join_with_one_registration_copy_exactly_one_has_it() {
    let shop = TestApp::start().await;
    let copy = shop.hand_in(b"%PDF-1.7 one of a kind").await.expect(201);
    let tries = (0..4).map(|number| {
        let mut form = company_form(&format!("seller{number}00"));
        form["registrationToken"] = copy.body["document"]["token"].clone();
        let shop = &shop;
        async move { shop.post("/api/v1/users", &form).send().await }
    });
    let replies = futures::future::join_all(tries).await;
    let joined = |reply: &&Reply| reply.status == 201;
    assert_eq!(replies.iter().filter(joined).count(), 1);
    let refused = |reply: &&Reply| {
        reply.status == 400 && reply.body["error"]["fields"][0]["field"] == "registrationToken"
    };
    assert_eq!(replies.iter().filter(refused).count(), 3);
}

/// Spec V148, decision 7: a company's registration copy is uploaded before there is an account, and readable only by the company and staff.
#[tokio::test]
async fn a_registration_copy_is_claimed_by_joining_and_read_by_nobody_else() {
    const WORDS: &[u8] = b"%PDF-1.7 made-up registration of a made-up company";
    let shop = TestApp::start().await;
    let mut form = company_form("seller123");
    shop.hand_in(b"#!/bin/sh").await.expect(415);
    let large = [WORDS, &vec![b'x'; 5 * 1024 * 1024]].concat();
    shop.hand_in(&large).await.expect(413);
    let handed_in = shop.hand_in(WORDS).await.expect(201).body["document"].clone();
    let id = handed_in["_id"].as_str().unwrap().to_owned();
    // The token grants no access.
    let token = handed_in["token"].as_str().unwrap();
    let own = format!("/api/v1/me/documents/{id}");
    shop.get(&own).token(token).send().await.expect(401);

    form["registrationToken"] = json!(format!("{token}x"));
    let refused = shop.post("/api/v1/users", &form).send().await.expect(400);
    assert_eq!(
        refused.body["error"]["fields"][0]["field"],
        "registrationToken"
    );
    form["registrationToken"] = json!(token);
    let joining = || {
        shop.post("/api/v1/users", &form)
            .key("the-key-of-a-company-that-joins")
            .send()
    };
    // Interrupted: the log has the owner, and the same request or the sweep completes it.
    let cut_off = "CREATE FUNCTION cut_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'cut off'; END $$; \
                   CREATE TRIGGER cut_off BEFORE UPDATE ON documents FOR EACH ROW EXECUTE FUNCTION cut_off();";
    sqlx::raw_sql(cut_off)
        .execute(shop.app.pool())
        .await
        .unwrap();
    assert!(joining().await.status >= 500);
    assert!(registration_documents::sweep(&shop.app).await.is_err());
    let mended = "DROP TRIGGER cut_off ON documents";
    sqlx::raw_sql(mended)
        .execute(shop.app.pool())
        .await
        .unwrap();
    assert_eq!(registration_documents::sweep(&shop.app).await.unwrap(), 0);
    for _ in 0..2 {
        joining().await.expect(201);
    }
    let logged: Vec<String> = sqlx::query_scalar(
        "SELECT payload ->> 'document' FROM (SELECT payload -> 'DocumentHandedIn' AS payload FROM events \
         WHERE event_type = 'DocumentHandedIn') AS handed_in",
    )
    .fetch_all(shop.app.pool())
    .await
    .unwrap();
    assert_eq!(logged, [id.as_str()]);
    let mut other = form.clone();
    other["username"] = json!("other1234");
    other["nickname"] = json!("다른상회");
    shop.post("/api/v1/users", &other).send().await.expect(400);

    let seller = shop.account("seller123", "abcd123!").await;
    let staff = shop.console().await;
    let stranger = shop.sign_up("hong1234").await;
    let listed = shop.get("/api/v1/me/documents").as_(&seller).send().await;
    let row = listed.expect(200).body["documents"][0].clone();
    assert_eq!(
        (&row["_id"], &row["companyName"]),
        (&json!(id), &json!("장부상회"))
    );
    let all = shop.get("/api/console/documents").as_(&staff).send().await;
    assert_eq!(all.expect(200).body["summary"]["totalCount"], 1);
    for (who, status) in [(&seller, 200), (&staff, 200), (&stranger, 404)] {
        shop.get(&own).as_(who).send().await.expect(status);
    }
    let read = shop.get(&own).as_(&seller).send().await;
    assert_eq!(read.header("content-disposition"), Some("attachment"));
    assert_eq!(read.header("cache-control"), Some("private, no-store"));
    shop.get(&own).send().await.expect(401);
    shop.get("/api/console/documents")
        .as_(&seller)
        .send()
        .await
        .expect(403);
    // Its content is not readable in the database, and no file has a public address for it.
    let rows: Vec<String> = sqlx::query_scalar("SELECT sealed::text FROM documents")
        .fetch_all(shop.app.pool())
        .await
        .unwrap();
    let plain = STANDARD.encode(WORDS);
    assert!(!rows.iter().any(|row| row.contains(&plain)));
    let hash = hex::encode(sha2::Sha256::digest(WORDS));
    shop.get(&format!("/files/{hash}.pdf"))
        .send()
        .await
        .expect(404);

    // Unclaimed documents are removed after a day, claimed ones stay.
    let late = shop.hand_in(WORDS).await.expect(201).body["document"].clone();
    shop.advance(time::Duration::hours(25));
    assert_eq!(registration_documents::sweep(&shop.app).await.unwrap(), 1);
    let mut late_form = other.clone();
    late_form["registrationToken"] = late["token"].clone();
    shop.post("/api/v1/users", &late_form)
        .send()
        .await
        .expect(400);
    let seller = shop.account("seller123", "abcd123!").await;
    shop.get(&own).as_(&seller).send().await.expect(200);
}
