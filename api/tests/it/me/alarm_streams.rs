//! Notifications as server-sent events: at once, after an interruption, at another process, and only as long as the sign-in lasts.

use std::time::Duration;

use application::access::ACCESS_LIFE;
use application::alarm_hub::STREAMS_MOST;
use domain::ids::{MemberId, derived_id};
use domain::policies::notifications::AlarmCategory;
use projections::state::notifications::{self, News};
use reqwest::{Client, Response};
use serde_json::{Value, json};
use time::OffsetDateTime;
use tokio::time::timeout;

use crate::support::{Account, Place, TestApp};

/// Longer than any event takes.
const PATIENCE: Duration = Duration::from_secs(20);
/// Long enough for an event that should not come, and for a look without a notification.
const QUIET: Duration = Duration::from_secs(3);

/// An event.
#[derive(Debug)]
struct AlarmEvent {
    id: String,
    data: Value,
}

impl AlarmEvent {
    fn unread(&self) -> i64 {
        self.data["unreadCount"].as_i64().unwrap()
    }

    fn titles(&self) -> Vec<&str> {
        let alarms = self.data["alarms"].as_array().unwrap();
        let titles = alarms.iter().map(|alarm| alarm["title"].as_str().unwrap());
        titles.collect()
    }
}

/// An open stream.
struct Stream {
    response: Response,
    text: String,
}

impl Stream {
    async fn ask(shop: &TestApp, who: &Account, last: Option<&str>) -> Response {
        let url = format!("{}/api/v1/me/alarms/stream", shop.url);
        let mut ask = Client::new().get(url).bearer_auth(&who.token);
        if let Some(last) = last {
            ask = ask.header("last-event-id", last);
        }
        ask.send().await.unwrap()
    }

    async fn open(shop: &TestApp, who: &Account, last: Option<&str>) -> Self {
        let response = Self::ask(shop, who, last).await;
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self {
            response,
            text: String::new(),
        }
    }

    /// The next event; none when the stream ends.
    async fn next(&mut self) -> Option<AlarmEvent> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
                let received = field("data: ").map(|data| AlarmEvent {
                    id: field("id: ").unwrap().to_owned(),
                    data: serde_json::from_str(data).unwrap(),
                });
                self.text = rest.to_owned();
                match received {
                    Some(received) => return Some(received),
                    None => continue,
                }
            }
            let chunk = timeout(PATIENCE, self.response.chunk()).await;
            let chunk = chunk.unwrap().ok()??;
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    async fn event(&mut self) -> AlarmEvent {
        self.next().await.unwrap()
    }

    /// Events until this number is unread: changes soon after each other may come in one event or in several.
    async fn until_unread(&mut self, unread: i64) -> (Vec<String>, String) {
        let mut titles = Vec::new();
        loop {
            let event = self.event().await;
            titles.extend(event.titles().into_iter().map(str::to_owned));
            if event.unread() == unread {
                return (titles, event.id);
            }
        }
    }

    async fn is_quiet(&mut self) {
        let event = timeout(QUIET, self.next()).await;
        assert!(event.is_err(), "{event:?}");
    }
}

/// Stores a notification, as the policy does.
async fn tell(shop: &TestApp, who: &Account, title: &str) {
    let news = News {
        id: derived_id(&format!("{} {title}", who.id)),
        member: who.id.parse::<MemberId>().unwrap(),
        category: AlarmCategory::Order,
        kind: "ORDER_PAID",
        title: title.to_owned(),
        content: String::new(),
        cause: ("order".to_owned(), "1".to_owned()),
        url: "/mypage".to_owned(),
        at: OffsetDateTime::now_utc(),
    };
    notifications::tell(shop.app.pool(), &news).await.unwrap();
}

async fn newest(shop: &TestApp, who: &Account) -> String {
    let list = shop.get("/api/v1/me/alarms").as_(who).send().await;
    let path = list.expect(200).body["alarms"][0]["_id"].clone();
    format!("/api/v1/me/alarms/{}", path.as_str().unwrap())
}

#[tokio::test]
async fn an_open_page_follows_all_changes_of_its_member_and_of_no_one_else() {
    let shop = TestApp::start().await;
    let (hong, kim) = (
        shop.sign_up("hong1234").await,
        shop.sign_up("kim12345").await,
    );
    tell(&shop, &hong, "이전").await;
    let mut stream = Stream::open(&shop, &hong, None).await;
    let first = stream.event().await;
    // What was there before is in the list.
    assert_eq!((first.unread(), first.titles()), (1, vec![]));
    tell(&shop, &kim, "남의 소식").await;
    tell(&shop, &hong, "결제").await;
    tell(&shop, &hong, "결제").await;
    let event = stream.event().await;
    assert_eq!((event.unread(), event.titles()), (2, vec!["결제"]));
    assert_eq!(event.data["alarms"][0]["name"], "주문");
    // Reading and removing it in another window, and the settings.
    let path = newest(&shop, &hong).await;
    let read = shop.put(&path, &json!({ "shows": false })).as_(&hong);
    read.send().await.expect(200);
    let event = stream.event().await;
    assert_eq!((event.unread(), event.titles()), (1, vec![]));
    shop.delete(&path).as_(&hong).send().await.expect(204);
    assert_eq!(stream.event().await.unread(), 1);
    let off = json!({ "noti": { "isShow": false } });
    let off = shop.put("/api/v1/me", &off).as_(&hong).send().await;
    assert_eq!(off.expect(200).body["user"]["notiCount"], 0);
    assert_eq!(stream.event().await.unread(), 0);
    stream.is_quiet().await;
}

#[tokio::test]
async fn an_interrupted_stream_goes_on_where_it_was_at_any_process() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let mut stream = Stream::open(&shop, &hong, None).await;
    stream.event().await;
    for title in ["하나", "둘"] {
        tell(&shop, &hong, title).await;
    }
    let (titles, id) = stream.until_unread(2).await;
    assert_eq!(titles, ["하나", "둘"]);
    drop(stream);
    for title in ["셋", "넷"] {
        tell(&shop, &hong, title).await;
    }
    // Another process with the same keys, where the member was never seen.
    let other = Place::like(&shop).await.open(&shop.database).await;
    let mut stream = Stream::open(&other, &hong, Some(&id)).await;
    let missed = stream.event().await;
    assert_eq!((missed.unread(), missed.titles()), (4, vec!["셋", "넷"]));
    // Stored by the first process, at once on the second one's page.
    tell(&shop, &hong, "다섯").await;
    let event = stream.event().await;
    assert_eq!((event.unread(), event.titles()), (5, vec!["다섯"]));
    // With the newest id there is nothing to send.
    let mut again = Stream::open(&shop, &hong, Some(&event.id)).await;
    again.is_quiet().await;
    // An id that never was, such as one from before a restored backup, starts over.
    for unknown in ["9000000", "-1", "여섯", ""] {
        let mut stream = Stream::open(&shop, &hong, Some(unknown)).await;
        let first = stream.event().await;
        assert_eq!((first.unread(), first.titles()), (5, vec![]), "{unknown}");
    }
}

#[tokio::test]
async fn of_many_missed_alarms_the_newest_are_sent() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    for number in 1..=25 {
        tell(&shop, &hong, &number.to_string()).await;
    }
    let mut stream = Stream::open(&shop, &hong, Some("0")).await;
    let event = stream.event().await;
    assert_eq!((event.unread(), event.titles().len()), (25, 20));
    assert_eq!(event.titles().last(), Some(&"25"));
}

#[tokio::test]
async fn a_lost_notification_costs_a_member_two_seconds() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let mut stream = Stream::open(&shop, &hong, None).await;
    stream.event().await;
    let listening = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
                     WHERE datname = current_database() AND query = 'LISTEN alarms_changed'";
    let ended: i64 = sqlx::query_scalar(listening)
        .fetch_one(shop.app.pool())
        .await
        .unwrap();
    assert!(ended > 0);
    tell(&shop, &hong, "결제").await;
    assert_eq!(stream.event().await.titles(), ["결제"]);
}

#[tokio::test]
async fn a_stream_ends_with_its_sign_in_and_with_its_token() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let elsewhere = shop.account(&hong.username, &hong.password).await;
    let mut stream = Stream::open(&shop, &elsewhere, None).await;
    let mut other = Stream::open(&shop, &hong, None).await;
    stream.event().await;
    other.event().await;
    let out = shop.delete("/api/auth/refreshToken");
    out.token(&elsewhere.refresh).send().await.expect(204);
    tell(&shop, &hong, "비밀").await;
    assert!(stream.next().await.is_none(), "signed out");
    assert_eq!(other.event().await.titles(), ["비밀"]);
    shop.advance(ACCESS_LIFE);
    assert!(other.next().await.is_none(), "expired");
    let refused = Stream::ask(&shop, &elsewhere, None).await;
    assert_eq!(refused.status(), 401);
}

#[tokio::test]
async fn one_member_cannot_take_all_streams() {
    let shop = TestApp::start().await;
    let (hong, kim) = (
        shop.sign_up("hong1234").await,
        shop.sign_up("kim12345").await,
    );
    let mut open = Vec::new();
    for _ in 0..STREAMS_MOST {
        open.push(Stream::open(&shop, &hong, None).await);
    }
    let refused = Stream::ask(&shop, &hong, None).await;
    assert_eq!(refused.status(), 429);
    assert!(refused.headers().contains_key("retry-after"));
    Stream::open(&shop, &kim, None).await.event().await;
    // A closed one makes room.
    open.pop();
    crate::support::until("there is room", async || {
        let response = Stream::ask(&shop, &hong, None).await;
        (response.status() == 200).then_some(())
    })
    .await;
    assert_eq!(
        shop.get("/api/v1/me/alarms/stream").send().await.status,
        401
    );
}

#[tokio::test]
async fn open_streams_do_not_keep_a_server_from_stopping() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let mut stream = Stream::open(&shop, &hong, None).await;
    stream.event().await;
    let begun = std::time::Instant::now();
    shop.ended().await;
    assert!(begun.elapsed() < Duration::from_secs(8), "{begun:?}");
    assert!(stream.next().await.is_none());
}
