//! Changes the scopes of members.

use domain::ids::MemberId;
use domain::member::{Member, MemberCommand, Scope};
use domain::unit_of_work::UnitOfWork;

use crate::app::App;
use crate::error::AppResult;
use crate::executor::{CommandContext, CommandOutcome};

/// Adds and removes scopes of a member, and adapts the access level; appends nothing if that changes nothing.
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
    app.executor.commit(command, change).await
}
