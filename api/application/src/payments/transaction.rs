//! Ownership of gateway transactions: a transaction belongs to one payment forever. It is reserved in the append that records a
//! confirmed response ([`record`](super::record)).
//!
//! Transaction ids from the browser are unconfirmed and reserve nothing: otherwise a buyer who knows another's transaction id could
//! block it.

use domain::ids::PaymentId;
use domain::unit_of_work::UnitOfWork;

use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::CommandContext;
use crate::reservations::TRANSACTION;

/// The keyed hash under which a transaction is reserved.
pub fn hash(app: &App, tid: &str) -> [u8; 32] {
    app.keys.lookup_hash(TRANSACTION, tid)
}

/// The payment a transaction belongs to; none if it is not recorded yet.
///
/// # Errors
/// Database errors.
pub async fn owner(app: &App, tid: &str) -> AppResult<Option<PaymentId>> {
    let owner = app.store.reserved_by(TRANSACTION, &hash(app, tid)).await?;
    owner
        .map(|owner| owner.parse().map_err(AppError::internal))
        .transpose()
}

/// Whether a transaction belongs to a payment other than `id`.
///
/// # Errors
/// Database errors.
pub async fn is_anothers(app: &App, id: PaymentId, tid: &str) -> AppResult<bool> {
    Ok(owner(app, tid).await?.is_some_and(|owner| owner != id))
}

/// Reserves a transaction for the payment it is recorded with, unless it is reserved for it already.
///
/// # Errors
/// `not_allowed_now` if it belongs to another payment; database errors.
pub async fn reserve(
    app: &App,
    command: &CommandContext,
    id: PaymentId,
    tid: &str,
) -> AppResult<()> {
    if owner(app, tid).await? == Some(id) {
        return Ok(());
    }
    let tid = hash(app, tid);
    let reserve = |work: &mut UnitOfWork| {
        work.reserve(TRANSACTION, tid, id);
        Ok(())
    };
    app.executor.commit(command, reserve).await?;
    Ok(())
}
