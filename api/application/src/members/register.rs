//! Registers members: reservation of names and document, `MemberJoined`, `DocumentHandedIn` and the welcome level in one append, then the
//! password is stored and the document resealed for its owner.
//!
//! After a crash in between, the same command with the same key completes the registration.

use domain::ids::{DocumentId, MemberId};
use domain::member::{AccessLevel, Member, MemberCommand, MemberType, Profile, Scope};
use domain::storefront::AgreedTerm;
use domain::unit_of_work::UnitOfWork;
use projections::state::credentials;
use projections::state::documents::DocumentRow;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::names::{nickname_hash, username_hash};
use super::profiles::PROFILE;
use super::registration_documents::{self, document_hash};
use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{CommandContext, CommandOutcome};
use crate::reservations::{DOCUMENT, NICKNAME, USERNAME};

/// A member to register.
#[derive(Clone, Debug)]
pub struct NewMember {
    /// Personal data.
    pub profile: Profile,
    /// Plain password.
    pub password: String,
    /// Type.
    pub member_type: MemberType,
    /// Access level.
    pub level: AccessLevel,
    /// Scopes; more than a company's only on request of staff or the program itself.
    pub scopes: Vec<Scope>,
    /// Terms agreed to.
    pub terms: Vec<AgreedTerm>,
    /// The registration document.
    pub document: Option<DocumentRow>,
}

/// Stored result of the command.
#[derive(Serialize, Deserialize)]
struct Registration {
    member: MemberId,
}

/// Keyed hashes of what a registration reserves.
struct ReservedHashes {
    username: [u8; 32],
    nickname: [u8; 32],
    document: Option<[u8; 32]>,
}

/// Registers a member.
///
/// # Errors
/// `username_taken`, `nickname_taken`; [`AppError::document_gone`] if another member has the document.
pub async fn register(
    app: &App,
    command: &CommandContext,
    new: NewMember,
) -> AppResult<(MemberId, CommandOutcome)> {
    let document = new.document.as_ref().map(|document| document.id);
    let hashes = ReservedHashes::of(app, &new.profile, document);
    if let Err(taken) = hashes.check(app).await {
        // Reserved by an earlier execution of this command, if it is a repeat, which is completed.
        app.executor.stored_outcome(command).await?.ok_or(taken)?;
    }
    let turn = app.passwords.turn().await?;
    let argon2 = app.passwords.hash(&turn, new.password.clone()).await?;
    drop(turn);
    let id = MemberId(Uuid::now_v7());
    let commands = commands(app, id, new).await?;
    let registering = |work: &mut UnitOfWork| {
        for command in &commands {
            work.decide::<Member>(id, command.clone())?;
        }
        work.reserve(USERNAME, hashes.username, id);
        work.reserve(NICKNAME, hashes.nickname, id);
        if let Some(document) = hashes.document {
            work.reserve(DOCUMENT, document, id);
        }
        Ok(Registration { member: id })
    };
    let done = app.executor.commit(command, registering).await?;
    let Registration { member } = done.result()?;
    let now = app.clock.now();
    credentials::keep(app.pool(), &hashes.username, member, &argon2, now).await?;
    if let Some(document) = document {
        registration_documents::claim(app, document, member).await?;
    }
    Ok((member, done))
}

/// The commands for a new member: join, hand in the document, and enter the welcome level.
async fn commands(app: &App, id: MemberId, new: NewMember) -> AppResult<Vec<MemberCommand>> {
    let welcome = match new.member_type {
        MemberType::Operator => None,
        MemberType::Person | MemberType::Company => welcome(app, new.member_type).await?,
    };
    let join = MemberCommand::Join {
        member_type: new.member_type,
        level: new.level,
        scopes: new.scopes,
        profile: app.keys.seal(id.0, PROFILE, &new.profile).await?,
        terms: new.terms,
    };
    let hand_in = new.document.map(|document| MemberCommand::HandIn {
        document: document.id,
        content_type: document.content_type,
        size: document.size,
    });
    Ok([Some(join), hand_in, welcome]
        .into_iter()
        .flatten()
        .collect())
}

/// Assigns the shop's first membership level for this type of member, if it has one.
async fn welcome(app: &App, member_type: MemberType) -> AppResult<Option<MemberCommand>> {
    let rules = app.pricing_rules.rules(&app.store, &[]).await?;
    Ok(rules
        .welcome_level(member_type)
        .map(|code| MemberCommand::AssignLevel {
            code: code.to_owned(),
        }))
}

impl ReservedHashes {
    fn of(app: &App, profile: &Profile, document: Option<DocumentId>) -> Self {
        Self {
            username: username_hash(&app.keys, &profile.username),
            nickname: nickname_hash(&app.keys, &profile.nickname),
            document: document.map(|id| document_hash(&app.keys, id)),
        }
    }

    /// Rejects names that are taken, before the password is hashed; the append makes the final check.
    async fn check(&self, app: &App) -> AppResult<()> {
        let is_taken = async |scope: &'static str, hash: &[u8; 32]| -> AppResult<bool> {
            Ok(app.store.reserved_by(scope, hash).await?.is_some())
        };
        if is_taken(USERNAME, &self.username).await? {
            return Err(AppError::new(Code::UsernameTaken));
        }
        if is_taken(NICKNAME, &self.nickname).await? {
            return Err(AppError::new(Code::NicknameTaken));
        }
        match &self.document {
            Some(document) if is_taken(DOCUMENT, document).await? => Err(AppError::document_gone()),
            _ => Ok(()),
        }
    }
}
