//! Operations on the whole list of purchases: exported as a file, and changed at once. Both cover exactly the listed purchases, and for
//! sellers only their own.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use time::Duration;

use crate::support::console::PaidOrder;
use crate::support::{Account, Reply, TestApp};

const LIST: &str = "/api/console/shop/purchases";

/// Two sellers and their orders: for the first one, an order that is prepared and two that are paid; for the other, one that is paid.
struct Bought {
    shop: TestApp,
    seller: Account,
    other: Account,
    staff: Account,
    prepared: PaidOrder,
    paid: [PaidOrder; 2],
    others: PaidOrder,
    /// Position of the log after these orders.
    at: String,
}

impl Bought {
    async fn start() -> Self {
        let shop = TestApp::start().await;
        let (seller, other) = (
            shop.company("seller01").await,
            shop.company("seller02").await,
        );
        let (buyer, staff) = (shop.sign_up("buyer001").await, shop.console().await);
        let own = shop.console_product(&seller, "A-1").await;
        let foreign = shop.console_product(&other, "B-1").await;
        let bought = async |product: &Value| {
            shop.advance(Duration::minutes(1));
            shop.paid_order(&buyer, product).await
        };
        let prepared = bought(&own).await;
        let paid = [bought(&own).await, bought(&own).await];
        let others = bought(&foreign).await;
        let prepare = json!({ "orderStatus": "ORDER_CONFIRM" });
        let last = shop.work(&seller, &prepared.purchase(), prepare).await;
        Self {
            at: last.expect(200).position(),
            shop,
            seller,
            other,
            staff,
            prepared,
            paid,
            others,
        }
    }

    /// The list as csv rows, without the heading.
    async fn file(&self, who: &Account, query: &str) -> Vec<Vec<String>> {
        let reply = self
            .shop
            .get(&format!("{LIST}/export?format=csv&{query}"))
            .as_(who)
            .header("x-wait-position", &self.at)
            .send()
            .await
            .expect(200);
        let text = reply.text.strip_prefix('\u{feff}').unwrap();
        csv::Reader::from_reader(text.as_bytes())
            .records()
            .map(|row| row.unwrap().iter().map(str::to_owned).collect())
            .collect()
    }

    /// The purchase numbers in the file.
    async fn nos(&self, who: &Account, query: &str) -> Vec<String> {
        let rows = self.file(who, query).await;
        rows.into_iter().map(|row| row[0].clone()).collect()
    }

    async fn change(&self, who: &Account, body: &Value, key: &str) -> Reply {
        self.shop
            .post(&format!("{LIST}/bulk"), body)
            .as_(who)
            .key(key)
            .send()
            .await
    }

    async fn status(&self, no: &str, at: &str) -> String {
        let reply = self.shop.get(&format!("{LIST}/{no}")).as_(&self.staff);
        let reply = reply.header("x-wait-position", at).send().await.expect(200);
        reply.body["purchase"]["orderStatus"]
            .as_str()
            .unwrap()
            .to_owned()
    }
}

#[tokio::test]
async fn the_numbers_on_the_tabs_are_those_of_the_list_as_it_is_narrowed() {
    let all = Bought::start().await;
    let of_first = format!("seller._id={}", all.seller.id);
    let of_second = format!("seller._id={}", all.other.id);
    let by_number = format!("searchValue={}", all.paid[0].purchase());
    let both = format!("{of_second}&{by_number}");
    let cases: [(&Account, &str, [i64; 3]); 9] = [
        (&all.staff, "", [4, 3, 1]),
        (&all.staff, &of_first, [3, 2, 1]),
        (&all.staff, &of_second, [1, 1, 0]),
        (&all.staff, &by_number, [1, 1, 0]),
        (&all.staff, &both, [0, 0, 0]),
        (&all.staff, "createdAtFrom=2999-01-01", [0, 0, 0]),
        (&all.seller, "", [3, 2, 1]),
        // Filters of a seller apply to their own purchases, never to those of others.
        (&all.seller, &of_second, [0, 0, 0]),
        (&all.other, &of_second, [1, 1, 0]),
    ];
    let ask = async |who: &Account, path: String| {
        let ask = all.shop.get(&path).as_(who);
        let ask = ask.header("x-wait-position", &all.at);
        ask.send().await.expect(200).body
    };
    for (who, query, [every, paid, under_way]) in cases {
        // Independent of the selected tab.
        let counted = format!("{LIST}/dashboard/all?tab=payment&{query}");
        let counts = &ask(who, counted).await["counts"];
        let expected = json!({ "all": every, "nonpayment": 0, "payment": paid, "delivery": under_way,
            "cancel": 0, "exchange": 0, "return": 0, "complete": 0 });
        assert_eq!(*counts, expected, "{} {query}", who.username);
        for (tab, count) in counts.as_object().unwrap() {
            let listed = ask(who, format!("{LIST}?tab={tab}&{query}")).await;
            assert_eq!(listed["summary"]["totalCount"], *count, "{tab} {query}");
        }
    }
}

#[tokio::test]
async fn a_file_says_what_the_list_says_to_whoever_asks() {
    let all = Bought::start().await;
    let paid = all.paid.each_ref().map(PaidOrder::purchase);
    let (first, second) = (paid[0].as_str(), paid[1].as_str());
    let (prepared, others) = (all.prepared.purchase(), all.others.purchase());
    let (prepared, others) = (prepared.as_str(), others.as_str());
    let nothing: [&str; 0] = [];
    let with_words = format!("tab=payment&searchValue={first}");

    let of_first = format!("seller._id={}", all.seller.id);
    let of_second = format!("tab=payment&seller._id={}", all.other.id);
    let cases: [(&Account, &str, &[&str]); 15] = [
        (&all.staff, &of_first, &[second, first, prepared]),
        (&all.staff, &of_second, &[others]),
        // Filters of a seller apply to their own rows, never to those of others.
        (&all.seller, &of_first, &[second, first, prepared]),
        (&all.seller, &of_second, &nothing),
        (&all.other, &of_first, &nothing),
        (&all.staff, "", &[others, second, first, prepared]),
        (
            &all.staff,
            "sort=createdAt",
            &[prepared, first, second, others],
        ),
        (&all.seller, "", &[second, first, prepared]),
        (&all.other, "", &[others]),
        (&all.staff, "tab=delivery", &[prepared]),
        (&all.seller, "tab=payment", &[second, first]),
        (&all.staff, &with_words, &[first]),
        (&all.other, &with_words, &nothing),
        (&all.staff, "createdAtFrom=2999-01-01", &nothing),
        (&all.staff, "to=2000-01-01", &nothing),
    ];
    for (who, query, shown) in cases {
        assert_eq!(all.nos(who, query).await, shown, "{} {query}", who.username);
    }

    // Personal data as in the list: only names.
    let row = all.file(&all.seller, "tab=delivery").await[0].join("|");
    for shown in ["홍길동", "김받음", "사과 한 상자", "상품준비중", "|20|"] {
        assert!(row.contains(shown), "{shown} in {row}");
    }
    for hidden in ["1234567", "010-1234", "hong@", "테헤란로", "06236"] {
        assert!(!row.contains(hidden), "{hidden} in {row}");
    }
}

#[tokio::test]
async fn a_file_is_for_staff_and_sellers_and_of_a_kind_that_is_known() {
    let shop = TestApp::start().await;
    let (staff, buyer) = (shop.console().await, shop.sign_up("buyer001").await);
    let export = format!("{LIST}/export");
    shop.get(&export).send().await.expect(401);
    shop.get(&export).as_(&buyer).send().await.expect(403);
    let xlsx = shop.get(&export).as_(&staff).send().await.expect(200);
    let name = xlsx.header("content-disposition").unwrap();
    assert!(
        name.contains("purchases-") && name.ends_with(".xlsx\""),
        "{name}"
    );
    assert!(xlsx.text.starts_with("PK"));
    for (wrong, field) in [
        ("format=pdf", "format"),
        ("from=yesterday", "from"),
        ("createdAtTo=tomorrow", "to"),
        ("sort=paidAt", "sort"),
        ("courrier=04", "courrier"),
        ("tab=everything", "tab"),
    ] {
        let reply = shop.get(&format!("{export}?{wrong}")).as_(&staff);
        let reply = reply.send().await.expect(400);
        assert_eq!(reply.code(), "invalid_query", "{wrong}");
        assert_eq!(reply.complaint().0, field, "{wrong}");
    }
    let bulk = format!("{LIST}/bulk");
    let body = json!({ "fields": { "orderStatus": "ORDER_CONFIRM" }, "matching": {} });
    shop.post(&bulk, &body).send().await.expect(401);
    shop.post(&bulk, &body).as_(&buyer).send().await.expect(403);
}

#[tokio::test]
async fn all_that_match_are_changed_each_for_itself_and_nothing_else() {
    let all = Bought::start().await;
    let (first, second) = (all.paid[0].purchase(), all.paid[1].purchase());
    let (prepared, others) = (all.prepared.purchase(), all.others.purchase());
    let prepare = |matching: Value| json!({ "fields": { "orderStatus": "ORDER_CONFIRM" }, "matching": matching });

    // A search restricts the selection.
    let one = prepare(json!({ "searchValue": first, "filters": { "tab": "payment" } }));
    let reply = all.change(&all.seller, &one, "one").await.expect(200);
    assert_eq!(
        reply.body,
        json!({ "done": [first], "failed": [], "next": null })
    );
    let at = reply.position();
    assert_eq!(all.status(&first, &at).await, "ORDER_CONFIRM");
    assert_eq!(all.status(&second, &at).await, "ORDER_PAYMENT");

    // By a seller: purchases of another seller are accessible only to that seller and to staff.
    let of_other = json!({ "filters": { "tab": "payment", "seller._id": all.other.id } });
    let reply = all
        .change(&all.seller, &prepare(of_other), "not-mine")
        .await;
    let nothing = json!({ "done": [], "failed": [], "next": null });
    assert_eq!(reply.expect(200).body, nothing);

    // A seller's bulk change covers only their own purchases; changed purchases are not changed again.
    let paid = prepare(json!({ "filters": { "tab": "payment" } }));
    let reply = all.change(&all.seller, &paid, "paid").await.expect(200);
    assert_eq!(
        reply.body,
        json!({ "done": [second], "failed": [], "next": null })
    );
    let again = all.change(&all.seller, &paid, "paid").await.expect(200);
    assert_eq!(again.body, reply.body);
    assert_eq!(
        all.status(&others, &reply.position()).await,
        "ORDER_PAYMENT"
    );

    // Each purchase is processed independently: rejected ones are reported, and later ones are still changed.
    all.shop
        .ship(&all.seller, &second, "123456789012")
        .await
        .expect(200);
    let deliver = json!({ "fields": { "orderStatus": "DELIVERY_COMPLETE" }, "matching": {} });
    let reply = all.change(&all.staff, &deliver, "sent").await.expect(200);
    assert_eq!(reply.body["done"], json!([second]));
    let failed = reply.body["failed"].as_array().unwrap();
    let told: BTreeSet<&str> = failed
        .iter()
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    assert_eq!(told, BTreeSet::from([&*prepared, &*first, &*others]));
    assert!(failed.iter().all(|one| one["code"] == "not_allowed_now"));

    // Each command is a separate entry in the log.
    let commands: Vec<(String, i64)> = sqlx::query_as(
        "SELECT event_type, count(DISTINCT metadata->>'commandId') FROM events \
         WHERE event_type IN ('PurchasePrepared', 'PurchaseDelivered') GROUP BY 1 ORDER BY 1",
    )
    .fetch_all(all.shop.app.pool())
    .await
    .unwrap();
    let known = |name: &str, count| (name.to_owned(), count);
    assert_eq!(
        commands,
        [known("PurchaseDelivered", 1), known("PurchasePrepared", 3)]
    );
}

#[tokio::test]
async fn what_is_asked_of_all_is_understood_or_nothing_happens() {
    let all = Bought::start().await;
    let no = all.others.purchase();
    let last = "~"; // sorts after every number
    let status = json!({ "orderStatus": "ORDER_CONFIRM" });
    for (key, body, code) in [
        (
            "a",
            json!({ "fields": status, "matching": { "filters": { "tba": "payment" } } }),
            "invalid_query",
        ),
        (
            "b",
            json!({ "fields": status, "matching": { "filters": { "tab": "nowhere" } } }),
            "invalid_query",
        ),
        (
            "c",
            json!({ "fields": { "claimStatus": "CANCEL_COMPLETED" }, "matching": {} }),
            "invalid",
        ),
        (
            "d",
            json!({ "fields": { "paid": 1 }, "matching": {} }),
            "invalid",
        ),
    ] {
        let reply = all.change(&all.staff, &body, key).await.expect(400);
        assert_eq!(reply.code(), code, "{body}");
    }
    // Without a selection.
    all.change(&all.staff, &json!({ "fields": status }), "e")
        .await
        .expect(400);
    // After the last one there is nothing left to do.
    let behind = json!({ "fields": status, "matching": {}, "after": last });
    let reply = all.change(&all.staff, &behind, "f").await.expect(200);
    assert_eq!(reply.body["done"], json!([]));
    assert_eq!(all.status(&no, &all.at).await, "ORDER_PAYMENT");
}

/// A form is compared with the log: read models that lag behind cause no rejection.
#[tokio::test]
async fn a_form_sends_back_what_the_read_model_does_not_have_yet() {
    let bought = Bought::start().await;
    let (shop, seller) = (&bought.shop, &bought.seller);
    let purchase = bought.prepared.purchase();
    shop.settled().await;
    let still = shop.stands_still("orders").await;
    let shipped = shop.ship(seller, &purchase, "123456789012").await;
    let mut form = shipped.expect(200).body["purchase"].clone();
    form.as_object_mut().unwrap().remove("claimStatus");
    form["orderStatus"] = json!("DELIVERY_COMPLETE");
    let delivered = shop.work(seller, &purchase, form.clone()).await;
    assert_eq!(
        delivered.expect(200).body["purchase"]["orderStatus"],
        form["orderStatus"]
    );
    form["quantity"] = json!(3);
    let changed = shop.work(seller, &purchase, form).await.expect(405);
    assert_eq!(changed.code(), "ledger_immutable");
    still.rollback().await.unwrap();
}
