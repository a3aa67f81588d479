//! POST /api/console/shop/purchases/cancel/preview: what taking purchases back, or granting the cancellations asked for on them,
//! would give back. Nothing is written.

use std::collections::BTreeMap;

use axum::extract::State;
use domain::checkout::{self, CheckoutDecision, RefundPreview, ShownRefund};
use domain::forms::{FormErrors, Validate};
use domain::ids::{ClaimId, OrderId};
use domain::order::{CanceledBy, Reader};
use domain::{Actor, Amount, Context};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::commands::claim_on;
use super::{holder, reader};
use crate::app::AppState;
use crate::console::records::bulk::{Failed, failed};
use crate::http::{ApiResult, AppError, AppResult, Code, Json, StaffOrSeller, ValidJson};
use crate::shop::orders::cancel::{Approve, Cancel};
use crate::shop::orders::streams::Held;

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
}

/// To which purchases.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundWish {
    /// What.
    action: RefundAction,
    /// Their numbers.
    purchase_nos: Vec<String>,
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
    failed: Vec<Failed>,
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
    let mut orders: BTreeMap<OrderId, Vec<String>> = BTreeMap::new();
    for no in body.purchase_nos {
        match holder(&app, who.rows, &no).await {
            Ok((found, no)) => {
                let nos = orders.entry(found.id).or_default();
                if !nos.contains(&no) {
                    nos.push(no);
                }
            }
            Err(refusal) => answer.refused([no], refusal)?,
        }
    }
    for (order, nos) in orders {
        let mut desk = Desk {
            order,
            reader: reader(who.rows),
            held: Held::read(&app, order).await?,
            context: Context {
                now: app.clock.now(),
                actor: Actor::System,
            },
        };
        match body.action {
            RefundAction::Cancel => answer.take(&mut desk, nos, None)?,
            RefundAction::ApproveCancel => {
                let mut claims: BTreeMap<ClaimId, Vec<String>> = BTreeMap::new();
                for no in nos {
                    match claim_on(&desk.held.order.state, &no) {
                        Ok(claim) => claims.entry(claim).or_default().push(no),
                        Err(refusal) => answer.refused([no], refusal)?,
                    }
                }
                for (claim, nos) in claims {
                    answer.take(&mut desk, nos, Some(claim))?;
                }
            }
        }
    }
    Ok(Json(answer))
}

/// An order as it is after what was done to it so far.
struct Desk {
    order: OrderId,
    reader: Reader,
    held: Held,
    context: Context,
}

impl Desk {
    /// What canceling these purchases, or granting that claim, gives back. The next question sees it done.
    fn preview(&mut self, nos: &[String], claim: Option<ClaimId>) -> AppResult<RefundPreview> {
        let (state, streams) = (&self.held.order.state, &self.held.streams);
        let decided = match claim {
            None => Cancel::to_see(self.order, CanceledBy::Staff, Some(nos.to_vec())).decide(
                state,
                streams,
                &self.context,
            )?,
            Some(claim) => Approve {
                order: self.order,
                claim,
                by: self.reader,
                shown: None,
            }
            .decide(state, streams, &self.context)?,
        };
        let preview = checkout::preview(self.order, state, &decided, streams, &self.context)?;
        // it is so already
        let preview = preview.ok_or_else(|| AppError::new(Code::NotAllowedNow))?;
        self.fold(&decided);
        Ok(preview.seen_by(self.reader))
    }

    fn fold(&mut self, decided: &CheckoutDecision) {
        self.held.streams.evolve(decided);
        for event in &decided.order {
            self.held.order.state.evolve(event.clone());
        }
    }
}

impl RefundsAnswer {
    fn take(&mut self, desk: &mut Desk, nos: Vec<String>, claim: Option<ClaimId>) -> AppResult<()> {
        match desk.preview(&nos, claim) {
            Ok(preview) => {
                let one = preview.sums();
                self.sums.refund = plus(self.sums.refund, one.refund)?;
                self.sums.points = plus(self.sums.points, one.points)?;
                self.refunds.push(OneRefund {
                    order: desk.order,
                    purchase_nos: nos,
                    preview,
                });
                Ok(())
            }
            Err(refusal) => self.refused(nos, refusal),
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
