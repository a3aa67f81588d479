//! GET /api/v1/bannerAdvertisements: pictures with links; home asks for four (spec V210).

use axum::extract::State;
use domain::storefront::BannerAdvertisement;
use projections::records;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, Page, Summary};

/// An advertisement as shoppers see it.
#[derive(Serialize, ToSchema)]
pub struct AdvertisementView {
    /// The record.
    #[serde(rename = "_id")]
    id: String,
    /// Its document.
    #[serde(flatten)]
    advertisement: BannerAdvertisement,
}

/// A page of those shown now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Advertisements {
    /// How many there are.
    summary: Summary,
    /// They, the highest index first.
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
