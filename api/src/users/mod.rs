//! Joining.

pub mod directory;
pub mod documents;
pub mod enrol;
pub mod existence;
pub mod join;
pub mod list;
pub mod staff;

use std::collections::{BTreeSet, HashMap};

use domain::Purpose;
use domain::ids::MemberId;
use domain::member::{Member, MemberType, Profile};
use event_store::{KeyRing, Opened};
use projections::members::MemberRow;

use crate::app::AppState;
use crate::http::{AppError, AppResult};

/// Reservation of sign-in names.
pub const USERNAME: &str = "username";
/// Reservation of nicknames.
pub const NICKNAME: &str = "nickname";

/// What is said of somebody who left.
pub const FORGOTTEN: &str = "탈퇴한 회원";

/// A sign-in name as it is compared; capitals make no other name.
pub(crate) fn sign_in_name(username: &str) -> String {
    username.trim().to_lowercase()
}

/// The keyed hash of a sign-in name.
pub fn username_hash(keys: &KeyRing, username: &str) -> [u8; 32] {
    keys.lookup_hash(USERNAME, &sign_in_name(username))
}

/// The keyed hash of a nickname; capitals make no other nickname.
pub fn nickname_hash(keys: &KeyRing, nickname: &str) -> [u8; 32] {
    keys.lookup_hash(NICKNAME, &nickname.trim().to_lowercase())
}

/// A member as the log has them, with their profile open; blank while their key is away.
pub(crate) async fn member_with_profile(
    app: &AppState,
    id: MemberId,
) -> AppResult<(Member, Profile)> {
    let member = app.store.load::<Member>(&id.to_string()).await?.state;
    let sealed = member.profile.as_ref().ok_or_else(AppError::not_found)?;
    match app.keys.open(sealed).await? {
        Opened::Value(profile) => Ok((member, profile)),
        Opened::Erased => Ok((member, unread())),
    }
}

/// What there is to show of somebody whose key is not here.
fn unread() -> Profile {
    Profile {
        username: String::new(),
        name: String::new(),
        nickname: String::new(),
        email: String::new(),
        phone: String::new(),
        company_name: None,
        ceo_name: None,
        business_registration: None,
        license_code: None,
    }
}

/// The nicknames of members, public as they are; a forgotten member has none.
///
/// # Errors
/// The database's.
pub(crate) async fn nicknames(
    app: &AppState,
    members: impl IntoIterator<Item = MemberId>,
) -> AppResult<HashMap<MemberId, String>> {
    let profiles = profiles(app, members).await?;
    Ok(profiles
        .into_iter()
        .map(|(id, profile)| (id, profile.nickname))
        .collect())
}

/// What people are shown for members: their nickname, or that they left. Somebody the shop does not know is missing.
///
/// # Errors
/// The database's.
pub(crate) async fn shown_names(
    app: &AppState,
    members: impl IntoIterator<Item = MemberId>,
) -> AppResult<HashMap<MemberId, String>> {
    let shown = shown_members(app, members).await?;
    Ok(shown
        .into_iter()
        .map(|(id, member)| (id, member.name))
        .collect())
}

/// What people are shown of a member.
#[derive(Clone, Debug)]
pub(crate) struct ShownMember {
    /// Their nickname, or that they left.
    pub name: String,
    /// Person, company or staff.
    pub member_type: MemberType,
}

/// [`shown_names`], with what kind of member they are.
///
/// # Errors
/// The database's.
pub(crate) async fn shown_members(
    app: &AppState,
    members: impl IntoIterator<Item = MemberId>,
) -> AppResult<HashMap<MemberId, ShownMember>> {
    let shown = |(row, profile): (MemberRow, Option<Profile>)| {
        let name = profile.map_or_else(|| FORGOTTEN.to_owned(), |profile| profile.nickname);
        let member_type = row.member_type;
        (row.id, ShownMember { name, member_type })
    };
    Ok(known(app, members).await?.into_iter().map(shown).collect())
}

/// What members tell about themselves; a forgotten member tells nothing.
///
/// # Errors
/// The database's.
pub(crate) async fn profiles(
    app: &AppState,
    members: impl IntoIterator<Item = MemberId>,
) -> AppResult<HashMap<MemberId, Profile>> {
    let known = known(app, members).await?;
    let told = known
        .into_iter()
        .filter_map(|(row, profile)| Some((row.id, profile?)));
    Ok(told.collect())
}

/// Members and what they tell about themselves; nothing if they left.
async fn known(
    app: &AppState,
    members: impl IntoIterator<Item = MemberId>,
) -> AppResult<Vec<(MemberRow, Option<Profile>)>> {
    let ids: BTreeSet<MemberId> = members.into_iter().collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<MemberId> = ids.into_iter().collect();
    let rows = projections::members::members(app.pool(), &ids).await?;
    app.keys
        .prefetch(ids.iter().map(|id| (id.0, PROFILE)))
        .await?;
    let mut known = Vec::with_capacity(rows.len());
    for row in rows {
        let profile = match &row.profile {
            Some(sealed) => app.keys.open(sealed).await?.value(),
            None => None,
        };
        known.push((row, profile));
    }
    Ok(known)
}

/// The key a member's own page is sealed with.
pub(crate) const PROFILE: Purpose = Purpose::Profile;
