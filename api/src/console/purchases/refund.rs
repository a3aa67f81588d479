//! POST /api/console/shop/purchases/cancel/preview: what taking purchases back, or granting the cancellations asked for on them,
//! would give back. Nothing is written.

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

/// Purchases asked about at once.
const PURCHASES_MOST: usize = 100;

/// What is about to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RefundAction {
    /// Taking the purchases back.
    Cancel,
    /// Granting the cancellations asked for on them.
    ApproveCancel,
    /// Granting the returns asked for on them, once inspected.
    ApproveReturn,
    /// Opening a return of one of them for the buyer (staff only).
    RequestReturn,
}

/// To which purchases.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundWish {
    /// What.
    action: RefundAction,
    /// Their numbers.
    purchase_nos: Vec<String>,
    /// Pieces of a return to open; missing: all of them.
    quantity: Option<u32>,
    /// The party at fault for a return to open; missing: the seller.
    fault: Option<Fault>,
}

impl Validate for RefundWish {
    fn check(&self, checks: &mut FormErrors) {
        let fits = (1..=PURCHASES_MOST).contains(&self.purchase_nos.len());
        let message = "주문상품을 1개에서 100개까지 선택해 주세요.";
        checks.when(fits, "purchaseNos", "required", message);
    }
}

/// What would go back, one command after the other: the later ones see what the earlier ones gave back.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct RefundsAnswer {
    /// Purchases of one order that are canceled together, or those of one claim.
    refunds: Vec<OneRefund>,
    /// The sums of all of them.
    sums: ShownRefund,
    /// Purchases for which it would be refused, and why.
    failed: Vec<BulkFailure>,
}

/// What goes back together.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OneRefund {
    /// The order.
    #[serde(rename = "_order")]
    order: OrderId,
    /// Those of the purchases asked about that are in it.
    purchase_nos: Vec<String>,
    /// What goes back.
    preview: RefundPreview,
}

/// Show what would go back.
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

/// What canceling purchases of an order together would give back.
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

/// What approving the claims on purchases of an order would give back.
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

/// What the returns of purchases would give back that staff open for the buyer.
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
    /// Adds the answer for another order.
    fn add(&mut self, other: Self) -> AppResult<()> {
        self.sums.refund = plus(self.sums.refund, other.sums.refund)?;
        self.sums.points = plus(self.sums.points, other.sums.points)?;
        self.refunds.extend(other.refunds);
        self.failed.extend(other.failed);
        Ok(())
    }

    /// Adds the approvals of the claims on these purchases, one after the other.
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

    /// Why purchases are left out; a failure of the shop is none.
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
