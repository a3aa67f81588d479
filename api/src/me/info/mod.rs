//! Who I am.

pub mod revise;
pub mod show;

use domain::ids::MemberId;
use domain::member::{AccessLevel, Member, MemberType, Profile, Scope};
use serde::Serialize;
use utoipa::ToSchema;

/// Myself.
#[derive(Serialize, ToSchema)]
pub struct MeAnswer {
    /// Me.
    user: Me,
}

/// A member, as they see themselves.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// Id.
    #[serde(rename = "_id")]
    id: MemberId,
    /// Type.
    #[serde(rename = "type")]
    member_type: MemberType,
    /// Access level.
    level: AccessLevel,
    /// What my token may do.
    scope: Vec<Scope>,
    /// What I told about myself.
    #[serde(flatten)]
    profile: Profile,
    /// Membership level.
    membership_level: Option<MembershipLevel>,
    /// Unread notifications.
    noti_count: u32,
}

/// A membership level.
#[derive(Serialize, ToSchema)]
pub struct MembershipLevel {
    /// Its code.
    code: String,
    /// Its name.
    name: String,
}

impl MeAnswer {
    fn of(id: MemberId, member: Member, profile: Profile) -> Self {
        let membership_level = member.membership_level.map(|code| MembershipLevel {
            name: code.clone(),
            code,
        });
        Self {
            user: Me {
                id,
                member_type: member.member_type,
                level: member.level,
                scope: member.scopes,
                profile,
                membership_level,
                noti_count: 0,
            },
        }
    }
}
