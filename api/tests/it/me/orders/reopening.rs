//! Claims that staff open on confirmed purchases, from the buyer's call to the refund by the gateway.

use projections::verify::verify;
use serde_json::{Value, json};

use super::parcel::{Parcel, sum, sums};
use crate::support::{Account, Reply, until};

const PREVIEW: &str = "/api/console/shop/purchases/cancel/preview";

/// A parcel whose second line (two pieces) is confirmed and has earned points.
struct ConfirmedParcel {
    parcel: Parcel,
    staff: Account,
    earned: i64,
}

impl ConfirmedParcel {
    async fn start() -> Self {
        let parcel = Parcel::earning(10).await;
        let staff = parcel.shop.console().await;
        parcel.delivered().await;
        let before = parcel.purse().await.1;
        let path = format!("/api/v1/me/orders/{}/confirm", parcel.order);
        let confirm = json!({ "purchaseNo": parcel.line(2) });
        let confirmed = parcel.shop.post(&path, &confirm).as_(&parcel.hong);
        confirmed.send().await.expect(200);
        let earned = until("points for it", async || {
            let now = parcel.purse().await.1;
            (now > before).then_some(now - before)
        })
        .await;
        Self {
            parcel,
            staff,
            earned,
        }
    }

    async fn open(&self, who: &Account, status: &str, claim: Value) -> Reply {
        let change =
            json!({ "claimStatus": status, "reason": "쓰다 보니 금이 갔습니다", "claim": claim });
        let line = self.parcel.line(2);
        self.parcel.shop.work(who, &line, change).await
    }

    async fn work(&self, change: Value) -> Reply {
        let line = self.parcel.line(2);
        self.parcel.shop.work(&self.staff, &line, change).await
    }

    async fn line(&self) -> Value {
        let order = &self.parcel.order;
        let order = self.parcel.shop.my_order(&self.parcel.hong.token, order);
        order.await["purchases"][1].clone()
    }

    async fn preview(&self, action: &str) -> Value {
        let wish = json!({
            "action": action, "purchaseNos": [self.parcel.line(2)], "fault": "SELLER",
        });
        let asked = self.parcel.shop.post(PREVIEW, &wish).as_(&self.staff);
        asked.send().await.expect(200).body["refunds"][0]["preview"].take()
    }
}

#[tokio::test]
async fn staff_take_back_what_was_confirmed_and_what_it_earned() {
    let here = ConfirmedParcel::start().await;
    let before = here.parcel.purse().await;
    let shown = here.preview("requestReturn").await;
    assert_eq!(
        shown["reclaimed"],
        json!({ "points": here.earned, "money": 0 })
    );
    assert_eq!(sums(&shown)["refund"], sum(&shown["lines"], "money"));
    let opened = here.open(
        &here.staff,
        "RETURN_REQUESTED",
        json!({ "fault": "SELLER" }),
    );
    let line = opened.await.expect(200).body["purchase"].take();
    assert_eq!(line["purchaseStatus"], "PURCHASE_AWAITING");
    assert_eq!(line["claimStatus"], "RETURN_REQUESTED");
    // The buyer sees the claim, and its pickup address.
    assert_eq!(here.line().await["claimStatus"], "RETURN_REQUESTED");
    let mine = here
        .parcel
        .shop
        .my_order(&here.parcel.hong.token, &here.parcel.order);
    assert_eq!(mine.await["claims"][0]["pickup"]["name"], "김받음");
    here.work(json!({ "collectionStatus": "COLLECTION_PROGRESS" }))
        .await
        .expect(200);
    let found = json!({ "arrived": 2, "resellable": 0, "fault": "SELLER" });
    let inspected = json!({ "collectionStatus": "COLLECTION_COMPLETE", "inspection": found });
    here.work(inspected).await.expect(200);
    let answer = here.preview("approveReturn").await;
    assert_eq!(
        (sums(&answer), &answer["reclaimed"]),
        (sums(&shown), &shown["reclaimed"])
    );
    let approve = json!({ "claimStatus": "RETURN_COMPLETED", "shown": sums(&answer) });
    here.work(approve).await.expect(200);
    let expected = (
        before.0 - sums(&shown)["refund"].as_i64().unwrap(),
        before.1 + sums(&shown)["points"].as_i64().unwrap() - here.earned,
    );
    until("what was shown never came back", async || {
        let now = here.parcel.purse().await;
        ((now.0, now.1) == expected).then_some(())
    })
    .await;
    let done = |order: &Value| order["purchases"][1]["claimStatus"] == "RETURN_COMPLETED";
    let (shop, token) = (&here.parcel.shop, &here.parcel.hong.token);
    let order = shop.until(token, &here.parcel.order, "open", done).await;
    assert_eq!(order["purchases"][1]["purchaseStatus"], "PURCHASE_CANCELED");
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.differences);
}

#[tokio::test]
async fn a_refused_claim_leaves_it_confirmed_and_earns_nothing_more() {
    let here = ConfirmedParcel::start().await;
    let before = here.parcel.purse().await;
    let claim = json!({ "fault": "BUYER", "quantity": 2 });
    let opened = here.open(&here.staff, "EXCHANGE_REQUESTED", claim).await;
    opened.expect(200);
    let reject = json!({ "claimStatus": "EXCHANGE_REJECTED", "reason": "사용한 흔적이 있습니다" });
    here.work(reject).await.expect(200);
    let line = here.line().await;
    assert_eq!(line["purchaseStatus"], "PURCHASE_COMPLETE");
    assert_eq!(line["confirmOn"], Value::Null);
    assert_eq!(here.parcel.purse().await, before);
}

#[tokio::test]
async fn only_staff_open_one_and_bad_claims_write_nothing() {
    let here = ConfirmedParcel::start().await;
    let head = here.parcel.shop.app.store.head().await.unwrap();
    let claim = json!({ "fault": "SELLER" });
    let by_seller = here.open(&here.parcel.seller, "RETURN_REQUESTED", claim.clone());
    assert_eq!(by_seller.await.expect(405).code(), "ledger_immutable");
    let path = format!("/api/v1/me/purchases/{}/return", here.parcel.line(2));
    let body = json!({
        "reason": "마음이 바뀌었어요", "fault": "BUYER",
        "pickup": { "name": "홍길동", "phone": "010-1234-5678", "postcode": "06236", "address1": "서울특별시 강남구 테헤란로 152" },
    });
    let by_buyer = here.parcel.shop.post(&path, &body).as_(&here.parcel.hong);
    assert_eq!(by_buyer.send().await.expect(409).code(), "not_allowed_now");
    for (status, claim, field) in [
        ("RETURN_REQUESTED", Value::Null, "claim"),
        (
            "RETURN_REQUESTED",
            json!({ "fault": "SELLER", "quantity": 3 }),
            "quantity",
        ),
        (
            "RETURN_REQUESTED",
            json!({ "fault": "SELLER", "quantity": 0 }),
            "quantity",
        ),
        (
            "RETURN_REQUESTED",
            json!({ "fault": "SELLER", "pickup": { "name": "홍길동" } }),
            "claim.pickup.phone",
        ),
        (
            "EXCHANGE_REQUESTED",
            json!({ "fault": "SELLER", "_option": uuid::Uuid::now_v7() }),
            "_option",
        ),
    ] {
        let refused = here.open(&here.staff, status, claim).await;
        assert_eq!((refused.status, refused.complaint().0), (400, field));
    }
    let without = json!({ "claimStatus": "RETURN_REQUESTED", "claim": claim });
    assert_eq!(here.work(without).await.complaint().0, "reason");
    assert_eq!(
        here.parcel.shop.app.store.head().await.unwrap(),
        head,
        "it wrote"
    );
}
