//! A fake Meilisearch server, for machines without one: the paths, bodies, states and errors of the real one as far as the engine uses them
//! (checked against version 1.50), in memory. Its matching is a simple model of the documented rules: all words, in the attributes
//! searched; the last one may be incomplete; synonyms; typing errors where they are allowed; the ranking rules `sort`, `typo` and
//! `attributeRank`, then the index's own.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use axum::extract::{Path, Query, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// The only key it accepts.
pub const KEY: &str = "the-key-of-the-fake-server";

#[derive(Clone, Default)]
pub struct Fake(Arc<Mutex<Inside>>);

#[derive(Default)]
struct Inside {
    indexes: BTreeMap<String, Index>,
    tasks: Vec<Task>,
    /// Error with which the next documents are refused.
    refusing: Option<&'static str>,
}

#[derive(Clone, Default)]
struct Index {
    settings: Value,
    documents: BTreeMap<String, Value>,
}

struct Task {
    index: Option<String>,
    kind: &'static str,
    work: Work,
    /// Number of polls so far: enqueued, processing, done.
    asked: usize,
    error: Option<Value>,
}

enum Work {
    Create,
    Delete,
    Settings(Value),
    Put(Vec<Value>),
    Swap(String, String),
    Done,
}

impl Fake {
    /// Starts a server; returns its URL.
    pub async fn start() -> (Self, String) {
        let fake = Self::default();
        let routes = Router::new()
            .route("/indexes", post(create))
            .route("/indexes/{uid}", get(index).delete(delete))
            .route("/indexes/{uid}/settings", axum::routing::patch(settings))
            .route("/indexes/{uid}/documents", post(put))
            .route("/indexes/{uid}/documents/fetch", post(fetch))
            .route("/indexes/{uid}/documents/{id}", get(document))
            .route("/tasks", get(tasks))
            .route("/tasks/{uid}", get(task))
            .route("/swap-indexes", post(swap))
            .route("/multi-search", post(search))
            .layer(middleware::from_fn(authorised))
            .with_state(fake.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        (fake, url)
    }

    /// Refuses the next documents with a task that fails.
    pub fn refuse(&self, why: &'static str) {
        self.0.lock().unwrap().refusing = Some(why);
    }

    /// The settings of an index, as sent.
    pub fn settings(&self, index: &str) -> Value {
        self.0.lock().unwrap().indexes[index].settings.clone()
    }

    /// The names of the indexes.
    pub fn indexes(&self) -> Vec<String> {
        self.0.lock().unwrap().indexes.keys().cloned().collect()
    }

    /// Deletes everything, like a server with a new disk.
    pub fn lose(&self) {
        *self.0.lock().unwrap() = Inside::default();
    }

    fn enqueue(&self, index: Option<&str>, kind: &'static str, work: Work) -> Response {
        let mut inside = self.0.lock().unwrap();
        let refused = match (&work, inside.refusing.take()) {
            (Work::Put(_), Some(why)) => Some(error("invalid_document_fields", why)),
            (_, kept) => {
                inside.refusing = kept;
                None
            }
        };
        let uid = inside.tasks.len();
        inside.tasks.push(Task {
            index: index.map(str::to_owned),
            kind,
            work,
            asked: 0,
            error: refused,
        });
        let taken = json!({
            "taskUid": uid, "indexUid": index, "status": "enqueued", "type": kind, "enqueuedAt": "2026-01-01T00:00:00Z"
        });
        (StatusCode::ACCEPTED, Json(taken)).into_response()
    }
}

impl Inside {
    /// Executes a task at its third poll, after those queued before it.
    fn ask(&mut self, uid: usize) -> Value {
        self.tasks[uid].asked += 1;
        if self.tasks[uid].asked > 2 {
            for earlier in 0..=uid {
                self.tasks[earlier].asked = 3;
                self.work(earlier);
            }
        }
        self.show(uid)
    }

    fn work(&mut self, uid: usize) {
        let task = &mut self.tasks[uid];
        let work = std::mem::replace(&mut task.work, Work::Done);
        let name = task.index.clone().unwrap_or_default();
        if task.error.is_some() {
            return;
        }
        match work {
            Work::Done => {}
            Work::Create => {
                self.indexes.entry(name).or_default();
            }
            Work::Delete => {
                self.indexes.remove(&name);
            }
            Work::Settings(settings) => self.indexes.entry(name).or_default().settings = settings,
            Work::Put(documents) => {
                let index = self.indexes.entry(name).or_default();
                for document in documents {
                    let id = document["id"].as_str().unwrap().to_owned();
                    index.documents.insert(id, document);
                }
            }
            Work::Swap(one, other) => {
                let first = self.indexes.remove(&one).unwrap();
                let second = self.indexes.remove(&other).unwrap();
                self.indexes.insert(one, second);
                self.indexes.insert(other, first);
            }
        }
    }

    fn show(&self, uid: usize) -> Value {
        let task = &self.tasks[uid];
        let times = json!("2026-01-01T00:00:00Z");
        let mut shown = json!({
            "uid": uid, "batchUid": uid, "indexUid": task.index, "type": task.kind, "canceledBy": null, "details": null,
            "error": null, "duration": null, "enqueuedAt": times, "startedAt": null, "finishedAt": null
        });
        shown["status"] = match (task.asked, &task.error) {
            (0 | 1, _) => json!("enqueued"),
            (2, _) => json!("processing"),
            (_, None) => json!("succeeded"),
            (_, Some(_)) => json!("failed"),
        };
        if task.asked > 1 {
            shown["startedAt"] = times.clone();
        }
        if task.asked > 2 {
            shown["finishedAt"] = times;
            shown["duration"] = json!("PT0.001S");
            shown["error"] = json!(task.error);
        }
        shown
    }
}

fn error(code: &str, message: &str) -> Value {
    json!({
        "message": message, "code": code, "type": "invalid_request",
        "link": format!("https://docs.meilisearch.com/errors#{code}")
    })
}

fn refusal(status: StatusCode, code: &str, message: &str) -> Response {
    (status, Json(error(code, message))).into_response()
}

fn no_index(uid: &str) -> Response {
    let message = format!("Index `{uid}` not found.");
    refusal(StatusCode::NOT_FOUND, "index_not_found", &message)
}

async fn authorised(request: Request, next: Next) -> Response {
    let header = request.headers().get(header::AUTHORIZATION);
    match header.map(|value| value.to_str().unwrap().to_owned()) {
        Some(value) if value == format!("Bearer {KEY}") => next.run(request).await,
        Some(_) => refusal(
            StatusCode::FORBIDDEN,
            "invalid_api_key",
            "The provided API key is invalid.",
        ),
        None => refusal(
            StatusCode::UNAUTHORIZED,
            "missing_authorization_header",
            "The Authorization header is missing.",
        ),
    }
}

async fn create(State(fake): State<Fake>, Json(body): Json<Value>) -> Response {
    assert_eq!(body["primaryKey"], "id");
    fake.enqueue(body["uid"].as_str(), "indexCreation", Work::Create)
}

async fn index(State(fake): State<Fake>, Path(uid): Path<String>) -> Response {
    match fake.0.lock().unwrap().indexes.get(&uid) {
        None => no_index(&uid),
        Some(_) => Json(json!({
            "uid": uid, "createdAt": "2026-01-01T00:00:00Z", "updatedAt": "2026-01-01T00:00:00Z", "primaryKey": "id"
        }))
        .into_response(),
    }
}

async fn delete(State(fake): State<Fake>, Path(uid): Path<String>) -> Response {
    fake.enqueue(Some(&uid), "indexDeletion", Work::Delete)
}

async fn settings(
    State(fake): State<Fake>,
    Path(uid): Path<String>,
    Json(settings): Json<Value>,
) -> Response {
    fake.enqueue(Some(&uid), "settingsUpdate", Work::Settings(settings))
}

async fn put(
    State(fake): State<Fake>,
    Path(uid): Path<String>,
    Json(documents): Json<Vec<Value>>,
) -> Response {
    fake.enqueue(Some(&uid), "documentAdditionOrUpdate", Work::Put(documents))
}

async fn document(State(fake): State<Fake>, Path((uid, id)): Path<(String, String)>) -> Response {
    let inside = fake.0.lock().unwrap();
    let Some(index) = inside.indexes.get(&uid) else {
        return no_index(&uid);
    };
    match index.documents.get(&id) {
        Some(document) => Json(document.clone()).into_response(),
        None => refusal(
            StatusCode::NOT_FOUND,
            "document_not_found",
            &format!("Document `{id}` not found."),
        ),
    }
}

async fn fetch(
    State(fake): State<Fake>,
    Path(uid): Path<String>,
    Json(query): Json<Value>,
) -> Response {
    let inside = fake.0.lock().unwrap();
    let Some(index) = inside.indexes.get(&uid) else {
        return no_index(&uid);
    };
    let ids = query["ids"].as_array().unwrap().iter();
    let found: Vec<Value> = ids
        .filter_map(|id| index.documents.get(id.as_str().unwrap()))
        .map(|document| json!({"id": document["id"], "_position": document["_position"]}))
        .collect();
    let total = found.len();
    Json(json!({"results": found, "offset": 0, "limit": query["limit"], "total": total}))
        .into_response()
}

async fn tasks(
    State(fake): State<Fake>,
    Query(query): Query<BTreeMap<String, String>>,
) -> Json<Value> {
    let statuses: BTreeSet<&str> = query["statuses"].split(',').collect();
    assert_eq!(statuses, BTreeSet::from(["enqueued", "processing"]));
    let inside = fake.0.lock().unwrap();
    let waits = |task: &Task| task.asked < 3 && task.index.as_ref() == Some(&query["indexUids"]);
    let waiting = (0..inside.tasks.len())
        .rev()
        .filter(|uid| waits(&inside.tasks[*uid]));
    let results: Vec<Value> = waiting.take(1).map(|uid| inside.show(uid)).collect();
    let total = results.len();
    Json(json!({"results": results, "total": total, "limit": 1, "from": null, "next": null}))
}

async fn task(State(fake): State<Fake>, Path(uid): Path<usize>) -> Json<Value> {
    Json(fake.0.lock().unwrap().ask(uid))
}

async fn swap(State(fake): State<Fake>, Json(body): Json<Value>) -> Response {
    let name = |at: usize| body[0]["indexes"][at].as_str().unwrap().to_owned();
    fake.enqueue(None, "indexSwap", Work::Swap(name(0), name(1)))
}

/// The match of one document, by the best of the queries.
struct Hit<'a> {
    document: &'a Value,
    score: f64,
}

async fn search(State(fake): State<Fake>, Json(body): Json<Value>) -> Response {
    let inside = fake.0.lock().unwrap();
    let queries = body["queries"].as_array().unwrap();
    let declared = |list: &Value, name: &str| {
        let known = strings(list).any(|known| known == name);
        assert!(known, "{name} is none of {list}");
    };
    let uid = queries[0]["indexUid"].as_str().unwrap();
    let Some(index) = inside.indexes.get(uid) else {
        return no_index(uid);
    };
    let mut hits: BTreeMap<&str, Hit<'_>> = BTreeMap::new();
    for query in queries {
        for condition in query["filter"].as_str().unwrap().split(" AND ") {
            let name = condition.split(' ').next().unwrap();
            declared(&index.settings["filterableAttributes"], name);
        }
        for order in strings(&query["sort"]) {
            let name = order.split(':').next().unwrap();
            declared(&index.settings["sortableAttributes"], name);
        }
        let fits = |document: &&Value| passes(document, query["filter"].as_str().unwrap());
        for document in index.documents.values().filter(fits) {
            let Some(score) = matched(&index.settings, document, query) else {
                continue;
            };
            let score = score * query["federationOptions"]["weight"].as_f64().unwrap();
            let hit = hits
                .entry(document["id"].as_str().unwrap())
                .or_insert(Hit { document, score });
            hit.score = hit.score.max(score);
        }
    }
    let mut hits: Vec<Hit<'_>> = hits.into_values().collect();
    let rules = |rules: &Value| -> Vec<String> {
        let rules = rules.as_array().into_iter().flatten();
        rules
            .map(|rule| rule.as_str().unwrap().to_owned())
            .collect()
    };
    let sort = rules(&queries[0]["sort"]);
    let own = rules(&index.settings["rankingRules"]);
    hits.sort_by(|a, b| {
        by(&sort, a, b)
            .then(b.score.total_cmp(&a.score))
            .then_with(|| by(&own, a, b))
    });
    let federation = &body["federation"];
    let number = |name: &str| usize::try_from(federation[name].as_u64().unwrap()).unwrap();
    let (offset, limit) = (number("offset"), number("limit"));
    let page = hits.iter().skip(offset).take(limit);
    let page: Vec<Value> = page
        .map(|hit| {
            let federation =
                json!({"indexUid": uid, "queriesPosition": 0, "weightedRankingScore": hit.score});
            let mut shown = json!({ "_federation": federation });
            for name in strings(&queries[0]["attributesToRetrieve"]) {
                declared(&index.settings["displayedAttributes"], name);
                shown[name] = hit.document[name].clone();
            }
            shown
        })
        .collect();
    let mut answer = json!({
        "hits": page, "processingTimeMs": 0, "limit": limit, "offset": offset, "estimatedTotalHits": hits.len()
    });
    let most = federation["mergeFacets"]["maxValuesPerFacet"].as_u64();
    for facet in strings(&federation["facetsByIndex"][uid]) {
        declared(&index.settings["filterableAttributes"], facet);
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        let mut ends: Option<(f64, f64)> = None;
        for hit in &hits {
            let value = &hit.document[facet];
            for value in value.as_array().unwrap_or(&vec![value.clone()]) {
                let code = match value {
                    Value::Null => continue,
                    Value::String(text) => text.clone(),
                    other => other.to_string(),
                };
                *counts.entry(code).or_default() += 1;
                if let Some(number) = value.as_f64() {
                    let (min, max) = ends.unwrap_or((number, number));
                    ends = Some((min.min(number), max.max(number)));
                }
            }
        }
        // merged, the values are limited to this many; the range covers all of them
        let most = usize::try_from(most.unwrap()).unwrap();
        let counts: BTreeMap<String, u64> = counts.into_iter().take(most).collect();
        answer["facetDistribution"][facet] = json!(counts);
        if let Some((min, max)) = ends {
            answer["facetStats"][facet] = json!({ "min": min, "max": max });
        }
    }
    Json(answer).into_response()
}

/// `field:asc` and `field:desc`; the built-in rules are left to the score.
fn by(rules: &[String], a: &Hit<'_>, b: &Hit<'_>) -> Ordering {
    let order = |rule: &String| {
        let Some((field, direction)) = rule.split_once(':') else {
            return Ordering::Equal;
        };
        let (a, b) = (&a.document[field], &b.document[field]);
        let order = match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            _ => a.as_str().cmp(&b.as_str()),
        };
        if direction == "desc" {
            order.reverse()
        } else {
            order
        }
    };
    rules
        .iter()
        .map(order)
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// The filter forms that the engine writes.
fn passes(document: &Value, filter: &str) -> bool {
    filter.split(" AND ").all(|part| {
        let (field, rest) = part.split_once(' ').unwrap();
        let value = &document[field];
        if rest == "EXISTS" {
            return !value.is_null();
        }
        if rest == "= true" {
            return value == &json!(true);
        }
        if let Some(list) = rest.strip_prefix("IN ") {
            let wanted: Vec<Value> = serde_json::from_str(list).unwrap();
            let has = |value: &Value| wanted.contains(value);
            return value
                .as_array()
                .map_or_else(|| has(value), |values| values.iter().any(has));
        }
        let (sign, number) = rest.split_once(' ').unwrap();
        let (Some(value), number) = (value.as_f64(), number.parse::<f64>().unwrap()) else {
            return false;
        };
        match sign {
            ">=" => value >= number,
            "<=" => value <= number,
            "=" => value == number,
            other => panic!("unknown sign {other}"),
        }
    })
}

/// How well a document matches all words of a query: 1 at best, reduced by attribute and typing errors.
fn matched(settings: &Value, document: &Value, query: &Value) -> Option<f64> {
    assert_eq!(query["matchingStrategy"], "all");
    let text = query["q"].as_str().unwrap();
    let searched: BTreeSet<&str> = strings(&query["attributesToSearchOn"]).collect();
    let strict: BTreeSet<&str> =
        strings(&settings["typoTolerance"]["disableOnAttributes"]).collect();
    let attributes: Vec<&str> = strings(&settings["searchableAttributes"]).collect();
    let words: Vec<&str> = text.split_whitespace().take(10).collect();
    let mut sum = 0.0;
    for (at, word) in words.iter().enumerate() {
        let unfinished = at + 1 == words.len() && !text.ends_with(' ');
        let synonyms: Vec<&str> = strings(&settings["synonyms"][*word]).collect();
        let typos = match word.chars().count() {
            0..=5 => 0,
            6..=9 => 1,
            _ => 2,
        };
        let best = attributes
            .iter()
            .enumerate()
            .filter(|(_, name)| searched.contains(*name))
            .flat_map(|(rank, name)| tokens(&document[*name]).map(move |token| (rank, name, token)))
            .filter_map(|(rank, name, token)| {
                let here = 1.0 - f64::from(u32::try_from(rank).unwrap()) / 10.0;
                let whole = token == *word || synonyms.contains(&token);
                if whole || unfinished && token.starts_with(word) {
                    Some(here)
                } else if !strict.contains(name) && distance(token, word) <= typos {
                    Some(here / 2.0)
                } else {
                    None
                }
            })
            .max_by(f64::total_cmp)?;
        sum += best / f64::from(u32::try_from(words.len()).unwrap());
    }
    Some(if words.is_empty() { 1.0 } else { sum })
}

fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

fn tokens(value: &Value) -> impl Iterator<Item = &str> {
    let text = value.as_str().into_iter();
    text.chain(strings(value)).flat_map(str::split_whitespace)
}

/// Number of letters wrong, missing, superfluous or swapped.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len().abs_diff(other.len()) > 2 {
        return usize::MAX;
    }
    let mut rows = vec![vec![0; other.len() + 1]; one.len() + 1];
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let change = rows[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
                let swapped =
                    i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
                let swap = if swapped {
                    rows[i - 2][j - 2] + 1
                } else {
                    usize::MAX
                };
                change
                    .min(rows[i - 1][j] + 1)
                    .min(rows[i][j - 1] + 1)
                    .min(swap)
            };
        }
    }
    rows[one.len()][other.len()]
}
