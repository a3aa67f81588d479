//! Product inquiries: who may write, answer, read and remove them.

use serde_json::json;

use crate::support::reviews::{declared, read};
use crate::support::{TestApp, until};

const INQUIRES: &str = "/api/v1/shop/inquires";

#[tokio::test]
async fn what_a_secret_inquiry_says_is_for_its_asker_its_seller_and_staff() {
    let shop = TestApp::start().await;
    let seller = shop.company("seller01").await;
    let rival = shop.company("seller02").await;
    let hong = shop.sign_up("hong1234").await;
    let kim = shop.sign_up("kim12345").await;
    let operator = shop.console().await;
    let product = shop.console_product(&seller, "P-SECRET").await;
    let id = product["_id"].as_str().unwrap();
    let secrets = ["몰래여쭙니다", "제 번호는 공일공", "말씀하신 번호로"];
    let form =
        json!({ "_product": id, "subject": secrets[0], "content": secrets[1], "secret": true });
    shop.post(INQUIRES, &form).send().await.expect(401);
    let asked = shop
        .post(INQUIRES, &form)
        .as_(&hong)
        .send()
        .await
        .expect(201);
    let inquire = asked.body["inquire"]["_id"].as_str().unwrap().to_owned();
    assert_eq!(asked.body["inquire"]["content"], secrets[1]);
    let console = format!("/api/console/shop/inquires/{inquire}");
    let seen = shop.get(&console).as_(&seller).send().await.expect(200);
    assert_eq!(seen.body["inquire"]["content"], secrets[1]);
    assert!(seen.body["inquire"]["question"].is_null());
    declared("inquire", &seen.body["inquire"]);
    let answer = json!({ "version": seen.body["inquire"]["version"], "reply": secrets[2] });
    let done = shop
        .put(&console, &answer)
        .as_(&seller)
        .send()
        .await
        .expect(200);
    assert_eq!(done.body["inquire"]["state"], "ANSWER_COMPLETE");

    // At every endpoint.
    let one = format!("{INQUIRES}/{inquire}");
    let list = format!("{INQUIRES}?_product={id}");
    let places = [
        list.clone(),
        one.clone(),
        format!("/api/v1/me/inquires/{inquire}"),
        "/api/v1/me/inquires".to_owned(),
        format!("/api/v1/shop/products/{id}"),
        format!("/shop/products/{id}"),
        format!("/api/v1/shop/products?searchValue={}", secrets[0]),
        format!("/api/console/shop/inquires?searchValue={}", secrets[2]),
        console.clone(),
        format!("{console}/history"),
        "/api/console/shop/inquires/export?format=csv".to_owned(),
    ];
    for who in [None, Some(&kim), Some(&rival)] {
        for place in &places {
            let reply = read(&shop, place, who).await;
            for secret in secrets {
                assert!(
                    !reply.text.contains(secret),
                    "{place} tells {secret}: {}",
                    reply.text
                );
            }
        }
    }
    let masked = read(&shop, &list, Some(&kim)).await;
    assert_eq!(masked.body["summary"]["totalCount"], 1);
    assert_eq!(masked.body["inquires"][0]["readable"], false);
    read(&shop, &one, Some(&kim)).await.expect(404);
    for who in [&hong, &seller, &operator] {
        let open = read(&shop, &list, Some(who)).await;
        assert_eq!(open.body["inquires"][0]["subject"], secrets[0]);
        assert_eq!(open.body["inquires"][0]["reply"], secrets[2]);
        read(&shop, &one, Some(who)).await.expect(200);
    }
    for who in [&seller, &operator] {
        let sheet = read(
            &shop,
            "/api/console/shop/inquires/export?format=csv",
            Some(who),
        )
        .await;
        assert!(sheet.text.contains(secrets[1]));
        assert!(!sheet.text.contains("sealed"), "{}", sheet.text);
        let story = read(&shop, &format!("{console}/history"), Some(who))
            .await
            .expect(200);
        assert!(!story.text.contains("sealed"), "{}", story.text);
    }
    // The question is sealed in the log and in the read model.
    let log: String = sqlx::query_scalar(
        "SELECT string_agg(payload::text, '') || (SELECT string_agg(data::text, '') FROM inquires) FROM events",
    )
    .fetch_one(shop.app.pool())
    .await
    .unwrap();
    assert!(!log.contains(secrets[0]) && !log.contains(secrets[1]));

    // An answered inquiry cannot be changed; it can be removed and restored.
    let other = json!({ "subject": "다르게", "content": "다르게 여쭙니다", "secret": false });
    let late = shop.put(&one, &other).as_(&hong).send().await;
    assert_eq!(late.expect(409).code(), "not_allowed_now");
    shop.delete(&one).as_(&kim).send().await.expect(404);
    shop.delete(&console).as_(&seller).send().await.expect(403);
    let mine = format!("/api/v1/me/inquires/{inquire}");
    shop.delete(&mine).as_(&hong).send().await.expect(200);
    assert_eq!(
        read(&shop, &list, None).await.body["summary"]["totalCount"],
        0
    );
    shop.post(&format!("{mine}/restore"), &json!({}))
        .as_(&hong)
        .send()
        .await
        .expect(200);
    assert_eq!(
        read(&shop, &list, None).await.body["summary"]["totalCount"],
        1
    );
    // The author is notified of the answer.
    until("an alarm about the answer", async || {
        let alarms = shop.get("/api/v1/me/alarms").as_(&hong).send().await;
        alarms.text.contains("INQUIRY_ANSWERED").then_some(())
    })
    .await;
    let report = projections::verify::verify(&shop.app.store, |_| {})
        .await
        .unwrap();
    assert!(report.is_clean(), "{:#?}", report.differences);
}
