//! GET /api/console/analytics/banners: which banners and popups people followed, and how often.

use std::collections::HashMap;

use axum::extract::State;
use domain::catalogue::Picture;
use domain::storefront::{Banner, Device, Popup};
use projections::records;
use projections::state::banner_logs::{self, BannerCount};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::console::period::Period;
use crate::http::{ApiResult, AppResult, Json, Page, Query, Staff};

/// What stands above the list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BannerTotals {
    /// How many different ones were followed.
    total_count: i64,
    /// How often anything was followed.
    clicks: i64,
}

/// Target of a click, as far as it is known.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct ClickTarget {
    /// Name of the popup, or headline of the slide, or the banner's name.
    name: Option<String>,
    /// The banner's place.
    code: Option<String>,
    /// The screens the banner is for.
    device: Option<Device>,
    /// Its picture.
    image: Option<Picture>,
}

/// Something people followed.
#[derive(Serialize, ToSchema)]
pub struct FollowedBanner {
    /// What it is and how often.
    #[serde(flatten)]
    count: BannerCount,
    /// What is known of it.
    #[serde(flatten)]
    target: ClickTarget,
}

/// A page of them.
#[derive(Serialize, ToSchema)]
pub struct BannerAnalytics {
    /// All in all.
    summary: BannerTotals,
    /// They, the one followed most first.
    banners: Vec<FollowedBanner>,
}

/// Banners people followed.
#[utoipa::path(
    get, path = "/api/console/analytics/banners", tag = "console", operation_id = "listBannerAnalytics", params(Period),
    security(("access" = [])), responses((status = OK, body = BannerAnalytics))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    _who: Staff,
    Query(period): Query<Period>,
    page: Page,
) -> ApiResult<Json<BannerAnalytics>> {
    let counts = banner_logs::counts(app.pool(), period.from()?, period.to()?).await?;
    let targets = click_targets(&app).await?;
    let clicks = counts.iter().map(|count| count.count).sum();
    let total_count = i64::try_from(counts.len()).unwrap_or(i64::MAX);
    let banners = page
        .of(counts)
        .map(|count| FollowedBanner {
            target: targets
                .get(&count.target.to_string())
                .cloned()
                .unwrap_or_default(),
            count,
        })
        .collect();
    let summary = BannerTotals {
        total_count,
        clicks,
    };
    Ok(Json(BannerAnalytics { summary, banners }))
}

/// Everything that can be followed, by its id.
async fn click_targets(app: &AppState) -> AppResult<HashMap<String, ClickTarget>> {
    let mut targets = HashMap::new();
    for found in records::all::<Popup>(app.pool()).await? {
        let popup = ClickTarget {
            name: Some(found.data.name),
            image: found.data.image,
            ..ClickTarget::default()
        };
        targets.insert(found.id, popup);
    }
    for found in records::all::<Banner>(app.pool()).await? {
        for slide in found.data.slides {
            let title = Some(slide.meta.title).filter(|title| !title.is_empty());
            let target = ClickTarget {
                name: title.or_else(|| Some(found.data.name.clone())),
                code: Some(found.data.code.clone()),
                device: Some(found.data.device),
                image: Some(slide.image),
            };
            targets.insert(slide.id.to_string(), target);
        }
    }
    Ok(targets)
}
