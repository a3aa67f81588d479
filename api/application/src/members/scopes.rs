//! Changes the scopes of members.

use domain::ids::MemberId;
use domain::member::{Member, MemberCommand, Scope};
use domain::unit_of_work::UnitOfWork;
use projections::state::credentials;

use crate::app::App;
use crate::error::AppResult;
use crate::executor::{CommandContext, CommandOutcome};

/// Adds and removes scopes of a member, and adapts the access level; appends nothing if that changes nothing. Removing a scope ends the
/// member's sign-ins, so that no access token outlives the scope it was issued for.
///
/// # Errors
/// `not_found`; the actor is not staff.
pub async fn change(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    (add, remove): (&[Scope], &[Scope]),
) -> AppResult<CommandOutcome> {
    let change = |work: &mut UnitOfWork| {
        let state = work.state::<Member>(member);
        let scopes = state.scopes.iter().chain(add).copied();
        let scopes: Vec<Scope> = scopes.filter(|scope| !remove.contains(scope)).collect();
        let level = state.level_with(&scopes);
        work.decide::<Member>(member, MemberCommand::ChangeScopes { scopes, level })?;
        Ok(())
    };
    let done = app.executor.commit(command, change).await?;
    if !remove.is_empty() {
        let mut tx = event_store::begin(app.pool()).await?;
        credentials::sign_out_everywhere(&mut tx, member, app.clock.now()).await?;
        tx.commit().await?;
        app.revoked_sign_ins.changed().await;
    }
    Ok(done)
}
