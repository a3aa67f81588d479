//! Points by staff's hand: granted, taken back, given another last day; for many at once, and stopped.

use anyhow::{Context, bail};
use application::access::Session;
use axum::http::Method;
use domain::business_day;
use projections::deadlines::{DeadlineKind, due};
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};
use tokio::time::Instant;

use crate::client::{ApiClient, at};
use crate::people::People;
use crate::{MAX_WAIT, SET_UP, Wait};

const ONE: &str = "/api/console/users/points";
const MANY: &str = "/api/console/shop/points";

/// Shortly after the coupons are set up, before there are orders.
pub(crate) async fn grant_by_hand(client: &mut ApiClient, people: &People) -> anyhow::Result<()> {
    client.go_back(SET_UP - Duration::hours(2));
    let (staff, then) = (&people.operator, client.now - SET_UP);
    let shopper = |place: usize| people.shoppers.get(place).map(|one| one.session.user);
    // good for three days, which are over by now
    let short = json!({
        "_user": shopper(0), "amounts": 1_500, "memo": "개점 방문 감사", "expiresAt": day(then, 3),
    });
    client.post(Some(staff), ONE, &short).await?;
    let twice = json!({ "_user": shopper(1), "amounts": 800, "memo": "배송 지연 사과" });
    client.post(Some(staff), ONE, &twice).await?;
    let again = client.post(Some(staff), ONE, &twice).await?;
    let again = at(&again, "point/_id")?.to_owned();
    remove(client, staff, &format!("{ONE}/{again}"), "중복 지급").await?;
    let longer = json!({ "_user": shopper(2), "amounts": 1_000, "memo": "행사 당첨" });
    let longer = client.post(Some(staff), ONE, &longer).await?;
    let longer = at(&longer, "point/_id")?.to_owned();
    let life = json!({ "expiresAt": day(client.now, 250), "memo": "행사 당첨 기간 연장" });
    client.put(staff, &format!("{ONE}/{longer}"), &life).await?;

    let everybody: Vec<_> = people.shoppers.iter().map(|one| one.session.user).collect();
    let opening = json!({ "_users": everybody, "amounts": 300, "memo": "개점 기념 적립금" });
    let opening = order(client, staff, &opening).await?;
    let note = json!({ "memo": "개점 행사 예산에서" });
    client
        .put(staff, &format!("{MANY}/{opening}"), &note)
        .await?;
    let wrong = json!({
        "_users": [shopper(3), shopper(4)], "amounts": 5_000, "memo": "우수 고객 감사",
    });
    let wrong = order(client, staff, &wrong).await?;
    remove(
        client,
        staff,
        &format!("{MANY}/{wrong}"),
        "대상을 잘못 골랐습니다",
    )
    .await?;
    until_nothing_is_due(client).await
}

/// Now: points that expire in a few days, so that their member is notified.
pub(crate) async fn grant_for_days(client: &mut ApiClient, people: &People) -> anyhow::Result<()> {
    let shopper = people.shoppers.first().context("a shopper")?;
    let soon = json!({
        "_user": shopper.session.user, "amounts": 700, "memo": "주말 반짝 적립금", "expiresAt": day(client.now, 3),
    });
    client.post(Some(&people.operator), ONE, &soon).await?;
    until_nothing_is_due(client).await
}

/// Orders points for many members and waits until they have them.
async fn order(client: &mut ApiClient, staff: &Session, form: &Value) -> anyhow::Result<String> {
    let ordered = client.post(Some(staff), MANY, form).await?;
    let id = at(&ordered, "point/_id")?.to_owned();
    until_nothing_is_due(client).await?;
    Ok(id)
}

async fn remove(
    client: &mut ApiClient,
    staff: &Session,
    path: &str,
    memo: &str,
) -> anyhow::Result<()> {
    let memo = serde_urlencoded::to_string([("memo", memo)])?;
    let path = format!("{path}?{memo}");
    client
        .request(Some(staff), Method::DELETE, &path, &Value::Null)
        .await?;
    Ok(())
}

fn day(from: OffsetDateTime, days: u32) -> String {
    business_day::after(from, days).to_string()
}

/// Waits until the worker has nothing to do with points.
pub(crate) async fn until_nothing_is_due(client: &ApiClient) -> anyhow::Result<()> {
    let kinds = [
        DeadlineKind::CarryOutGrant,
        DeadlineKind::DrawRaffle,
        DeadlineKind::ExpirePoints,
        DeadlineKind::AnnounceExpiry,
    ];
    let until = Instant::now() + MAX_WAIT;
    loop {
        let app = &client.app;
        let head = app.store.head().await?;
        app.store
            .wait_for(&projections::NAMES, head, Wait::from_secs(5))
            .await?;
        if due(app.pool(), &kinds, app.clock.now(), 1)
            .await?
            .is_empty()
        {
            return Ok(());
        }
        if Instant::now() > until {
            bail!("after {MAX_WAIT:?} something is still to be done with points");
        }
        tokio::time::sleep(Wait::from_millis(50)).await;
    }
}
