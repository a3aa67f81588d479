//! Records as tables: exported, changed and imported again.

use serde_json::{Map, Value, json};

use crate::support::kinds::{can, kinds, listed, some, text};
use crate::support::tables::{exported, import, written};
use crate::support::{Account, Reply, TestApp};

#[tokio::test]
async fn an_exported_table_comes_back_as_exactly_what_was_changed_in_it() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    for kind in kinds().iter().filter(|kind| can(kind, "import")) {
        comes_back_from_a_table(&shop, &staff, kind).await;
    }
}

/// Three records of a kind are exported as a table and imported again.
pub async fn comes_back_from_a_table(shop: &TestApp, staff: &Account, kind: &Value) {
    let (made, at) = some(shop, staff, kind, 3).await;
    let mut rows = exported(shop, staff, kind, &at).await;
    assert_eq!(rows.len(), 5, "{}", kind["name"]);
    let name = rows[1].iter().position(|cell| cell == "name").unwrap();
    rows[2][name] = "바꾼 이름".to_owned();
    rows[4][name] = "=2+3 이름".to_owned();
    let mut fresh = rows[3].clone();
    let table = written(&rows);

    let preview = import(shop, staff, kind, "dryRun=true", &table)
        .await
        .expect(200);
    let summary = json!({ "rows": 3, "creates": 0, "updates": 2, "unchanged": 1, "errors": 0 });
    assert_eq!(
        preview.body["summary"], summary,
        "{} {}",
        kind["name"], preview.text
    );
    let change = json!({ "name": { "from": "이름 0", "to": "바꾼 이름" } });
    assert_eq!(preview.body["rows"][0]["changes"], change);
    let versions = |reply: &Reply| -> Vec<Value> {
        reply.body[text(kind, "many")]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["version"].clone())
            .collect()
    };
    let before = listed(shop, staff, kind, "sort=createdAt", &at).await;
    assert_eq!(versions(&before), [1, 1, 1]);

    let real = import(shop, staff, kind, "dryRun=false", &table)
        .await
        .expect(200);
    assert_eq!(real.body["summary"], summary, "{}", real.text);
    let after = listed(shop, staff, kind, "sort=createdAt", &real.position()).await;
    assert_eq!(versions(&after), [2, 1, 2], "{}", kind["name"]);
    let history = shop
        .get(&format!("{}/{}/history", text(kind, "path"), made[2]))
        .as_(staff)
        .send()
        .await;
    let changes = history.body["events"][1]["changes"]
        .as_object()
        .unwrap()
        .clone();
    assert_eq!(
        changes,
        Map::from_iter([(
            "name".to_owned(),
            json!({ "from": "이름 2", "to": "=2+3 이름" })
        )]),
        "{}",
        kind["name"]
    );
    let shown = exported(shop, staff, kind, &real.position()).await;
    assert!(
        shown.iter().flatten().all(|cell| !cell.starts_with('=')),
        "{}",
        kind["name"]
    );

    // The same table again changes nothing; an outdated row with other values is rejected.
    let again = import(shop, staff, kind, "dryRun=true", &table)
        .await
        .expect(200);
    assert_eq!(again.body["summary"]["unchanged"], 3, "{}", again.text);
    let mut stale = rows.clone();
    stale[2][name] = "또 다른 이름".to_owned();
    // A new row: without an id; without a unique code it is an error for kinds with unique codes.
    fresh[0] = String::new();
    fresh[name] = "김".to_owned();
    stale.push(fresh);
    let refused = import(shop, staff, kind, "dryRun=true", &written(&stale))
        .await
        .expect(200);
    assert_eq!(
        refused.body["summary"]["errors"], 2,
        "{} {}",
        kind["name"], refused.text
    );
    assert_eq!(
        refused.body["rows"][0]["errors"][0]["code"], "version_conflict",
        "{}",
        refused.text
    );
    let second = &refused.body["rows"][1]["errors"][0];
    let key = match text(kind, "name") {
        "holiday" => "date",
        "tag-event" => "tag",
        "message-template" => "template",
        _ => "code",
    };
    let twice = second["field"] == key && second["code"] == "duplicate";
    assert!(twice || second["field"] == "name", "{}", refused.text);
}

#[tokio::test]
async fn of_two_rows_with_one_code_the_second_is_wrong_before_and_when_it_is_for_good() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let kinds = kinds();
    let kind = kinds.iter().find(|kind| kind["name"] == "brand").unwrap();
    let table = "code,name\nsame,첫째 브랜드\nsame,둘째 브랜드\n".as_bytes();
    let summary = json!({ "rows": 2, "creates": 1, "updates": 0, "unchanged": 0, "errors": 1 });
    let mut at = String::new();
    for dry_run in [true, false] {
        let query = format!("dryRun={dry_run}");
        let reply = import(&shop, &staff, kind, &query, table).await.expect(200);
        assert_eq!(reply.body["summary"], summary, "{query} {}", reply.text);
        let wrong = &reply.body["rows"][1]["errors"][0];
        let told = (&wrong["field"], &wrong["code"]);
        assert_eq!(told, (&json!("code"), &json!("duplicate")), "{query}");
        if !dry_run {
            at = reply.position();
        }
    }
    let rows = exported(&shop, &staff, kind, &at).await;
    assert!(rows.iter().flatten().any(|cell| cell == "첫째 브랜드"));
    assert!(!rows.iter().flatten().any(|cell| cell == "둘째 브랜드"));
}

/// In a preview and in an import, a code that is taken is reported at the field that has to be changed.
#[tokio::test]
async fn a_code_another_record_has_is_told_at_its_field() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let kinds = kinds();
    let named = |name: &str| kinds.iter().find(|kind| kind["name"] == name).unwrap();
    let errors = async |who: &Account, kind: &str, table: String| {
        let mut told = Vec::new();
        for dry_run in [true, false] {
            let query = format!("dryRun={dry_run}");
            let reply = import(&shop, who, named(kind), &query, table.as_bytes());
            let reply = reply.await.expect(200);
            let rows = reply.body["rows"].as_array().unwrap().clone();
            let errors = rows.into_iter().map(|row| row["errors"].clone());
            told.push(errors.collect::<Vec<Value>>());
        }
        assert_eq!(told[0], told[1], "{table}");
        told.remove(0)
    };
    let at = |field: &str, code: &str, message: &str| json!([{ "field": field, "code": code, "message": message }]);
    let taken = at("code", "code_taken", "이미 사용 중인 코드입니다.");

    // For a record identified by its id.
    let brands = "code,name\none,첫째 브랜드\ntwo,둘째 브랜드\nthree,셋째 브랜드\n";
    let made = import(
        &shop,
        &staff,
        named("brand"),
        "dryRun=false",
        brands.as_bytes(),
    )
    .await;
    let ids: Vec<String> = made.expect(200).body["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["id"].as_str().unwrap().to_owned())
        .collect();
    let table = format!("_id,code\n{},one\n", ids[1]);
    assert_eq!(
        errors(&staff, "brand", table).await,
        std::slice::from_ref(&taken)
    );
    // A code released by a row above is available.
    let table = format!("_id,code\n{},four\n{},one\n", ids[0], ids[1]);
    assert_eq!(errors(&staff, "brand", table).await, [json!([]), json!([])]);

    // Of another seller.
    let (seller, other) = (
        shop.company("seller01").await,
        shop.company("seller02").await,
    );
    shop.console_product(&other, "A-1").await;
    let table = "code,name,price,shows\nA-1,사과 한 상자,1000,Y\n".to_owned();
    assert_eq!(errors(&seller, "product", table).await, [taken]);

    // And for other unique fields.
    let taken = at("date", "date_taken", "이미 등록한 날짜입니다.");
    let holidays = "date,name\n2026-12-25,성탄절\n2026-12-26,임시 휴일\n";
    let made = import(
        &shop,
        &staff,
        named("holiday"),
        "dryRun=false",
        holidays.as_bytes(),
    )
    .await;
    let id = made.expect(200).body["rows"][1]["id"].clone();
    let table = format!("_id,date\n{},2026-12-25\n", id.as_str().unwrap());
    assert_eq!(errors(&staff, "holiday", table).await, [taken]);
}

/// The further batches of a stored table, until the last one or up to this number.
async fn further(
    shop: &TestApp,
    who: &Account,
    kind: &Value,
    query: &str,
    (first, most): (Reply, usize),
) -> Vec<Reply> {
    let mut parts = vec![first];
    while let Some(last) = parts.last()
        && let Some(next) = last.body["next"].as_u64()
        && parts.len() < most
    {
        let table = text(&last.body, "table");
        let path = format!(
            "{}/import?{query}&table={table}&after={next}",
            text(kind, "path")
        );
        let part = shop.post(&path, &json!({})).as_(who).send().await;
        parts.push(part.expect(200));
    }
    parts
}

/// A number of the summary, over all batches.
fn sum(parts: &[Reply], name: &str) -> u64 {
    let numbers = parts
        .iter()
        .map(|part| part.body["summary"][name].as_u64().unwrap());
    numbers.sum()
}

#[tokio::test]
async fn a_long_table_is_sent_once_done_in_parts_and_done_again_without_harm() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let kinds = kinds();
    // A kind without a code: only the content of a row identifies the record it created.
    let kind = kinds.iter().find(|kind| kind["name"] == "island").unwrap();
    let mut rows = vec![vec![
        "name".to_owned(),
        "area".to_owned(),
        "starts".to_owned(),
        "ends".to_owned(),
    ]];
    rows.extend((0..520).map(|no| {
        let zip = format!("{}", 10_000 + no);
        vec![format!("섬 {no}"), "jeju".to_owned(), zip.clone(), zip]
    }));
    rows[3][1] = "화성".to_owned();
    rows[400][1] = "화성".to_owned();
    let table = written(&rows);

    let look = import(&shop, &staff, kind, "dryRun=true", &table)
        .await
        .expect(200);
    assert_eq!(look.body["total"], 520, "{}", look.text);
    let looked = further(&shop, &staff, kind, "dryRun=true", (look, 9)).await;
    assert_eq!(looked.len(), 3);
    let wrong: Vec<u64> = looked
        .iter()
        .flat_map(|part| part.body["rows"].as_array().unwrap())
        .filter(|row| row["action"] == "error")
        .map(|row| row["row"].as_u64().unwrap())
        .collect();
    assert_eq!((sum(&looked, "creates"), wrong), (518, vec![4, 401]));

    // Stopped after the first batch, and the whole table sent again: completed rows stay unchanged.
    let real = import(&shop, &staff, kind, "dryRun=false", &table)
        .await
        .expect(200);
    assert_eq!(sum(&[real], "creates"), 249);
    let again = import(&shop, &staff, kind, "dryRun=false", &table)
        .await
        .expect(200);
    let again = further(&shop, &staff, kind, "dryRun=false", (again, 9)).await;
    let counted = ["creates", "updates", "unchanged", "errors"].map(|name| sum(&again, name));
    assert_eq!(counted, [269, 0, 249, 2]);
    let at = again.last().unwrap().position();
    let list = listed(&shop, &staff, kind, "", &at).await;
    assert_eq!(list.body["summary"]["totalCount"], 518);

    // After an invalid row is corrected, only that one is new.
    rows[3][1] = "jeju".to_owned();
    let right = import(&shop, &staff, kind, "dryRun=true", &written(&rows))
        .await
        .expect(200);
    assert_eq!(sum(&[right], "creates"), 1);

    // A stored table is accessible only to its owner, and only for its kind.
    let seller = shop.company("seller01").await;
    let product = kinds.iter().find(|kind| kind["name"] == "product").unwrap();
    let theirs = import(
        &shop,
        &staff,
        product,
        "dryRun=true",
        "name\n상품\n".as_bytes(),
    )
    .await;
    let (islands, products) = (text(&again[0].body, "table"), text(&theirs.body, "table"));
    for (who, kind, table, after) in [
        (&seller, product, products, 0),
        (&staff, product, islands, 0),
        (&staff, kind, islands, 7),
    ] {
        let path = format!("{}/import?table={table}&after={after}", text(kind, "path"));
        let refused = shop.post(&path, &json!({})).as_(who).send().await;
        assert_eq!(
            refused.expect(400).body["error"]["fields"][0]["code"],
            "gone"
        );
    }
}

#[tokio::test]
async fn xlsx_says_the_same_and_hostile_files_are_refused() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let kind = kinds()
        .into_iter()
        .find(|kind| kind["name"] == "island")
        .unwrap();
    let (_, at) = some(&shop, &staff, &kind, 3).await;
    let file = reqwest::Client::new()
        .get(format!("{}{}/export", shop.url, text(&kind, "path")))
        .bearer_auth(&staff.token)
        .header("x-wait-position", &at)
        .send()
        .await
        .unwrap()
        .bytes()
        .await
        .unwrap();
    let same = import(&shop, &staff, &kind, "dryRun=true", &file)
        .await
        .expect(200);
    assert_eq!(
        same.body["summary"],
        json!({ "rows": 3, "creates": 0, "updates": 0, "unchanged": 3, "errors": 0 }),
        "{}",
        same.text
    );

    let many = format!("name\n{}", "가나\n".repeat(50_001));
    let wide = "name,".repeat(300);
    for file in [
        b"".as_slice(),
        b"PK\x03\x04nonsense",
        b"\xff\xfe\x00\x01",
        b"no,heading\n1,2",
        many.as_bytes(),
        wide.as_bytes(),
        b"name,secret\n1,2",
        b"name,name\n1,2",
    ] {
        let reply = import(&shop, &staff, &kind, "dryRun=false", file)
            .await
            .expect(400);
        assert_eq!(reply.code(), "invalid");
    }
    let large = vec![b'a'; 21 * 1024 * 1024];
    import(&shop, &staff, &kind, "dryRun=true", &large)
        .await
        .expect(413);
}
