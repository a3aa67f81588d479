//! Notifies members of events of their orders, coupons and points and of replies, and sellers of what they have to act on, by [`domain::policies::notifications`].
//!
//! A notification's id is derived from its event, so rereading the log creates no duplicates; old events create none, so that
//! enabling notifications does not report the past.

use domain::center::{CenterQuestion, Inquiry};
use domain::coupon::IssuedCoupon;
use domain::ids::derived_id;
use domain::inquire::Inquire;
use domain::member::Member;
use domain::order::Order;
use domain::payment::Payment;
use domain::points::Points;
use domain::policies::notifications::{self as rules, Notification, OrderNews};
use domain::raffle::{RaffleEntry, RaffleEntryEvent};
use domain::record::{Record, Resource};
use domain::review::Review;
use domain::storefront::shop_event::ShopEvent;
use domain::user_payment::UserPayment;
use event_store::{StoredEvent, async_trait};
use projections::state::notifications::{self, News};
use time::Duration;
use uuid::Uuid;

use super::Policy;
use crate::app::App;
use crate::error::{AppError, AppResult};

/// Events older than this create no notification.
const NEWS: Duration = Duration::days(7);

/// Notifies members.
pub struct Notifications;

#[async_trait]
impl Policy for Notifications {
    fn name(&self) -> &'static str {
        "policy_telling"
    }

    fn create_sql(&self) -> &'static str {
        event_store::refusals_table!("policy_telling")
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[
            "order",
            "user-payment",
            "issued-coupon",
            "points",
            "inquire",
            "review",
            "question",
            "inquiry",
            "raffle-entry",
        ]
    }

    async fn react(&self, app: &App, event: &StoredEvent) -> AppResult<()> {
        let at = event.metadata.occurred_at;
        if app.clock.now() - at > NEWS {
            return Ok(());
        }
        let id = &event.stream.id;
        let (notification, of_sellers) = match event.stream.kind.as_str() {
            "order" => of_order(app, event).await?,
            "points" => match id.trim_end_matches(":points").parse() {
                Ok(member) => (rules::of_points(member, &event.event::<Points>()?), vec![]),
                Err(error) => return Err(AppError::internal(error)),
            },
            "user-payment" => (
                rules::of_user_payment(&event.event::<UserPayment>()?),
                vec![],
            ),
            "raffle-entry" => (of_raffle(app, event).await?, vec![]),
            "inquire" => of_inquire(app, event).await?,
            "question" => {
                let question = answered::<CenterQuestion>(app, event).await?;
                (question.map(|asked| rules::of_question(id, &asked)), vec![])
            }
            "inquiry" => {
                let inquiry = answered::<Inquiry>(app, event).await?;
                (
                    inquiry.and_then(|sent| rules::of_inquiry(id, &sent)),
                    vec![],
                )
            }
            "review" => {
                let review = replied::<Review>(app, event).await?;
                (review.map(rules::of_review), vec![])
            }
            _ => (rules::of_coupon(event.event::<IssuedCoupon>()?), vec![]),
        };
        if let Some(notification) = notification {
            let id = derived_id(&format!("alarm {}", event.event_id));
            tell(app, (id, event), notification).await?;
        }
        for notification in of_sellers {
            let key = format!("alarm {} {}", event.event_id, notification.member);
            tell(app, (derived_id(&key), event), notification).await?;
        }
        Ok(())
    }
}

/// Stores a notification, unless the member has left or switched its category off.
async fn tell(
    app: &App,
    (id, event): (Uuid, &StoredEvent),
    notification: Notification,
) -> AppResult<()> {
    let member = notification.member.to_string();
    if app.store.load::<Member>(&member).await?.state.left {
        return Ok(());
    }
    let settings = notifications::settings(app.pool(), notification.member).await?;
    if !settings.wants(notification.category) {
        return Ok(());
    }
    let news = News {
        id,
        member: notification.member,
        category: notification.category,
        kind: notification.kind,
        title: notification.title.to_owned(),
        content: notification.content,
        url: notification.url,
        cause: (event.stream.kind.clone(), event.stream.id.clone()),
        at: event.metadata.occurred_at,
    };
    Ok(notifications::tell(app.pool(), &news).await?)
}

/// What an event tells its buyer or author, and what it tells sellers.
type Reports = (Option<Notification>, Vec<Notification>);

async fn of_order(app: &App, event: &StoredEvent) -> AppResult<Reports> {
    let happened = event.event::<Order>()?;
    // Events that notify sellers notify the buyer, too.
    let Some(news) = OrderNews::of(&happened) else {
        return Ok((None, vec![]));
    };
    let id = &event.stream.id;
    let order = app.store.load::<Order>(id).await?.state;
    let of_sellers = rules::of_sale((id, &order), &happened);
    let payment = match news.payment {
        Some(payment) => Some(app.store.load::<Payment>(&payment.to_string()).await?.state),
        None => None,
    };
    let of_buyer = news.notification((id, &order), payment.as_ref());
    Ok((of_buyer, of_sellers))
}

async fn of_raffle(app: &App, event: &StoredEvent) -> AppResult<Option<Notification>> {
    let happened = event.event::<RaffleEntry>()?;
    let RaffleEntryEvent::RaffleWon { raffle, .. } = happened else {
        return Ok(None);
    };
    let page = app
        .store
        .load::<Record<ShopEvent>>(&raffle.to_string())
        .await?;
    let name = page.state.data().map(|page| page.name);
    Ok(rules::of_raffle(&happened, &name.unwrap_or_default()))
}

async fn of_inquire(app: &App, event: &StoredEvent) -> AppResult<Reports> {
    let id = &event.stream.id;
    if event.version == 1 {
        let record = app.store.load::<Record<Inquire>>(id).await?.state;
        // Removed meanwhile.
        let question = record.data().ok();
        let of_seller = question.map(|inquire| rules::of_new_inquire(id, inquire));
        return Ok((None, of_seller.into_iter().collect()));
    }
    let answered = replied::<Inquire>(app, event).await?;
    Ok((
        answered.map(|inquire| rules::of_inquire(id, inquire)),
        vec![],
    ))
}

/// The record, if the event adds its first sealed answer.
async fn answered<R: Resource>(app: &App, event: &StoredEvent) -> AppResult<Option<R::Data>> {
    if !rules::is_first_answer(&event.event::<Record<R>>()?) {
        return Ok(None);
    }
    let record = app.store.load::<Record<R>>(&event.stream.id).await?;
    Ok(record.state.data().ok())
}

/// The record, if the event adds its first reply.
async fn replied<R: Resource>(app: &App, event: &StoredEvent) -> AppResult<Option<R::Data>> {
    if !rules::is_first_reply(&event.event::<Record<R>>()?) {
        return Ok(None);
    }
    let record = app.store.load::<Record<R>>(&event.stream.id).await?;
    Ok(record.state.data().ok())
}
