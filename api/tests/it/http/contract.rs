//! Checks every response in any test against the OpenAPI document: an undocumented status or header fails the test that received it. Also
//! tests documented tokens, paging and positions at every endpoint that has them.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::http::bad_input::with_ids;
use crate::support::{Reply, TestApp};

/// Headers that must be documented.
const TOLD: [&str; 4] = ["x-position", "x-stale", "idempotent-replay", "retry-after"];

/// The documentation of one endpoint.
struct Operation {
    method: Method,
    /// The segments of its path; a placeholder is `{name}`.
    path: Vec<String>,
    answers: Vec<DocumentedAnswer>,
}

/// A documented status.
struct DocumentedAnswer {
    status: String,
    headers: BTreeSet<String>,
}

impl Operation {
    fn of(document: &Value, path: &str, method: &str, call: &Value) -> Option<Self> {
        let answers = call["responses"].as_object()?.iter();
        let answers = answers.map(|(status, answer)| {
            let answer = match answer["$ref"].as_str() {
                Some(shared) => document.pointer(shared.trim_start_matches('#')).unwrap(),
                None => answer,
            };
            let headers = answer["headers"].as_object().into_iter().flatten();
            DocumentedAnswer {
                status: status.clone(),
                headers: headers.map(|(name, _)| name.to_lowercase()).collect(),
            }
        });
        Some(Self {
            method: method.to_uppercase().parse().ok()?,
            path: path.split('/').map(str::to_owned).collect(),
            answers: answers.collect(),
        })
    }

    fn is_at(&self, path: &[&str]) -> bool {
        let fits = |(part, asked): (&String, &&str)| part.starts_with('{') || part == asked;
        self.path.len() == path.len() && self.path.iter().zip(path).all(fits)
    }

    fn places(&self) -> usize {
        let is_place = |part: &&String| part.starts_with('{');
        self.path.iter().filter(is_place).count()
    }
}

fn operations() -> &'static [Operation] {
    static KNOWN: OnceLock<Vec<Operation>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let document = serde_json::to_value(api::router::openapi()).unwrap();
        let paths = document["paths"].as_object().unwrap();
        let calls = paths.iter().flat_map(|(path, methods)| {
            let methods = methods.as_object().unwrap().iter();
            methods.filter_map(|(method, call)| Operation::of(&document, path, method, call))
        });
        calls.collect()
    })
}

/// The undocumented parts of a response; nothing for an endpoint that is not in the document.
fn undocumented(
    method: &Method,
    path: &str,
    status: u16,
    headers: &HeaderMap,
) -> Result<(), String> {
    let parts: Vec<&str> = path.split('/').collect();
    let call = operations()
        .iter()
        .filter(|call| call.method == method && call.is_at(&parts))
        .min_by_key(|call| call.places());
    let Some(call) = call else {
        return Ok(());
    };
    let template = call.path.join("/");
    let known = call
        .answers
        .iter()
        .find(|answer| answer.status == status.to_string())
        .ok_or_else(|| format!("{method} {template} answers {status}"))?;
    match TOLD
        .into_iter()
        .find(|name| headers.contains_key(*name) && !known.headers.contains(*name))
    {
        Some(name) => Err(format!("{method} {template} answers {status} with {name}")),
        None => Ok(()),
    }
}

/// Checks that this response is documented.
pub fn hold(method: &Method, path: &str, status: u16, headers: &HeaderMap) {
    if let Err(what) = undocumented(method, path, status, headers) {
        panic!("{what}, and the API's document does not say so");
    }
}

#[test]
fn what_the_document_does_not_tell_is_noticed() {
    let none = HeaderMap::new();
    let says = |method: Method, path: &str, status, headers: &HeaderMap| {
        undocumented(&method, path, status, headers).err()
    };
    assert_eq!(says(Method::GET, "/health", 200, &none), None);
    let odd = says(Method::GET, "/health", 418, &none).unwrap();
    assert_eq!(odd, "GET /health answers 418");
    let mut headers = HeaderMap::new();
    headers.insert("x-position", 7.into());
    let odd = says(Method::GET, "/health", 200, &headers).unwrap();
    assert_eq!(odd, "GET /health answers 200 with x-position");
    let order = "/api/v1/shop/orders";
    assert_eq!(says(Method::POST, order, 201, &headers), None);
    // The more specific one of two matching endpoints.
    let preview = "/api/v1/shop/orders/preview";
    assert_eq!(says(Method::POST, preview, 200, &none), None);
    assert_eq!(says(Method::GET, "/not/a/call", 418, &none), None);
}

/// A documented endpoint.
struct DocumentedCall {
    method: Method,
    /// Its placeholders are filled with an id that belongs to nothing.
    path: String,
    name: String,
    /// Its `security`.
    security: Vec<Vec<String>>,
    /// Its shared parameters.
    parameters: BTreeSet<String>,
    /// Its own query parameters.
    query: BTreeSet<String>,
}

impl DocumentedCall {
    fn all() -> Vec<Self> {
        let document = serde_json::to_value(api::router::openapi()).unwrap();
        let mut all = Vec::new();
        for (path, methods) in document["paths"].as_object().unwrap() {
            for (method, call) in methods.as_object().unwrap() {
                // A stream has no end to wait for.
                if call["responses"]["200"]["content"]["text/event-stream"].is_object() {
                    continue;
                }
                let ways = call["security"].as_array().into_iter().flatten();
                let parameters = call["parameters"].as_array().into_iter().flatten();
                let own = parameters.clone().filter(|one| one["in"] == "query");
                let own = own.filter_map(|one| one["name"].as_str().map(str::to_owned));
                let shared = parameters.clone();
                let shared = shared.filter_map(|one| one["$ref"].as_str()?.rsplit('/').next());
                // The first documented value of a placeholder, if the document lists them.
                let filled = parameters.fold(path.clone(), |path, one| {
                    match (one["name"].as_str(), one["schema"]["enum"][0].as_str()) {
                        (Some(name), Some(value)) => path.replace(&format!("{{{name}}}"), value),
                        _ => path,
                    }
                });
                all.push(Self {
                    method: method.to_uppercase().parse().unwrap(),
                    path: with_ids(&filled, "0192f000-0000-7000-8000-000000000000"),
                    name: format!("{method} {path}"),
                    security: ways
                        .map(|way| way.as_object().unwrap().keys().cloned().collect())
                        .collect(),
                    parameters: shared.map(str::to_owned).collect(),
                    query: own.collect(),
                });
            }
        }
        all
    }

    async fn ask(&self, shop: &TestApp, token: Option<&str>, headers: &[(&str, &str)]) -> Reply {
        let mut ask = shop.ask(self.method.clone(), &self.path);
        if let Some(token) = token {
            ask = ask.token(token);
        }
        for (name, value) in headers {
            ask = ask.header(name, value);
        }
        if self.method != Method::GET {
            ask = ask.body("application/json", "{}");
        }
        ask.once().await
    }

    fn has(&self, parameter: &str) -> bool {
        self.parameters.contains(parameter)
    }
}

/// The token of an endpoint is as documented: none, optional, or required.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_takes_the_token_its_document_says() {
    let shop = TestApp::start().await;
    let mut wrong = Vec::new();
    let (mut optional, mut needed) = (0, 0);
    for call in DocumentedCall::all() {
        let ways: Vec<Vec<&str>> = call
            .security
            .iter()
            .map(|way| way.iter().map(String::as_str).collect())
            .collect();
        let bare = call.ask(&shop, None, &[]).await.status;
        let odd = call.ask(&shop, Some("not.a.token"), &[]).await;
        let fits = match ways.iter().map(Vec::as_slice).collect::<Vec<_>>()[..] {
            [["basic" | "refresh"]] => bare == 401,
            [["access"]] => {
                needed += 1;
                bare == 401 && odd.code() == "token_invalid"
            }
            [[], ["access"]] => {
                optional += 1;
                bare != 401 && odd.code() == "token_invalid"
            }
            [] => bare != 401 && odd.code() != "token_invalid",
            _ => false,
        };
        if !fits {
            wrong.push(format!("{} {ways:?}: {bare}, {}", call.name, odd.status));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(needed > 100 && optional > 5, "{needed} {optional}");
}

/// Every list accepts limits of 1 to 100 rows, and no other value.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_has_the_rows_its_document_says() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let mut wrong = Vec::new();
    let mut lists = 0;
    for call in DocumentedCall::all()
        .iter()
        .filter(|call| call.method == Method::GET)
    {
        let said = ["SkipHeader", "LimitHeader", "SkipQuery", "LimitQuery"];
        let pages = said.iter().filter(|name| call.has(name)).count();
        assert!([0, 4].contains(&pages), "{}", call.name);
        lists += usize::from(pages > 0);
        for (limit, field) in [("0", "limit"), ("101", "limit"), ("100", "-"), ("1", "-")] {
            let by_header = call
                .ask(&shop, Some(&staff.token), &[("limit", limit)])
                .await;
            let path = format!("{}?limit={limit}", call.path);
            let by_query = shop.get(&path).as_(&staff).once().await;
            for reply in [&by_header, &by_query] {
                let complained = (reply.code(), reply.complaint().0) == ("invalid_query", "limit");
                if complained != (pages > 0 && field == "limit") {
                    wrong.push(format!("{} limit={limit}: {}", call.name, reply.text));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(lists > 40, "{lists}");
}

/// Lists of members and staff refuse a condition they do not know, and know every one that is documented.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_knows_the_conditions_its_document_says_and_no_other() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let mut wrong = Vec::new();
    let (mut lists, mut conditions) = (0, 0);
    for call in DocumentedCall::all() {
        let is_strict = ["/api/console/", "/api/v1/me/"];
        let is_strict = is_strict.iter().any(|begin| call.path.starts_with(begin));
        let is_list = call.has("LimitQuery") || !call.query.is_empty();
        if call.method != Method::GET || !is_strict || !is_list {
            continue;
        }
        lists += 1;
        let told = async |query: &str| {
            let path = format!("{}?{query}", call.path);
            let reply = shop.get(&path).as_(&staff).once().await;
            let complaint = reply.complaint();
            (reply.code() == "invalid_query")
                .then(|| (complaint.0.to_owned(), complaint.1.to_owned()))
        };
        let odd = told("limit=1&tabb=payment").await;
        if odd != Some(("tabb".to_owned(), "unknown_filter".to_owned())) {
            wrong.push(format!("{}: {odd:?}", call.name));
        }
        for name in &call.query {
            conditions += 1;
            let said = told(&format!("{name}=")).await;
            if said.is_some_and(|(_, code)| code == "unknown_filter") {
                wrong.push(format!("{} does not know {name}", call.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(lists > 100 && conditions > 400, "{lists} {conditions}");
}

/// Endpoints that only read, but check the key because they share their body with a write.
const ONLY_SHOWN: [&str; 5] = [
    "post /api/plugins/recaptcha",
    "put /api/v1/me/coupons/{id}/product",
    "put /api/v1/me/coupons/{id}/shipping",
    "post /api/v1/me/orders/{id}/cancel/preview",
    "post /api/console/shop/coupons/reach",
];

/// Every write whose document has the key rejects one that is too long, and other endpoints ignore it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_takes_the_key_its_document_says() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let long = "k".repeat(256);
    let mut wrong = Vec::new();
    let mut keyed = 0;
    for call in DocumentedCall::all() {
        let documented = call.has("IdempotencyKey");
        if call.method == Method::GET {
            assert!(!documented, "{}", call.name);
            continue;
        }
        let headers = [("idempotency-key", long.as_str())];
        let reply = call.ask(&shop, Some(&staff.token), &headers).await;
        let complained = reply.status == 400 && reply.complaint().0 == "Idempotency-Key";
        keyed += usize::from(complained);
        // Some report other errors first, such as an empty body or an unknown id.
        let fits = match documented {
            true => complained || reply.status >= 400,
            false => !complained || ONLY_SHOWN.contains(&call.name.as_str()),
        };
        if !fits {
            wrong.push(format!("{}: {}", call.name, reply.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(keyed > 60, "{keyed}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_waits_for_a_position_where_its_document_says_so() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let mut wrong = Vec::new();
    let mut waiting = 0;
    for call in DocumentedCall::all() {
        if call.method != Method::GET {
            assert!(!call.has("WaitPosition"), "{}", call.name);
            continue;
        }
        waiting += usize::from(call.has("WaitPosition"));
        let headers = [("x-wait-position", "soon")];
        let reply = call.ask(&shop, Some(&staff.token), &headers).await;
        let complained =
            (reply.code(), reply.complaint().0) == ("invalid_query", "X-Wait-Position");
        // Otherwise invalid requests report that first.
        let other = call.ask(&shop, Some(&staff.token), &[]).await.status == 400;
        if complained != call.has("WaitPosition") && !other {
            wrong.push(format!("{}: {}", call.name, reply.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(waiting > 40, "{waiting}");
}
