//! The member's own account.

pub mod revise;
pub mod show;

use application::members::profiles::member_with_profile;
use application::messages::stops::is_stopped;
use domain::ids::MemberId;
use domain::member::{AccessLevel, MemberType, Profile, Scope};
use domain::message::Channel;
use domain::sending::{ADVERTISING_CONSENT, ADVERTISING_TEXT_CONSENT};
use projections::state::carts;
use projections::state::notifications::{self, AlarmSettings};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::AppResult;

/// The member's own account.
#[derive(Serialize, ToSchema)]
pub struct MeAnswer {
    /// The member.
    user: Me,
}

/// A member's own account.
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
    /// Scopes of the token.
    scope: Vec<Scope>,
    /// The profile.
    #[serde(flatten)]
    profile: Profile,
    /// Whether the address is confirmed, by a link in a mail to it.
    email_confirmed: bool,
    /// Whether mail to the address is stopped, since a server said that there is no such address.
    email_stopped: bool,
    /// Whether the member agrees to advertising.
    advertising: bool,
    /// Whether the member agrees to advertising by text.
    advertising_texts: bool,
    /// Membership level.
    membership_level: Option<MembershipLevel>,
    /// Unread notifications.
    noti_count: i64,
    /// Notification settings.
    noti: AlarmSettings,
    /// Lines in the cart.
    cart_count: i64,
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
    /// A member's account, from the log.
    pub(in crate::me) async fn of(app: &AppState, id: MemberId) -> AppResult<Self> {
        let (member, profile) = member_with_profile(app, id).await?;
        let advertising = member.agrees_to(ADVERTISING_CONSENT);
        let advertising_texts = member.agrees_to(ADVERTISING_TEXT_CONSENT);
        let membership_level = match member.membership_level {
            Some(code) => Some(MembershipLevel::of(app, code).await?),
            None => None,
        };
        let email_stopped = is_stopped(app, (Channel::Mail, &profile.email)).await?;
        Ok(Self {
            user: Me {
                email_confirmed: member.email_confirmed,
                email_stopped,
                advertising,
                advertising_texts,
                id,
                member_type: member.member_type,
                level: member.level,
                scope: member.scopes,
                profile,
                membership_level,
                noti_count: notifications::unread(app.pool(), id).await?,
                noti: notifications::settings(app.pool(), id).await?,
                cart_count: carts::count(app.pool(), id).await?,
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
