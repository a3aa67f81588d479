//! POST /api/console/shop/purchases/cancel/preview: previews the refund of canceling purchases, or of approving claims on them. Nothing is
//! written.

use std::collections::BTreeMap;

use axum::extract::State;
use domain::checkout::{RefundPreview, ShownRefund};
use domain::forms::{FormErrors, Validate};
use domain::ids::{ClaimId, OrderId};
use domain::order::{CanceledBy, Claim, ClaimKind, ClaimPieces, Fault, Order, ParcelRules, Reader};
use domain::unit_of_work::UnitOfWork;
use domain::{Actor, Amount};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{holder, reader};
use crate::app::AppState;
use crate::http::{ApiResult, AppError, AppResult, Code, Json, StaffOrSeller, ValidJson};
use application::orders::cancel::Cancel;
use application::orders::claims::{Approve, claim_on, preview_return};
use application::orders::find::FoundOrder;
use application::orders::parcels;
use application::resources::parts::{BulkFailure, failed};

/// Maximum number of purchases in a request.
const PURCHASES_MOST: usize = 100;

/// The action to preview.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RefundAction {
    /// Cancel the purchases.
    Cancel,
    /// Approve the cancellations requested for them.
    ApproveCancel,
    /// Approve the returns requested for them, after inspection.
    ApproveReturn,
    /// Open a return of one of them for the buyer (staff only).
    RequestReturn,
}

/// The action and the purchases to preview.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundWish {
    /// The action.
    action: RefundAction,
    /// Numbers of the purchases.
    purchase_nos: Vec<String>,
    /// Quantity of a return to open; default: all pieces.
    quantity: Option<u32>,
    /// The party at fault for a return to open; default: the seller.
    fault: Option<Fault>,
}

impl Validate for RefundWish {
    fn check(&self, checks: &mut FormErrors) {
        let fits = (1..=PURCHASES_MOST).contains(&self.purchase_nos.len());
        let message = "주문상품을 1개에서 100개까지 선택해 주세요.";
        checks.when(fits, "purchaseNos", "required", message);
    }
}

/// The refunds of the commands in order: later ones take the earlier ones into account.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct RefundsAnswer {
    /// A refund for the purchases of one order that are canceled together, or of one claim.
    refunds: Vec<OneRefund>,
    /// The sums of all refunds.
    sums: ShownRefund,
    /// Purchases for which the action would be rejected, and the reason.
    failed: Vec<BulkFailure>,
}

/// One refund.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OneRefund {
    /// The order.
    #[serde(rename = "_order")]
    order: OrderId,
    /// The requested purchases it covers.
    purchase_nos: Vec<String>,
    /// The preview.
    preview: RefundPreview,
}

/// Preview refunds.
#[utoipa::path(
    post, path = "/api/console/shop/purchases/cancel/preview", tag = "console", operation_id = "previewConsoleCancel",
    request_body = RefundWish, security(("access" = [])), responses((status = OK, body = RefundsAnswer))
)]
pub(crate) async fn preview(
    State(app): State<AppState>,
    who: StaffOrSeller,
    ValidJson { body, .. }: ValidJson<RefundWish>,
) -> ApiResult<Json<RefundsAnswer>> {
    let mut answer = RefundsAnswer::default();
    let mut orders: BTreeMap<OrderId, (FoundOrder, Vec<String>)> = BTreeMap::new();
    for no in body.purchase_nos {
        match holder(&app, who.rows, &no).await {
            Ok((found, no)) => {
                let (_, nos) = orders.entry(found.id).or_insert((found, Vec::new()));
                if !nos.contains(&no) {
                    nos.push(no);
                }
            }
            Err(refusal) => answer.refused([no], refusal)?,
        }
    }
    let wish = (body.quantity, body.fault.unwrap_or(Fault::Seller));
    for (found, nos) in orders.into_values() {
        let reader = reader(who.rows);
        let of_order = match body.action {
            RefundAction::Cancel => of_cancellation(&app, &found, nos, reader).await?,
            RefundAction::ApproveCancel | RefundAction::ApproveReturn => {
                of_approvals(&app, &found, nos, reader).await?
            }
            RefundAction::RequestReturn => of_returns(&app, &found, nos, (wish, reader)).await?,
        };
        answer.add(of_order)?;
    }
    Ok(Json(answer))
}

/// The refund of canceling purchases of an order together.
async fn of_cancellation(
    app: &AppState,
    found: &FoundOrder,
    nos: Vec<String>,
    reader: Reader,
) -> AppResult<RefundsAnswer> {
    let pieces = nos.iter().map(ClaimPieces::all).collect();
    let parcels = parcels::for_cancel(app, &found.order.state).await?;
    let cancel = Cancel::to_see(found.id, CanceledBy::Staff, Some(pieces), parcels);
    let preview = |work: &mut UnitOfWork| {
        let mut answer = RefundsAnswer::default();
        answer.take(found.id, nos.clone(), cancel.preview(work), reader)?;
        Ok(answer)
    };
    app.executor.preview(Actor::System, preview).await
}

/// The refunds of approving the claims on purchases of an order.
async fn of_approvals(
    app: &AppState,
    found: &FoundOrder,
    nos: Vec<String>,
    reader: Reader,
) -> AppResult<RefundsAnswer> {
    let state = &found.order.state;
    let for_cancel = parcels::for_cancel(app, state).await?;
    let for_return = parcels::for_return(app, state).await?;
    let preview = |work: &mut UnitOfWork| {
        let mut answer = RefundsAnswer::default();
        answer.approvals(work, found.id, &nos, (reader, [&for_cancel, &for_return]))?;
        Ok(answer)
    };
    app.executor.preview(Actor::System, preview).await
}

/// The refunds of returns that staff open for the buyer.
async fn of_returns(
    app: &AppState,
    found: &FoundOrder,
    nos: Vec<String>,
    ((quantity, fault), reader): ((Option<u32>, Fault), Reader),
) -> AppResult<RefundsAnswer> {
    let mut answer = RefundsAnswer::default();
    for purchase_no in nos {
        let pieces = ClaimPieces {
            purchase_no: purchase_no.clone(),
            quantity,
        };
        let preview = match reader {
            Reader::Staff => preview_return(app, found, (pieces, fault), CanceledBy::Staff).await,
            Reader::Buyer | Reader::Seller(_) => Err(AppError::new(Code::LedgerImmutable)),
        };
        answer.take(found.id, vec![purchase_no], preview, reader)?;
    }
    Ok(answer)
}

impl RefundsAnswer {
    /// Adds the response for another order.
    fn add(&mut self, other: Self) -> AppResult<()> {
        self.sums.refund = plus(self.sums.refund, other.sums.refund)?;
        self.sums.points = plus(self.sums.points, other.sums.points)?;
        self.refunds.extend(other.refunds);
        self.failed.extend(other.failed);
        Ok(())
    }

    /// Adds the approvals of the claims on these purchases, in order.
    fn approvals(
        &mut self,
        work: &mut UnitOfWork,
        order: OrderId,
        nos: &[String],
        (reader, [for_cancel, for_return]): (Reader, [&ParcelRules; 2]),
    ) -> AppResult<()> {
        let state = work.state::<Order>(order);
        let mut claims: BTreeMap<ClaimId, Vec<String>> = BTreeMap::new();
        for no in nos {
            match claim_on(&state, no) {
                Ok(claim) => claims.entry(claim).or_default().push(no.clone()),
                Err(refusal) => self.refused([no.clone()], refusal)?,
            }
        }
        for (claim, nos) in claims {
            let kind = state.claim(claim).map(Claim::kind);
            let parcels = match kind {
                Some(ClaimKind::Return | ClaimKind::Exchange) => for_return.clone(),
                Some(ClaimKind::Cancel) | None => for_cancel.clone(),
            };
            let approval = Approve {
                order,
                claim,
                by: reader,
                parcels,
                shown: None,
            };
            let preview = work.attempt(|work| approval.preview(work));
            self.take(order, nos, preview, reader)?;
        }
        Ok(())
    }

    fn take(
        &mut self,
        order: OrderId,
        purchase_nos: Vec<String>,
        preview: AppResult<RefundPreview>,
        reader: Reader,
    ) -> AppResult<()> {
        match preview {
            Ok(preview) => {
                let one = preview.sums();
                self.sums.refund = plus(self.sums.refund, one.refund)?;
                self.sums.points = plus(self.sums.points, one.points)?;
                self.refunds.push(OneRefund {
                    order,
                    purchase_nos,
                    preview: preview.seen_by(reader),
                });
                Ok(())
            }
            Err(refusal) => self.refused(purchase_nos, refusal),
        }
    }

    /// Reports rejected purchases; failures of the shop are returned as errors.
    fn refused(
        &mut self,
        nos: impl IntoIterator<Item = String>,
        refusal: AppError,
    ) -> AppResult<()> {
        if refusal.is_failure() {
            return Err(refusal);
        }
        self.failed
            .extend(nos.into_iter().map(|no| failed(no, &refusal)));
        Ok(())
    }
}

fn plus(one: Amount, other: Amount) -> AppResult<Amount> {
    one.plus(other).map_err(AppError::internal)
}
