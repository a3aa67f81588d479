//! The way out of advertising: headers and link of its mails, the one POST of mail programs, and the member's own switch.

use domain::sending::next_advertising_hour;
use projections::verify::verify;
use serde_json::{Value, json};
use time::Duration;

use crate::support::{Account, TestApp, sign_up_form, until};

const TO: &str = "hong1234@example.com";

/// A member who agrees to advertising.
async fn hong(shop: &TestApp) -> Account {
    let mut form = sign_up_form("hong1234");
    form["_terms"] = json!(["age", "service", "privacy", "ads"]);
    shop.post("/api/v1/users", &form).send().await.expect(201);
    shop.account("hong1234", "abcd123!").await
}

/// By day, has staff send a mail to everyone.
async fn send(shop: &TestApp, advertising: bool) -> Account {
    let now = shop.app.clock.now();
    let morning = next_advertising_hour(now + Duration::days(1));
    let day = domain::business_day::starts(domain::business_day::day(morning));
    shop.advance(day + Duration::hours(10) - now);
    let staff = shop.account("operator1", "operator1!").await;
    let form = json!({
        "channel": "MAIL", "advertising": advertising, "title": "봄 세일", "content": "모두 할인합니다.", "userType": "PERSON",
    });
    let sent = shop.post("/api/console/shop/alarms", &form).as_(&staff);
    sent.send().await.expect(201);
    staff
}

fn header<'a>(mail: &'a Value, name: &str) -> Option<&'a str> {
    let headers = mail["headers"].as_array().unwrap().iter();
    let mut found = headers.filter(|header| header[0] == name);
    found.next()?[1].as_str()
}

#[tokio::test]
async fn a_mail_of_advertising_has_a_way_out_by_one_post() {
    let shop = TestApp::start().await;
    shop.console().await;
    let hong = hong(&shop).await;
    shop.settled().await;
    send(&shop, true).await;
    let mail = shop.mail(TO, "봄 세일").await;
    let post = header(&mail, "List-Unsubscribe-Post");
    assert_eq!(post, Some("List-Unsubscribe=One-Click"));
    let public = shop.app.settings.server.public_url.clone();
    let url = header(&mail, "List-Unsubscribe").unwrap();
    let url = url.strip_prefix('<').unwrap().strip_suffix('>').unwrap();
    let path = url.strip_prefix(&public).unwrap();
    let text = mail["text"].as_str().unwrap();
    let page = format!("{public}/center/unsubscribe/{}#", hong.id);
    let link = text
        .lines()
        .find_map(|line| line.strip_prefix(&page))
        .unwrap();
    assert_eq!(
        path,
        format!("/api/v1/users/unsubscribe/{}/{link}", hong.id)
    );
    assert!(
        text.contains("무료 수신 거부") && text.contains("보낸 곳: "),
        "{text}"
    );

    // Opening it changes nothing: it leads to the page.
    let opened = shop.get(path).send().await.expect(303);
    let to = opened.headers["location"].to_str().unwrap();
    assert_eq!(to, format!("/center/unsubscribe/{}#{link}", hong.id));
    // Time has passed, so everyone signs in again.
    let signed_in = async || shop.account("hong1234", &hong.password).await;
    let me = async || {
        let info = shop.get("/api/v1/me/info").as_(&signed_in().await);
        info.send().await.expect(200).body["user"].clone()
    };
    assert_eq!(me().await["advertising"], true);
    let withdrawals = async || -> i64 {
        sqlx::query_scalar("SELECT count(*) FROM events WHERE event_type = 'ConsentWithdrawn'")
            .fetch_one(shop.app.pool())
            .await
            .unwrap()
    };

    // Another token or another member's is no permission.
    let kim = shop.sign_up("kim12345").await;
    for wrong in [
        format!("/api/v1/users/unsubscribe/{}/{link}", kim.id),
        format!("/api/v1/users/unsubscribe/{}/{}", hong.id, "x".repeat(43)),
        format!("/api/v1/users/unsubscribe/nobody/{link}"),
    ] {
        let refused = shop.post(&wrong, &json!({})).send().await.expect(409);
        assert_eq!(refused.code(), "link_invalid");
    }
    assert_eq!(withdrawals().await, 0);

    // As mail programs do it, signed in nowhere; again, it changes nothing.
    for _ in 0..2 {
        let done = shop
            .ask(reqwest::Method::POST, path)
            .body(
                "application/x-www-form-urlencoded",
                b"List-Unsubscribe=One-Click".to_vec(),
            )
            .send()
            .await;
        assert!(done.expect(200).body["withdrawnAt"].is_string());
    }
    assert_eq!(withdrawals().await, 1);
    assert_eq!(me().await["advertising"], false);

    // The next advertising leaves them out, the next notice does not.
    send(&shop, true).await;
    let staff = send(&shop, false).await;
    until("the notice comes", async || {
        let mails = shop.mails(TO).await;
        mails
            .iter()
            .any(|mail| mail["subject"] == "[장부상회] 봄 세일")
            .then_some(())
    })
    .await;
    shop.settled().await;
    let mut mails = shop.mails(TO).await;
    mails.retain(|mail| mail["subject"].as_str().unwrap().contains("봄 세일"));
    assert_eq!(mails.len(), 2, "{mails:#?}");
    assert_eq!(header(&mails[1], "List-Unsubscribe"), None);
    let sendings = shop
        .get("/api/console/shop/alarms?channel=MAIL")
        .as_(&staff);
    let sendings = sendings.send().await.expect(200).body;
    assert_eq!(sendings["summary"]["totalCount"], 3);

    // They may agree again.
    let agree = json!({ "agrees": true });
    let agreed = shop
        .put("/api/v1/me/advertising", &agree)
        .as_(&signed_in().await)
        .send()
        .await;
    assert_eq!(agreed.expect(200).body["user"]["advertising"], true);
    let refuse = json!({ "agrees": false });
    let refused = shop
        .put("/api/v1/me/advertising", &refuse)
        .as_(&signed_in().await)
        .send()
        .await;
    assert_eq!(refused.expect(200).body["user"]["advertising"], false);
    shop.put("/api/v1/me/advertising", &refuse)
        .send()
        .await
        .expect(401);
    assert_eq!(withdrawals().await, 2);
    shop.settled().await;
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean());
}
