//! Refunds for the finance staff: since when and until when they are due, and their outcome.

use std::collections::BTreeSet;

use domain::business_day::{business_day_after, day};
use projections::verify::verify;
use serde_json::{Value, json};
use time::{Date, Duration};

use crate::support::{Account, TestApp, until};

const PATH: &str = "/api/console/shop/refunds";

/// A page of refunds, as returned to staff.
async fn refunds(shop: &TestApp, state: &str) -> Value {
    shop.settled().await;
    let staff = shop.account("operator1", "operator1!").await;
    let found = shop.get(&format!("{PATH}?state={state}")).as_(&staff);
    found.send().await.expect(200).body
}

/// The only refund.
async fn only(shop: &TestApp, state: &str) -> Value {
    let mut found = refunds(shop, state).await;
    assert_eq!(found["summary"]["totalCount"], 1, "{found}");
    assert_eq!(found["refunds"].as_array().unwrap().len(), 1);
    found["refunds"][0].take()
}

async fn holiday(shop: &TestApp, date: Date) {
    let staff = shop.account("operator1", "operator1!").await;
    let made = json!({ "date": date.to_string(), "name": "임시공휴일" });
    let made = shop.post("/api/console/shop/holidays", &made).as_(&staff);
    made.send().await.expect(201);
}

/// A purchase that is prepared.
async fn prepared(shop: &TestApp, seller: &Account, buyer: &Account) -> (String, String) {
    let product = shop.console_product(seller, "P-BACK").await;
    let order = shop.paid_order(buyer, &product).await;
    let no = order.purchase();
    let prepare = json!({ "orderStatus": "ORDER_CONFIRM" });
    shop.work(seller, &no, prepare).await.expect(200);
    (order.id, no)
}

#[tokio::test]
async fn a_cancellation_is_owed_from_its_request_and_late_after_three_business_days() {
    let shop = TestApp::start().await;
    shop.console().await;
    let seller = shop.company("seller01").await;
    let hong = shop.sign_up("hong1234").await;
    let (order, no) = prepared(&shop, &seller, &hong).await;
    let cancel = json!({ "_purchases": [no], "reason": "배송이 늦어요" });
    let asked = shop.post("/api/v1/me/purchases/cancel", &cancel).as_(&hong);
    asked.send().await.expect(200);
    let now = shop.app.clock.now();
    let due = business_day_after(now, 3, &BTreeSet::new()).unwrap();
    let row = only(&shop, "due").await;
    let expected = json!({
        "_order": order, "purchaseNos": [no], "kind": "CANCEL", "approved": false, "amount": 2_250, "due": due.to_string(),
        "late": false, "refusal": null, "reference": null, "_refund": null,
    });
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(row[field], *value, "{field}");
    }
    assert_eq!(row["since"], row["requestedAt"]);
    // Sellers and buyers have no access.
    for who in [&seller, &hong] {
        assert_eq!(shop.get(PATH).as_(who).send().await.status, 403);
    }
    let wrong = shop.get(&format!("{PATH}?state=gone"));
    let staff = shop.account("operator1", "operator1!").await;
    assert_eq!(wrong.as_(&staff).send().await.status, 400);

    let until_due = (due - day(now)).whole_days();
    shop.advance(Duration::days(until_due));
    assert_eq!(only(&shop, "due").await["late"], false, "its last day");
    shop.advance(Duration::days(1));
    assert_eq!(only(&shop, "due").await["late"], true);
    // A holiday entered later counts: the refund is late only after the next business day.
    holiday(&shop, due).await;
    let next = business_day_after(now, 3, &BTreeSet::from([due])).unwrap();
    let row = only(&shop, "due").await;
    assert_eq!(row["due"], next.to_string());
    assert_eq!(row["late"], day(shop.app.clock.now()) > next);

    // The gateway refuses, and staff send it by bank transfer.
    shop.fault(json!({ "call": "cancel", "fault": "refuse", "code": "2003" }))
        .await;
    let seller = shop.account("seller01", "abcd123!").await;
    let approve = json!({ "claimStatus": "CANCEL_COMPLETED", "reason": "확인했습니다" });
    shop.work(&seller, &no, approve).await.expect(200);
    let refused = until("the refund is refused", async || {
        let found = refunds(&shop, "refused").await;
        (found["summary"]["totalCount"] == 1).then_some(found)
    })
    .await["refunds"][0]
        .take();
    assert_eq!(refused["refusal"]["code"], "2003");
    assert_eq!(
        (&refused["approved"], &refused["amount"]),
        (&json!(true), &json!(2_250))
    );
    assert_eq!(refunds(&shop, "due").await["summary"]["totalCount"], 0);
    let staff = shop.account("operator1", "operator1!").await;
    let hong = shop.account("hong1234", "abcd123!").await;
    let account = json!({
        "account": { "code": "004", "accountNumber": "12345678", "accountHolder": "홍길동" },
        "currentPassword": hong.password,
    });
    let path = format!("/api/v1/me/orders/{order}/refundAccount");
    shop.put(&path, &account)
        .as_(&hong)
        .send()
        .await
        .expect(200);
    let refund = refused["_refund"].as_str().unwrap();
    let path = format!("/api/console/shop/orders/{order}/refunds/{refund}/transfer");
    let sent = shop
        .post(&path, &json!({ "reference": "B-77" }))
        .as_(&staff);
    sent.send().await.expect(200);
    let redirected = only(&shop, "redirected").await;
    assert_eq!(redirected["reference"], "B-77");
    assert_eq!(redirected["_claim"], refused["_claim"]);
    assert!(redirected["settledAt"].is_string());
    assert_eq!(refunds(&shop, "refused").await["summary"]["totalCount"], 0);
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.differences);
}

#[tokio::test]
async fn a_return_is_owed_from_its_inspection() {
    let shop = TestApp::start().await;
    shop.console().await;
    let seller = shop.company("seller01").await;
    let hong = shop.sign_up("hong1234").await;
    let (_, no) = prepared(&shop, &seller, &hong).await;
    shop.ship(&seller, &no, "123456789012").await.expect(200);
    let pickup = json!({ "name": "홍길동", "phone": "01012345678", "postcode": "04524", "address1": "서울특별시 중구 세종대로 110", "address2": "1층" });
    let asked = json!({
        "quantity": 2, "reason": "상품이 파손되었어요", "fault": "SELLER", "pickup": pickup, "shown": null,
    });
    let path = format!("/api/v1/me/purchases/{no}/return");
    shop.post(&path, &asked).as_(&hong).send().await.expect(200);
    assert_eq!(refunds(&shop, "due").await["summary"]["totalCount"], 0);
    let picked_up = json!({ "collectionStatus": "COLLECTION_PROGRESS" });
    shop.work(&seller, &no, picked_up).await.expect(200);
    assert_eq!(refunds(&shop, "due").await["summary"]["totalCount"], 0);
    shop.advance(Duration::hours(30));
    let seller = shop.account("seller01", "abcd123!").await;
    let inspected = json!({
        "collectionStatus": "COLLECTION_COMPLETE", "inspection": { "arrived": 2, "resellable": 2, "fault": "SELLER" },
    });
    shop.work(&seller, &no, inspected).await.expect(200);
    let due = business_day_after(shop.app.clock.now(), 3, &BTreeSet::new()).unwrap();
    let row = only(&shop, "due").await;
    assert_eq!(
        (&row["kind"], &row["due"]),
        (&json!("RETURN"), &json!(due.to_string()))
    );
    assert_ne!(row["since"], row["requestedAt"]);
    let approve = json!({ "claimStatus": "RETURN_COMPLETED", "reason": "확인했습니다" });
    shop.work(&seller, &no, approve).await.expect(200);
    until("the money is back", async || {
        let left = refunds(&shop, "due").await["summary"]["totalCount"].take();
        (left == 0).then_some(())
    })
    .await;
    assert_eq!(
        refunds(&shop, "redirected").await["summary"]["totalCount"],
        0
    );
}
