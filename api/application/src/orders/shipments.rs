//! Parcels: sends goods to the buyer, back to the seller, back to the buyer, or as a replacement; and corrects tracking numbers.

use domain::checkout;
use domain::ids::ClaimId;
use domain::order::{
    ClaimState, CollectionStatus, EarnedPoints, Invoice, Order, OrderCommand, Reader,
};
use domain::unit_of_work::UnitOfWork;
use projections::orders::{ParcelDirection, ParcelRow};
use serde_json::json;

use super::claims::claim_on;
use super::days::auto_deliver_days;
use super::find::FoundOrder;
use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{CommandContext, CommandOutcome};

/// A parcel from a form.
#[derive(Clone, Debug)]
pub struct Shipment {
    /// The purchase whose goods are in it.
    pub purchase_no: String,
    /// Its direction.
    pub direction: ParcelDirection,
    /// Courier and tracking number; optional for a pickup.
    pub invoice: Option<Invoice>,
    /// The reason for rejecting a claim whose goods are sent back to the buyer.
    pub reason: String,
}

impl Shipment {
    /// Name of the command that sends it.
    pub const fn command_name(&self) -> &'static str {
        match self.direction {
            ParcelDirection::Out => "ship-purchase",
            ParcelDirection::Back => "pick-up-goods",
            ParcelDirection::SentBack => "send-back-goods",
            ParcelDirection::Replacement => "ship-replacement",
        }
    }

    /// The claim that its goods belong to; none for an initial shipment.
    ///
    /// # Errors
    /// `not_found` without a claim.
    fn claim(&self, order: &Order) -> AppResult<Option<ClaimId>> {
        match self.direction {
            ParcelDirection::Out => Ok(None),
            _ => claim_on(order, &self.purchase_no).map(Some),
        }
    }

    /// Rejects parcels that were sent before, and sending back goods that were not picked up.
    fn may_leave(&self, order: &Order, claim: Option<ClaimId>) -> AppResult<()> {
        let purchase = order.purchase(&self.purchase_no);
        let purchase = purchase.ok_or_else(AppError::not_found)?;
        let claim = claim.and_then(|claim| order.claim(claim));
        let goods = claim.and_then(|claim| claim.collection.as_ref());
        let has_left = match self.direction {
            ParcelDirection::Out => purchase.invoice.is_some(),
            ParcelDirection::Back => purchase.collection_status == CollectionStatus::Progress,
            ParcelDirection::SentBack => goods.is_some_and(|goods| goods.sent_back.is_some()),
            ParcelDirection::Replacement => claim
                .and_then(|claim| claim.exchange())
                .is_some_and(|exchange| exchange.invoice.is_some()),
        };
        if has_left {
            return Err(not_now("already_sent")
                .saying("이미 보낸 배송입니다. 택배사나 송장번호는 수정해 주세요."));
        }
        let is_here = matches!(
            purchase.collection_status,
            CollectionStatus::Progress | CollectionStatus::Complete
        );
        let is_rejected =
            claim.is_some_and(|claim| matches!(claim.state, ClaimState::Rejected { .. }));
        match self.direction {
            ParcelDirection::SentBack if !is_here || is_rejected => {
                Err(not_now("wrong_collection").saying("수거한 상품만 반송할 수 있습니다."))
            }
            _ => Ok(()),
        }
    }
}

fn not_now(reason: &str) -> AppError {
    AppError::new(Code::NotAllowedNow).with_details(json!({ "reason": reason }))
}

/// Sends a parcel with the command of its direction, and returns its id. A parcel that was sent before is rejected.
///
/// # Errors
/// The rule violated; `not_allowed_now` with the reason `already_sent`.
pub async fn send(
    app: &App,
    command: &CommandContext,
    found: &FoundOrder,
    (shipment, by): (&Shipment, Reader),
) -> AppResult<(CommandOutcome, String)> {
    let claim = shipment.claim(&found.order.state)?;
    let id = match claim {
        Some(claim) => shipment.direction.of_claim(claim),
        None => shipment.purchase_no.clone(),
    };
    let parcel = shipment.invoice.clone().unwrap_or_else(|| Invoice {
        courier: String::new(),
        invoice_no: String::new(),
    });
    let act = match (shipment.direction, claim) {
        (ParcelDirection::Back, Some(claim)) => OrderCommand::PickUpGoods {
            claim,
            invoice: shipment.invoice.clone(),
            by,
        },
        (ParcelDirection::SentBack, Some(claim)) => OrderCommand::RejectClaim {
            claim,
            reason: shipment.reason.clone(),
            invoice: shipment.invoice.clone(),
            by,
        },
        (ParcelDirection::Replacement, Some(claim)) => {
            ship_replacement(app, claim, parcel, by).await?
        }
        _ => ship(app, &shipment.purchase_no, parcel).await?,
    };
    let order = found.id;
    let decide = |work: &mut UnitOfWork| {
        let state = work.state::<Order>(order);
        if work.is_loaded() {
            shipment.may_leave(&state, claim)?;
        }
        decide(work, found, (act.clone(), claim.is_some()))
    };
    Ok((app.executor.commit(command, decide).await?, id))
}

/// Corrects courier and tracking number of a sent parcel; this also ends a delay.
///
/// # Errors
/// The rule violated.
pub async fn correct(
    app: &App,
    command: &CommandContext,
    found: &FoundOrder,
    (parcel, invoice, by): (&ParcelRow, Invoice, Reader),
) -> AppResult<CommandOutcome> {
    let act = match (parcel.direction, parcel.claim) {
        (ParcelDirection::Back, Some(claim)) => OrderCommand::PickUpGoods {
            claim,
            invoice: Some(invoice),
            by,
        },
        (ParcelDirection::SentBack, Some(claim)) => {
            OrderCommand::CorrectSentBack { claim, invoice, by }
        }
        (ParcelDirection::Replacement, Some(claim)) => {
            ship_replacement(app, claim, invoice, by).await?
        }
        _ => ship(app, &parcel.purchase_no, invoice).await?,
    };
    let of_claim = parcel.claim.is_some();
    let decide = |work: &mut UnitOfWork| decide(work, found, (act.clone(), of_claim));
    app.executor.commit(command, decide).await
}

/// A parcel of a claim may change stock; an initial shipment changes only the order.
fn decide(
    work: &mut UnitOfWork,
    found: &FoundOrder,
    (act, of_claim): (OrderCommand, bool),
) -> AppResult<()> {
    match of_claim {
        true => checkout::decide_claim(work, found.id, act)?,
        false => {
            work.decide::<Order>(found.id, act)?;
        }
    }
    Ok(())
}

async fn ship(app: &App, purchase_no: &str, parcel: Invoice) -> AppResult<OrderCommand> {
    Ok(OrderCommand::Ship {
        purchase_no: purchase_no.to_owned(),
        courier: parcel.courier,
        invoice_no: parcel.invoice_no,
        auto_deliver_days: auto_deliver_days(app).await?,
    })
}

async fn ship_replacement(
    app: &App,
    claim: ClaimId,
    invoice: Invoice,
    by: Reader,
) -> AppResult<OrderCommand> {
    Ok(OrderCommand::ShipReplacement {
        claim,
        invoice,
        auto_deliver_days: auto_deliver_days(app).await?,
        by,
        earned: EarnedPoints::default(),
    })
}
