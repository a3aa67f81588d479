//! Every documented endpoint is called with unexpected input: the response is a clear rejection or a success, never a 500. The endpoints
//! come from the OpenAPI document, so a new one is tested automatically. Access to data of others is tested in `strangers`.

use std::mem::discriminant;

use futures::StreamExt;
use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::support::kinds::{another, can, kinds, text};
use crate::support::shop::{id_of, order_form};
use crate::support::{Account, Reply, TestApp, sign_up_form};

/// Values that no field expects. The long text is longer than any limit.
fn hostile_values() -> Vec<Value> {
    vec![
        Value::Null,
        json!(-1),
        json!(0),
        json!(9_223_372_036_854_775_807_i64),
        json!(1.5),
        json!(true),
        json!(""),
        json!("🚲\u{202e}'; DROP TABLE events; --"),
        json!("<script>alert(1)</script>"),
        json!("\u{0}널"),
        json!("가".repeat(20_000)),
        json!("not-a-uuid"),
        json!("0192f000-0000-7000-8000-000000000000"),
        json!([]),
        json!({}),
        json!([[[[null]]]]),
    ]
}

const HOSTILE_BODIES: [&str; 9] = [
    "",
    "{",
    "[]",
    "null",
    "\"text\"",
    "12",
    "{\"a\":}",
    "{\"carts\":[{}]}",
    "\u{feff}{}",
];

/// The first is well-formed and belongs to nothing; it is combined with every hostile body and query.
const HOSTILE_IDS: [&str; 6] = [
    "0192f000-0000-7000-8000-000000000000",
    "not-a-uuid",
    "%00",
    "..%2f..%2fetc",
    "'%20or%201=1--",
    "%F0%9F%9A%B2",
];

const HOSTILE_QUERIES: [&str; 8] = [
    "skip=-1&limit=-1",
    "skip=99999999999999999999&limit=0",
    "limit=1000000",
    "sort=';drop&searchValue=%00&category=%27",
    "position=-5&time=yesterday&from=2&to=x",
    "from=9999-12-31&to=9999-12-31&createdAt=[9999-12-31,9999-12-31]",
    "to=9999-12-31T23:59:59Z&createdAt=[0001-01-01,9999-12-31T23:59:59Z]",
    "searchValue=%F0%9F%9A%B2%F0%9F%9A%B2&_id=x&code=%25&priceMin=NaN",
];

/// Values that no path or query parameter expects. Each is sent alone, because another invalid parameter might keep it from being parsed,
/// as a NUL in the address does.
const HOSTILE_PARAMETERS: [&str; 6] = [
    "",
    "99999999999999999999",
    "%00",
    "%F0%9F%9A%B2%27%3B--",
    "9999-12-31T23:59:59Z",
    "0192f000-0000-7000-8000-000000000000",
];

/// A documented endpoint.
struct Call {
    method: Method,
    path: String,
    /// Fields of its body.
    fields: Vec<String>,
    /// Its query parameters.
    parameters: Vec<String>,
}

impl Call {
    /// Sends requests and checks the responses; returns whether the caller has access to this endpoint at all.
    async fn answers(
        &self,
        app: &TestApp,
        account: Option<&Account>,
        path: &str,
        body: &str,
        wrong: &mut Vec<String>,
    ) -> bool {
        let mut ask = app.ask(self.method.clone(), path);
        if let Some(account) = account {
            ask = ask.as_(account);
        }
        if self.method != Method::GET {
            ask = ask.body("application/json", body.to_owned());
        }
        let reply = ask.send().await;
        let shown: String = body.chars().take(80).collect();
        judge(&format!("{} {path} {shown}", self.method), &reply, wrong);
        ![401, 403].contains(&reply.status)
    }
}

fn documented_calls(document: &Value) -> Vec<Call> {
    let mut calls = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let Ok(method) = method.to_uppercase().parse::<Method>() else {
                continue;
            };
            // A stream has no end to wait for; its own tests try wrong ids.
            if operation["responses"]["200"]["content"]["text/event-stream"].is_object() {
                continue;
            }
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let asked = operation["parameters"].as_array().into_iter().flatten();
            let asked = asked.filter(|parameter| parameter["in"] == "query");
            calls.push(Call {
                method,
                path: path.clone(),
                fields: fields_of(document, schema),
                parameters: asked
                    .filter_map(|parameter| Some(parameter["name"].as_str()?.to_owned()))
                    .collect(),
            });
        }
    }
    calls
}

/// The fields of a body, resolving `$ref` and `allOf`.
fn fields_of(document: &Value, schema: &Value) -> Vec<String> {
    if let Some(name) = schema["$ref"].as_str() {
        return fields_of(
            document,
            document.pointer(name.trim_start_matches('#')).unwrap(),
        );
    }
    let own = schema["properties"]
        .as_object()
        .into_iter()
        .flat_map(Map::keys)
        .cloned();
    let parts = schema["allOf"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(|part| fields_of(document, part));
    own.chain(parts).collect()
}

/// Checks that the response is a success or an error in the API's format.
fn judge(asked: &str, reply: &Reply, wrong: &mut Vec<String>) {
    let refused_well = (400..500).contains(&reply.status) && reply.code() != "-";
    if !(200..400).contains(&reply.status) && !refused_well {
        let text: String = reply.text.chars().take(200).collect();
        wrong.push(format!("{asked}: {} {text}", reply.status));
    }
}

async fn try_everything(
    app: &TestApp,
    account: Option<&Account>,
    calls: &[Call],
    wrong: &mut Vec<String>,
) {
    for call in calls {
        // Signing out would end the test's own session.
        if call.path.starts_with("/api/auth") {
            continue;
        }
        for id in HOSTILE_IDS {
            let path = with_ids(&call.path, id);
            let mut asks: Vec<(String, String)> = Vec::new();
            if id != HOSTILE_IDS[0] {
                asks.push((path.clone(), "{}".to_owned()));
            } else if call.method == Method::GET || call.method == Method::DELETE {
                asks.extend(
                    HOSTILE_QUERIES
                        .iter()
                        .map(|query| (format!("{path}?{query}"), String::new())),
                );
            } else {
                asks.extend(
                    HOSTILE_BODIES
                        .iter()
                        .map(|body| (path.clone(), (*body).to_owned())),
                );
            }
            let mut is_read = false;
            for (path, body) in asks {
                is_read |= call.answers(app, account, &path, &body, wrong).await;
            }
            // A caller who is rejected before the body is parsed is rejected whatever its fields contain.
            if is_read && id == HOSTILE_IDS[0] {
                for parameter in &call.parameters {
                    for value in HOSTILE_PARAMETERS {
                        let path = format!("{path}?{parameter}={value}");
                        call.answers(app, account, &path, "{}", wrong).await;
                    }
                }
                for field in &call.fields {
                    for value in hostile_values() {
                        let body = json!({ field: value }).to_string();
                        call.answers(app, account, &path, &body, wrong).await;
                    }
                }
            }
            if !call.path.contains('{') {
                break;
            }
        }
    }
}

/// A path with its placeholders filled.
pub fn with_ids(path: &str, id: &str) -> String {
    let mut parts = path.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |built, part| {
        format!(
            "{built}{id}{}",
            part.split_once('}').map_or("", |(_, rest)| rest)
        )
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_call_breaks_on_what_it_does_not_expect() {
    let app = TestApp::start().await;
    let shopper = app.sign_up("shopper1").await;
    let seller = app.company("seller01").await;
    let operator = app.console().await;
    let mut wrong = Vec::new();
    let document = serde_json::to_value(api::router::openapi()).unwrap();
    let calls = documented_calls(&document);
    for account in [None, Some(&shopper), Some(&seller), Some(&operator)] {
        try_everything(&app, account, &calls, &mut wrong).await;
    }
    assert!(
        wrong.is_empty(),
        "{} bad answers, the first ones:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(40)].join("\n")
    );
}

/// Pointers to all values in a body.
fn places(within: &str, value: &Value) -> Vec<String> {
    let parts: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, one)| (name.clone(), one))
            .collect(),
        Value::Array(items) => (0..)
            .map(|place: u8| place.to_string())
            .zip(items)
            .collect(),
        _ => Vec::new(),
    };
    let mut found = Vec::new();
    for (name, part) in parts {
        let place = format!("{within}/{name}");
        found.extend(places(&place, part));
        found.push(place);
    }
    found
}

/// A body with only a hostile value is rejected because of missing fields; here all other fields are valid.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_hostile_value_in_a_good_body_breaks_nothing() {
    let app = TestApp::start().await;
    let seller = app.seller().await;
    let apples = app.product(seller, 1_000, 1_000_000).await;
    let (shopper, operator) = (app.sign_up("shopper1").await, app.console().await);
    let home = json!({ "title": "집", "name": "김받음", "phone": "010-8765-4321", "postcode": "06236",
        "address1": "서울시 강남구 테헤란로 1", "address2": "2층", "isDefault": false });
    let mut order = order_form(apples, 1);
    order["receiver"]["geolocation"] = json!({ "latitude": 37.5, "longitude": 127.0 });
    order["paymentMethod"] = json!("vbank");
    order["account"] =
        json!({ "code": "004", "accountNumber": "12345678", "accountHolder": "홍길동" });
    order["depositor"] = json!("홍길동");
    order["cashReceipt"] = json!({ "enabled": true, "phone": "010-1234-5678" });
    let mut calls: Vec<(&Account, String, Value)> = [
        ("users", sign_up_form("stranger")),
        ("shop/orders", order),
        ("me/carts", json!({ "_product": apples, "quantity": 1 })),
        ("me/destinations", home),
        ("center/questions", json!({ "category": "ORDER", "subject": "여쭙니다", "content": "언제 오나요?", "files": [] })),
        ("center/contacts", json!({ "category": "SELLING", "name": "김입점", "company": "입점상회", "email": "kim@example.com",
            "phone": "010-1234-5678", "subject": "입점 문의", "content": "입점하고 싶습니다.", "agreed": true })),
        ("shop/inquires", json!({ "_product": apples, "subject": "여쭙니다", "content": "언제 오나요?", "secret": true })),
    ]
    .map(|(path, body)| (&shopper, format!("/api/v1/{path}"), body))
    .into();
    for kind in kinds().iter().filter(|kind| can(kind, "create")) {
        let mut document = another(kind, 0);
        if document.get("_seller").is_some_and(Value::is_null) {
            document["_seller"] = json!(operator.id);
        }
        calls.push((&operator, text(kind, "path").to_owned(), document));
    }
    let mut asks = Vec::new();
    for (who, path, body) in &calls {
        for place in places("", body) {
            let good = body.pointer(&place).unwrap();
            // Values of another type are rejected by the parser, and tested in `no_call_breaks_on_what_it_does_not_expect`.
            let fits = |value: &Value| {
                [value, good].iter().any(|one| one.is_null())
                    || discriminant(value) == discriminant(good)
            };
            for value in hostile_values().into_iter().filter(fits) {
                let mut bad = body.clone();
                *bad.pointer_mut(&place).unwrap() = value;
                if bad["code"] == "code-0" {
                    bad["code"] = json!(format!("code-{}", asks.len()));
                }
                asks.push((*who, path, bad, format!("{path} {place}")));
            }
        }
        // The other fields were valid.
        asks.push((*who, path, body.clone(), format!("{path} good")));
    }
    let app = &app;
    let replies =
        futures::stream::iter(asks.into_iter().map(|(who, path, body, what)| async move {
            (what, app.post(path, &body).as_(who).send().await)
        }));
    let replies: Vec<(String, Reply)> = replies.buffered(16).collect().await;
    let mut wrong = Vec::new();
    for (what, reply) in &replies {
        judge(what, reply, &mut wrong);
        let taken = reply.status < 300 || reply.code().ends_with("_taken");
        if what.ends_with(" good") && !taken {
            wrong.push(format!("{what}: {} {}", reply.status, reply.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // And all followers of the log process the accepted input.
    app.settled().await;
    let states = app.app.store.projection_states().await.unwrap();
    for state in states {
        let is_well = state.stopped_at.is_none() && state.parked_streams == 0;
        assert!(is_well, "{}", state.name);
    }
}

#[tokio::test]
async fn texts_that_look_like_sql_or_html_come_back_as_they_were() {
    let app = TestApp::start().await;
    let shopper = app.sign_up("shopper1").await;
    for name in [
        "Robert'); DROP TABLE events;--",
        "<b onload=alert(1)>김</b>",
        "$1 || pg_sleep(5)",
    ] {
        let reply = app
            .put("/api/v1/me/info", &json!({ "name": name }))
            .as_(&shopper)
            .send()
            .await;
        if reply.status == 200 {
            let seen = app
                .get("/api/v1/me/info")
                .header("x-wait-position", &reply.position())
                .as_(&shopper)
                .send()
                .await;
            assert_eq!(seen.body["user"]["name"], name);
        } else {
            assert_eq!(reply.code(), "invalid", "{}", reply.text);
        }
    }
    app.get("/ready").send().await.expect(200);
}

/// Texts that look like something else, and texts with characters that no keyboard has; U+0000 is not allowed in any text.
const HOSTILE_TEXTS: [&str; 6] = [
    "Robert'); DROP TABLE events;--",
    "<script>alert(1)</script>",
    "${7*7}{{7*7}}%00%s",
    "줄\r\n바꿈\t\u{1b}[31m\u{7f}",
    "\u{202e}거꾸로\u{200d}👩\u{200d}🌾",
    "널\u{0}널",
];

#[tokio::test]
async fn hostile_texts_of_an_order_are_refused_by_name_or_come_back_the_same() {
    let shop = TestApp::start().await;
    let seller = shop.seller().await;
    let apples = shop.product(seller, 1_000, 100).await;
    let hong = shop.sign_up("hong1234").await;
    for field in [
        "/sender/name",
        "/sender/phone",
        "/sender/email",
        "/sender/postcode",
        "/sender/address1",
        "/receiver/title",
        "/receiver/name",
        "/receiver/phone",
        "/receiver/postcode",
        "/receiver/address1",
        "/receiver/address2",
        "/requestMessage",
    ] {
        let (within, name) = field.rsplit_once('/').unwrap();
        for text in HOSTILE_TEXTS {
            let mut form = order_form(apples, 1);
            form.pointer_mut(within).unwrap()[name] = json!(text);
            let placed = shop.post("/api/v1/shop/orders", &form).as_(&hong);
            let placed = placed.send().await;
            let what = format!("{field} {text:?}: {} {}", placed.status, placed.text);
            match placed.status {
                201 => {
                    let order = shop.my_order(&hong.token, &id_of(&placed)).await;
                    assert_eq!(order.pointer(field), Some(&json!(text)), "{what}");
                }
                400 if text.contains('\0') => assert_eq!(placed.code(), "invalid_body", "{what}"),
                400 => {
                    let named = field.trim_start_matches('/').replace('/', ".");
                    let fields = placed.body["error"]["fields"].as_array().unwrap();
                    assert!(fields.iter().any(|one| one["field"] == *named), "{what}");
                }
                _ => panic!("{what}"),
            }
        }
    }
}
