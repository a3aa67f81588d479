//! An access token is rejected as soon as its sign-in ends, for whatever reason, and not only when it expires after a quarter of an hour.

use api::users::staff::{self, Wish};
use application::revoked_sign_ins::REMEMBERED;
use domain::member::Scope;
use projections::state::credentials::forget_revoked;
use serde_json::json;
use time::Duration;

use crate::support::{Account, Place, TestApp, until};

/// Statuses for this token at a members' endpoint and at a public one.
async fn read(shop: &TestApp, token: &str) -> [u16; 2] {
    let mut statuses = [0; 2];
    for (status, path) in statuses
        .iter_mut()
        .zip(["/api/v1/me/info", "/api/v1/shop/products"])
    {
        let reply = shop.get(path).token(token).send().await;
        if reply.status == 401 {
            assert_eq!(reply.code(), "token_invalid");
        }
        *status = reply.status;
    }
    statuses
}

/// Signs in on another device.
async fn another_device(shop: &TestApp, of: &Account) -> Account {
    shop.account(&of.username, &of.password).await
}

#[tokio::test]
async fn a_new_password_ends_every_access_token_at_once() {
    let shop = TestApp::start().await;
    let (hong, kim) = (
        shop.sign_up("hong1234").await,
        shop.sign_up("kim12345").await,
    );
    let elsewhere = another_device(&shop, &hong).await;
    // Renewed tokens belong to the same sign-in.
    let renewed = shop.get("/api/auth/accessToken").token(&elsewhere.refresh);
    let renewed = renewed.send().await.expect(200);
    let renewed = renewed.body["accessToken"].as_str().unwrap().to_owned();
    for token in [&hong.token, &elsewhere.token, &renewed] {
        assert_eq!(read(&shop, token).await, [200, 200]);
    }
    let body = json!({ "password": "new12345!", "currentPassword": hong.password });
    let change = shop.put("/api/v1/me/info", &body).as_(&hong);
    change.send().await.expect(200);
    for token in [&hong.token, &elsewhere.token, &renewed] {
        assert_eq!(read(&shop, token).await, [401, 401]);
    }
    let write = json!({ "nickname": "바람" });
    let write = shop.put("/api/v1/me/info", &write).as_(&elsewhere);
    assert_eq!(write.send().await.expect(401).code(), "token_invalid");
    // Other members stay signed in, and a new sign-in is accepted.
    assert_eq!(read(&shop, &kim.token).await, [200, 200]);
    let again = shop.account("hong1234", "new12345!").await;
    assert_eq!(read(&shop, &again.token).await, [200, 200]);
}

#[tokio::test]
async fn signing_out_ends_this_sign_in_and_no_other() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let elsewhere = another_device(&shop, &hong).await;
    assert_eq!(read(&shop, &elsewhere.token).await, [200, 200]);
    let out = shop
        .delete("/api/auth/refreshToken")
        .token(&elsewhere.refresh);
    out.send().await.expect(204);
    assert_eq!(read(&shop, &elsewhere.token).await, [401, 401]);
    assert_eq!(read(&shop, &hong.token).await, [200, 200]);
}

#[tokio::test]
async fn a_refresh_token_that_was_stolen_ends_the_access_tokens_of_thief_and_owner() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let renew = || shop.get("/api/auth/accessToken").token(&hong.refresh);
    let owner = renew().send().await.expect(200);
    let owner = owner.body["accessToken"].as_str().unwrap().to_owned();
    shop.advance(Duration::seconds(11));
    assert_eq!(read(&shop, &owner).await, [200, 200]);
    assert_eq!(renew().send().await.expect(401).code(), "token_reused");
    for token in [&owner, &hong.token] {
        assert_eq!(read(&shop, token).await, [401, 401]);
    }
}

#[tokio::test]
async fn who_left_reads_nothing_more() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let elsewhere = another_device(&shop, &hong).await;
    let body = json!({ "password": hong.password });
    let leave = shop
        .post("/api/v1/me/withdraw", &body)
        .as_(&hong)
        .key("leaving");
    leave.send().await.expect(200);
    for token in [&hong.token, &elsewhere.token] {
        assert_eq!(read(&shop, token).await, [401, 401]);
    }
}

#[tokio::test]
async fn who_loses_a_right_signs_in_again() {
    let shop = TestApp::start().await;
    let operator = shop.console().await;
    let orders = |token: &str| shop.get("/api/console/shop/orders").token(token).send();
    orders(&operator.token).await.expect(200);
    let take = Wish {
        take: vec![Scope::Console],
        ..Wish::default()
    };
    staff::run(&shop.app, &operator.id, take).await.unwrap();
    assert_eq!(
        orders(&operator.token).await.expect(401).code(),
        "token_invalid"
    );
    let again = shop.account(&operator.username, &operator.password).await;
    orders(&again.token).await.expect(403);
    // A member who gets a scope stays signed in.
    let give = Wish {
        give: vec![Scope::Console],
        ..Wish::default()
    };
    staff::run(&shop.app, &operator.id, give).await.unwrap();
    assert_eq!(read(&shop, &again.token).await, [200, 200]);
}

/// Two processes on one database: a sign-in ended by one of them is rejected by the other after about a second, without a notification.
#[tokio::test]
async fn another_process_refuses_it_within_about_a_second() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let beside = Place::like(&shop).await.open(&shop.database).await;
    assert_eq!(read(&beside, &hong.token).await, [200, 200]);
    let out = shop.delete("/api/auth/refreshToken").token(&hong.refresh);
    out.send().await.expect(204);
    until("the other process refuses the token", async || {
        (read(&beside, &hong.token).await == [401, 401]).then_some(())
    })
    .await;
}

#[tokio::test]
async fn an_ended_sign_in_is_remembered_for_as_long_as_its_last_token_is_valid() {
    let shop = TestApp::start().await;
    let (hong, kim) = (
        shop.sign_up("hong1234").await,
        shop.sign_up("kim12345").await,
    );
    let out = async |of: &Account| {
        let out = shop.delete("/api/auth/refreshToken").token(&of.refresh);
        out.send().await.expect(204);
    };
    out(&hong).await;
    for minutes in [0, 7, 7] {
        shop.advance(Duration::minutes(minutes));
        assert_eq!(read(&shop, &hong.token).await, [401, 401], "{minutes}");
        // A further read keeps the entries of earlier ones.
        out(&kim).await;
    }
    let known = async || {
        let known = "SELECT count(*) FROM revoked_families";
        let known = sqlx::query_scalar::<_, i64>(known).fetch_one(shop.app.pool());
        known.await.unwrap()
    };
    let forget = async || forget_revoked(shop.app.pool(), shop.app.clock.now() - REMEMBERED).await;
    forget().await.unwrap();
    assert_eq!(known().await, 2);
    shop.advance(REMEMBERED);
    forget().await.unwrap();
    assert_eq!(known().await, 0);
}
