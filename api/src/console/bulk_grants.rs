//! What bulk grants of points and of coupons share: how receivers are named, who ordered one, and who of its receivers got nothing.

use application::bulk_grants::{Receivers, TOO_MANY_MESSAGE};
use application::members::profiles::{FORMER_MEMBER, profiles};
use axum::extract::State;
use domain::bulk_grant::{BulkGrant, GrantRefusal, RECEIVERS_MOST};
use domain::forms::{FormErrors, MESSAGE, Validate};
use domain::ids::{BulkGrantId, MemberId};
use projections::members;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, ConsistencyToken, Page, Path, Staff, Summary, routes,
};

/// The calls.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(refused))
}

/// Bytes of an order at most: ids of all its receivers.
pub(super) const BODY_MOST: usize = 512 * 1024;

/// The ways in which a form names receivers, each with how many it names.
pub(super) type ReceiverWays = [(&'static str, Option<usize>); 3];

/// Checks that receivers are named in exactly one way, and not too many.
pub(super) fn check_receivers(checks: &mut FormErrors, ways: ReceiverWays) {
    let named = ways
        .into_iter()
        .filter_map(|(field, many)| Some((field, many?)));
    let named: Vec<(&str, usize)> = named.collect();
    checks.when(
        named.len() == 1,
        "_users",
        "one_way",
        "받을 회원을 한 가지 방법으로 선택해 주세요.",
    );
    for (field, many) in named {
        checks.when(many <= RECEIVERS_MOST, field, "too_many", TOO_MANY_MESSAGE);
    }
}

/// The receivers of a form that was checked.
pub(super) fn receivers(
    users: Option<Vec<MemberId>>,
    usernames: Option<Vec<String>>,
    levels: Option<Vec<String>>,
) -> Receivers {
    match (users, usernames, levels) {
        (Some(users), ..) => Receivers::Members(users),
        (None, Some(names), _) => Receivers::Usernames(names),
        (None, None, levels) => Receivers::Levels(levels.unwrap_or_default()),
    }
}

/// Whether it is only to be looked at.
#[derive(Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct DryRunQuery {
    /// Answers how many would receive how much, and orders nothing.
    pub(super) dry_run: bool,
}

/// The shop's own note.
#[derive(Deserialize, ToSchema)]
pub struct NoteForm {
    /// The note; empty: none.
    pub(super) memo: String,
}

impl Validate for NoteForm {
    fn check(&self, checks: &mut FormErrors) {
        checks.text("memo", &self.memo, MESSAGE);
    }
}

/// How far a bulk grant is.
#[derive(Serialize, ToSchema)]
pub struct BulkGrantFlags {
    /// Nothing is left to give or to take back.
    pub(super) done: bool,
    /// Staff stopped it.
    pub(super) stopped: bool,
}

/// Who ordered something.
#[derive(Serialize, ToSchema)]
pub struct Orderer {
    /// The member.
    #[serde(rename = "_id")]
    pub(super) id: MemberId,
    /// What they call themselves.
    pub(super) name: Option<String>,
}

/// Why a receiver whose turn came got nothing.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum RefusalReason {
    /// They had closed their account.
    AccountClosed,
    /// The campaign of the coupon had reached a limit.
    CouponUsedUp,
    /// The coupon could not be used any more.
    CouponOver,
    /// The coupon had been deleted.
    CouponRemoved,
    /// They have not joined.
    UnknownMember,
}

impl From<GrantRefusal> for RefusalReason {
    fn from(refusal: GrantRefusal) -> Self {
        match refusal {
            GrantRefusal::CouponUsedUp => Self::CouponUsedUp,
            GrantRefusal::CouponOver => Self::CouponOver,
            GrantRefusal::CouponRemoved => Self::CouponRemoved,
            GrantRefusal::UnknownMember => Self::UnknownMember,
        }
    }
}

/// A receiver who got nothing.
#[derive(Serialize, ToSchema)]
pub struct RefusedMember {
    /// The member.
    #[serde(rename = "_user")]
    user: MemberId,
    /// Their sign-in name; none: their account is closed.
    username: Option<String>,
    /// What they call themselves.
    name: String,
    /// Why.
    reason: RefusalReason,
}

/// A page of receivers who got nothing.
#[derive(Serialize, ToSchema)]
pub struct RefusedMemberList {
    summary: Summary,
    /// The page, in the order in which they were named.
    refused: Vec<RefusedMember>,
}

/// Receivers of a bulk grant whose turn came and who got nothing, with the reason of each.
#[utoipa::path(
    get, path = "/api/console/bulk-grants/{id}/refused", tag = "console", operation_id = "listRefusedReceivers",
    params(("id" = BulkGrantId, Path), Page), security(("access" = [])),
    responses((status = OK, body = RefusedMemberList))
)]
pub(crate) async fn refused(
    State(app): State<AppState>,
    _who: Staff,
    Path(id): Path<BulkGrantId>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<RefusedMemberList>> {
    let fresh = wait.until(&app, &[members::NAME]).await?;
    let grant = app.store.load::<BulkGrant>(&id.to_string()).await?.state;
    let terms = grant.terms.as_ref().ok_or_else(AppError::not_found)?;
    let reason = |member: &MemberId| match grant.left_out.contains(member) {
        true => Some(RefusalReason::AccountClosed),
        false => grant.refused.get(member).map(|refusal| (*refusal).into()),
    };
    let all = terms
        .members
        .iter()
        .filter_map(|member| Some((*member, reason(member)?)));
    let total_count = grant.left_out.len().saturating_add(grant.refused.len());
    let skip = usize::try_from(page.skip).unwrap_or_default();
    let limit = usize::try_from(page.limit).unwrap_or_default();
    let rows: Vec<(MemberId, RefusalReason)> = all.skip(skip).take(limit).collect();
    let opened = profiles(&app, rows.iter().map(|(member, _)| *member)).await?;
    let refused = rows.into_iter().map(|(user, reason)| {
        let profile = opened.get(&user);
        let name = profile.map_or(FORMER_MEMBER, |profile| &profile.nickname);
        RefusedMember {
            user,
            username: profile.map(|profile| profile.username.clone()),
            name: name.to_owned(),
            reason,
        }
    });
    Ok(fresh.answer(RefusedMemberList {
        refused: refused.collect(),
        summary: Summary {
            total_count: i64::try_from(total_count).unwrap_or(i64::MAX),
        },
    }))
}
