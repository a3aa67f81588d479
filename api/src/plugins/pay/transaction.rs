//! Whose a transaction of the service is: it belongs to one payment for ever. Whoever records what the service confirmed takes
//! the transaction in the same append ([`record`](super::record)).
//!
//! What the browser brings is not confirmed, and takes nothing: whoever knows another buyer's transaction could keep it from
//! them.

use domain::ids::PaymentId;

use super::TRANSACTION;
use crate::app::AppState;
use crate::executor::{AppendBatch, CommandContext};
use crate::http::{ApiError, ApiResult};

/// The keyed hash a transaction is reserved under.
pub(super) fn hash(app: &AppState, tid: &str) -> [u8; 32] {
    app.keys.lookup_hash(TRANSACTION, tid)
}

/// The payment a transaction belongs to; none if nobody recorded it yet.
///
/// # Errors
/// The database's.
pub(crate) async fn owner(app: &AppState, tid: &str) -> ApiResult<Option<PaymentId>> {
    let owner = app.store.reserved_by(TRANSACTION, &hash(app, tid)).await?;
    owner
        .map(|owner| owner.parse().map_err(ApiError::internal))
        .transpose()
}

/// Whether a transaction belongs to another payment than this.
///
/// # Errors
/// The database's.
pub(crate) async fn is_anothers(app: &AppState, id: PaymentId, tid: &str) -> ApiResult<bool> {
    Ok(owner(app, tid).await?.is_some_and(|owner| owner != id))
}

/// Takes a transaction for the payment it is recorded with, unless it is taken by it already.
///
/// # Errors
/// `not_allowed_now` if it belongs to another payment; the database's.
pub(crate) async fn reserve(
    app: &AppState,
    command: &CommandContext,
    id: PaymentId,
    tid: &str,
) -> ApiResult<()> {
    if owner(app, tid).await? == Some(id) {
        return Ok(());
    }
    let taking = |_| async { Ok(AppendBatch::of([]).reserve(TRANSACTION, hash(app, tid), id)) };
    app.executor.transact(command, taking).await?;
    Ok(())
}
