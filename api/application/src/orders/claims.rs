//! Claims on paid purchases: returns, and the approval of claims of both kinds. Cancellations are requested in [`super::cancel`].

use domain::checkout::{self, RefundPreview, ShownRefund};
use domain::ids::{ClaimId, ClaimPictureId, OrderId, RefundId};
use domain::order::{
    CancelReason, CanceledBy, ClaimAnswer, ClaimPieces, ClaimState, EarnedPoints, Fault, Order,
    ParcelRules, Reader, ReturnRequest,
};
use domain::personal::Party;
use domain::unit_of_work::UnitOfWork;
use domain::{Actor, Purpose, Sealed};
use serde_json::json;
use uuid::Uuid;

use super::claim_pictures;
use super::find::FoundOrder;
use super::form::tidy;
use super::parcels;
use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{CommandContext, CommandOutcome};

/// Reason of a return that is only previewed.
const RETURNED: &str = "반품";

/// A return request from a form.
#[derive(Clone, Debug)]
pub struct ReturnForm {
    /// What to return.
    pub pieces: ClaimPieces,
    /// The party that requests it.
    pub by: CanceledBy,
    /// The reason, one of the choices or free text.
    pub reason: String,
    /// The party at fault.
    pub fault: Fault,
    /// Pickup address; none for the address the goods were sent to.
    pub pickup: Option<Party>,
    /// Pictures of the goods.
    pub pictures: Vec<ClaimPictureId>,
    /// The sums shown to the user; none if nothing was shown.
    pub shown: Option<ShownRefund>,
}

/// Requests the return of a sent purchase.
///
/// # Errors
/// The rule violated.
pub async fn request_return(
    app: &App,
    command: &CommandContext,
    found: &FoundOrder,
    form: ReturnForm,
) -> AppResult<CommandOutcome> {
    claim_pictures::check(app, found, &form.pictures).await?;
    let request = ReturnRequest {
        claim: ClaimId(Uuid::now_v7()),
        pieces: form.pieces,
        by: form.by,
        reason: reason_of_buyer(app, found, &form.reason).await?,
        fault: form.fault,
        pickup: seal_pickup(app, found, form.pickup.as_ref()).await?,
        pictures: form.pictures,
        parcels: parcels::for_return(app, &found.order.state).await?,
        earned: EarnedPoints::default(),
    };
    let command = with_reason(command, &request.reason);
    let shown = (form.shown, &request.parcels);
    let decide = |work: &mut UnitOfWork| {
        as_shown(work, found.id, shown, |work| {
            Ok(checkout::request_return(work, found.id, request.clone())?)
        })
    };
    let done = app.executor.commit(&command, decide).await?;
    claim_pictures::claim(app, &request.pictures).await;
    Ok(done)
}

/// Previews what a return would give back. Nothing is written.
///
/// # Errors
/// The rule it would violate.
pub async fn preview_return(
    app: &App,
    found: &FoundOrder,
    (pieces, fault): (ClaimPieces, Fault),
    by: CanceledBy,
) -> AppResult<RefundPreview> {
    let request = ReturnRequest {
        claim: ClaimId(Uuid::nil()),
        pieces,
        by,
        reason: CancelReason::plain(RETURNED),
        fault,
        // Not used by the decision.
        pickup: found.order.state.receiver()?.clone(),
        pictures: Vec::new(),
        parcels: parcels::for_return(app, &found.order.state).await?,
        earned: EarnedPoints::default(),
    };
    let preview = |work: &mut UnitOfWork| {
        let decide = |work: &mut UnitOfWork| -> AppResult<()> {
            Ok(checkout::request_return(work, found.id, request.clone())?)
        };
        checkout::decide_with_preview(work, found.id, &request.parcels, decide)?
            .ok_or_else(|| AppError::new(Code::NotAllowedNow))
    };
    app.executor.preview(Actor::System, preview).await
}

/// Approval of a claim.
#[derive(Clone, Debug)]
pub struct Approve {
    /// The order.
    pub order: OrderId,
    /// The claim.
    pub claim: ClaimId,
    /// The user who approves it.
    pub by: Reader,
    /// The shipping options of the order's parcels ([`parcels::for_answer`]).
    pub parcels: ParcelRules,
    /// The sums shown to the user; none if nothing was shown.
    pub shown: Option<ShownRefund>,
}

impl Approve {
    /// Decides the approval.
    ///
    /// # Errors
    /// The rule violated.
    fn decide(&self, work: &mut UnitOfWork, refund: RefundId) -> AppResult<()> {
        let answer = ClaimAnswer {
            claim: self.claim,
            refund,
            by: self.by,
            parcels: self.parcels.clone(),
            earned: EarnedPoints::default(),
        };
        Ok(checkout::approve_claim(work, self.order, answer)?)
    }

    /// Decides the approval and computes what it gives back, for previews.
    ///
    /// # Errors
    /// The rule violated; `not_allowed_now` if it is approved already.
    pub fn preview(&self, work: &mut UnitOfWork) -> AppResult<RefundPreview> {
        // Several approvals may be previewed together: each needs its own refund id.
        let refund = RefundId(self.claim.0);
        let decide = |work: &mut UnitOfWork| self.decide(work, refund);
        checkout::decide_with_preview(work, self.order, &self.parcels, decide)?
            .ok_or_else(|| AppError::new(Code::NotAllowedNow))
    }
}

/// Approves a claim, with everything it gives back.
///
/// # Errors
/// The rule violated.
pub async fn approve(
    app: &App,
    command: &CommandContext,
    request: &Approve,
) -> AppResult<CommandOutcome> {
    let refund = RefundId(Uuid::now_v7());
    let shown = (request.shown, &request.parcels);
    let approve = |work: &mut UnitOfWork| {
        as_shown(work, request.order, shown, |work| {
            request.decide(work, refund)
        })
    };
    app.executor.commit(command, approve).await
}

/// The claim on a purchase that waits for its next step, or was answered last.
///
/// # Errors
/// `not_found` without a claim.
pub fn claim_on(order: &Order, purchase_no: &str) -> AppResult<ClaimId> {
    let on_it = || {
        order
            .claims
            .iter()
            .rev()
            .filter(|claim| claim.state != ClaimState::Withdrawn)
            .filter(|claim| claim.purchase_nos.iter().any(|no| no == purchase_no))
    };
    let waiting = on_it().find(|claim| claim.is_open());
    waiting
        .or_else(|| on_it().next())
        .map(|claim| claim.id)
        .ok_or_else(AppError::not_found)
}

/// The reason of a buyer: one of the choices, or free text sealed with the key of the order's parties.
///
/// # Errors
/// `not_found` if that key is destroyed; database errors.
pub async fn reason_of_buyer(app: &App, found: &FoundOrder, text: &str) -> AppResult<CancelReason> {
    if let Some(reason) = CancelReason::standard(text) {
        return Ok(reason);
    }
    let subject = found.order.state.terms()?.sender.subject;
    let words = text.trim().to_owned();
    let sealed = app.keys.seal(subject, Purpose::Statutory, &words).await?;
    Ok(CancelReason::Sealed(sealed))
}

pub(super) async fn seal_pickup(
    app: &App,
    found: &FoundOrder,
    party: Option<&Party>,
) -> AppResult<Sealed<Party>> {
    if party.is_none() {
        return Ok(found.order.state.receiver()?.clone());
    }
    let subject = found.order.state.terms()?.sender.subject;
    let party = tidy(party);
    Ok(app.keys.seal(subject, Purpose::Statutory, &party).await?)
}

/// The command with the reason of a claim in its metadata, unless the reason is sealed.
pub(super) fn with_reason(command: &CommandContext, reason: &CancelReason) -> CommandContext {
    match reason {
        CancelReason::Plain(why) => command.clone().with_reason(why.clone()),
        CancelReason::Sealed(_) => command.clone(),
    }
}

/// Makes a decision, and checks that it gives back the sums shown to the user.
pub(super) fn as_shown(
    work: &mut UnitOfWork,
    id: OrderId,
    (shown, parcels): (Option<ShownRefund>, &ParcelRules),
    decide: impl FnOnce(&mut UnitOfWork) -> AppResult<()>,
) -> AppResult<()> {
    let Some(shown) = shown else {
        return decide(work);
    };
    let preview = checkout::decide_with_preview(work, id, parcels, decide)?;
    match preview.map(|preview| preview.sums()) {
        Some(now) if now != shown => {
            Err(AppError::new(Code::RefundChanged)
                .with_details(json!({ "shown": shown, "now": now })))
        }
        _ => Ok(()),
    }
}
