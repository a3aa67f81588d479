//! POST /api/v1/bannerLogs: counts a click on a banner, without recording the visitor's identity.

use axum::extract::State;
use axum::http::StatusCode;
use domain::forms::{FormErrors, Validate};
use projections::state::banner_logs::{self, BannerSubject};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::AppState;
use crate::http::{ApiResult, AppError, ValidJson};

/// Target of a click: exactly one of them (spec V208).
#[derive(Deserialize, ToSchema)]
pub struct ClickForm {
    /// A popup.
    #[serde(rename = "_popup")]
    popup: Option<Uuid>,
    /// A slide of a banner.
    #[serde(rename = "_slide")]
    slide: Option<Uuid>,
    /// A banner among tags.
    #[serde(rename = "_tagBanner")]
    tag_banner: Option<Uuid>,
    /// A story's card.
    #[serde(rename = "_storyCard")]
    story_card: Option<Uuid>,
}

impl ClickForm {
    fn named(&self) -> impl Iterator<Item = (BannerSubject, Uuid)> {
        [
            (BannerSubject::Popup, self.popup),
            (BannerSubject::Slide, self.slide),
            (BannerSubject::TagBanner, self.tag_banner),
            (BannerSubject::StoryCard, self.story_card),
        ]
        .into_iter()
        .filter_map(|(subject, id)| Some((subject, id?)))
    }
}

impl Validate for ClickForm {
    fn check(&self, checks: &mut FormErrors) {
        checks.when(
            self.named().count() == 1,
            "_slide",
            "exactly_one",
            "기록할 대상을 하나만 보내 주세요.",
        );
    }
}

/// Count a click on a banner.
#[utoipa::path(
    post, path = "/api/v1/bannerLogs", tag = "shop", operation_id = "logBanner", request_body = ClickForm,
    responses((status = NO_CONTENT), (status = BAD_REQUEST, description = "invalid"), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn add(
    State(app): State<AppState>,
    ValidJson { body, .. }: ValidJson<ClickForm>,
) -> ApiResult<StatusCode> {
    let (subject, target) = body.named().next().ok_or_else(AppError::not_found)?;
    if !banner_logs::is_there(app.pool(), subject, target).await? {
        return Err(AppError::not_found().into());
    }
    banner_logs::add(app.pool(), subject, target, app.clock.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}
