//! GET /api/v1/me/alarms/stream: the member's new notifications and the number of unread ones, as server-sent events.
//!
//! An event's id is the number of the member's last change. With it as `Last-Event-ID` a stream continues at any process; without it, or
//! with an id that never was, it starts with the present number of unread notifications.

use std::convert::Infallible;
use std::time::Duration;

use application::alarm_hub::Subscription;
use axum::extract::State;
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderMap, HeaderName};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::stream;
use projections::state::notifications::{self, AlarmChanges};
use serde::Serialize;
use tokio::time::{Interval, MissedTickBehavior, interval};
use utoipa::ToSchema;

use super::list::AlarmView;
use crate::app::AppState;
use crate::http::{ApiResult, AppError, AppResult, CurrentSignIn};

/// Name of the events.
const EVENT: &str = "alarms";
/// Interval at which the sign-in of a quiet stream is checked.
const CHECK: Duration = Duration::from_secs(1);
/// Interval of comments that show both ends, and what is between them, that the stream is open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// What a browser waits before it opens the stream again.
const RETRY: Duration = Duration::from_secs(1);
/// Asks a proxy not to hold events back.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// Data of an event: what is new since the last one.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlarmNews {
    /// Number of all unread notifications.
    unread_count: i64,
    /// The newest of the new notifications, oldest first.
    alarms: Vec<AlarmView>,
}

impl AlarmNews {
    fn event(self, last: i64) -> AppResult<Event> {
        Event::default()
            .event(EVENT)
            .id(last.to_string())
            .json_data(self)
            .map_err(AppError::internal)
    }
}

struct AlarmStream {
    app: AppState,
    who: CurrentSignIn,
    subscription: Subscription,
    /// The last change that was sent.
    cursor: i64,
    first: Option<Event>,
    check: Interval,
}

impl AlarmStream {
    async fn open(app: AppState, who: CurrentSignIn, since: Option<i64>) -> AppResult<Self> {
        let member = who.session.user;
        // Counted before the first read, so that no change is missed in between.
        let subscription = app.alarm_hub.subscribe(member)?;
        let (last, unread) = notifications::last_change(app.pool(), member).await?;
        let (cursor, first) = match since.filter(|since| *since <= last) {
            Some(since) => {
                let missed = notifications::changes(app.pool(), &[(member, since)]).await?;
                match missed.into_iter().next() {
                    Some(missed) => (missed.last, Some(event_after(&missed, since)?)),
                    None => (since, None),
                }
            }
            None => {
                let news = AlarmNews {
                    unread_count: unread,
                    alarms: Vec::new(),
                };
                (last, Some(news.event(last)?))
            }
        };
        subscription.starts_after(cursor);
        let mut check = interval(CHECK);
        check.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Ok(Self {
            first: first.map(|event| event.retry(RETRY)),
            app,
            who,
            subscription,
            cursor,
            check,
        })
    }

    /// Waits for the next event; none when the stream ends.
    async fn next(&mut self) -> Option<Event> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        let closed = self.app.alarm_hub.closed().clone();
        loop {
            let changes = tokio::select! {
                biased;
                () = closed.cancelled() => return None,
                changes = self.subscription.changed() => Some(changes?),
                _ = self.check.tick() => None,
            };
            match self.who.is_current(&self.app).await {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return failed(&error),
            }
            let Some(changes) = changes else { continue };
            if changes.last <= self.cursor {
                continue;
            }
            match self.event(&changes).await {
                Ok(event) => return event,
                Err(error) => return failed(&error),
            }
        }
    }

    /// The event of changes after the last one sent. If others were replaced before they were taken, they are read again.
    async fn event(&mut self, changes: &AlarmChanges) -> AppResult<Option<Event>> {
        let since = self.cursor;
        if changes.since <= since {
            self.cursor = changes.last;
            return event_after(changes, since).map(Some);
        }
        let member = self.who.session.user;
        let read = notifications::changes(self.app.pool(), &[(member, since)]).await?;
        let Some(read) = read.into_iter().next() else {
            return Ok(None);
        };
        self.cursor = read.last;
        event_after(&read, since).map(Some)
    }
}

fn event_after(changes: &AlarmChanges, since: i64) -> AppResult<Event> {
    let new = changes.alarms.iter().filter(|(number, _)| *number > since);
    let news = AlarmNews {
        unread_count: changes.unread,
        alarms: new.map(|(_, alarm)| alarm.clone().into()).collect(),
    };
    news.event(changes.last)
}

/// Ends a stream; its page opens another one.
fn failed(error: &AppError) -> Option<Event> {
    tracing::warn!(error = format!("{error:?}"), "an alarm stream ends");
    None
}

/// The member's notifications as they come. The stream ends with the sign-in, and when the access token expires: renew it and go on
/// with `Last-Event-ID`.
#[utoipa::path(
    get, path = "/api/v1/me/alarms/stream", tag = "me", operation_id = "streamMyAlarms", security(("access" = [])),
    params(("Last-Event-ID" = Option<String>, Header, description = "The id of the last event received.")),
    responses((status = OK, body = AlarmNews, content_type = "text/event-stream"))
)]
pub(crate) async fn stream(
    State(app): State<AppState>,
    who: CurrentSignIn,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let since = headers.get("last-event-id");
    let since = since.and_then(|id| id.to_str().ok()?.parse().ok());
    let since = since.filter(|since: &i64| *since >= 0);
    let alarms = AlarmStream::open(app, who, since).await?;
    let events = stream::unfold(alarms, |mut alarms| async {
        let event = alarms.next().await?;
        Some((Ok::<_, Infallible>(event), alarms))
    });
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
    let headers = [(BUFFERING, "no"), (CACHE_CONTROL, "no-store")];
    Ok((headers, Sse::new(events).keep_alive(keep_alive)).into_response())
}
