//! POST /api/v1/me/coupons: downloads a coupon into my box. How many there are is counted under the campaign's lock.

use axum::extract::State;
use domain::Ledger;
use domain::coupon::{
    Campaign, CampaignAct, Coupon, IssueTargetType, IssueType, IssuedCoupon, IssuedCouponAct,
};
use domain::forms::{Checks, Form};
use domain::ids::{CouponId, IssuedCouponId, MemberId};
use domain::member::Member;
use domain::record::Record;
use event_store::{Expected, Hold, StreamAppend, StreamId};
use projections::coupon_box::{self, BoxedCoupon, IssuedRow};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::time::Duration;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::AppState;
use crate::commands::{Change, Command};
use crate::http::{Answer, ApiError, ApiResult, Asked, Code, Signed};

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

impl Form for Draw {
    fn check(&self, _checks: &mut Checks) {}
}

/// Download a coupon.
#[utoipa::path(
    post, path = "/api/v1/me/coupons", tag = "me", operation_id = "drawCoupon", security(("access" = [])), request_body = Draw,
    responses((status = CREATED, body = Drawn), (status = CONFLICT, description = "coupon_used_up, coupon_drawn, coupon_expired"))
)]
pub async fn draw(
    State(app): State<AppState>,
    who: Signed,
    Asked { body, origin }: Asked<Draw>,
) -> ApiResult<Answer<Drawn>> {
    let member = who.member();
    let command = Command::new("draw-coupon", who.actor(), &origin);
    let coupon = app
        .store
        .load::<Record<Coupon>>(&body.coupon.to_string())
        .await?
        .state
        .data()?;
    may_draw(&app, member, &coupon).await?;
    let issued = IssuedCouponId(Uuid::now_v7());
    // Draws per member are counted for every coupon, so its campaign is kept even where nothing is limited.
    let hold = Hold::alone([StreamId::of::<Campaign>(body.coupon)]);
    let done = app
        .commander
        .run_locked(&command, &hold, |locked, context| {
            let campaign = locked.state::<Campaign>(&body.coupon.to_string())?;
            let drawing = CampaignAct::Draw {
                issued,
                member,
                per_member: coupon.draws_per_member(),
            };
            let drawn = campaign.state.decide(drawing, &context)?;
            let issue = IssuedCouponAct::Issue {
                coupon: body.coupon,
                member,
                terms: Box::new(coupon.terms()),
            };
            let events = IssuedCoupon::default().decide(issue, &context)?;
            Change::of([
                StreamAppend::new::<Campaign>(
                    body.coupon,
                    Expected::Exact(campaign.version),
                    &drawn,
                )?,
                StreamAppend::new::<IssuedCoupon>(issued, Expected::NoStream, &events)?,
            ])
            .answering(issued)
        })
        .await?;
    // So that an order sheet asked for next knows the coupon; the answer itself does not depend on the box.
    if let Some(position) = done.position {
        app.store
            .wait_for(&[coupon_box::NAME], position, PATIENCE)
            .await?;
    }
    let told = app
        .store
        .read_stream(&StreamId::of::<IssuedCoupon>(
            done.result::<IssuedCouponId>()?,
        ))
        .await?;
    let first = told.first().ok_or_else(ApiError::not_found)?;
    Ok(done.created(Drawn {
        coupon: IssuedRow::issued(first)?.boxed(app.clock.now()),
    }))
}

/// Downloaded coupons only, in their time, for whom they are meant.
async fn may_draw(app: &AppState, member: MemberId, coupon: &Coupon) -> ApiResult<()> {
    if coupon.issue.kind != IssueType::Request || !coupon.on_display {
        return Err(ApiError::not_found());
    }
    if !coupon.is_issuable(app.clock.now()) {
        return Err(ApiError::new(Code::CouponExpired));
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
        Err(ApiError::new(Code::CouponNotApplicable)
            .with_details(json!({ "reason": "not_for_you" })))
    }
}
