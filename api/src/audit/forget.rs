//! `jangbu forget …`: a member is forgotten by whoever runs the shop.

use anyhow::{Context, anyhow};
use domain::Actor;
use domain::ids::MemberId;
use domain::member::Member;

use crate::app::AppState;
use crate::commands::Command;
use crate::forgetting::{Wish, leave};
use crate::users::{USERNAME, username_hash};

/// Forgets a member, by id or sign-in name; says until when their orders' records stay.
///
/// # Errors
/// When there is no such member.
pub async fn run(app: &AppState, member: &str) -> anyhow::Result<String> {
    let id = match member.parse::<MemberId>() {
        Ok(id) => id,
        Err(_) => {
            let hash = username_hash(&app.keys, member);
            let owner = app.store.reserved_by(USERNAME, &hash).await?;
            owner
                .and_then(|owner| owner.parse().ok())
                .with_context(|| format!("no member {member}"))?
        }
    };
    let command = Command::unasked("forget", Actor::System);
    leave(app, &command, id, None, Wish::Operators)
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
