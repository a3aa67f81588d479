//! GET /api/v1/bandBanners: the bands at the top of every page.

use axum::extract::State;
use domain::storefront::BandBanner;
use projections::records;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, Query};

/// Filter of the band banner list.
#[derive(Deserialize, IntoParams)]
pub struct BandBannerListQuery {
    /// Only band banners of this place: `main` (spec V211).
    code: Option<String>,
}

/// A band banner.
#[derive(Serialize, ToSchema)]
pub struct BandBannerView {
    /// Id of the record.
    #[serde(rename = "_id")]
    id: String,
    /// Its document.
    #[serde(flatten)]
    banner: BandBanner,
}

/// The visible band banners.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BandBanners {
    /// The band banners, oldest first.
    band_banners: Vec<BandBannerView>,
}

/// Band banners.
#[utoipa::path(
    get, path = "/api/v1/bandBanners", tag = "shop", operation_id = "listBandBanners", params(BandBannerListQuery),
    responses((status = OK, body = BandBanners))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    Query(query): Query<BandBannerListQuery>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<BandBanners>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let now = app.clock.now();
    let band_banners = records::all::<BandBanner>(app.pool())
        .await?
        .into_iter()
        .filter(|found| {
            let here = query
                .code
                .as_ref()
                .is_none_or(|code| *code == found.data.code);
            here && found.data.display.shown_at(now)
        })
        .map(|found| BandBannerView {
            id: found.id,
            banner: found.data,
        })
        .collect();
    Ok(fresh.answer(BandBanners { band_banners }))
}
