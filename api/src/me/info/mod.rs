//! Who I am.

pub mod revise;
pub mod show;

use application::members::profiles::member_with_profile;
use domain::ids::MemberId;
use domain::member::{AccessLevel, MemberType, Profile, Scope};
use projections::state::notifications::{self, AlarmSettings};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::AppResult;

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
    noti_count: i64,
    /// What I want to be told.
    noti: AlarmSettings,
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
    /// A member as the log has them.
    pub(in crate::me) async fn of(app: &AppState, id: MemberId) -> AppResult<Self> {
        let (member, profile) = member_with_profile(app, id).await?;
        let membership_level = match member.membership_level {
            Some(code) => Some(MembershipLevel::of(app, code).await?),
            None => None,
        };
        Ok(Self {
            user: Me {
                id,
                member_type: member.member_type,
                level: member.level,
                scope: member.scopes,
                profile,
                membership_level,
                noti_count: notifications::unread(app.pool(), id).await?,
                noti: notifications::settings(app.pool(), id).await?,
            },
        })
    }
}

impl MembershipLevel {
    async fn of(app: &AppState, code: String) -> AppResult<Self> {
        let record = projections::records::level(app.pool(), &code).await?;
        let name = record.map_or_else(|| code.clone(), |found| found.data.name);
        Ok(Self { code, name })
    }
}
