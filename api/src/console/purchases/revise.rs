//! PUT /api/console/shop/purchases/{purchaseNo}: accepts only the statuses that have a command.

use application::executor::RequestOrigin;
use axum::extract::State;
use domain::Amount;
use domain::checkout::ShownRefund;
use domain::forms::{self, FormErrors, REASON, Validate};
use domain::ids::{ClaimId, OptionId};
use domain::order::{
    CanceledBy, ClaimKind, ClaimPieces, ClaimStatus, CollectionStatus, EarnedPoints, Fault,
    Inspection, Invoice, Order, OrderCommand, OrderStatus, Reader,
};
use domain::personal::Party;
use domain::record::Document;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{PurchaseAnswer, current, holder, reader};
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, Code, Path, Respond, StaffOrSeller, ValidJson,
};
use application::executor::{CommandContext, CommandOutcome};
use application::orders::claims::{Approve, ReturnForm, approve, claim_on, request_return};
use application::orders::days::{auto_confirm_days, auto_deliver_days};
use application::orders::exchanges::{ExchangeForm, handle, request_exchange};
use application::orders::find::FoundOrder;
use application::orders::form::person;
use application::orders::parcels;

/// A change of a purchase.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PurchaseChange {
    /// `ORDER_CONFIRM` accepts it for preparation, `SHIPPING_DELAYED` reports a delay (with a reason), `DELIVERY_COMPLETE` records the
    /// delivery.
    order_status: Option<OrderStatus>,
    /// `CANCEL_COMPLETED` and `RETURN_COMPLETED` approve a claim, `EXCHANGE_PENDING` accepts an exchange; `CANCEL_REJECTED`,
    /// `RETURN_REJECTED` and `EXCHANGE_REJECTED` reject it (with a reason; if the goods were picked up, with courier and tracking number of
    /// the parcel back to the buyer). `EXCHANGE_SHIPPING` sends the replacement (with courier and tracking number), `EXCHANGE_DELAYED`
    /// reports a delay (with a reason), `EXCHANGE_COMPLETED` records its delivery. `RETURN_REQUESTED` and `EXCHANGE_REQUESTED` open a claim
    /// for the buyer (staff; with a reason and the claim), also on a confirmed purchase.
    claim_status: Option<ClaimStatus>,
    /// Goods of a return or exchange: `COLLECTION_PROGRESS` records their pickup (with courier and tracking number, if known),
    /// `COLLECTION_COMPLETE` their inspection (with its result).
    collection_status: Option<CollectionStatus>,
    /// The claim to open.
    claim: Option<ClaimForm>,
    /// The result of the inspection.
    inspection: Option<InspectionForm>,
    /// Courier code of the parcel.
    courier: Option<String>,
    /// Its tracking number.
    invoice_no: Option<String>,
    /// The reason.
    reason: Option<String>,
    /// The refund shown for approving a cancellation; `refund_changed` if it differs by now.
    shown: Option<ShownRefund>,
    /// All other fields sent.
    #[serde(flatten)]
    #[schema(ignore)]
    others: Document,
}

/// A claim that staff open for the buyer.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct ClaimForm {
    /// Quantity; default: all pieces.
    quantity: Option<u32>,
    /// The party at fault.
    fault: Fault,
    /// The replacement option; default: the same goods.
    #[serde(rename = "_option")]
    option: Option<OptionId>,
    /// The difference shown for that option, per piece, hundredths; `price_changed` if it differs by now.
    difference: Option<Amount>,
    /// Pickup address; default: the address the goods were sent to.
    pickup: Option<Party>,
}

/// The result of inspecting returned goods.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub struct InspectionForm {
    /// Quantity that arrived; the rest of the claim is rejected.
    arrived: u32,
    /// Quantity of these that can be sold again; the rest is written off.
    resellable: u32,
    /// The party at fault.
    fault: Fault,
}

impl Validate for PurchaseChange {
    fn check(&self, checks: &mut FormErrors) {
        let asked = self.order_status.is_some()
            || self.claim_status.is_some()
            || self.collection_status.is_some()
            || !self.others.is_empty();
        let inspected =
            self.collection_status != Some(CollectionStatus::Complete) || self.inspection.is_some();
        checks.when(
            inspected,
            "inspection",
            "required",
            "도착한 수량과 판매할 수 있는 수량을 입력해 주세요.",
        );
        let opens = matches!(
            self.claim_status,
            Some(ClaimStatus::ReturnRequested | ClaimStatus::ExchangeRequested)
        );
        if let Some(claim) = self.claim.as_ref().filter(|_| opens) {
            checks.text("reason", self.reason.as_deref().unwrap_or_default(), REASON);
            if claim.pickup.is_some() {
                person(checks, "claim.pickup", claim.pickup.as_ref(), true);
            }
        } else {
            checks.when(!opens, "claim", "required", "접수할 내용을 입력해 주세요.");
        }
        checks
            .when(
                asked,
                "orderStatus",
                "required",
                "변경할 상태를 선택해 주세요.",
            )
            .optional("reason", self.reason.as_deref(), forms::MESSAGE);
    }
}

/// Prepare, delay, deliver; approve or reject a claim; record the pickup and inspection of returned goods.
#[utoipa::path(
    put, path = "/api/console/shop/purchases/{purchaseNo}", tag = "console", operation_id = "reviseConsolePurchase",
    params(("purchaseNo" = String, Path)), request_body = PurchaseChange, security(("access" = [])),
    responses(
        (status = OK, body = PurchaseAnswer),
        (status = CONFLICT, description = "not_allowed_now; claim_of_several_sellers: staff answer it; refund_changed"),
        (status = METHOD_NOT_ALLOWED, description = "ledger_immutable: there is no command for this")
    )
)]
pub(crate) async fn revise(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(purchase_no): Path<String>,
    ValidJson { body, origin }: ValidJson<PurchaseChange>,
) -> ApiResult<ApiResponse<PurchaseAnswer>> {
    let (found, purchase_no) = holder(&app, who.rows, &purchase_no).await?;
    let reader = reader(who.rows);
    let before = current(&app, found.id, &purchase_no, reader).await?;
    body.names_only_commands(serde_json::to_value(before.purchase).ok())?;
    let command = |name| body.command(name, &who, &origin);
    let done = run(&app, &found, &purchase_no, (&body, reader), command).await?;
    let answer = current(&app, found.id, &purchase_no, reader).await?;
    Ok(done.answer(answer))
}

/// The same for one purchase of a bulk change.
///
/// # Errors
/// `not_found`, also for a purchase of another seller; the rule violated.
pub(super) async fn change_one(
    app: &AppState,
    who: &StaffOrSeller,
    origin: &RequestOrigin,
    purchase_no: &str,
    body: &PurchaseChange,
) -> AppResult<CommandOutcome> {
    let (found, purchase_no) = holder(app, who.rows, purchase_no).await?;
    let command = |name| body.command(name, who, origin);
    let by = reader(who.rows);
    run(app, &found, &purchase_no, (body, by), command).await
}

async fn run(
    app: &AppState,
    found: &FoundOrder,
    purchase_no: &str,
    (body, by): (&PurchaseChange, Reader),
    command: impl Fn(&'static str) -> CommandContext,
) -> AppResult<CommandOutcome> {
    if let (Some(form), Reader::Staff) = (body.opened(), by) {
        return open(app, found, (purchase_no, body, form), command).await;
    }
    let claim = || claim_on(&found.order.state, purchase_no);
    let purchase_no = purchase_no.to_owned();
    let reason = body.reason.clone().unwrap_or_default();
    let statuses = (
        body.order_status,
        body.claim_status,
        body.new_collection(found, &purchase_no),
    );
    let (name, act) = match statuses {
        (Some(OrderStatus::Confirm), None, None) => {
            let purchase_nos = vec![purchase_no];
            ("prepare-purchase", OrderCommand::Prepare { purchase_nos })
        }
        (Some(OrderStatus::Delayed), None, None) => {
            let delay = OrderCommand::Delay {
                purchase_no,
                reason,
            };
            ("delay-purchase", delay)
        }
        (Some(OrderStatus::Delivered), None, None) => {
            let deliver = OrderCommand::Deliver {
                purchase_no,
                auto_confirm_days: auto_confirm_days(app).await?,
            };
            ("deliver-purchase", deliver)
        }
        (
            None,
            Some(answer @ (ClaimStatus::CancelCompleted | ClaimStatus::ReturnCompleted)),
            None,
        ) => {
            let claim = of_kind(found, claim()?, answer)?;
            let asked = Approve {
                order: found.id,
                claim,
                by,
                parcels: parcels::for_answer(app, &found.order.state, claim).await?,
                shown: body.shown,
            };
            let name = match answer {
                ClaimStatus::ReturnCompleted => "approve-return",
                _ => "approve-cancel",
            };
            return approve(app, &command(name), &asked).await;
        }
        (
            None,
            Some(
                answer @ (ClaimStatus::CancelRejected
                | ClaimStatus::ReturnRejected
                | ClaimStatus::ExchangeRejected),
            ),
            None,
        ) => {
            let reject = OrderCommand::RejectClaim {
                claim: of_kind(found, claim()?, answer)?,
                reason,
                invoice: body.invoice(),
                by,
            };
            let name = match answer {
                ClaimStatus::ReturnRejected => "reject-return",
                ClaimStatus::ExchangeRejected => "reject-exchange",
                _ => "reject-cancel",
            };
            (name, reject)
        }
        (None, Some(ClaimStatus::ExchangePending), None) => {
            let claim = claim()?;
            (
                "accept-exchange",
                OrderCommand::AcceptExchange { claim, by },
            )
        }
        (None, Some(ClaimStatus::ExchangeShipping), None) => {
            let parcel = Invoice {
                courier: body.courier.clone().unwrap_or_default(),
                invoice_no: body.invoice_no.clone().unwrap_or_default(),
            };
            let ship = OrderCommand::ShipReplacement {
                claim: claim()?,
                invoice: parcel,
                auto_deliver_days: auto_deliver_days(app).await?,
                by,
                earned: EarnedPoints::default(),
            };
            ("ship-replacement", ship)
        }
        (None, Some(ClaimStatus::ExchangeDelayed), None) => {
            let delay = OrderCommand::DelayReplacement {
                claim: claim()?,
                reason,
                by,
            };
            ("delay-replacement", delay)
        }
        (None, Some(ClaimStatus::ExchangeCompleted), None) => {
            let complete = OrderCommand::CompleteExchange {
                claim: claim()?,
                auto_confirm_days: auto_confirm_days(app).await?,
                by,
            };
            ("complete-exchange", complete)
        }
        (None, None, Some(CollectionStatus::Progress)) => {
            let pick_up = OrderCommand::PickUpGoods {
                claim: claim()?,
                invoice: body.invoice(),
                by,
            };
            ("pick-up-goods", pick_up)
        }
        (None, None, Some(CollectionStatus::Complete)) => {
            let found = body
                .inspection
                .ok_or_else(|| AppError::new(Code::LedgerImmutable))?;
            let inspect = OrderCommand::InspectGoods {
                claim: claim()?,
                inspection: Inspection {
                    arrived: found.arrived,
                    resellable: found.resellable,
                    fault: found.fault,
                },
                by,
            };
            ("inspect-goods", inspect)
        }
        _ => return Err(AppError::new(Code::LedgerImmutable)),
    };
    let command = command(name);
    match body.order_status {
        // Shipping and delivery change only the order.
        Some(_) => {
            let done = app.executor.execute::<Order>(&command, found.id, act);
            done.await
        }
        None => handle(app, &command, found.id, act).await,
    }
}

/// Opens a claim for the buyer.
async fn open(
    app: &AppState,
    found: &FoundOrder,
    (purchase_no, body, form): (&str, &PurchaseChange, &ClaimForm),
    command: impl Fn(&'static str) -> CommandContext,
) -> AppResult<CommandOutcome> {
    let pieces = ClaimPieces {
        purchase_no: purchase_no.to_owned(),
        quantity: form.quantity,
    };
    let (by, fault) = (CanceledBy::Staff, form.fault);
    let reason = body.reason.clone().unwrap_or_default();
    let pickup = form.pickup.clone();
    if body.claim_status == Some(ClaimStatus::ReturnRequested) {
        let form = ReturnForm {
            pieces,
            by,
            reason,
            fault,
            pickup,
            pictures: Vec::new(),
            shown: body.shown,
        };
        return request_return(app, &command("open-return"), found, form).await;
    }
    let form = ExchangeForm {
        pieces,
        option: form.option,
        by,
        reason,
        fault,
        pickup,
        pictures: Vec::new(),
        fee: None,
        difference: form.difference,
    };
    request_exchange(app, &command("open-exchange"), found, form).await
}

/// The claim, if the status fits its kind.
fn of_kind(found: &FoundOrder, claim: ClaimId, answer: ClaimStatus) -> AppResult<ClaimId> {
    let kind = match answer {
        ClaimStatus::ReturnCompleted | ClaimStatus::ReturnRejected => ClaimKind::Return,
        ClaimStatus::ExchangeRejected => ClaimKind::Exchange,
        _ => ClaimKind::Cancel,
    };
    let made = found.order.state.claim(claim);
    match made.is_some_and(|made| made.kind() == kind) {
        true => Ok(claim),
        false => Err(AppError::not_found()),
    }
}

impl PurchaseChange {
    /// The claim to open, if the change contains nothing else.
    fn opened(&self) -> Option<&ClaimForm> {
        let alone = (self.order_status, self.claim_status, self.collection_status);
        match alone {
            (None, Some(ClaimStatus::ReturnRequested | ClaimStatus::ExchangeRequested), None) => {
                self.claim.as_ref()
            }
            _ => None,
        }
    }

    /// The new status of the goods, if it differs; forms may send back the present one.
    fn new_collection(&self, found: &FoundOrder, purchase_no: &str) -> Option<CollectionStatus> {
        let purchase = found.order.state.purchase(purchase_no);
        let now = purchase.map(|purchase| purchase.collection_status);
        let is_alone = self.order_status.is_none() && self.claim_status.is_none();
        self.collection_status
            .filter(|status| is_alone || Some(*status) != now)
    }

    /// Courier and tracking number, if given; the command rejects an incomplete pair.
    fn invoice(&self) -> Option<Invoice> {
        let given = self.courier.is_some() || self.invoice_no.is_some();
        given.then(|| Invoice {
            courier: self.courier.clone().unwrap_or_default(),
            invoice_no: self.invoice_no.clone().unwrap_or_default(),
        })
    }

    fn command(
        &self,
        name: &'static str,
        who: &StaffOrSeller,
        origin: &RequestOrigin,
    ) -> CommandContext {
        let command = CommandContext::new(name, who.actor(), origin);
        match &self.reason {
            Some(reason) => command.with_reason(reason.clone()),
            None => command,
        }
    }

    /// Whether it changes only the order status.
    pub(super) fn only_order_status(&self) -> bool {
        self.order_status.is_some()
            && self.claim_status.is_none()
            && self.collection_status.is_none()
            && self.others.is_empty()
    }

    /// Unknown fields are ignored, and amounts may be sent back unchanged; a changed one is rejected.
    fn names_only_commands(&self, shown: Option<Value>) -> AppResult<()> {
        let shown = shown.unwrap_or_default();
        let changes =
            |(field, value): (&String, &Value)| shown.get(field).is_some_and(|now| now != value);
        let names_parcel = self.order_status.is_none();
        let parcel = [("courier", &self.courier), ("invoiceNo", &self.invoice_no)];
        let changes_parcel = parcel.into_iter().any(|(field, value)| {
            let sent = value.as_ref().map(|text| Value::from(text.as_str()));
            sent.is_some() && shown.get(field) != sent.as_ref()
        });
        if self.others.iter().any(changes) || (!names_parcel && changes_parcel) {
            Err(AppError::new(Code::LedgerImmutable))
        } else {
            Ok(())
        }
    }
}
