//! Decrypted profiles of members, and the names shown to others.

use std::collections::{BTreeSet, HashMap};

use domain::Purpose;
use domain::ids::MemberId;
use domain::member::{Member, MemberType, Profile};
use event_store::SealContent;
use projections::SellerRef;
use projections::members::MemberRow;

use crate::app::App;
use crate::error::{AppError, AppResult};

/// Shown instead of the nickname of a closed account.
pub const FORMER_MEMBER: &str = "탈퇴한 회원";

/// Purpose of the key that profiles are sealed with.
pub const PROFILE: Purpose = Purpose::Profile;

/// A member from the log, with the decrypted profile; blank if its key is not available.
///
/// # Errors
/// `not_found`, also for closed accounts; database errors.
pub async fn member_with_profile(app: &App, id: MemberId) -> AppResult<(Member, Profile)> {
    let member = app.store.load::<Member>(&id.to_string()).await?.state;
    let sealed = member.profile.as_ref().ok_or_else(AppError::not_found)?;
    match app.keys.open(sealed).await? {
        SealContent::Value(profile) => Ok((member, profile)),
        SealContent::Erased => Ok((member, Profile::default())),
    }
}

/// The nicknames of members, unmasked; closed accounts have none.
///
/// # Errors
/// Database errors.
pub async fn nicknames(
    app: &App,
    members: impl IntoIterator<Item = MemberId>,
) -> AppResult<HashMap<MemberId, String>> {
    let profiles = profiles(app, members).await?.into_iter();
    Ok(profiles
        .map(|(id, profile)| (id, profile.nickname))
        .collect())
}

/// The names shown for members: the nickname, or [`FORMER_MEMBER`]. Unknown members are missing.
///
/// # Errors
/// Database errors.
pub async fn shown_names(
    app: &App,
    members: impl IntoIterator<Item = MemberId>,
) -> AppResult<HashMap<MemberId, String>> {
    let shown = shown_members(app, members).await?.into_iter();
    Ok(shown.map(|(id, member)| (id, member.name)).collect())
}

/// The public data of a member.
#[derive(Clone, Debug)]
pub struct ShownMember {
    /// The nickname, or [`FORMER_MEMBER`].
    pub name: String,
    /// Person, company or staff.
    pub member_type: MemberType,
}

/// As [`shown_names`], with the type of the member.
///
/// # Errors
/// Database errors.
pub async fn shown_members(
    app: &App,
    members: impl IntoIterator<Item = MemberId>,
) -> AppResult<HashMap<MemberId, ShownMember>> {
    let shown = |(row, profile): (MemberRow, Option<Profile>)| {
        let name = profile.map_or_else(|| FORMER_MEMBER.to_owned(), |profile| profile.nickname);
        let member_type = row.member_type;
        (row.id, ShownMember { name, member_type })
    };
    Ok(open(app, members).await?.into_iter().map(shown).collect())
}

/// The profiles of members; closed accounts have none.
///
/// # Errors
/// Database errors.
pub async fn profiles(
    app: &App,
    members: impl IntoIterator<Item = MemberId>,
) -> AppResult<HashMap<MemberId, Profile>> {
    let members = open(app, members).await?.into_iter();
    Ok(members
        .filter_map(|(row, profile)| Some((row.id, profile?)))
        .collect())
}

/// The rows of members, with the decrypted profile unless the account is closed.
async fn open(
    app: &App,
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
    let mut opened = Vec::with_capacity(rows.len());
    for row in rows {
        let profile = match &row.profile {
            Some(sealed) => app.keys.open(sealed).await?.value(),
            None => None,
        };
        opened.push((row, profile));
    }
    Ok(opened)
}

/// Names of sellers, for cards and purchases.
#[derive(Debug, Default)]
pub struct SellerNames(HashMap<MemberId, String>);

impl SellerNames {
    /// The names of these sellers.
    ///
    /// # Errors
    /// Database errors.
    pub async fn of(app: &App, sellers: impl IntoIterator<Item = MemberId>) -> AppResult<Self> {
        Ok(Self(shown_names(app, sellers).await?))
    }

    /// Sets the seller's name.
    pub fn name(&self, seller: &mut SellerRef) {
        seller.nickname = self.0.get(&seller.id).cloned();
    }
}
