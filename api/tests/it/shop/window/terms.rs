//! Terms and their editions: `/api/v1/terms`.

use domain::member::Member;
use domain::order::Order;
use serde_json::json;

use crate::support::TestApp;
use crate::support::shop::{id_of, order_form};
use crate::support::window::{put_up, seen};

#[tokio::test]
async fn terms_are_shown_in_the_edition_in_force() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let now = time::OffsetDateTime::now_utc();
    let edition = |edition: u32, starts: time::OffsetDateTime| {
        let starts = starts
            .format(&time::format_description::well_known::Rfc3339)
            .unwrap();
        json!({ "code": "service", "name": "이용약관", "content": format!("제{edition}판"), "edition": edition, "required": true, "startsAt": starts })
    };
    put_up(
        &shop,
        &staff,
        "terms",
        &edition(1, now - time::Duration::DAY),
    )
    .await;
    let (_, position) = put_up(
        &shop,
        &staff,
        "terms",
        &edition(2, now + time::Duration::DAY),
    )
    .await;
    assert_eq!(
        seen(&shop, &position, "terms/service").await["terms"]["content"],
        "제1판"
    );
    // The accepted terms are recorded.
    let agreed = async |username: &str| {
        let id = shop.sign_up(username).await.id;
        let member = shop.app.store.load::<Member>(&id).await.unwrap().state;
        let terms = member.terms.into_iter();
        terms
            .map(|terms| (terms.code, terms.version))
            .collect::<Vec<_>>()
    };
    let editions = |service: u64| {
        [("age", 0), ("service", service), ("privacy", 0)]
            .map(|(code, edition)| (code.to_owned(), edition))
            .to_vec()
    };
    assert_eq!(agreed("hong1234").await, editions(1));
    shop.advance(time::Duration::days(2));
    assert_eq!(agreed("kim12345").await, editions(2));
    assert_eq!(
        seen(&shop, &position, "terms/service").await["terms"]["edition"],
        2
    );
    shop.get("/api/v1/terms/nothing").send().await.expect(404);
}

#[tokio::test]
async fn an_order_keeps_the_editions_it_was_placed_under() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 10).await;
    let edition = |edition: u32, starts: &str| json!({ "code": "purchase", "name": "구매 조건", "content": "제1조", "edition": edition, "startsAt": starts });
    put_up(&shop, &staff, "terms", &edition(1, "2020-01-01T00:00:00Z")).await;
    let (_, position) = put_up(&shop, &staff, "terms", &edition(2, "2021-01-01T00:00:00Z")).await;
    put_up(&shop, &staff, "terms", &edition(3, "2999-01-01T00:00:00Z")).await;
    seen(&shop, &position, "terms/purchase").await;
    let placed = shop.post("/api/v1/shop/orders", &order_form(apples, 1));
    let placed = placed.send().await;
    let id = id_of(&placed.expect(201));
    let order = shop.app.store.load::<Order>(&id).await.unwrap().state;
    let agreed = order.terms.unwrap().terms.into_iter();
    let agreed: Vec<_> = agreed.map(|term| (term.code, term.version)).collect();
    // 0 records that there was no such text.
    let kept = [("purchase", 2), ("privacy", 0), ("privacy-third", 0)];
    assert_eq!(
        agreed,
        kept.map(|(code, version)| (code.to_owned(), version))
    );
}
