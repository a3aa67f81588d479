//! Making a member: names and document reserved, `MemberJoined`, `DocumentHandedIn` and the welcome level in one append, then
//! the password, and the document theirs.
//!
//! If the program dies in between, the same command with the same key completes it.

use domain::event::Decider;
use domain::ids::MemberId;
use domain::member::{AccessLevel, Member, MemberCommand, MemberType, Profile, Scope};
use domain::order::AgreedTerm;
use event_store::{Expected, StreamAppend};
use projections::state::credentials;
use projections::state::documents::DocumentRow;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::documents::{self, DOCUMENT};
use super::{NICKNAME, PROFILE, USERNAME, nickname_hash, username_hash};
use crate::app::AppState;
use crate::http::{AppError, AppResult, Code};
use application::executor::{AppendBatch, CommandContext, CommandOutcome};

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
    /// The document they join with.
    pub document: Option<DocumentRow>,
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
    command: &CommandContext,
    newcomer: Newcomer,
) -> AppResult<(MemberId, CommandOutcome)> {
    let username = username_hash(&app.keys, &newcomer.profile.username);
    let nickname = nickname_hash(&app.keys, &newcomer.profile.nickname);
    let document = newcomer.document.as_ref().map(|document| document.id);
    let claimed = document.map(|id| documents::document_hash(&app.keys, id));
    if let Err(taken) = refuse_taken(app, &username, &nickname, claimed.as_ref()).await {
        // By this very command, when it is a repeat: then it is completed and answered again.
        app.executor.stored_outcome(command).await?.ok_or(taken)?;
    }
    let turn = app.passwords.turn().await?;
    let argon2 = app.passwords.hash(&turn, newcomer.password.clone()).await?;
    drop(turn);
    let id = MemberId(Uuid::now_v7());
    let joining = MemberCommand::Join {
        member_type: newcomer.member_type,
        level: newcomer.level,
        scopes: newcomer.scopes,
        profile: app.keys.seal(id.0, PROFILE, &newcomer.profile).await?,
        terms: newcomer.terms,
    };
    let handing_in = newcomer.document.map(|document| MemberCommand::HandIn {
        document: document.id,
        content_type: document.content_type,
        size: document.size,
    });
    let customer = newcomer.member_type != MemberType::Operator;
    let done = app
        .executor
        .transact(command, |context| {
            let acts = [Some(joining.clone()), handing_in.clone()];
            async move {
                let welcome = match customer {
                    true => welcome(app).await?,
                    false => None,
                };
                let acts = acts.into_iter().chain([welcome]).flatten();
                let events = Member::default().decide_all(acts, &context)?;
                let stream = StreamAppend::new::<Member>(id, Expected::NoStream, &events)?;
                let mut change = AppendBatch::of([stream])
                    .reserve(USERNAME, username, id)
                    .reserve(NICKNAME, nickname, id);
                if let Some(document) = claimed {
                    change = change.reserve(DOCUMENT, document, id);
                }
                change.with_result(Made { member: id })
            }
        })
        .await?;
    let Made { member } = done.result()?;
    credentials::keep(app.pool(), &username, member, &argon2, app.clock.now()).await?;
    if let Some(document) = document {
        documents::claim(app, document, member).await?;
    }
    Ok((member, done))
}

/// What puts somebody who has just joined into the shop's first membership level, if it has one.
async fn welcome(app: &AppState) -> AppResult<Option<MemberCommand>> {
    let rules = app.pricing_rules.rules(&app.store, &[]).await?;
    Ok(rules
        .welcome_level()
        .map(|code| MemberCommand::AssignLevel {
            code: code.to_owned(),
        }))
}

/// Saves the work of hashing and sealing for what is taken anyway; the append is what decides.
async fn refuse_taken(
    app: &AppState,
    username: &[u8; 32],
    nickname: &[u8; 32],
    document: Option<&[u8; 32]>,
) -> AppResult<()> {
    if app.store.reserved_by(USERNAME, username).await?.is_some() {
        return Err(AppError::new(Code::UsernameTaken));
    }
    if app.store.reserved_by(NICKNAME, nickname).await?.is_some() {
        return Err(AppError::new(Code::NicknameTaken));
    }
    if let Some(document) = document
        && app.store.reserved_by(DOCUMENT, document).await?.is_some()
    {
        return Err(AppError::document_gone());
    }
    Ok(())
}
