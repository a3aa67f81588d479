//! Dates of the steps of a claim, as returned to the buyer and in the console, at present and at a point in time.

use application::clock::Clock;
use serde_json::{Value, json};
use time::format_description::well_known::Rfc3339;
use time::{Duration, OffsetDateTime};

use super::parcel::Parcel;

/// The date columns, in their order.
const COLUMNS: [&str; 7] = [
    "requestedAt",
    "acceptedAt",
    "pickedUpAt",
    "inspectedAt",
    "answeredAt",
    "completedAt",
    "withdrawnAt",
];

/// The known dates.
fn known(times: &Value) -> Vec<(&'static str, OffsetDateTime)> {
    let column = |column: &'static str| {
        let text = times.get(column).unwrap().as_str()?;
        Some((column, OffsetDateTime::parse(text, &Rfc3339).unwrap()))
    };
    COLUMNS.into_iter().filter_map(column).collect()
}

impl Parcel {
    /// Advances the clock by a day; returns the time of the following events.
    async fn next_day(&mut self) -> OffsetDateTime {
        self.shop.advance(Duration::days(1));
        self.sign_in_again().await;
        self.shop.clock.now()
    }

    async fn days_of(&self, claim: usize) -> Vec<(&'static str, OffsetDateTime)> {
        self.shop.settled().await;
        let order = self.shop.my_order(&self.hong.token, &self.order).await;
        known(&order["claims"][claim]["times"])
    }

    async fn ask_day(&self, line: usize, call: &str, body: &Value) {
        let path = format!("/api/v1/me/purchases/{}/{call}", self.line(line));
        let asked = self.shop.post(&path, body).as_(&self.hong).send().await;
        asked.expect(200);
    }

    async fn work_day(&self, line: usize, change: Value) {
        let done = self.shop.work(&self.seller, &self.line(line), change).await;
        done.expect(200);
    }
}

/// Whether both have the same columns and the same days: the clock advances while a request is handled.
fn assert_days(
    found: &[(&'static str, OffsetDateTime)],
    expected: &[(&'static str, OffsetDateTime)],
) {
    let near = |one: OffsetDateTime, other: OffsetDateTime| (one - other).abs() < Duration::HOUR;
    let same = found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .all(|(found, expected)| found.0 == expected.0 && near(found.1, expected.1));
    assert!(same, "{found:?} instead of {expected:?}");
}

fn application() -> Value {
    json!({
        "reason": "마음이 바뀌었어요", "fault": "BUYER",
        "pickup": {
            "name": "홍길동", "phone": "010-1234-5678", "postcode": "06236", "address1": "서울특별시 강남구 테헤란로 152",
        },
    })
}

fn inspected() -> Value {
    let found = json!({ "arrived": 1, "resellable": 1, "fault": "BUYER" });
    json!({ "collectionStatus": "COLLECTION_COMPLETE", "inspection": found })
}

#[tokio::test]
async fn every_step_of_a_return_is_dated() {
    let mut here = Parcel::start().await;
    here.delivered().await;
    let mut days = vec![("requestedAt", here.next_day().await)];
    here.ask_day(1, "return", &application()).await;
    assert_days(&here.days_of(0).await, &days);
    days.push(("pickedUpAt", here.next_day().await));
    let picked_up = json!({ "collectionStatus": "COLLECTION_PROGRESS" });
    here.work_day(1, picked_up).await;
    assert_days(&here.days_of(0).await, &days);
    let position = here.shop.app.store.head().await.unwrap();
    // Its tracking number is added later, and does not change the date.
    here.next_day().await;
    let number = json!({ "collectionStatus": "COLLECTION_PROGRESS", "courier": "kr.epost", "invoiceNo": "123456789012" });
    here.work_day(1, number).await;
    assert_days(&here.days_of(0).await, &days);
    let until_then = days.clone();
    days.push(("inspectedAt", here.next_day().await));
    here.work_day(1, inspected()).await;
    days.push(("answeredAt", here.next_day().await));
    here.work_day(1, json!({ "claimStatus": "RETURN_COMPLETED" }))
        .await;
    let done = |order: &Value| order["purchases"][0]["claimStatus"] == "RETURN_COMPLETED";
    here.shop
        .until(&here.hong.token, &here.order, "open", done)
        .await;
    days.push(("completedAt", here.shop.clock.now()));
    assert_days(&here.days_of(0).await, &days);

    // In the console: the order, the list, and the order at a point in time.
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
    let then = read(&format!("{path}/asof?position={position}")).await;
    assert_days(&known(&then["order"]["claims"][0]["times"]), &until_then);
}

#[tokio::test]
async fn what_did_not_arrive_was_answered_with_the_inspection_and_a_withdrawal_is_dated() {
    let mut here = Parcel::start().await;
    here.delivered().await;
    let requested = here.next_day().await;
    here.ask_day(2, "return", &application()).await;
    let withdrawn = here.next_day().await;
    here.ask_day(2, "withdraw", &json!({})).await;
    let days = [("requestedAt", requested), ("withdrawnAt", withdrawn)];
    assert_days(&here.days_of(0).await, &days);

    let requested = here.next_day().await;
    here.ask_day(2, "return", &application()).await;
    let picked_up = here.next_day().await;
    here.work_day(2, json!({ "collectionStatus": "COLLECTION_PROGRESS" }))
        .await;
    let found = here.next_day().await;
    here.work_day(2, inspected()).await;
    let begun = [("requestedAt", requested), ("pickedUpAt", picked_up)];
    let with = |column, at| [&begun[..], &[(column, at)]].concat();
    assert_days(&here.days_of(1).await, &with("inspectedAt", found));
    assert_days(&here.days_of(2).await, &with("answeredAt", found));
}
