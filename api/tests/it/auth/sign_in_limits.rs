//! Limits of wrong passwords: guessing is slowed down without affecting others.

use std::net::IpAddr;
use std::time::Instant;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::{Client, Response};
use serde_json::{Value, json};
use time::Duration;

use crate::support::{Account, Reply, TestApp, until};

const WRONG: &str = "wrong123!";

/// An attempt from the device with this cookie.
async fn from_device(shop: &TestApp, cookie: &str, username: &str, password: &str) -> Reply {
    let pair = STANDARD.encode(format!("{username}:{password}"));
    shop.get("/api/auth/refreshToken")
        .header("authorization", &format!("Basic {pair}"))
        .header("cookie", cookie)
        .send()
        .await
}

/// The cookie of a device that signs in with an account.
async fn device_of(shop: &TestApp, account: &Account) -> String {
    let reply = shop.login(&account.username, &account.password).await;
    kept(&reply.expect(200))
}

/// The cookie of a response, as a browser stores it.
fn kept(reply: &Reply) -> String {
    let cookie = reply.header("set-cookie").unwrap();
    cookie.split(';').next().unwrap().to_owned()
}

/// Uses up the attempts of a name.
async fn close(shop: &TestApp, username: &str) {
    for _ in 0..5 {
        shop.login(username, WRONG).await.expect(401);
    }
    shop.login(username, WRONG).await.expect(429);
}

#[tokio::test]
async fn who_guesses_elsewhere_locks_nobody_out_of_a_device_that_signed_in_before() {
    let shop = TestApp::start().await;
    let (hong, kim) = (
        shop.sign_up("hong1234").await,
        shop.sign_up("kim12345").await,
    );
    let device = device_of(&shop, &hong).await;
    let other = device_of(&shop, &kim).await;
    close(&shop, &hong.username).await;
    // Unknown devices share one count; a device known for another account counts as unknown.
    let stranger = shop.login(&hong.username, &hong.password).await.expect(429);
    assert_eq!(stranger.code(), "too_many_requests");
    for cookie in [other.as_str(), "jangbu_device=", "jangbu_device=AAAA.BBBB"] {
        let reply = from_device(&shop, cookie, &hong.username, &hong.password).await;
        reply.expect(429);
    }
    // A known device has its own count, which is limited too.
    let signed_in = from_device(&shop, &device, &hong.username, &hong.password).await;
    assert_eq!(kept(&signed_in.expect(200)), device);
    for _ in 0..5 {
        let reply = from_device(&shop, &device, &hong.username, WRONG).await;
        reply.expect(401);
    }
    let reply = from_device(&shop, &device, &hong.username, &hong.password).await;
    reply.expect(429);
    shop.advance(Duration::seconds(61));
    let reply = from_device(&shop, &device, &hong.username, &hong.password).await;
    reply.expect(200);
    // One device with two accounts.
    let both = from_device(&shop, &device, &kim.username, &kim.password).await;
    let both = kept(&both.expect(200));
    close(&shop, &hong.username).await;
    close(&shop, &kim.username).await;
    for account in [&hong, &kim] {
        let reply = from_device(&shop, &both, &account.username, &account.password).await;
        reply.expect(200);
    }

    // After a change of password, devices have to become known again.
    let change = json!({ "password": "new12345!", "currentPassword": hong.password });
    let changed = shop.put("/api/v1/me/info", &change).as_(&hong);
    changed.send().await.expect(200);
    let reply = from_device(&shop, &device, &hong.username, "new12345!").await;
    reply.expect(429);
    let leaving = shop.post("/api/v1/me/withdraw", &json!({ "password": kim.password }));
    leaving.as_(&kim).send().await.expect(200);
    let devices: i64 = sqlx::query_scalar("SELECT count(*) FROM known_devices")
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
    assert_eq!(devices, 0);
}

/// Spec V202, decision 36: name and password are sent only in the Basic header of the sign-in, and the cookie of the device is sent only to
/// the sign-in.
#[tokio::test]
async fn what_a_sign_in_carries_is_for_the_sign_in_alone() {
    let public_url = ("JANGBU_SERVER_PUBLIC_URL", "https://shop.example.com");
    for (settings, secure) in [(vec![], false), (vec![public_url], true)] {
        let shop = TestApp::with(&settings).await;
        let hong = shop.sign_up("hong1234").await;
        let reply = shop.login(&hong.username, &hong.password).await.expect(200);
        let cookie = reply.header("set-cookie").unwrap();
        for part in ["; Path=/api/auth;", "; HttpOnly", "; SameSite=Strict"] {
            assert!(cookie.contains(part), "{cookie}");
        }
        assert_eq!(cookie.ends_with("; Secure"), secure, "{cookie}");
        let refused = shop.login(&hong.username, WRONG).await.expect(401);
        assert_eq!(refused.header("set-cookie"), None);
        let elsewhere = format!(
            "/api/auth/refreshToken?username={}&password=abcd123%21",
            hong.username
        );
        shop.get(&elsewhere).send().await.expect(401);
    }
}

#[tokio::test]
async fn a_name_somebody_has_and_one_nobody_has_are_counted_and_answered_alike() {
    let shop = TestApp::start().await;
    let mut took = Vec::new();
    for place in 0..3 {
        let known = shop.sign_up(&format!("known{place}00")).await.username;
        let unknown = format!("nobody{place}00");
        let mut told: [Vec<Value>; 2] = Default::default();
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..6 {
            for (who, name) in [&known, &unknown].into_iter().enumerate() {
                let begun = Instant::now();
                let reply = shop.login(name, WRONG).await;
                if reply.status == 401 {
                    times[who].push(begun.elapsed());
                }
                let wait = reply.header("retry-after").map(|seconds| {
                    // A minute, with tolerance for a slow machine.
                    (45..=61).contains(&seconds.parse::<u32>().unwrap())
                });
                let mut error = reply.body["error"].clone();
                error.as_object_mut().unwrap().remove("requestId");
                told[who].push(json!([reply.status, wait, error]));
            }
        }
        assert_eq!(told[0], told[1]);
        assert_eq!(told[0][5][0], 429);
        took.push(times);
    }
    let median = |who: usize| {
        let mut all: Vec<_> = took.iter().flat_map(|times| times[who].clone()).collect();
        all.sort();
        all[all.len() / 2]
    };
    let (known, unknown) = (median(0), median(1));
    assert!(
        unknown > known / 2 && known > unknown / 2,
        "{known:?} {unknown:?}"
    );
    // An unknown name is open again after the same time.
    shop.advance(Duration::seconds(61));
    shop.login("nobody000", WRONG).await.expect(401);
}

/// A hash that takes half a second to verify, so that concurrent requests can be observed.
const SLOW: &str = "$argon2id$v=19$m=19456,t=40,p=1$c29tZXNhbHRzb21lc2FsdA$\
                    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_locked_while_a_password_is_hashed() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    sqlx::query("UPDATE credentials SET argon2 = $1")
        .bind(SLOW)
        .execute(shop.app.pool())
        .await
        .unwrap();
    let begun = Instant::now();
    let hashing = async {
        shop.login(&hong.username, &hong.password).await.expect(401);
        begun.elapsed()
    };
    let looking = async {
        let mut looked = 0;
        until("the try is counted", async || {
            let counted = "SELECT count(*) FROM password_tries";
            let counted: i64 = sqlx::query_scalar(counted)
                .fetch_one(shop.app.pool())
                .await
                .unwrap();
            (counted > 0).then_some(())
        })
        .await;
        for table in ["credentials", "password_tries"] {
            let sql = format!("SELECT 1 FROM {table} FOR UPDATE NOWAIT");
            let free = sqlx::query(&sql).fetch_all(shop.app.pool()).await;
            looked += free.unwrap().len();
        }
        let waiting: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' AND datname = current_database()",
        )
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
        (looked, waiting, begun.elapsed())
    };
    let (took, (looked, waiting, until)) = futures::future::join(hashing, looking).await;
    assert_eq!((looked, waiting), (2, 0));
    assert!(until < took, "looked {until:?}, hashed {took:?}");
}

async fn from_address(shop: &TestApp, address: &str, username: &str) -> Response {
    let address: IpAddr = address.parse().unwrap();
    let client = Client::builder().local_address(address).build().unwrap();
    client
        .get(format!("{}/api/auth/refreshToken", shop.url))
        .basic_auth(username, Some(WRONG))
        .send()
        .await
        .unwrap()
}

#[tokio::test]
async fn an_address_that_tries_many_names_is_slowed_down_but_not_the_devices_it_is_home_to() {
    let shop = TestApp::with(&[
        ("JANGBU_LIMITS_GUESSES_PER_MINUTE", "1"),
        ("JANGBU_LIMITS_GUESSES_BURST", "4"),
    ])
    .await;
    let hong = shop.sign_up("hong1234").await;
    let device = device_of(&shop, &hong).await;
    // Joining and the first two sign-ins were three of the four.
    let names = ["nobody01", "nobody02", "nobody03"];
    let mut told = Vec::new();
    for name in names {
        told.push(
            from_address(&shop, "127.0.0.1", name)
                .await
                .status()
                .as_u16(),
        );
    }
    assert_eq!(told, [401, 429, 429]);
    let elsewhere = from_address(&shop, "127.0.0.2", "nobody01").await;
    assert_eq!(elsewhere.status(), 401);
    let home = from_device(&shop, &device, &hong.username, &hong.password).await;
    home.expect(200);
    let out = shop.delete("/api/auth/refreshToken").token(&hong.refresh);
    out.send().await.expect(204);
}
