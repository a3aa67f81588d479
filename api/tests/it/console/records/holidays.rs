//! `/api/console/shop/holidays`: one record per day, sorted by date.

use serde_json::{Value, json};

use crate::console::records::show;
use crate::support::kinds::kinds;
use crate::support::tables::import;
use crate::support::{Account, Reply, TestApp};

const PATH: &str = "/api/console/shop/holidays";

async fn add(shop: &TestApp, who: &Account, date: &str, name: &str) -> Reply {
    let holiday = json!({ "date": date, "name": name });
    shop.post(PATH, &holiday).as_(who).send().await
}

async fn dates(shop: &TestApp, staff: &Account, query: &str, at: &str) -> Vec<String> {
    let list = shop.get(&format!("{PATH}?{query}")).as_(staff);
    let list = list.header("x-wait-position", at).send().await.expect(200);
    let rows = list.body["holidays"].as_array().unwrap();
    let date = |row: &Value| row["date"].as_str().unwrap().to_owned();
    rows.iter().map(date).collect()
}

fn id(reply: &Reply) -> &str {
    reply.body["holiday"]["_id"].as_str().unwrap()
}

#[tokio::test]
async fn a_day_is_a_holiday_once() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let taken = |reply: Reply| {
        let reply = reply.expect(409);
        let field = &reply.body["error"]["fields"][0];
        assert_eq!(reply.code(), "date_taken");
        assert_eq!(
            (&field["field"], &field["message"]),
            (&json!("date"), &json!("이미 등록한 날짜입니다."))
        );
    };
    let chuseok = add(&shop, &staff, "2026-09-25", "추석").await.expect(201);
    taken(add(&shop, &staff, "2026-09-25", "추석 당일").await);
    let eve = add(&shop, &staff, "2026-09-24", "추석 연휴").await;
    let eve = eve.expect(201);
    let moved = json!({ "version": 1, "date": "2026-09-25" });
    let own = format!("{PATH}/{}", id(&eve));
    taken(shop.put(&own, &moved).as_(&staff).send().await);

    // A day is available again once its holiday is moved or removed; a removed holiday cannot be restored while another has the day.
    let moved = json!({ "version": 1, "date": "2026-09-23" });
    shop.put(&own, &moved).as_(&staff).send().await.expect(200);
    add(&shop, &staff, "2026-09-24", "추석 연휴")
        .await
        .expect(201);
    let gone = format!("{PATH}/{}", id(&chuseok));
    shop.delete(&gone).as_(&staff).send().await.expect(200);
    let again = add(&shop, &staff, "2026-09-25", "추석").await.expect(201);
    let restore = async || {
        let earlier = json!({ "version": 1 });
        let restore = shop.post(&format!("{gone}/restore"), &earlier);
        restore.as_(&staff).send().await
    };
    taken(restore().await);
    let other = format!("{PATH}/{}", id(&again));
    shop.delete(&other).as_(&staff).send().await.expect(200);
    let back = restore().await.expect(200);
    assert_eq!(back.body["holiday"]["date"], "2026-09-25");
}

#[tokio::test]
async fn what_is_no_day_of_the_calendar_is_refused() {
    let shop = TestApp::start().await;
    let (staff, seller) = (shop.console().await, shop.company("seller01").await);
    for (date, field, code) in [
        (json!("2026-02-29"), "date", "type"),
        (json!("2026-9-25"), "date", "type"),
        (json!("2026-09-25T00:00:00+09:00"), "date", "type"),
        (json!("추석"), "date", "type"),
        (json!(20_260_925), "date", "type"),
        (Value::Null, "date", "type"),
        (json!("1999-12-31"), "date", "out_of_range"),
        (json!("3000-01-01"), "date", "out_of_range"),
        (json!("-0001-01-01"), "date", "out_of_range"),
    ] {
        let holiday = json!({ "date": date, "name": "추석" });
        let refused = shop.post(PATH, &holiday).as_(&staff).send().await;
        let refused = refused.expect(400);
        assert_eq!(refused.complaint(), (field, code), "{date}");
        let message = refused.body["error"]["fields"][0]["message"].as_str();
        assert!(message.unwrap().ends_with('.'), "{}", refused.text);
    }
    let nameless = add(&shop, &staff, "2026-09-25", "설").await.expect(400);
    assert_eq!(nameless.complaint(), ("name", "too_short"));
    let missing = shop.post(PATH, &json!({ "name": "추석" })).as_(&staff);
    let missing = missing.send().await.expect(400);
    assert_eq!(missing.complaint(), ("date", "required"));

    let refused = add(&shop, &seller, "2026-09-25", "추석").await;
    assert_eq!(refused.expect(403).code(), "access_denied");
    let buyer = shop.sign_up("buyer001").await;
    let refused = show(&shop, &buyer, PATH).await;
    assert_eq!(refused.expect(403).code(), "access_denied");
    assert_eq!(show(&shop, &staff, PATH).await.body["holidays"], json!([]));
}

#[tokio::test]
async fn a_year_comes_from_a_table_and_is_listed_in_the_order_of_the_calendar() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let kinds = kinds();
    let kind = kinds.iter().find(|kind| kind["name"] == "holiday").unwrap();
    // Days as users type them, and as a spreadsheet writes them.
    let table = "date,name\n2026-09-26,추석 연휴\n2026-12-25,성탄절\n2027-01-01 00:00:00,신정\n2026-09-24,추석 연휴\n\
                 2026-09-24,추석 전날\n2026-13-01,없는 날\n";
    let look = import(&shop, &staff, kind, "dryRun=true", table.as_bytes()).await;
    let summary = json!({ "rows": 6, "creates": 4, "updates": 0, "unchanged": 0, "errors": 2 });
    let look = look.expect(200);
    assert_eq!(look.body["summary"], summary, "{}", look.text);
    let wrong = |row: usize| look.body["rows"][row]["errors"][0].clone();
    assert_eq!(wrong(4)["code"], "duplicate", "{}", look.text);
    assert_eq!(
        (&wrong(5)["field"], &wrong(5)["message"]),
        (
            &json!("date"),
            &json!("날짜를 2026-01-31 형식으로 입력해 주세요.")
        )
    );
    let real = import(&shop, &staff, kind, "dryRun=false", table.as_bytes()).await;
    let real = real.expect(200);
    assert_eq!(real.body["summary"], summary, "{}", real.text);
    let at = real.position();

    let all = ["2027-01-01", "2026-12-25", "2026-09-26", "2026-09-24"];
    assert_eq!(dates(&shop, &staff, "", &at).await, all);
    let year = dates(&shop, &staff, "dateFrom=2026-01-01&dateTo=2026-12-31", &at).await;
    assert_eq!(year, all[1..]);
    let days = "sort=date&dateFrom=2026-09-24&dateTo=2026-09-26";
    assert_eq!(
        dates(&shop, &staff, days, &at).await,
        ["2026-09-24", "2026-09-26"]
    );
    // A day stands for its start in Seoul.
    let moments = "dateFrom=2026-09-24T06:00:00%2B09:00&dateTo=2026-09-26";
    assert_eq!(dates(&shop, &staff, moments, &at).await, ["2026-09-26"]);

    // Another table for the year changes existing records by their day.
    let renamed = "date,name\n2026-12-25,기독탄신일\n".as_bytes();
    let real = import(&shop, &staff, kind, "dryRun=false", renamed).await;
    let summary = json!({ "rows": 1, "creates": 0, "updates": 1, "unchanged": 0, "errors": 0 });
    assert_eq!(real.expect(200).body["summary"], summary);
}
