//! Joining.

pub mod documents;
pub mod enrol;
pub mod existence;
pub mod join;

use std::collections::{BTreeSet, HashMap};

use domain::Purpose;
use domain::ids::MemberId;
use domain::member::{Member, Profile};
use event_store::{KeyRing, Opened};

use crate::app::AppState;
use crate::http::{ApiError, ApiResult};

/// Reservation of sign-in names.
pub const USERNAME: &str = "username";
/// Reservation of nicknames.
pub const NICKNAME: &str = "nickname";

/// The keyed hash of a sign-in name; capitals make no other name.
pub fn username_hash(keys: &KeyRing, username: &str) -> [u8; 32] {
    keys.lookup_hash(USERNAME, &username.trim().to_lowercase())
}

/// The keyed hash of a nickname; capitals make no other nickname.
pub fn nickname_hash(keys: &KeyRing, nickname: &str) -> [u8; 32] {
    keys.lookup_hash(NICKNAME, &nickname.trim().to_lowercase())
}

/// A member as the log has them, with their profile open.
pub(crate) async fn member_with_profile(
    app: &AppState,
    id: MemberId,
) -> ApiResult<(Member, Profile)> {
    let member = app.store.load::<Member>(&id.to_string()).await?.state;
    let sealed = member.profile.as_ref().ok_or_else(ApiError::not_found)?;
    match app.keys.open(sealed).await? {
        Opened::Value(profile) => Ok((member, profile)),
        Opened::Erased => Err(ApiError::not_found()),
    }
}

/// The nicknames of members, public as they are; a forgotten member has none.
///
/// # Errors
/// The database's.
pub async fn nicknames(
    app: &AppState,
    members: impl IntoIterator<Item = MemberId>,
) -> ApiResult<HashMap<MemberId, String>> {
    let profiles = profiles(app, members).await?;
    Ok(profiles
        .into_iter()
        .map(|(id, profile)| (id, profile.nickname))
        .collect())
}

/// What members tell about themselves; a forgotten member tells nothing.
///
/// # Errors
/// The database's.
pub(crate) async fn profiles(
    app: &AppState,
    members: impl IntoIterator<Item = MemberId>,
) -> ApiResult<HashMap<MemberId, Profile>> {
    let ids: Vec<MemberId> = members
        .into_iter()
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    let rows = projections::members::members(app.pool(), &ids).await?;
    app.keys
        .prefetch(ids.iter().map(|id| (id.0, PROFILE)))
        .await?;
    let mut profiles = HashMap::new();
    for row in rows {
        if let Opened::Value(profile) = app.keys.open(&row.profile).await? {
            profiles.insert(row.id, profile);
        }
    }
    Ok(profiles)
}

/// The key a member's own page is sealed with.
pub(crate) const PROFILE: Purpose = Purpose::Profile;
