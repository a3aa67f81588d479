//! Raffles of events: entered once a member, drawn once by the clock, and checked by anybody.

use std::time::Duration as Wait;

use application::policies::deadlines::Deadline;
use application::policies::draw_raffles::DrawRaffles;
use domain::raffle::RaffleHash;
use projections::deadlines::{DeadlineKind, due};
use projections::verify::verify;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use time::Duration;
use time::format_description::well_known::Rfc3339;

use crate::support::window::put_up;
use crate::support::{Account, Reply, TestApp, futures_of, until};

fn at(shop: &TestApp, steps: i64) -> String {
    let at = shop.app.clock.now() + Duration::minutes(steps * 4);
    at.format(&Rfc3339).unwrap()
}

/// An event that ends in eight minutes, and the winners of its raffle.
fn form(shop: &TestApp, winners: u32) -> Value {
    json!({ "name": "첫 주행 추첨", "thumb": { "url": "/pictures/a.webp" }, "shows": true,
        "startsAt": at(shop, -1), "endsAt": at(shop, 2), "raffle": { "winners": winners } })
}

async fn enter(shop: &TestApp, who: &Account, event: &str) -> Reply {
    let path = format!("/api/v1/me/events/{event}/entry");
    shop.post(&path, &json!({})).as_(who).send().await
}

async fn page(shop: &TestApp, who: Option<&Account>, event: &str) -> Value {
    shop.settled().await;
    let ask = shop.get(&format!("/api/v1/shop/events/{event}"));
    let ask = match who {
        Some(who) => ask.as_(who),
        None => ask,
    };
    ask.send().await.expect(200).body["raffle"].clone()
}

async fn drawn(shop: &TestApp, event: &str) -> Value {
    until("winners are drawn", async || {
        let raffle = page(shop, None, event).await;
        (!raffle["draw"].is_null()).then_some(raffle)
    })
    .await
}

async fn revise(shop: &TestApp, staff: &Account, event: &str, change: Value) -> Reply {
    shop.settled().await;
    let path = format!("/api/console/shop/events/{event}");
    let found = shop.get(&path).as_(staff).send().await.expect(200);
    let mut document = found.body["event"].clone();
    for (field, value) in change.as_object().unwrap() {
        document[field] = value.clone();
    }
    shop.put(&path, &document).as_(staff).send().await
}

async fn count(shop: &TestApp, event_type: &str) -> i64 {
    sqlx::query_scalar("SELECT count(*) FROM events WHERE event_type = $1")
        .bind(event_type)
        .fetch_one(shop.app.pool())
        .await
        .unwrap()
}

async fn clean(shop: &TestApp) {
    shop.settled().await;
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.differences);
}

/// The winners as a stranger computes them from what the page shows and the marks.
fn recomputed(raffle: &Value, marks: &[Value]) -> Vec<u64> {
    let bytes = |value: &Value| hex::decode(value.as_str().unwrap()).unwrap();
    let seed = bytes(&raffle["draw"]["seed"]);
    let commitment = Sha256::digest(&seed).to_vec();
    assert_eq!(commitment, bytes(&raffle["commitment"]));
    let mut chain = commitment;
    for (number, mark) in (1_u32..).zip(marks) {
        let item = [chain, number.to_be_bytes().to_vec(), bytes(mark)].concat();
        chain = Sha256::digest(item).to_vec();
    }
    assert_eq!(chain, bytes(&raffle["chain"]));
    let entries = u32::try_from(raffle["entries"].as_u64().unwrap()).unwrap();
    let mut numbers: Vec<u32> = (1..=entries).collect();
    numbers.sort_by_key(|number| {
        let item = [seed.clone(), chain.clone(), number.to_be_bytes().to_vec()].concat();
        Sha256::digest(item).to_vec()
    });
    let passed: Vec<u64> = serde_json::from_value(raffle["draw"]["passed"].clone()).unwrap();
    let stays = numbers.into_iter().map(u64::from);
    let stays = stays.filter(|number| !passed.contains(number));
    let winners = raffle["winners"].as_u64().unwrap();
    stays.take(usize::try_from(winners).unwrap()).collect()
}

#[tokio::test]
async fn members_enter_once_and_the_clock_draws_winners_that_anybody_can_check() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let coupon = shop.coupon(10, Some(5), None).await;
    let mut document = form(&shop, 2);
    document["raffle"]["_coupon"] = json!(coupon);
    let (event, _) = put_up(&shop, &staff, "shop/events", &document).await;
    let mut members = Vec::new();
    for name in ["hong1234", "kim12345", "lee12345"] {
        members.push(shop.sign_up(name).await);
    }
    let path = format!("/api/v1/me/events/{event}/entry");
    shop.post(&path, &json!({})).send().await.expect(401);
    for (number, member) in (1_u64..).zip(&members) {
        let entered = enter(&shop, member, &event).await.expect(200).body;
        assert_eq!(entered["entry"]["number"], number);
        assert_eq!(entered["entry"]["won"], false);
        let again = enter(&shop, member, &event).await.expect(200).body;
        assert_eq!(again, entered);
    }
    assert_eq!(count(&shop, "RaffleEntryCounted").await, 3);
    let before = page(&shop, Some(&members[1]), &event).await;
    assert_eq!(
        (&before["entries"], &before["mine"]["number"]),
        (&json!(3), &json!(2))
    );
    assert_eq!(
        (&before["draw"], &before["winners"]),
        (&Value::Null, &json!(2))
    );
    let guest = page(&shop, None, &event).await;
    assert_eq!(guest["mine"], Value::Null);
    assert!(
        members
            .iter()
            .all(|member| !guest.to_string().contains(&member.id))
    );

    shop.advance(Duration::minutes(8));
    let late = shop.sign_up("late1234").await;
    let over = enter(&shop, &late, &event).await.expect(409);
    assert_eq!(over.body["error"]["details"]["reason"], "raffle_over");
    let raffle = drawn(&shop, &event).await;
    assert_eq!(raffle["commitment"], before["commitment"]);
    let marks = shop.get(&format!("/api/v1/shop/events/{event}/marks"));
    let marks = marks.send().await.expect(200).body["marks"].clone();
    let winners = recomputed(&raffle, marks.as_array().unwrap());
    assert_eq!(raffle["draw"]["winners"], json!(winners));
    for (number, member) in (1_u64..).zip(&members) {
        let mine = page(&shop, Some(member), &event).await["mine"].clone();
        assert_eq!(mine["won"], winners.contains(&number), "{number}");
        let told = shop.get("/api/v1/me/alarms").as_(member).send().await;
        let told = told.expect(200).text.matches("RAFFLE_WON").count();
        assert_eq!(told, usize::from(winners.contains(&number)), "{number}");
        let boxed = shop.get("/api/v1/me/coupons").as_(member).send().await;
        let boxed = boxed.expect(200).body["summary"]["totalCount"].clone();
        assert_eq!(boxed, u64::from(winners.contains(&number)), "{number}");
    }
    let path = format!("/api/console/shop/events/{event}");
    let shown = shop.get(&path).as_(&staff).send().await.expect(200).body;
    assert_eq!(shown["event"]["raffleEntries"], 3);
    let numbers: Vec<String> = winners.iter().map(u64::to_string).collect();
    assert_eq!(shown["event"]["raffleNumbers"], numbers.join(", "));
    clean(&shop).await;
}

#[tokio::test]
async fn a_raffle_changes_only_for_the_better_once_there_are_entries() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let hong = shop.sign_up("hong1234").await;
    let mut endless = form(&shop, 1);
    endless["endsAt"] = Value::Null;
    let refused = shop.post("/api/console/shop/events", &endless).as_(&staff);
    let refused = refused.send().await.expect(400);
    assert_eq!(refused.complaint(), ("endsAt", "raffle_needs_end"));
    for winners in [0, 1_001] {
        let refused = shop.post("/api/console/shop/events", &form(&shop, winners));
        let refused = refused.as_(&staff).send().await.expect(400);
        assert_eq!(refused.complaint(), ("raffle.winners", "out_of_range"));
    }
    let mut past = form(&shop, 1);
    past["endsAt"] = json!(at(&shop, 0));
    let refused = shop.post("/api/console/shop/events", &past).as_(&staff);
    let refused = refused.send().await.expect(400);
    assert_eq!(refused.complaint(), ("endsAt", "raffle_end_past"));

    let mut later = form(&shop, 2);
    later["startsAt"] = json!(at(&shop, 1));
    let (event, _) = put_up(&shop, &staff, "shop/events", &later).await;
    let early = enter(&shop, &hong, &event).await.expect(409);
    assert_eq!(early.body["error"]["details"]["reason"], "raffle_not_begun");
    let change = json!({ "startsAt": at(&shop, -1), "shows": false });
    revise(&shop, &staff, &event, change).await.expect(200);
    enter(&shop, &hong, &event).await.expect(404);
    revise(&shop, &staff, &event, json!({ "shows": true }))
        .await
        .expect(200);
    enter(&shop, &hong, &event).await.expect(200);
    for (change, complaint) in [
        (
            json!({ "raffle": { "winners": 1 } }),
            ("raffle.winners", "raffle_fewer_winners"),
        ),
        (
            json!({ "raffle": { "winners": null } }),
            ("raffle.winners", "raffle_opened"),
        ),
        (
            json!({ "endsAt": at(&shop, 1) }),
            ("endsAt", "raffle_end_earlier"),
        ),
    ] {
        let refused = revise(&shop, &staff, &event, change).await.expect(400);
        assert_eq!(refused.complaint(), complaint);
    }
    let path = format!("/api/console/shop/events/{event}");
    let refused = shop.delete(&path).as_(&staff).send().await.expect(409);
    assert_eq!(refused.code(), "in_use");
    let better = json!({ "raffle": { "winners": 3 }, "endsAt": at(&shop, 3) });
    revise(&shop, &staff, &event, better).await.expect(200);
    // not at the first end, but at the later one
    shop.advance(Duration::minutes(10));
    enter(&shop, &shop.sign_up("kim12345").await, &event)
        .await
        .expect(200);
    shop.advance(Duration::minutes(2));
    let raffle = drawn(&shop, &event).await;
    assert_eq!(raffle["draw"]["winners"].as_array().unwrap().len(), 2);
    let late = revise(&shop, &staff, &event, json!({ "raffle": { "winners": 4 } })).await;
    let reason = &late.expect(409).body["error"]["details"]["reason"];
    assert_eq!(reason, "raffle_over");
    let plain = json!({ "name": "설명만", "thumb": { "url": "/pictures/a.webp" }, "shows": true });
    let (plain, _) = put_up(&shop, &staff, "shop/events", &plain).await;
    assert_eq!(page(&shop, None, &plain).await, Value::Null);
    enter(&shop, &hong, &plain).await.expect(404);
    clean(&shop).await;
}

#[tokio::test]
async fn twenty_requests_of_a_member_are_one_entry_and_killed_draws_are_one_draw() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let (event, _) = put_up(&shop, &staff, "shop/events", &form(&shop, 2)).await;
    let members = [
        shop.sign_up("hong1234").await,
        shop.sign_up("kim12345").await,
        shop.sign_up("lee12345").await,
    ];
    let replies = futures_of(60, |place| enter(&shop, &members[place % 3], &event)).await;
    let mut numbers: Vec<u64> = replies
        .iter()
        .map(|reply| reply.body["entry"]["number"].as_u64().unwrap())
        .collect();
    numbers.sort_unstable();
    let expected: Vec<u64> = [[1; 20], [2; 20], [3; 20]].concat();
    assert_eq!(numbers, expected);
    assert_eq!(count(&shop, "RaffleEntryCounted").await, 3);
    assert_eq!(count(&shop, "RaffleEntered").await, 3);
    // a member who leaves keeps the number and wins nothing
    let leave = json!({ "password": members[0].password });
    let left = shop.post("/api/v1/me/withdraw", &leave).as_(&members[0]);
    let left = left.send().await;
    assert!(left.status < 300, "{}", left.text);
    shop.settled().await;
    shop.held_back(async {
        shop.advance(Duration::minutes(8));
        let kinds = [DeadlineKind::DrawRaffle];
        let row = until("the draw is due", async || {
            let now = shop.app.clock.now();
            due(shop.app.pool(), &kinds, now, 10).await.unwrap().pop()
        })
        .await;
        for turn in 0_u64..12 {
            futures_of(3, |worker| {
                let (app, row) = (&shop.app, &row);
                async move {
                    let patience = Wait::from_millis(2 + 7 * turn + u64::try_from(worker).unwrap());
                    tokio::time::timeout(patience, DrawRaffles.fire(app, row)).await
                }
            })
            .await;
        }
        DrawRaffles.fire(&shop.app, &row).await.unwrap();
    })
    .await;
    assert_eq!(count(&shop, "RaffleDrawn").await, 1);
    assert_eq!(count(&shop, "RaffleWon").await, 2);
    assert_ne!(page(&shop, None, &event).await["draw"]["winners"][0], 1);
    let raffle = drawn(&shop, &event).await;
    let seed: RaffleHash = serde_json::from_value(raffle["draw"]["seed"].clone()).unwrap();
    assert_ne!(seed, RaffleHash::default());
    clean(&shop).await;
}
