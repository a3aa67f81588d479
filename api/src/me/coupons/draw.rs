//! POST /api/v1/me/coupons: downloads a coupon into my box. How many there are is counted under the campaign's lock.

use axum::extract::State;
use domain::Decider;
use domain::coupon::{
    Campaign, CampaignCommand, Coupon, IssueTargetType, IssueType, IssuedCoupon,
    IssuedCouponCommand,
};
use domain::forms::{FormErrors, Validate};
use domain::ids::{CouponId, IssuedCouponId, MemberId};
use domain::member::Member;
use domain::record::Record;
use event_store::{Expected, LockSet, StreamAppend, StreamId};
use projections::member_coupons::{self, BoxedCoupon, IssuedRow};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::time::Duration;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, Code, CurrentMember, Respond, ValidJson,
};
use application::executor::{AppendBatch, CommandContext, decide};
use domain::ids::derived_id;

/// How many a member can draw at once of one coupon before the last of them is told to try again.
const AT_ONCE: u32 = 4;

/// How long the answer waits for the box.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// Which coupon.
#[derive(Deserialize, ToSchema)]
pub struct Draw {
    /// Its definition.
    #[serde(rename = "_coupon")]
    coupon: CouponId,
}

/// It is in the box.
#[derive(Serialize, ToSchema)]
pub struct Drawn {
    /// It.
    coupon: BoxedCoupon,
}

impl Validate for Draw {
    fn check(&self, _checks: &mut FormErrors) {}
}

/// Download a coupon.
#[utoipa::path(
    post, path = "/api/v1/me/coupons", tag = "me", operation_id = "drawCoupon", security(("access" = [])), request_body = Draw,
    responses((status = CREATED, body = Drawn), (status = CONFLICT, description = "coupon_used_up, coupon_drawn, coupon_expired"))
)]
pub(crate) async fn draw(
    State(app): State<AppState>,
    who: CurrentMember,
    ValidJson { body, origin }: ValidJson<Draw>,
) -> ApiResult<ApiResponse<Drawn>> {
    let member = who.member();
    let command = CommandContext::new("draw-coupon", who.actor(), &origin);
    let coupon = app
        .store
        .load::<Record<Coupon>>(&body.coupon.to_string())
        .await?
        .state
        .data()?;
    may_draw(&app, member, &coupon).await?;
    // Which is this member's next follows from which are there. Draws are counted for every coupon, so its campaign is kept even
    // where nothing is limited.
    let next = next_number(&app, body.coupon, member).await?;
    let numbers = next..next.saturating_add(AT_ONCE);
    let mine = |number| id_of_coupon(body.coupon, member, number);
    let hold = LockSet::exclusive(
        numbers
            .clone()
            .map(|number| StreamId::of::<IssuedCoupon>(mine(number)))
            .chain([StreamId::of::<Campaign>(body.coupon)]),
    );
    let done = app
        .executor
        .transact_locked(&command, &hold, |locked, context| {
            let campaign = locked.state::<Campaign>(&body.coupon.to_string())?;
            let mut number = numbers.end;
            for free in numbers.clone().rev() {
                let there = locked.state::<IssuedCoupon>(&mine(free).to_string())?;
                if there.version == 0 {
                    number = free;
                }
            }
            let issued = mine(number);
            let drawing = CampaignCommand::Draw {
                issued,
                member,
                number,
                per_member: coupon.draws_per_member(),
            };
            let drawn = decide(body.coupon, &campaign, drawing, &context)?;
            let issue = IssuedCouponCommand::Issue {
                coupon: body.coupon,
                member,
                terms: Box::new(coupon.terms()),
            };
            let events = IssuedCoupon::default().decide(issue, &context)?;
            AppendBatch::of([
                drawn,
                StreamAppend::new::<IssuedCoupon>(issued, Expected::NoStream, &events)?,
            ])
            .with_result(issued)
        })
        .await?;
    // So that an order sheet asked for next knows the coupon; the answer itself does not depend on the box.
    if let Some(position) = done.position {
        app.store
            .wait_for(&[member_coupons::NAME], position, PATIENCE)
            .await?;
    }
    let told = app
        .store
        .read_stream(&StreamId::of::<IssuedCoupon>(
            done.result::<IssuedCouponId>()?,
        ))
        .await?;
    let first = told.first().ok_or_else(AppError::not_found)?;
    Ok(done.created(Drawn {
        coupon: IssuedRow::issued(first)?.boxed(app.clock.now()),
    }))
}

/// The coupon that is this member's `number`-th (from 1) of its kind: the id follows from all three, so that who draws it twice
/// meets the first.
pub fn id_of_coupon(coupon: CouponId, member: MemberId, number: u32) -> IssuedCouponId {
    IssuedCouponId(derived_id(&format!(
        "coupon {coupon} of {member}, {number}"
    )))
}

/// The first that is not there. There are no gaps, so it is looked for in growing steps, and then between the last two.
async fn next_number(app: &AppState, coupon: CouponId, member: MemberId) -> AppResult<u32> {
    let is_there = async |number: u32| -> AppResult<bool> {
        let id = id_of_coupon(coupon, member, number).to_string();
        Ok(app.store.load::<IssuedCoupon>(&id).await?.version > 0)
    };
    let (mut there, mut step) = (0_u32, 1_u32);
    while is_there(there.saturating_add(step)).await? {
        there = there.saturating_add(step);
        step = step.saturating_mul(2);
    }
    while step > 1 {
        step /= 2;
        if is_there(there.saturating_add(step)).await? {
            there = there.saturating_add(step);
        }
    }
    Ok(there.saturating_add(1))
}

/// Downloaded coupons only, in their time, for whom they are meant.
async fn may_draw(app: &AppState, member: MemberId, coupon: &Coupon) -> AppResult<()> {
    if coupon.issue.kind != IssueType::Request || !coupon.on_display {
        return Err(AppError::not_found());
    }
    if !coupon.is_issuable(app.clock.now()) {
        return Err(AppError::new(Code::CouponExpired));
    }
    let who = app.store.load::<Member>(&member.to_string()).await?.state;
    let target = &coupon.issue.target;
    let meant = match target.kind {
        IssueTargetType::All => true,
        IssueTargetType::Users => target.users.contains(&member),
        IssueTargetType::UserTypes => target.user_types.contains(&who.member_type),
        IssueTargetType::UserLevels => who
            .membership_level
            .as_ref()
            .is_some_and(|level| target.levels.contains(level)),
    };
    if meant {
        Ok(())
    } else {
        Err(AppError::new(Code::CouponNotApplicable)
            .with_details(json!({ "reason": "not_for_you" })))
    }
}
