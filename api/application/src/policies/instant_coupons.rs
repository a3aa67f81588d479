//! Issues coupons for what members do, by [`domain::policies::instant_coupons`].

use domain::coupon::Coupon;
use domain::ids::MemberId;
use domain::member::{Member, MemberEvent};
use domain::order::Order;
use domain::policies::instant_coupons::{
    Candidate, Occasion, issue_for, of_member, of_order, of_review,
};
use domain::policies::purchase_points::confirmed_purchase;
use domain::policies::review_points::written_review;
use domain::record::Record;
use domain::review::Review;
use domain::unit_of_work::UnitOfWork;
use event_store::{At, StoreError, StoredEvent, StreamId, Versioned, async_trait};

use super::Policy;
use crate::app::App;
use crate::coupons::next_number;
use crate::error::{AppError, AppResult};
use crate::executor::CommandContext;

/// Issues coupons for events.
pub struct InstantCoupons;

#[async_trait]
impl Policy for InstantCoupons {
    fn name(&self) -> &'static str {
        "policy_coupons"
    }

    fn create_sql(&self) -> &'static str {
        event_store::refusals_table!("policy_coupons")
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["member", "order", "review"]
    }

    fn wants(&self, event: &StoredEvent) -> Result<bool, StoreError> {
        Ok(match event.stream.kind.as_str() {
            "member" => matches!(
                event.event::<Member>()?,
                MemberEvent::MemberJoined { .. } | MemberEvent::MembershipLevelAssigned { .. }
            ),
            "order" => confirmed_purchase(&event.event::<Order>()?).is_some(),
            _ => true,
        })
    }

    async fn react(&self, app: &App, event: &StoredEvent) -> AppResult<()> {
        let Some(occasion) = occasion_of(app, event).await? else {
            return Ok(());
        };
        if !occasion.is_recent(app.clock.now()) {
            return Ok(());
        }
        let candidates = candidates(app, event, &occasion).await?;
        if candidates.is_empty() {
            return Ok(());
        }
        let owner = member_at(app, event, occasion.member).await?;
        let command = CommandContext::for_policy("issue-coupon", "coupons", event);
        let issue = |work: &mut UnitOfWork| Ok(issue_for(work, &occasion, &owner, &candidates)?);
        app.executor.commit(&command, issue).await?;
        Ok(())
    }
}

/// What an event is to coupons, as it left its stream.
async fn occasion_of(app: &App, event: &StoredEvent) -> AppResult<Option<Occasion>> {
    let at = event.metadata.occurred_at;
    match event.stream.kind.as_str() {
        "member" => {
            let happened = event.event::<Member>()?;
            let member = event.stream.id.parse().map_err(AppError::internal)?;
            let before = At::Version(event.version.saturating_sub(1));
            let before = app
                .store
                .load_at::<Member>(&event.stream.id, before)
                .await?;
            let level = before.state.membership_level;
            let rules = app.pricing_rules.rules(&app.store, &[]).await?;
            // the level a member starts in is not one they rise to
            let joins = match level {
                None => joins(app, event).await?,
                Some(_) => false,
            };
            let before = (level.as_deref(), joins);
            Ok(of_member(&happened, (member, at), before, |code| {
                rules.rank(code)
            }))
        }
        "order" => {
            let happened = event.event::<Order>()?;
            let version = At::Version(event.version);
            let order = app.store.load_at::<Order>(&event.stream.id, version);
            Ok(of_order(&happened, &order.await?.state, at))
        }
        _ => {
            let happened = event.event::<Record<Review>>()?;
            let review = written_review(happened, event.version)?;
            Ok(review.map(|review| of_review(&review, at)))
        }
    }
}

/// Whether an event belongs to the append in which its member joined.
async fn joins(app: &App, event: &StoredEvent) -> AppResult<bool> {
    let events = app.store.read_stream(&event.stream).await?;
    let joined = events.first().map(|first| first.metadata.command_id);
    Ok(joined == Some(event.metadata.command_id))
}

/// The member as the append with the event left them.
async fn member_at(app: &App, event: &StoredEvent, member: MemberId) -> AppResult<Member> {
    let stream = StreamId::of::<Member>(member);
    let mut events = app.store.read_stream(&stream).await?;
    events.retain(|told| {
        told.position <= event.position || told.metadata.command_id == event.metadata.command_id
    });
    Ok(Versioned::<Member>::fold(&events)?.state)
}

/// The coupons that may be issued, as they were when the event happened.
async fn candidates(
    app: &App,
    event: &StoredEvent,
    occasion: &Occasion,
) -> AppResult<Vec<Candidate>> {
    let mut candidates = Vec::new();
    for (id, coupon) in app.pricing_rules.coupons(&app.store).await? {
        if !occasion.is_of(&coupon) {
            continue;
        }
        let at = At::Position(event.position);
        let stream = id.to_string();
        let record = app.store.load_at::<Record<Coupon>>(&stream, at).await?;
        let Ok(coupon) = record.state.data() else {
            continue;
        };
        candidates.push(Candidate {
            id,
            coupon,
            first: next_number(app, id, occasion.member).await?,
        });
    }
    Ok(candidates)
}
