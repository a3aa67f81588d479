//! `jangbu staff …`: the operator adds and removes scopes of members, and lists the members with scopes.

use anyhow::anyhow;
use application::executor::CommandContext;
use application::members::profiles::member_with_profile;
use application::members::scopes;
use domain::Actor;
use domain::ids::MemberId;
use domain::member::Scope;
use projections::members::members_since;
use serde_json::Value;

use crate::app::AppState;
use crate::audit::story;
use crate::http::AppResult;

/// The scopes to change, and the reason.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// Scopes to add.
    pub give: Vec<Scope>,
    /// Scopes to remove.
    pub take: Vec<Scope>,
    /// The reason, for the history.
    pub reason: Option<String>,
}

/// A scope by its name on the wire: `console` or `company`.
///
/// # Errors
/// An unknown name; the error lists the scopes.
pub fn scope(name: &str) -> Result<Scope, String> {
    serde_json::from_value(Value::String(name.to_owned())).map_err(|error| error.to_string())
}

/// Changes the scopes of a member, by id or sign-in name, and adapts the access level; returns the scopes as text. Without scopes to change
/// it only returns them, and if nothing changes it writes nothing.
///
/// # Errors
/// There is no such member; database errors.
pub async fn run(app: &AppState, member: &str, wish: Wish) -> anyhow::Result<String> {
    let id = story::member(app, member)
        .await
        .map_err(|error| anyhow!("no member {member}: {error}"))?;
    changed(app, id, wish)
        .await
        .map_err(|error| anyhow!("{id}: {error}"))
}

/// All members with a scope, one per line, from the read model.
///
/// # Errors
/// Database errors.
pub async fn list(app: &AppState) -> anyhow::Result<String> {
    let mut lines = Vec::new();
    for row in members_since(app.pool(), 0).await? {
        if !row.scopes.is_empty() {
            lines.push(
                describe(app, row.id)
                    .await
                    .map_err(|error| anyhow!("{error}"))?,
            );
        }
    }
    lines.sort();
    Ok(match lines.as_slice() {
        [] => "권한이 있는 회원이 없습니다.".to_owned(),
        _ => lines.join("\n"),
    })
}

async fn changed(app: &AppState, id: MemberId, wish: Wish) -> AppResult<String> {
    let Wish { give, take, reason } = wish;
    let reason = reason.unwrap_or_else(|| "jangbu staff".to_owned());
    let command = CommandContext::for_actor("change-scopes", Actor::System).with_reason(reason);
    let done = scopes::change(app, &command, id, (&give, &take)).await?;
    let now = describe(app, id).await?;
    Ok(match done.position {
        Some(_) => format!("권한을 바꿨습니다. {now}"),
        None => now,
    })
}

/// A member and their scopes, from the log.
async fn describe(app: &AppState, id: MemberId) -> AppResult<String> {
    let (member, profile) = member_with_profile(app, id).await?;
    let words: Vec<&str> = member.scopes.iter().map(|scope| scope.name()).collect();
    let scopes = match words.as_slice() {
        [] => "권한 없음".to_owned(),
        _ => words.join(", "),
    };
    Ok(format!("{} ({id}): {scopes}", profile.username))
}
