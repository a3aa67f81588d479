//! Changes that staff make to a placed order: its receiver, and the staff note.

use domain::order::{Order, OrderCommand, OrderError, OrderTerms};
use domain::personal::{Party, SealLabel};
use domain::shipping::Area;
use domain::unit_of_work::UnitOfWork;
use domain::{Purpose, Sealed};
use event_store::KeyError;
use serde::Serialize;

use super::contacts;
use super::find::FoundOrder;
use super::form::tidy;
use crate::app::App;
use crate::error::AppResult;
use crate::executor::{CommandContext, CommandOutcome};

/// The fields to change.
#[derive(Clone, Debug, Default)]
pub struct Correction {
    /// The complete receiver; none leaves it unchanged.
    pub receiver: Option<Party>,
    /// The note; none leaves it unchanged, a blank one removes it.
    pub note: Option<String>,
}

/// A sealed value to write.
struct SealUpdate<T> {
    value: T,
    /// The current value if it is equal: then nothing is written. It may have changed by the time of the decision.
    unless: Option<T>,
}

/// Writes both in one append; unchanged values are not written.
///
/// # Errors
/// The rule violated: [`OrderError::NothingToSend`], [`OrderError::OtherArea`], [`OrderError::RecordsErased`].
pub async fn correct(
    app: &App,
    command: &CommandContext,
    found: &FoundOrder,
    correction: &Correction,
) -> AppResult<CommandOutcome> {
    let order = &found.order.state;
    let receiver = match &correction.receiver {
        Some(party) => Some(new_receiver(app, order, &tidy(Some(party))).await?),
        None => None,
    };
    let note = match &correction.note {
        Some(text) => Some(new_note(app, order, text.trim()).await?),
        None => None,
    };
    let decide = |work: &mut UnitOfWork| -> AppResult<()> {
        if let Some((receiver, area)) = &receiver {
            let now = work.state::<Order>(found.id).receiver().ok().cloned();
            if receiver.unless.is_none() || receiver.unless != now {
                let (receiver, area) = (receiver.value.clone(), *area);
                let act = OrderCommand::CorrectReceiver { receiver, area };
                work.decide::<Order>(found.id, act)?;
            }
        }
        if let Some(note) = &note {
            let now = &work.state::<Order>(found.id).staff_note;
            if note.unless.is_none() || note.unless != Some(now.clone()) {
                let note = note.value.clone();
                work.decide::<Order>(found.id, OrderCommand::WriteStaffNote { note })?;
            }
        }
        Ok(())
    };
    let done = app.executor.commit(command, decide).await?;
    if let Some(party) = &correction.receiver {
        contacts::remember(app, found.id, &[&tidy(Some(party))]).await;
    }
    Ok(done)
}

async fn new_receiver(
    app: &App,
    order: &Order,
    party: &Party,
) -> AppResult<(SealUpdate<Sealed<Party>>, Area)> {
    let terms = order.terms()?;
    let in_force = order.receiver()?;
    let before = app.open(in_force).await?;
    let is_near = |before: &Party| before.postcode == party.postcode;
    // Shipping fees were paid for the postcode, even if its area has changed since.
    let area = match before.as_ref().is_some_and(is_near) {
        true => terms.area,
        false => {
            let rules = app.pricing_rules.rules(&app.store, &[]).await?;
            rules.area(party.postcode.as_deref()).0
        }
    };
    let update = SealUpdate {
        value: seal(app, terms, party).await?,
        unless: (before.as_ref() == Some(party)).then(|| in_force.clone()),
    };
    Ok((update, area))
}

async fn new_note(
    app: &App,
    order: &Order,
    text: &str,
) -> AppResult<SealUpdate<Option<Sealed<String>>>> {
    let before = match &order.staff_note {
        Some(sealed) => app.open(sealed).await?,
        None => None,
    };
    let is_same = before.as_deref() == Some(text);
    let value = match text {
        "" => None,
        text => Some(seal(app, order.terms()?, &text.to_owned()).await?),
    };
    Ok(SealUpdate {
        value,
        unless: is_same.then(|| order.staff_note.clone()),
    })
}

/// Seals with the key of the order's parties.
async fn seal<T: Serialize + SealLabel>(
    app: &App,
    terms: &OrderTerms,
    value: &T,
) -> AppResult<Sealed<T>> {
    let subject = terms.sender.subject;
    match app.keys.seal(subject, Purpose::Statutory, value).await {
        Err(KeyError::Destroyed { .. }) => Err(OrderError::RecordsErased.into()),
        sealed => Ok(sealed?),
    }
}
