//! When what happened to a claim happened, as buyer and console see it, now and as of a moment.

use application::clock::Clock;
use serde_json::{Value, json};
use time::format_description::well_known::Rfc3339;
use time::{Duration, OffsetDateTime};

use super::parcel::Parcel;

/// The columns of the dates, in the order they come in.
const COLUMNS: [&str; 7] = [
    "requestedAt",
    "acceptedAt",
    "pickedUpAt",
    "inspectedAt",
    "answeredAt",
    "completedAt",
    "withdrawnAt",
];

/// Those of them that are known.
fn known(times: &Value) -> Vec<(&'static str, OffsetDateTime)> {
    let column = |column: &'static str| {
        let text = times.get(column).unwrap().as_str()?;
        Some((column, OffsetDateTime::parse(text, &Rfc3339).unwrap()))
    };
    COLUMNS.into_iter().filter_map(column).collect()
}

impl Parcel {
    /// A day later than before; the moment everything happens at now.
    fn next_day(&self) -> OffsetDateTime {
        self.shop.advance(Duration::days(1));
        self.shop.clock.now()
    }

    async fn days_of(&self, claim: usize) -> Vec<(&'static str, OffsetDateTime)> {
        self.shop.settled().await;
        let order = self.shop.my_order(&self.hong.token, &self.order).await;
        known(&order["claims"][claim]["times"])
    }
}

/// Whether both name the same columns, and moments less than a minute apart: the clock goes on while a request is handled.
fn assert_days(
    found: &[(&'static str, OffsetDateTime)],
    expected: &[(&'static str, OffsetDateTime)],
) {
    let near = |one: OffsetDateTime, other: OffsetDateTime| (one - other).abs() < Duration::MINUTE;
    let same = found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .all(|(found, expected)| found.0 == expected.0 && near(found.1, expected.1));
    assert!(same, "{found:?} instead of {expected:?}");
}

#[tokio::test]
async fn every_step_of_a_return_is_dated() {
    let here = Parcel::start().await;
    here.delivered().await;
    let mut days = Vec::new();
    let path = format!("/api/v1/me/purchases/{}/return", here.line(1));
    let application = json!({
        "reason": "마음이 바뀌었어요", "fault": "BUYER",
        "pickup": {
            "name": "홍길동", "phone": "010-1234-5678", "postcode": "06236", "address1": "서울특별시 강남구 테헤란로 152",
        },
    });
    days.push(("requestedAt", here.next_day()));
    let asked = here.shop.post(&path, &application).as_(&here.hong);
    asked.send().await.expect(200);
    assert_days(&here.days_of(0).await, &days);
    let work = async |change: Value| {
        let done = here.shop.work(&here.seller, &here.line(1), change).await;
        done.expect(200);
    };
    days.push(("pickedUpAt", here.next_day()));
    work(json!({ "collectionStatus": "COLLECTION_PROGRESS" })).await;
    assert_days(&here.days_of(0).await, &days);
    let picked_up = here.shop.app.store.head().await.unwrap();
    // its number comes later, and does not move the day
    here.next_day();
    let number = json!({ "collectionStatus": "COLLECTION_PROGRESS", "courier": "kr.epost", "invoiceNo": "123456789012" });
    work(number).await;
    assert_days(&here.days_of(0).await, &days);
    let until_then = days.clone();
    days.push(("inspectedAt", here.next_day()));
    let found = json!({ "arrived": 1, "resellable": 1, "fault": "BUYER" });
    work(json!({ "collectionStatus": "COLLECTION_COMPLETE", "inspection": found })).await;
    days.push(("answeredAt", here.next_day()));
    work(json!({ "claimStatus": "RETURN_COMPLETED" })).await;
    let done = |order: &Value| order["purchases"][0]["claimStatus"] == "RETURN_COMPLETED";
    here.shop
        .until(&here.hong.token, &here.order, "open", done)
        .await;
    days.push(("completedAt", here.shop.clock.now()));
    assert_days(&here.days_of(0).await, &days);

    // the console: the order, the list, and the order as it was
    let staff = here.shop.console().await;
    let read = async |path: &str| {
        let asked = here.shop.get(path).as_(&staff).send().await;
        asked.expect(200).body
    };
    let path = format!("/api/console/shop/orders/{}", here.order);
    let order = read(&path).await;
    assert_days(&known(&order["order"]["claims"][0]["times"]), &days);
    let list = read("/api/console/shop/purchases?tab=return").await;
    assert_days(&known(&list["purchases"][0]["claimTimes"]), &days);
    let one = format!("/api/console/shop/purchases/{}", here.line(1));
    assert_days(&known(&read(&one).await["purchase"]["claimTimes"]), &days);
    let other = format!("/api/console/shop/purchases/{}", here.line(2));
    assert_eq!(read(&other).await["purchase"]["claimTimes"], Value::Null);
    let then = read(&format!("{path}/asof?position={picked_up}")).await;
    assert_days(&known(&then["order"]["claims"][0]["times"]), &until_then);
}

#[tokio::test]
async fn what_did_not_arrive_was_answered_with_the_inspection_and_a_withdrawal_is_dated() {
    let here = Parcel::start().await;
    here.delivered().await;
    let path = format!("/api/v1/me/purchases/{}/return", here.line(2));
    let application = json!({
        "reason": "마음이 바뀌었어요", "fault": "BUYER",
        "pickup": {
            "name": "홍길동", "phone": "010-1234-5678", "postcode": "06236", "address1": "서울특별시 강남구 테헤란로 152",
        },
    });
    let requested = here.next_day();
    let ask = async || {
        let asked = here.shop.post(&path, &application).as_(&here.hong);
        asked.send().await.expect(200);
    };
    ask().await;
    let withdrawn = here.next_day();
    let withdraw = format!("/api/v1/me/purchases/{}/withdraw", here.line(2));
    let withdraw = here.shop.post(&withdraw, &json!({})).as_(&here.hong);
    withdraw.send().await.expect(200);
    let days = [("requestedAt", requested), ("withdrawnAt", withdrawn)];
    assert_days(&here.days_of(0).await, &days);

    let requested = here.next_day();
    ask().await;
    let picked_up = here.next_day();
    let work = async |change: Value| {
        let done = here.shop.work(&here.seller, &here.line(2), change).await;
        done.expect(200);
    };
    work(json!({ "collectionStatus": "COLLECTION_PROGRESS" })).await;
    let inspected = here.next_day();
    let found = json!({ "arrived": 1, "resellable": 1, "fault": "BUYER" });
    work(json!({ "collectionStatus": "COLLECTION_COMPLETE", "inspection": found })).await;
    let begun = [("requestedAt", requested), ("pickedUpAt", picked_up)];
    let with = |column, at| [&begun[..], &[(column, at)]].concat();
    assert_days(&here.days_of(1).await, &with("inspectedAt", inspected));
    assert_days(&here.days_of(2).await, &with("answeredAt", inspected));
}
