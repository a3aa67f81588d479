//! GET /api/v1/bannerAdvertisements: pictures with links; home requests four (spec V210).

use axum::extract::State;
use domain::storefront::BannerAdvertisement;
use projections::records;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, Page, Summary};

/// An advertisement.
#[derive(Serialize, ToSchema)]
pub struct AdvertisementView {
    /// Id of the record.
    #[serde(rename = "_id")]
    id: String,
    /// Its document.
    #[serde(flatten)]
    advertisement: BannerAdvertisement,
}

/// A page of the visible advertisements.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Advertisements {
    /// Number of advertisements.
    summary: Summary,
    /// The advertisements of the page, highest index first.
    banner_advertisements: Vec<AdvertisementView>,
}

/// Advertisements.
#[utoipa::path(
    get, path = "/api/v1/bannerAdvertisements", tag = "shop", operation_id = "listBannerAdvertisements",
    responses((status = OK, body = Advertisements))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Advertisements>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let now = app.clock.now();
    let mut shown = records::all::<BannerAdvertisement>(app.pool()).await?;
    shown.retain(|found| found.data.display.shown_at(now));
    shown.sort_by_key(|found| std::cmp::Reverse(found.data.index));
    let summary = Summary::counting(&shown);
    let banner_advertisements = page
        .of(shown)
        .map(|found| AdvertisementView {
            id: found.id,
            advertisement: found.data,
        })
        .collect();
    Ok(fresh.answer(Advertisements {
        summary,
        banner_advertisements,
    }))
}
