//! Codes of coupons: made by staff, redeemed once each, and not to be guessed.

use std::collections::BTreeMap;

use domain::coupon::CouponCode;
use projections::verify::verify;
use serde_json::{Value, json};
use time::Duration;
use uuid::Uuid;

use crate::shop::orders::races::{shoppers, tally};
use crate::support::{Account, Reply, TestApp, futures_of};

const PATH: &str = "/api/console/shop/coupons/codes";
const REDEEM: &str = "/api/v1/me/coupons/codes";

/// Makes codes for a coupon; the batch.
async fn make(shop: &TestApp, staff: &Account, coupon: Uuid, count: u32) -> Value {
    let form = json!({ "_coupon": coupon, "count": count, "memo": "가을 전단지" });
    let made = shop.post(PATH, &form).as_(staff).send().await.expect(201);
    shop.settled().await;
    made.body["batch"].clone()
}

fn of(batch: &Value, rest: &str) -> String {
    format!("{PATH}/{}{rest}", batch["_id"].as_str().unwrap())
}

/// The codes of a batch that can be printed.
async fn codes(shop: &TestApp, staff: &Account, batch: &Value) -> Vec<String> {
    shop.settled().await;
    let sheet = shop.get(&of(batch, "/sheet")).as_(staff).send().await;
    let sheet = sheet.expect(200).body;
    serde_json::from_value(sheet["codes"].clone()).unwrap()
}

async fn redeem(shop: &TestApp, who: &Account, code: &str) -> Reply {
    let form = json!({ "code": code });
    shop.post(REDEEM, &form).as_(who).send().await
}

/// A code of this batch that the shop did not make: its proof is wrong, its check character is right.
fn forged(code: &str, nr: u64) -> String {
    let mut code = CouponCode::parse(code).unwrap();
    code.proof ^= nr + 1;
    code.text()
}

#[tokio::test]
async fn staff_makes_codes_and_each_is_redeemed_once() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let (hong, kim) = (
        shop.sign_up("hong1234").await,
        shop.sign_up("kim12345").await,
    );
    let coupon = shop.coupon(10, Some(5), None).await;
    let batch = make(&shop, &staff, coupon, 5).await;
    assert_eq!(
        (&batch["couponName"], &batch["count"], &batch["redeemed"]),
        (&json!("전체 할인"), &json!(5), &json!(0))
    );
    let printed = codes(&shop, &staff, &batch).await;
    assert_eq!(printed.len(), 5);
    let handle = batch["handle"].as_str().unwrap();
    assert!(printed.iter().all(|code| code.starts_with(handle)));
    // as people type it
    let typed = printed[0].to_lowercase().replace('-', " ");
    let redeemed = redeem(&shop, &hong, &typed).await.expect(201);
    assert_eq!(redeemed.body["coupon"]["name"], "전체 할인");
    let mine = shop.get("/api/v1/me/coupons").as_(&hong);
    let mine = mine.send().await.expect(200).body;
    assert_eq!(mine["coupons"][0]["_id"], redeemed.body["coupon"]["_id"]);
    // redeemed once: its owner learns the reason, another member does not
    let again = redeem(&shop, &hong, &printed[0]).await.expect(409);
    assert_eq!(again.code(), "coupon_drawn");
    let other = redeem(&shop, &kim, &printed[0]).await.expect(400);
    assert_eq!(other.complaint(), ("code", "unusable"));
    let unknown = redeem(&shop, &kim, &forged(&printed[1], 0))
        .await
        .expect(400);
    assert_eq!(unknown.body, {
        let mut same = other.body.clone();
        same["error"]["requestId"] = unknown.body["error"]["requestId"].clone();
        same
    });
    // one coupon a member, by another code too; the code stays good for another
    let second = redeem(&shop, &hong, &printed[1]).await.expect(409);
    assert_eq!(second.code(), "coupon_drawn");
    redeem(&shop, &kim, &printed[1]).await.expect(201);
    // staff sees who redeemed which, and the sheet has the others
    shop.settled().await;
    let list = shop.get(&of(&batch, "/list?redeemed=true")).as_(&staff);
    let list = list.send().await.expect(200).body;
    assert_eq!(list["summary"]["totalCount"], 2);
    assert_eq!(list["codes"][1]["code"], json!(printed[0]));
    assert_eq!(list["codes"][1]["redeemedBy"]["_id"], hong.id);
    let all = shop
        .get(&of(&batch, "/list"))
        .as_(&staff)
        .header("skip", "1");
    let all = all.header("limit", "2").send().await.expect(200).body;
    assert_eq!(all["summary"]["totalCount"], 5);
    let numbers: Vec<&Value> = all["codes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|code| &code["number"])
        .collect();
    assert_eq!(numbers, [2, 3]);
    assert_eq!(codes(&shop, &staff, &batch).await, printed[2..]);
    let shown = shop.get(&of(&batch, "")).as_(&staff).send().await;
    let shown = shown.expect(200).body;
    assert_eq!(shown["batch"]["redeemed"], 2);
    assert!(shown["terms"]["sentence"].as_str().unwrap().contains("10%"));
    let file = shop.get(&of(&batch, "/export?format=csv")).as_(&staff);
    let file = file.send().await.expect(200).text;
    assert!(printed.iter().all(|code| file.contains(code)), "{file}");
    // stopped: the others are dead, and what members have stays
    let lee = shop.sign_up("lee12345").await;
    let memo = serde_urlencoded::to_string([("memo", "분실")]).unwrap();
    let stop = format!("{}?{memo}", of(&batch, ""));
    let stopped = shop.delete(&stop).as_(&staff).send().await.expect(200).body;
    assert_eq!(stopped["batch"]["stopMemo"], "분실");
    let twice = shop.delete(&stop).as_(&staff).send().await.expect(409);
    assert_eq!(twice.code(), "not_allowed_now");
    let dead = redeem(&shop, &lee, &printed[2]).await.expect(400);
    assert_eq!(dead.complaint(), ("code", "unusable"));
    shop.settled().await;
    let sheet = shop.get(&of(&batch, "/sheet")).as_(&staff).send().await;
    sheet.expect(409);
    let mine = shop.get("/api/v1/me/coupons").as_(&hong);
    let mine = mine.send().await.expect(200).body;
    assert_eq!(mine["summary"]["totalCount"], 1);
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.differences);
    // the log and the tables have no code
    let dump: Vec<String> = sqlx::query_scalar(
        "SELECT payload::text FROM events UNION ALL SELECT to_jsonb(c)::text FROM coupon_codes c \
         UNION ALL SELECT to_jsonb(c)::text FROM coupon_codes_redeemed c UNION ALL SELECT to_jsonb(c)::text FROM command_dedup c",
    )
    .fetch_all(shop.app.pool())
    .await
    .unwrap();
    let dump = dump.concat();
    for code in printed {
        let plain = code.replace('-', "");
        assert!(!dump.contains(&code) && !dump.contains(&plain[7..]));
    }
}

#[tokio::test]
async fn of_twenty_who_redeem_a_code_at_once_one_gets_the_coupon() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let coupon = shop.coupon(10, None, None).await;
    let batch = make(&shop, &staff, coupon, 1).await;
    let code = codes(&shop, &staff, &batch).await.remove(0);
    let accounts = shoppers(&shop, 20);
    let replies = futures_of(20, |place| redeem(&shop, &accounts[place], &code)).await;
    // who comes later than the first may find the address closed: wrong codes are counted
    let won = replies.iter().filter(|reply| reply.status == 201).count();
    assert_eq!(won, 1, "{:?}", tally(&replies, "redeemed"));
    let drawn: i64 =
        sqlx::query_scalar("SELECT count(*) FROM events WHERE event_type = 'CouponIssued'")
            .fetch_one(shop.app.pool())
            .await
            .unwrap();
    assert_eq!(drawn, 1);
    shop.settled().await;
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.differences);
}

#[tokio::test]
async fn a_campaign_with_five_pieces_takes_five_of_twenty_codes() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let coupon = shop.coupon(10, Some(5), None).await;
    let batch = make(&shop, &staff, coupon, 20).await;
    let codes = codes(&shop, &staff, &batch).await;
    let accounts = shoppers(&shop, 20);
    let replies = futures_of(20, |place| redeem(&shop, &accounts[place], &codes[place])).await;
    let outcomes = tally(&replies, "redeemed");
    assert_eq!(
        outcomes,
        BTreeMap::from([
            ("coupon_used_up".to_owned(), 15),
            ("redeemed".to_owned(), 5)
        ])
    );
}

#[tokio::test]
async fn guesses_are_counted_and_slips_of_the_finger_are_not() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let hong = shop.sign_up("hong1234").await;
    let coupon = shop.coupon(10, None, None).await;
    let batch = make(&shop, &staff, coupon, 5).await;
    let codes = codes(&shop, &staff, &batch).await;
    let last = codes[0].chars().last().unwrap();
    let slip = match last {
        'A' => codes[0].replace('A', "B"),
        _ => format!("{}A", codes[0].strip_suffix(last).unwrap()),
    };
    for _ in 0..8 {
        let slipped = redeem(&shop, &hong, &slip).await.expect(400);
        assert_eq!(slipped.complaint(), ("code", "mistyped"));
    }
    for nr in 0..5 {
        let wrong = redeem(&shop, &hong, &forged(&codes[0], nr)).await;
        assert_eq!(wrong.expect(400).complaint(), ("code", "unusable"));
    }
    // now a right one has to wait too: else one could go on guessing
    for code in [forged(&codes[0], 9), codes[0].clone()] {
        let waits = redeem(&shop, &hong, &code).await.expect(429);
        let seconds: u64 = waits.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=61).contains(&seconds), "{seconds}");
    }
    shop.clock.advance(Duration::seconds(61));
    redeem(&shop, &hong, &codes[0]).await.expect(201);
}

#[tokio::test]
async fn many_accounts_of_one_address_do_not_guess_more() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let coupon = shop.coupon(10, None, None).await;
    let batch = make(&shop, &staff, coupon, 1).await;
    let code = codes(&shop, &staff, &batch).await.remove(0);
    let accounts = shoppers(&shop, 6);
    for nr in 0..20 {
        let who = &accounts[usize::try_from(nr).unwrap() / 4];
        redeem(&shop, who, &forged(&code, nr)).await.expect(400);
    }
    let last = redeem(&shop, &accounts[5], &code).await.expect(429);
    assert!(last.header("retry-after").is_some());
}

#[tokio::test]
async fn what_is_wrong_with_codes_to_make_is_said_at_its_field() {
    let shop = TestApp::start().await;
    let (staff, seller) = (shop.console().await, shop.company("seller01").await);
    let coupon = shop.coupon(10, None, None).await;
    let form = |field: &str, value: Value| {
        let mut form = json!({ "_coupon": coupon, "count": 5, "memo": "전단지" });
        form[field] = value;
        form
    };
    for (form, complaint) in [
        (form("count", json!(0)), ("count", "out_of_range")),
        (form("count", json!(10_001)), ("count", "out_of_range")),
        (form("memo", json!("")), ("memo", "memo")),
        (
            form("_coupon", json!(Uuid::nil())),
            ("_coupon", "unknown_coupon"),
        ),
    ] {
        let refused = shop.post(PATH, &form).as_(&staff).send().await.expect(400);
        assert_eq!(refused.complaint(), complaint);
    }
    let theirs = shop.post(PATH, &form("count", json!(5))).as_(&seller);
    assert_eq!(theirs.send().await.status, 403);
    let none = format!("{PATH}/{}", Uuid::now_v7());
    for path in ["", "/list", "/sheet", "/export"] {
        let none = shop.get(&format!("{none}{path}")).as_(&staff).send().await;
        assert_eq!(none.status, 404, "{path}");
    }
    let hong = shop.sign_up("hong1234").await;
    let empty = redeem(&shop, &hong, " ").await.expect(400);
    assert_eq!(empty.complaint(), ("code", "required"));
    let nobody = shop.post(REDEEM, &json!({ "code": "x" })).send().await;
    assert_eq!(nobody.status, 401);
}

/// The history of a batch says who made it and who read its codes, when and what for; the same codes once an hour, and not those that
/// were redeemed.
#[tokio::test]
async fn the_history_of_a_batch_says_who_read_its_codes() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let coupon = shop.coupon(10, Some(5), None).await;
    let batch = make(&shop, &staff, coupon, 5).await;
    let read_as = async |token: &str, rest: &str| {
        let call = shop.get(&of(&batch, rest)).token(token);
        call.header("limit", "2").send().await.expect(200)
    };
    let read = async |rest: &str| read_as(&staff.token, rest).await;
    for _ in 0..2 {
        read("/list").await;
    }
    read("/list?redeemed=true").await;
    read("/export?format=csv").await;
    read("/sheet?first=3&count=2").await;
    read("/sheet?first=6").await;
    shop.clock.advance(Duration::hours(1));
    // a token does not live that long
    let again = shop.login(&staff.username, &staff.password).await;
    let again = again.expect(200).body["accessToken"].take();
    let again = again.as_str().unwrap();
    read_as(again, "/list").await;
    let history = format!(
        "/api/console/history/codes/{}",
        batch["_id"].as_str().unwrap()
    );
    let told = shop
        .get(&history)
        .token(again)
        .send()
        .await
        .expect(200)
        .body;
    assert_eq!(told["name"], "가을 전단지");
    assert_eq!(told["state"]["redeemed"], 0);
    let events: Vec<(Value, Value)> = told["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| (event["actor"]["id"].clone(), event["data"].clone()))
        .collect();
    let disclosed = |purpose: &str, first: u32, last: u32| {
        let codes = json!({ "purpose": purpose, "first": first, "last": last });
        (json!(staff.id), json!({ "CouponCodesDisclosed": codes }))
    };
    assert_eq!(events[0].0, json!(staff.id), "who made them");
    let expected = [
        disclosed("LIST", 1, 2),
        disclosed("FILE", 1, 5),
        disclosed("PRINT", 3, 4),
        disclosed("LIST", 1, 2),
    ];
    assert_eq!(events[1..], expected);
    let seller = shop.company("seller01").await;
    let foreign = shop.get(&history).as_(&seller).send().await;
    assert_eq!(foreign.status, 403);
}
