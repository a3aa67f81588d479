//! Issues coupons on days: special dates of members and days of the shop, by [`domain::policies::coupon_days`].
//!
//! Every round asks for whom a coupon is due and has none, many members in one append. What a member got for which occasion is decided
//! under the locks of that append, so a round may be repeated, by any number of workers.

use std::sync::Arc;
use std::time::Duration;

use domain::Actor;
use domain::coupon::{Campaign, Coupon};
use domain::ids::{CouponId, MemberId};
use domain::policies::coupon_days::{CouponDay, issue_on_day};
use domain::record::Record;
use domain::unit_of_work::UnitOfWork;
use event_store::At;
use projections::state::member_days;
use time::Date;
use tokio_util::sync::CancellationToken;

use super::member_days::MEMBER_DAY;
use crate::app::App;
use crate::error::AppResult;
use crate::executor::CommandContext;

/// How often days are looked at.
const EVERY: Duration = Duration::from_secs(30);
/// Members in one append.
const AT_ONCE: i64 = 100;

/// Issues what is due by the shop's clock, round after round, until `stopping`.
pub async fn watch(app: Arc<App>, stopping: CancellationToken) {
    loop {
        if let Err(error) = round(&app).await {
            tracing::warn!(?error, "coupons of days cannot be issued");
        }
        let rest = stopping.run_until_cancelled(tokio::time::sleep(EVERY));
        if rest.await.is_none() {
            return;
        }
    }
}

/// Issues the coupons due today, and those of earlier days that are not issued yet.
///
/// # Errors
/// Database errors.
pub async fn round(app: &App) -> AppResult<()> {
    for (id, coupon) in app.pricing_rules.coupons(&app.store).await? {
        if coupon.is_issued_on_days() {
            for day in CouponDay::last_days(app.clock.now()) {
                issue_all(app, id, day).await?;
            }
        }
    }
    Ok(())
}

/// Issues the coupons of one definition and one day.
async fn issue_all(app: &App, id: CouponId, day: Date) -> AppResult<()> {
    let now = app.clock.now();
    // As the rule was on the day: what staff made later is for later days.
    let read_at = CouponDay::read_at(day, now);
    let stream = id.to_string();
    let record = match read_at == now {
        true => app.store.load::<Record<Coupon>>(&stream).await?,
        false => app.store.load_at(&stream, At::Time(read_at)).await?,
    };
    let Ok(coupon) = record.state.data() else {
        return Ok(());
    };
    let Some(day) = CouponDay::of(&coupon, day, now) else {
        return Ok(());
    };
    let campaign = app.store.load::<Campaign>(&stream).await?.state;
    if campaign.is_used_up(coupon.face_value()) {
        return Ok(());
    }
    let hashes = day.looked_up().map(|days| {
        let hash = |day: &String| app.keys.lookup_hash(MEMBER_DAY, day).to_vec();
        days.iter().map(hash).collect::<Vec<_>>()
    });
    let mut last: Option<MemberId> = None;
    loop {
        let part = (last, AT_ONCE);
        let due = (id, &coupon, &day);
        let members = member_days::due(app.pool(), due, hashes.as_deref(), part).await?;
        let Some(end) = members.last() else {
            return Ok(());
        };
        last = Some(*end);
        let actor = Actor::Policy {
            name: "coupon-days".to_owned(),
        };
        let command = CommandContext::for_actor("issue-coupon", actor).with_reason(day.reason());
        let issue = |work: &mut UnitOfWork| Ok(issue_on_day(work, (id, &coupon), &day, &members)?);
        app.executor.commit(&command, issue).await?;
    }
}
