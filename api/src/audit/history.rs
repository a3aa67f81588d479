//! `jangbu history …`: the events of an entity with actor and reason, its state at a point in time, or the difference between two.
//!
//! Derived from the log alone, so it is correct even if the read models are not.

use application::members::profiles::FORMER_MEMBER;
use std::collections::HashMap;

use anyhow::{Context, bail};
use domain::checkout::{footprint_of, user_payments};
use domain::coupon::{Campaign, IssuedCoupon};
use domain::ids::MemberId;
use domain::member::Member;
use domain::order::Order;
use domain::payment::Payment;
use domain::points::{self, Points};
use domain::registry::event_title;
use domain::stock::Stock;
use domain::user_payment::UserPayment;
use domain::{Amount, business_day};
use event_store::{At, StoredEvent, StreamId};
use projections::Page;
use serde_json::Value;
use time::format_description::well_known::{Iso8601, Rfc3339};
use time::macros::format_description;
use time::{Date, Duration, OffsetDateTime};

use super::causation::{self, Act};
use super::story::{self, Subject};
use crate::app::AppState;
use crate::command_titles::command_title;
use crate::http::AppResult;
use application::orders::find::FoundOrder;
use application::payments::attempts::Attempt;

/// The history of an entity as text; with `at` (a position, a time, a day in Seoul) up to then, with the state at that time; with two
/// points in time, their difference.
///
/// # Errors
/// There is no such entity, or a point in time is malformed.
pub async fn of(
    app: &AppState,
    subject: Subject,
    id: &str,
    at: Option<&str>,
    between: Option<(&str, &str)>,
) -> anyhow::Result<String> {
    let no_such = |error| anyhow::anyhow!("no {subject:?} {id}: {error}");
    if let Some((from, to)) = between {
        let positions = (position(app, from).await?, position(app, to).await?);
        let found = story::compare(app, subject, id, positions)
            .await
            .map_err(no_such)?;
        return Ok(different(positions, &found));
    }
    if subject == Subject::Order {
        return of_order(app, id, at).await;
    }
    let up_to = match at {
        None => i64::MAX,
        Some(text) => position(app, text).await?,
    };
    let story = story::tell(app, subject, id, up_to)
        .await
        .map_err(no_such)?;
    let events: Vec<StoredEvent> = story.events.iter().map(|one| one.event.clone()).collect();
    let names = names(app, &events).await?;
    let mut lines = Vec::new();
    for one in &story.events {
        lines.push(event_text(&one.event, &names));
        lines.extend(one.entries.iter().map(|entry| {
            let side = if entry.amount < Amount::ZERO {
                "대변"
            } else {
                "차변"
            };
            format!("    {side} {}  {}", entry.account, entry.amount)
        }));
    }
    lines.push(String::new());
    lines.push(match at {
        Some(_) => format!("위치 {up_to}에서"),
        None => "지금".to_owned(),
    });
    lines.push(serde_json::to_string_pretty(&story.state)?);
    Ok(lines.join("\n"))
}

/// The causation tree: each command under the event that caused it, with its events below. For an entity that is part of many orders, the
/// page after `skip` orders, newest first, with the command for the next page.
///
/// # Errors
/// As [`of`].
pub async fn chain(
    app: &AppState,
    subject: Subject,
    id: &str,
    at: Option<&str>,
    skip: i64,
) -> anyhow::Result<String> {
    let up_to = match at {
        None => i64::MAX,
        Some(text) => position(app, text).await?,
    };
    let page = Page::new(Some(skip), None);
    let chain = causation::of(app, subject, id, up_to, page)
        .await
        .map_err(|error| anyhow::anyhow!("no {subject:?} {id}: {error}"))?;
    let events = chain.acts.iter().flat_map(|act| act.events.clone());
    let names = names(app, &events.collect::<Vec<_>>()).await?;
    let acts = chain.acts.iter();
    let mut lines: Vec<String> = acts.flat_map(|act| branch(act, &names)).collect();
    if skip > 0 || chain.next.is_some() {
        let all = i64::try_from(chain.orders).unwrap_or(i64::MAX);
        let (first, last) = (page.skip.saturating_add(1), chain.next.unwrap_or(all));
        lines.push(format!(
            "주문 {all}건 가운데 {first}~{last}번째 (최근 것부터)"
        ));
    }
    lines.extend(
        chain
            .next
            .map(|next| format!("더 오래된 것: --skip {next}")),
    );
    Ok(lines.join("\n"))
}

fn branch(act: &Act, names: &HashMap<String, String>) -> Vec<String> {
    let Some(first) = act.events.first() else {
        return Vec::new();
    };
    let meta = &first.metadata;
    let (indent, arrow) = match act.depth {
        0 => (String::new(), "●"),
        depth => ("      ".repeat(depth), "└▶"),
    };
    let mut head = vec![actor(&meta.actor, names)];
    head.extend(meta.command.as_deref().map(command_title));
    head.extend(meta.reason.as_ref().map(|reason| format!("사유: {reason}")));
    head.extend(act.cause.map(|cause| format!("원인: #{cause}")));
    head.extend(
        act.elsewhere
            .map(|id| format!("원인: 다른 장부의 기록 {id}")),
    );
    let mut lines = vec![format!(
        "{indent}{arrow} {}  {}",
        clock(meta.occurred_at),
        head.join(" · ")
    )];
    lines.extend(act.events.iter().map(|event| {
        format!(
            "{indent}   #{:<7} {}  [{} {}]",
            event.position,
            event_title(&event.event_type),
            event.stream.kind,
            event.event_type
        )
    }));
    lines
}

fn different((from, to): (i64, i64), found: &[story::Difference]) -> String {
    let mut lines = vec![format!("위치 {from} → {to}: 다른 곳 {}개", found.len())];
    lines.extend(
        found
            .iter()
            .map(|one| format!("  {}: {} → {}", one.path, one.before, one.after)),
    );
    lines.join("\n")
}

/// The history of an order as text; with `at` (a position, a time, a day in Seoul) up to then, with the order at that time.
///
/// # Errors
/// There is no such order, or `at` is malformed.
pub async fn of_order(app: &AppState, id: &str, at: Option<&str>) -> anyhow::Result<String> {
    let found = FoundOrder::by_id_or_no(app, id)
        .await
        .with_context(|| format!("no order {id}"))?;
    let position = match at {
        None => i64::MAX,
        Some(text) => position(app, text).await?,
    };
    let events = events(app, &found, position).await?;
    if events.is_empty() {
        bail!("the order was not placed then");
    }
    let names = names(app, &events).await?;
    let terms = found.order.state.terms()?;
    let mut lines = vec![
        format!("주문 {}   {}", terms.order_no, found.id),
        String::new(),
    ];
    lines.extend(events.iter().map(|event| event_text(event, &names)));
    lines.push(String::new());
    let then = app
        .store
        .load_at::<Order>(&found.id.to_string(), At::Position(position))
        .await?;
    lines.push(match at {
        Some(_) => format!("위치 {position}에서의 주문 (버전 {})", then.version),
        None => format!("지금의 주문 (버전 {})", then.version),
    });
    lines.push(state(&then.state)?);
    Ok(lines.join("\n"))
}

async fn position(app: &AppState, text: &str) -> anyhow::Result<i64> {
    if let Ok(position) = text.parse() {
        return Ok(position);
    }
    let moment = match OffsetDateTime::parse(text, &Rfc3339) {
        Ok(moment) => moment,
        Err(_) => {
            let day = Date::parse(text, &Iso8601::DATE)
                .with_context(|| format!("{text} is no position, time or day"))?;
            day.midnight().assume_offset(business_day::OFFSET) + Duration::DAY
                - Duration::MICROSECOND
        }
    };
    Ok(app.store.position_at(moment).await?)
}

/// The order's own events and those on its payments, user payments, stock, coupons and points, in log order.
pub(super) async fn events(
    app: &AppState,
    found: &FoundOrder,
    up_to: i64,
) -> AppResult<Vec<StoredEvent>> {
    let touched = footprint_of(found.order.state.terms()?);
    let mut events = app
        .store
        .read_stream(&StreamId::of::<Order>(found.id))
        .await?;
    for attempt in Attempt::all_of_order(app, found.id).await? {
        events.extend(
            app.store
                .read_stream(&StreamId::of::<Payment>(attempt.id))
                .await?,
        );
    }
    for asked in user_payments::of_order(&found.order.state) {
        let asked = StreamId::of::<UserPayment>(asked);
        events.extend(app.store.read_stream(&asked).await?);
    }
    let mut shared: Vec<StreamId> = touched.stock.iter().map(StreamId::of::<Stock>).collect();
    shared.extend(touched.issued.iter().map(StreamId::of::<IssuedCoupon>));
    shared.extend(touched.campaigns.iter().map(StreamId::of::<Campaign>));
    if let Some(domain::order::Buyer::Member { id }) = found.order.state.buyer() {
        shared.push(StreamId::of::<Points>(points::stream_id(*id)));
    }
    let id = found.id.to_string();
    for stream in shared {
        let all = app.store.read_stream(&stream).await?;
        events.extend(
            all.into_iter()
                .filter(|event| order_of(event).is_some_and(|order| order == id)),
        );
    }
    events.retain(|event| event.position <= up_to);
    events.sort_by_key(|event| event.position);
    Ok(events)
}

/// The order that an event of a shared stream refers to.
pub(super) fn order_of(event: &StoredEvent) -> Option<String> {
    let said = event.value().ok()?;
    let body = said.as_object()?.values().next()?;
    Some(body.get("order")?.as_str()?.to_owned())
}

/// Nicknames of the acting members, from the log; members whose data is erased are shown as former members.
async fn names(app: &AppState, events: &[StoredEvent]) -> AppResult<HashMap<String, String>> {
    let mut names = HashMap::new();
    for id in events
        .iter()
        .filter_map(|event| event.metadata.actor.get("id")?.as_str())
    {
        let member = id.parse::<MemberId>();
        let (false, Ok(member)) = (names.contains_key(id), member) else {
            continue;
        };
        let member = app.store.load::<Member>(&member.to_string()).await?.state;
        let profile = match &member.profile {
            Some(sealed) => app.keys.open(sealed).await?.value(),
            None => None,
        };
        let name = match profile {
            Some(profile) => profile.nickname,
            None if member.left => FORMER_MEMBER.to_owned(),
            None => continue,
        };
        names.insert(id.to_owned(), name);
    }
    Ok(names)
}

fn event_text(event: &StoredEvent, names: &HashMap<String, String>) -> String {
    let meta = &event.metadata;
    let mut why: Vec<String> = vec![actor(&meta.actor, names)];
    why.extend(meta.reason.as_ref().map(|reason| format!("사유: {reason}")));
    why.extend(
        meta.command
            .as_deref()
            .map(|command| format!("명령: {}", command_title(command))),
    );
    why.push(match meta.causation_id {
        Some(cause) => format!("원인: {cause}"),
        None => format!("요청: {}", meta.correlation_id),
    });
    let title = event_title(&event.event_type);
    format!(
        "{}  #{:<7} {title}  [{} {} v{}]\n    {}",
        clock(meta.occurred_at),
        event.position,
        event.stream.kind,
        event.event_type,
        event.version,
        why.join(" · ")
    )
}

fn actor(actor: &Value, names: &HashMap<String, String>) -> String {
    let text = |field: &str| actor.get(field).and_then(Value::as_str);
    let name = text("id").and_then(|id| names.get(id).map(String::as_str).or(Some(id)));
    match (text("kind"), name.or(text("name"))) {
        (Some("member"), Some(who)) => format!("회원 {who}"),
        (Some("operator"), Some(who)) => format!("운영자 {who}"),
        (Some("policy"), Some(which)) => format!("정책 {which}"),
        (Some("service"), Some(which)) => format!("외부 서비스 {which}"),
        (Some("guest"), _) => "비회원".to_owned(),
        _ => "프로그램".to_owned(),
    }
}

fn clock(at: OffsetDateTime) -> String {
    let format = format_description!("[year]-[month]-[day] [hour]:[minute]:[second]");
    at.to_offset(business_day::OFFSET)
        .format(&format)
        .unwrap_or_else(|_| at.to_string())
}

/// The order, its purchases and its sums; amounts in main units.
fn state(order: &Order) -> anyhow::Result<String> {
    let terms = order.terms()?;
    let mut lines = vec![format!(
        "  상태 {} ({})",
        order.status().message(),
        order.status().code()
    )];
    for purchase in &order.purchases {
        let Some(line) = order.purchase_terms(&purchase.purchase_no) else {
            continue;
        };
        let option = line
            .option_name
            .as_deref()
            .map(|option| format!(" ({option})"))
            .unwrap_or_default();
        let parcel = purchase
            .invoice
            .as_ref()
            .map(|parcel| format!("  {} {}", parcel.courier, parcel.invoice_no))
            .unwrap_or_default();
        lines.push(format!(
            "  {}  {}{option} × {}  {}  {}{parcel}",
            purchase.purchase_no,
            line.name,
            line.quantity,
            line.paid,
            order.status_text(purchase)
        ));
    }
    let totals = &terms.totals;
    let coupons = Amount::total([
        totals.product_coupon,
        totals.fare_coupon,
        totals.total_coupon,
    ])?;
    let discounts = totals.product_discount.plus(totals.level_discount)?;
    lines.push(format!(
        "  상품 {} - 할인 {} - 쿠폰 {} - 적립금 {} + 배송비 {} = 결제 금액 {}",
        totals.goods, discounts, coupons, totals.points, totals.fares, totals.payable
    ));
    if let Some(paid) = order.paid {
        lines.push(format!("  결제됨 {}", paid.amount));
    }
    Ok(lines.join("\n"))
}
