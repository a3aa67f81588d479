//! Making a member: names reserved, `MemberJoined` and the welcome level in one append, then the password.
//!
//! If the program dies in between, the same command with the same key completes it.

use domain::event::{Context, Ledger};
use domain::ids::MemberId;
use domain::member::{AccessLevel, Member, MemberAct, MemberEvent, MemberType, Profile, Scope};
use domain::order::AgreedTerm;
use event_store::{Expected, StreamAppend};
use projections::state::sign_in;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{NICKNAME, PROFILE, USERNAME, nickname_hash, username_hash};
use crate::app::AppState;
use crate::commands::{Change, Command, Done};
use crate::http::{ApiError, ApiResult, Code};

/// Who is made a member.
#[derive(Clone, Debug)]
pub struct Newcomer {
    /// Who it is.
    pub profile: Profile,
    /// Their password, as they will type it.
    pub password: String,
    /// Type.
    pub member_type: MemberType,
    /// Access level.
    pub level: AccessLevel,
    /// What their token may do; more than a company's only if staff or the program itself asks.
    pub scopes: Vec<Scope>,
    /// Terms agreed to.
    pub terms: Vec<AgreedTerm>,
}

/// Whom the command made; what a repeat answers.
#[derive(Serialize, Deserialize)]
struct Made {
    member: MemberId,
}

/// Makes a member.
///
/// # Errors
/// `username_taken`, `nickname_taken`.
pub async fn enrol(
    app: &AppState,
    command: &Command,
    newcomer: Newcomer,
) -> ApiResult<(MemberId, Done)> {
    let username = username_hash(&app.keys, &newcomer.profile.username);
    let nickname = nickname_hash(&app.keys, &newcomer.profile.nickname);
    if let Err(taken) = refuse_taken(app, &username, &nickname).await {
        // By this very command, when it is a repeat: then it is completed and answered again.
        app.commander.done_already(command).await?.ok_or(taken)?;
    }
    let turn = app.passwords.turn().await?;
    let argon2 = app.passwords.hash(&turn, newcomer.password.clone()).await?;
    drop(turn);
    let id = MemberId(Uuid::now_v7());
    let joining = MemberAct::Join {
        member_type: newcomer.member_type,
        level: newcomer.level,
        scopes: newcomer.scopes,
        profile: app.keys.seal(id.0, PROFILE, &newcomer.profile).await?,
        terms: newcomer.terms,
    };
    let customer = newcomer.member_type != MemberType::Operator;
    let done = app
        .commander
        .run(command, |context| {
            let joining = joining.clone();
            async move {
                let mut events = Member::default().decide(joining, &context)?;
                if customer {
                    events.extend(welcome(app, &events, &context).await?);
                }
                let stream = StreamAppend::new::<Member>(id, Expected::NoStream, &events)?;
                Change::of([stream])
                    .taking(USERNAME, username, id)
                    .taking(NICKNAME, nickname, id)
                    .answering(Made { member: id })
            }
        })
        .await?;
    let Made { member } = done.result()?;
    sign_in::keep(app.pool(), &username, member, &argon2, app.clock.now()).await?;
    Ok((member, done))
}

/// What puts somebody who has just joined into the shop's first membership level, if it has one.
async fn welcome(
    app: &AppState,
    joined: &[MemberEvent],
    context: &Context,
) -> ApiResult<Vec<MemberEvent>> {
    let rules = app.shelf.rules(&app.store, &[]).await?;
    let Some(code) = rules.welcome_level() else {
        return Ok(Vec::new());
    };
    let mut member = Member::default();
    joined.iter().cloned().for_each(|event| member.fold(event));
    let act = MemberAct::AssignLevel {
        code: code.to_owned(),
    };
    Ok(member.decide(act, context)?)
}

/// Saves the work of hashing and sealing for names that are taken anyway; the append is what decides.
async fn refuse_taken(app: &AppState, username: &[u8; 32], nickname: &[u8; 32]) -> ApiResult<()> {
    if app.store.reserved_by(USERNAME, username).await?.is_some() {
        return Err(ApiError::new(Code::UsernameTaken));
    }
    if app.store.reserved_by(NICKNAME, nickname).await?.is_some() {
        return Err(ApiError::new(Code::NicknameTaken));
    }
    Ok(())
}
