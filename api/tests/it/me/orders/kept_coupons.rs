//! Coupons that no claim gives back.

use serde_json::{Value, json};

use super::parcel::Parcel;
use crate::support::Account;

const REASON: &str = "취소하거나 반품해도 돌려드리지 않는 쿠폰입니다.";

#[tokio::test]
async fn a_coupon_that_is_not_returnable_stays_used() {
    let here = Parcel::with_kept_coupon().await;
    let shop = &here.shop;
    let staff = shop.account("operator1", "operator1!").await;
    let before = here.purse().await;
    let whole = here.preview(json!({})).await;
    let coupon = &whole["coupons"][0];
    assert_eq!(
        (&coupon["returns"], &coupon["reason"]),
        (&json!(false), &json!(REASON))
    );
    let path = format!("/api/v1/me/orders/{}/cancel", here.order);
    let shown = json!({ "refund": whole["refund"]["amount"], "points": whole["points"]["amount"] });
    let body = json!({ "reason": "배송이 늦어요", "shown": shown });
    let canceled = shop.post(&path, &body).as_(&here.hong).send().await;
    canceled.expect(200);
    here.came_back(before, &whole).await;
    assert_eq!(here.purse().await, (0, 500, false));
    shop.settled().await;
    let path = format!("/api/console/explanations/coupon/{}/left", here.issued);
    let told = shop.get(&path).as_(&staff).send().await.expect(200).body;
    assert_eq!(told["amount"]["value"], 0);
    assert!(told.to_string().contains("돌려주지 않는 쿠폰"), "{told}");
    let report = projections::verify::verify(&shop.app.store, |_| {}).await;
    let report = report.unwrap();
    assert!(report.is_clean(), "{:#?}", report.differences.first());
}

/// Yes, unless it says otherwise: in the list and alone.
#[tokio::test]
async fn a_coupon_says_whether_it_is_returnable() {
    let here = Parcel::with_kept_coupon().await;
    let staff = here.shop.account("operator1", "operator1!").await;
    here.shop.coupon(5, None, None).await;
    here.shop.settled().await;
    let path = "/api/console/shop/coupons";
    let read = async |path: &str, who: &Account| -> Value {
        here.shop.get(path).as_(who).send().await.expect(200).body
    };
    let list = read(path, &staff).await;
    let coupons = list["coupons"].as_array().unwrap();
    assert_eq!(coupons.len(), 2);
    for coupon in coupons {
        let is_kept = coupon["name"] == "돌려주지 않는 쿠폰";
        assert_eq!(coupon["usage"]["returnable"], !is_kept, "{coupon}");
        let id = coupon["_id"].as_str().unwrap();
        let alone = read(&format!("{path}/{id}"), &staff).await;
        assert_eq!(alone["coupon"]["usage"], coupon["usage"]);
        let says_so = coupon["sentence"]
            .as_str()
            .unwrap()
            .contains("돌려드리지 않음");
        assert_eq!(says_so, is_kept, "{coupon}");
    }
}
