//! What buyers are asked to pay besides their orders: the list, and doing without one. They are requested by the inspection that makes
//! them due and completed by their money, so nothing else of them is written here.

pub mod cancel;
pub mod list;
pub mod refused;
pub mod show;

use std::collections::BTreeMap;

use application::members::profiles::SellerNames;
use domain::Amount;
use domain::ids::{ClaimId, MemberId, OrderId, PaymentId, UserPaymentId};
use domain::order::{Order, Reader};
use domain::user_payment::UserPaymentStatus;
use projections::SellerRef;
use projections::user_payments::{UserPaymentKind, UserPaymentOfGoods};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::http::{AppResult, routes};

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list, refused::create))
        .routes(routes!(show::show, refused::revise, refused::remove))
        .routes(routes!(cancel::cancel))
}

/// A user payment.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserPaymentView {
    /// Id.
    #[serde(rename = "_id")]
    id: UserPaymentId,
    /// Its number, shown to people.
    number: String,
    /// What it is for.
    purpose: UserPaymentKind,
    /// The member; none for a guest.
    #[serde(rename = "_user")]
    member: Option<MemberId>,
    /// The order.
    #[serde(rename = "_order")]
    order: OrderId,
    /// Order number.
    order_no: String,
    /// Number of the purchase.
    purchase_no: String,
    /// The claim.
    #[serde(rename = "_claim")]
    claim: ClaimId,
    /// Name of the goods.
    name: String,
    /// The seller of the goods.
    seller: SellerRef,
    /// Hundredths.
    amount: Amount,
    /// Its status.
    status: UserPaymentStatus,
    /// The payment it was paid with; none: not paid, or by a bank transfer.
    #[serde(rename = "_payment")]
    payment: Option<PaymentId>,
    /// Why it was canceled.
    reason: Option<String>,
    /// When it was requested.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    created_at: OffsetDateTime,
    /// When it was paid.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    payment_at: Option<OffsetDateTime>,
    /// Whether the reader may do without the fee in it: it is not paid yet, and is not the difference of an option alone.
    cancelable: bool,
}

impl UserPaymentView {
    fn of(found: UserPaymentOfGoods, orders: &BTreeMap<OrderId, Order>, reader: Reader) -> Self {
        let UserPaymentOfGoods { row, seller, name } = found;
        let may_waive = |order: &Order| order.may_waive_fee(row.claim, reader).is_ok();
        let is_paid = row.status == UserPaymentStatus::Completed;
        Self {
            id: row.id,
            number: row.number,
            purpose: row.purpose,
            member: row.member,
            order: row.order_id,
            order_no: row.order_no,
            purchase_no: row.purchase_no,
            claim: row.claim,
            name,
            seller: SellerRef::unnamed(seller),
            amount: row.amount,
            status: row.status,
            payment: row.payment,
            reason: row.reason,
            created_at: row.created_at,
            payment_at: is_paid.then_some(row.changed_at),
            cancelable: row.status == UserPaymentStatus::Awaiting
                && orders.get(&row.order_id).is_some_and(may_waive),
        }
    }
}

/// One user payment.
#[derive(Serialize, ToSchema)]
pub struct UserPaymentAnswer {
    /// It.
    payment: UserPaymentView,
}

/// As the wire has them for `reader`, with the names of their sellers. `orders` has those of the unpaid ones.
async fn named(
    app: &AppState,
    (found, orders): (Vec<UserPaymentOfGoods>, &BTreeMap<OrderId, Order>),
    reader: Reader,
) -> AppResult<Vec<UserPaymentView>> {
    let names = SellerNames::of(app, found.iter().map(|one| one.seller)).await?;
    let mut views: Vec<_> = found
        .into_iter()
        .map(|one| UserPaymentView::of(one, orders, reader))
        .collect();
    for view in &mut views {
        names.name(&mut view.seller);
    }
    Ok(views)
}
