//! `jangbu forget …`: the operator closes a member's account and erases the personal data.

use anyhow::anyhow;
use domain::Actor;
use domain::member::{LeavingWish, Member};

use super::story;
use crate::app::AppState;
use application::executor::CommandContext;
use application::members::closing;

/// Erases a member, by id or sign-in name; returns the retention period of their orders' records.
///
/// # Errors
/// There is no such member.
pub async fn run(app: &AppState, member: &str) -> anyhow::Result<String> {
    let id = story::member(app, member)
        .await
        .map_err(|error| anyhow!("no member {member}: {error}"))?;
    let command = CommandContext::for_actor("forget", Actor::System);
    closing::close(app, &command, id, None, LeavingWish::Operators)
        .await
        .map_err(|error| anyhow!("{id}: {error}"))?;
    let gone = app.store.load::<Member>(&id.to_string()).await?.state;
    Ok(match gone.statutory_until {
        None => format!("회원 {id}의 개인정보를 모두 파기했습니다."),
        Some(until) => format!(
            "회원 {id}의 개인정보를 파기했습니다. 주문 기록은 {}까지 보관합니다.",
            until.date()
        ),
    })
}
