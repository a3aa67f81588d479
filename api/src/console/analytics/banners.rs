//! GET /api/console/analytics/banners: clicks on banners and popups.

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

/// Totals of the list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BannerTotals {
    /// Number of different banners and popups that were clicked.
    total_count: i64,
    /// Number of all clicks.
    clicks: i64,
}

/// Target of a click, if it still exists.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct ClickTarget {
    /// Name of the popup, or headline of the slide, or the banner's name.
    name: Option<String>,
    /// Place of the banner.
    code: Option<String>,
    /// The screens the banner is for.
    device: Option<Device>,
    /// Its picture.
    image: Option<Picture>,
}

/// A banner or popup that was clicked.
#[derive(Serialize, ToSchema)]
pub struct FollowedBanner {
    /// Its id and number of clicks.
    #[serde(flatten)]
    count: BannerCount,
    /// Its record.
    #[serde(flatten)]
    target: ClickTarget,
}

/// A page of clicked banners and popups.
#[derive(Serialize, ToSchema)]
pub struct BannerAnalytics {
    /// Totals.
    summary: BannerTotals,
    /// The page, most clicks first.
    banners: Vec<FollowedBanner>,
}

/// Clicks on banners and popups.
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

/// All banners and popups, by id.
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
