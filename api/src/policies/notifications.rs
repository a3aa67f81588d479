//! Members are told what happens to their orders and coupons, and that somebody answered them.
//!
//! An alarm's id is made of its event, so reading the log again tells nobody anything twice; and what happened long ago
//! is not told at all: a shop that starts telling does not tell its past.

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
use crate::derived_id::derived_id;
use crate::http::ApiResult;

/// Older than this it is no news.
const NEWS: Duration = Duration::days(7);

/// The policy.
pub struct Telling;

/// What is said about an event.
struct Told {
    member: MemberId,
    category: AlarmCategory,
    kind: &'static str,
    title: &'static str,
    content: String,
    url: String,
}

#[async_trait]
impl Policy for Telling {
    fn name(&self) -> &'static str {
        "policy_telling"
    }

    fn create_sql(&self) -> &'static str {
        event_store::refusals_table!("policy_telling")
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["order", "issued-coupon", "inquire", "review"]
    }

    async fn react(&self, app: &AppState, event: &StoredEvent) -> ApiResult<()> {
        let at = event.metadata.occurred_at;
        if app.clock.now() - at > NEWS {
            return Ok(());
        }
        let told = match event.stream.kind.as_str() {
            "order" => of_order(app, event).await?,
            "inquire" => of_inquire(app, event).await?,
            "review" => of_review(app, event).await?,
            _ => of_coupon(event)?,
        };
        let Some(told) = told else {
            return Ok(());
        };
        // nobody is left to be told
        let member = app.store.load::<Member>(&told.member.to_string()).await?;
        if member.state.left {
            return Ok(());
        }
        let settings = notifications::settings(app.pool(), told.member).await?;
        if !settings.wants(told.category) {
            return Ok(());
        }
        let news = News {
            id: derived_id(&format!("alarm {}", event.event_id)),
            member: told.member,
            category: told.category,
            kind: told.kind,
            title: told.title.to_owned(),
            content: told.content,
            url: told.url,
            at,
        };
        Ok(notifications::tell(app.pool(), &news).await?)
    }
}

/// A guest has nowhere to be told.
async fn of_order(app: &AppState, event: &StoredEvent) -> ApiResult<Option<Told>> {
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
    Ok(Some(Told {
        member: *id,
        category,
        kind,
        title,
        content,
        url: format!("/mypage/orders-detail?order={}", event.stream.id),
    }))
}

fn of_coupon(event: &StoredEvent) -> ApiResult<Option<Told>> {
    let IssuedCouponEvent::CouponIssued { member, terms, .. } = event.event::<IssuedCoupon>()?
    else {
        return Ok(None);
    };
    Ok(Some(Told {
        member,
        category: AlarmCategory::Coupon,
        kind: "COUPON_ISSUED",
        title: "쿠폰이 발급되었습니다",
        content: terms.name,
        url: "/mypage/coupons".to_owned(),
    }))
}

/// Whether a change of a document gave an answer where there was none.
fn answers<R: Resource>(event: &StoredEvent) -> ApiResult<bool> {
    let RecordEvent::Revised { changes } = event.event::<Record<R>>()? else {
        return Ok(false);
    };
    let change = changes.get("reply");
    Ok(change.is_some_and(|change| change.from == "" && change.to != ""))
}

async fn of_inquire(app: &AppState, event: &StoredEvent) -> ApiResult<Option<Told>> {
    if !answers::<Inquire>(event)? {
        return Ok(None);
    }
    let record = app.store.load::<Record<Inquire>>(&event.stream.id).await?;
    Ok(record.state.data().ok().map(|inquire| Told {
        member: inquire.user,
        category: AlarmCategory::Inquiry,
        kind: "INQUIRY_ANSWERED",
        title: "문의에 답변이 등록되었습니다",
        content: inquire.name,
        url: format!("/mypage/inquiries/{}", event.stream.id),
    }))
}

async fn of_review(app: &AppState, event: &StoredEvent) -> ApiResult<Option<Told>> {
    if !answers::<Review>(event)? {
        return Ok(None);
    }
    let record = app.store.load::<Record<Review>>(&event.stream.id).await?;
    Ok(record.state.data().ok().map(|review| Told {
        member: review.user,
        category: AlarmCategory::Inquiry,
        kind: "REVIEW_ANSWERED",
        title: "후기에 답변이 등록되었습니다",
        content: review.name,
        url: "/mypage/reviews".to_owned(),
    }))
}
