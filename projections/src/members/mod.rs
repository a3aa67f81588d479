//! Members: type, access and level. Their profiles stay sealed.

mod queries;

use domain::Sealed;
use domain::ids::MemberId;
use domain::member::{AccessLevel, LeavingReason, MemberEvent, MemberType, Profile, Scope};
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::error::ReadError;
use crate::event_decode::{at, event, of, stream_id, streams, version};
use crate::macros::projection;
use crate::row_store::{ChangedRows, Row};

pub use queries::*;

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "members";

/// The projection.
pub struct Members;

/// One member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberRow {
    /// Member id.
    pub id: MemberId,
    /// Person, company or staff.
    pub member_type: MemberType,
    /// Access level.
    pub level: AccessLevel,
    /// Scopes of the member's tokens.
    pub scopes: Vec<Scope>,
    /// Code of the membership level record.
    pub membership_level: Option<String>,
    /// Profile, which `api` decrypts. None once the account is closed.
    pub profile: Option<Sealed<Profile>>,
    /// When the account was opened.
    #[serde(with = "crate::timestamp")]
    pub joined_at: OffsetDateTime,
    /// When the account was closed.
    #[serde(with = "crate::timestamp::option")]
    pub left_at: Option<OffsetDateTime>,
    /// Reason for closing the account, if given.
    pub leaving_reason: Option<LeavingReason>,
    /// Version of the stream.
    pub version: i64,
    /// Position of its last event.
    pub position: i64,
}

impl Row for MemberRow {
    const TABLE: &'static str = "p_members_v2";
    const KEY: &'static [&'static str] = &["id"];
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    let mut rows = ChangedRows::<MemberRow>::load(
        connection,
        ("id", "uuid"),
        streams(batch, "member"),
        |row| row.id.to_string(),
    )
    .await?;
    for recorded in of(batch, "member") {
        let key = &recorded.stream.id;
        match event(recorded)? {
            MemberEvent::MemberJoined {
                member_type,
                level,
                scopes,
                profile,
                ..
            } => rows.put(
                key.clone(),
                MemberRow {
                    id: stream_id(recorded)?,
                    member_type,
                    level,
                    scopes,
                    membership_level: None,
                    profile: Some(profile),
                    joined_at: at(recorded),
                    left_at: None,
                    leaving_reason: None,
                    version: 0,
                    position: 0,
                },
            ),
            MemberEvent::ProfileRevised { profile, .. } => rows.known(key)?.profile = Some(profile),
            MemberEvent::ScopesChanged { scopes, level } => {
                let row = rows.known(key)?;
                row.scopes = scopes;
                row.level = level;
            }
            MemberEvent::MembershipLevelAssigned { code } => {
                rows.known(key)?.membership_level = Some(code);
            }
            MemberEvent::DocumentHandedIn { .. }
            | MemberEvent::ConsentGiven { .. }
            | MemberEvent::ConsentWithdrawn { .. }
            | MemberEvent::EmailConfirmed {}
            | MemberEvent::EmailConfirmationEnded {} => {}
            MemberEvent::MemberLeft { reason, .. } => {
                let row = rows.known(key)?;
                row.level = AccessLevel::default();
                row.scopes.clear();
                row.membership_level = None;
                row.profile = None;
                row.left_at = Some(at(recorded));
                row.leaving_reason = reason;
            }
            MemberEvent::StatutoryDataErased {} => {}
        }
        let row = rows.known(key)?;
        row.version = version(recorded);
        row.position = recorded.position;
    }
    rows.save(connection).await
}

projection!(Members, version 2, reads "member"; rows of one; parks);
