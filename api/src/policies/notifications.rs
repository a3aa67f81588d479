//! Notifies members of events of their orders and coupons, and of replies.
//!
//! A notification's id is derived from its event, so rereading the log creates no duplicates; old events create none, so that
//! enabling notifications does not report the past.

use domain::coupon::{IssuedCoupon, IssuedCouponEvent};
use domain::ids::MemberId;
use domain::inquire::Inquire;
use domain::member::Member;
use domain::order::{Buyer, Order, OrderEvent};
use domain::payment::Payment;
use domain::record::{Record, RecordEvent, Resource};
use domain::review::Review;
use event_store::{StoredEvent, async_trait};
use projections::state::notifications::{self, AlarmCategory, News};
use time::Duration;

use super::Policy;
use crate::app::AppState;
use crate::http::AppResult;
use domain::ids::derived_id;

/// Events older than this create no notification.
const NEWS: Duration = Duration::days(7);

/// Notifies members.
pub struct Notifications;

/// Content of a notification.
struct Notification {
    member: MemberId,
    category: AlarmCategory,
    kind: &'static str,
    title: &'static str,
    content: String,
    url: String,
}

#[async_trait]
impl Policy for Notifications {
    fn name(&self) -> &'static str {
        "policy_telling"
    }

    fn create_sql(&self) -> &'static str {
        event_store::refusals_table!("policy_telling")
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["order", "issued-coupon", "inquire", "review"]
    }

    async fn react(&self, app: &AppState, event: &StoredEvent) -> AppResult<()> {
        let at = event.metadata.occurred_at;
        if app.clock.now() - at > NEWS {
            return Ok(());
        }
        let notification = match event.stream.kind.as_str() {
            "order" => of_order(app, event).await?,
            "inquire" => of_inquire(app, event).await?,
            "review" => of_review(app, event).await?,
            _ => of_coupon(event)?,
        };
        let Some(notification) = notification else {
            return Ok(());
        };
        // Closed accounts get none.
        let member = app
            .store
            .load::<Member>(&notification.member.to_string())
            .await?;
        if member.state.left {
            return Ok(());
        }
        let settings = notifications::settings(app.pool(), notification.member).await?;
        if !settings.wants(notification.category) {
            return Ok(());
        }
        let news = News {
            id: derived_id(&format!("alarm {}", event.event_id)),
            member: notification.member,
            category: notification.category,
            kind: notification.kind,
            title: notification.title.to_owned(),
            content: notification.content,
            url: notification.url,
            at,
        };
        Ok(notifications::tell(app.pool(), &news).await?)
    }
}

/// Guests get no notifications.
async fn of_order(app: &AppState, event: &StoredEvent) -> AppResult<Option<Notification>> {
    let happened = event.event::<Order>()?;
    let (category, kind, title, purchase) = match &happened {
        OrderEvent::OrderPaid { .. } => (
            AlarmCategory::Order,
            "ORDER_PAID",
            "결제가 완료되었습니다",
            None,
        ),
        OrderEvent::DepositAwaited { .. } => (
            AlarmCategory::Order,
            "DEPOSIT_AWAITED",
            "입금을 기다리고 있습니다",
            None,
        ),
        OrderEvent::PurchaseShipped { purchase_no, .. } => (
            AlarmCategory::Delivery,
            "PURCHASE_SHIPPED",
            "상품이 발송되었습니다",
            Some(purchase_no),
        ),
        OrderEvent::PurchaseDelivered { purchase_no, .. } => (
            AlarmCategory::Delivery,
            "PURCHASE_DELIVERED",
            "배송이 완료되었습니다",
            Some(purchase_no),
        ),
        _ => return Ok(None),
    };
    let order = app.store.load::<Order>(&event.stream.id).await?.state;
    let (Some(Buyer::Member { id }), Some(terms)) = (order.buyer(), order.terms().ok()) else {
        return Ok(None);
    };
    let account = match &happened {
        OrderEvent::DepositAwaited { payment, .. } => {
            let payment = app.store.load::<Payment>(&payment.to_string()).await?.state;
            let Some(account) = payment.awaited() else {
                return Ok(None);
            };
            Some(format!("{} {}", account.bank_name, account.number))
        }
        _ => None,
    };
    let content = match purchase.and_then(|number| order.purchase_terms(number)) {
        Some(bought) => format!("{} (주문번호 {})", bought.name, terms.order_no),
        None => match account {
            Some(account) => format!("{account} (주문번호 {})", terms.order_no),
            None => format!("주문번호 {}", terms.order_no),
        },
    };
    Ok(Some(Notification {
        member: *id,
        category,
        kind,
        title,
        content,
        url: format!("/mypage/orders-detail?order={}", event.stream.id),
    }))
}

fn of_coupon(event: &StoredEvent) -> AppResult<Option<Notification>> {
    let IssuedCouponEvent::CouponIssued { member, terms, .. } = event.event::<IssuedCoupon>()?
    else {
        return Ok(None);
    };
    Ok(Some(Notification {
        member,
        category: AlarmCategory::Coupon,
        kind: "COUPON_ISSUED",
        title: "쿠폰이 발급되었습니다",
        content: terms.name,
        url: "/mypage/coupons".to_owned(),
    }))
}

/// Whether a revision added the first reply.
fn answers<R: Resource>(event: &StoredEvent) -> AppResult<bool> {
    let RecordEvent::Revised { changes } = event.event::<Record<R>>()? else {
        return Ok(false);
    };
    let change = changes.get("reply");
    Ok(change.is_some_and(|change| change.from == "" && change.to != ""))
}

async fn of_inquire(app: &AppState, event: &StoredEvent) -> AppResult<Option<Notification>> {
    if !answers::<Inquire>(event)? {
        return Ok(None);
    }
    let record = app.store.load::<Record<Inquire>>(&event.stream.id).await?;
    Ok(record.state.data().ok().map(|inquire| Notification {
        member: inquire.user,
        category: AlarmCategory::Inquiry,
        kind: "INQUIRY_ANSWERED",
        title: "문의에 답변이 등록되었습니다",
        content: inquire.name,
        url: format!("/mypage/inquiries/{}", event.stream.id),
    }))
}

async fn of_review(app: &AppState, event: &StoredEvent) -> AppResult<Option<Notification>> {
    if !answers::<Review>(event)? {
        return Ok(None);
    }
    let record = app.store.load::<Record<Review>>(&event.stream.id).await?;
    Ok(record.state.data().ok().map(|review| Notification {
        member: review.user,
        category: AlarmCategory::Inquiry,
        kind: "REVIEW_ANSWERED",
        title: "후기에 답변이 등록되었습니다",
        content: review.name,
        url: "/mypage/reviews".to_owned(),
    }))
}
