//! GET /api/v1/addresses: road addresses with their postcodes.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{ApiResult, AppError, Json, Page, Query, Summary};

/// Maximum number of characters of a search.
const TYPED_MOST: usize = 100;

/// Text of an address search.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct AddressQuery {
    /// `테헤란로 152`, `강남구 역삼동`, `06236`: prefixes of words, optionally a building number after them, or a postcode.
    search_value: Option<String>,
}

/// An address.
#[derive(Serialize, ToSchema)]
pub struct AddressView {
    /// Postcode, five digits.
    postcode: String,
    /// Road address.
    address1: String,
    /// The place by its old name: 동 or 리.
    lot: String,
}

/// A page of addresses.
#[derive(Serialize, ToSchema)]
pub struct Addresses {
    /// Number of addresses found.
    summary: Summary,
    /// The addresses of the page.
    addresses: Vec<AddressView>,
}

/// Search addresses. An empty search returns no addresses; no match is an empty list (spec V169).
#[utoipa::path(
    get, path = "/api/v1/addresses", tag = "shop", operation_id = "searchAddresses", params(AddressQuery),
    responses((status = OK, body = Addresses))
)]
pub(crate) async fn search(
    State(_app): State<AppState>,
    Query(query): Query<AddressQuery>,
    page: Page,
) -> ApiResult<Json<Addresses>> {
    let typed: String = query
        .search_value
        .unwrap_or_default()
        .chars()
        .take(TYPED_MOST)
        .collect();
    let skip = u64::try_from(page.skip).unwrap_or(u64::MAX);
    let limit = usize::try_from(page.limit).unwrap_or(usize::MAX);
    let found = tokio::task::spawn_blocking(move || {
        super::all().map(|book| book.search(&typed, skip, limit))
    });
    let found = found
        .await
        .map_err(AppError::internal)?
        .map_err(AppError::internal)?;
    let addresses = found
        .hits
        .into_iter()
        .map(|hit| AddressView {
            postcode: hit.postcode,
            address1: hit.address,
            lot: hit.place,
        })
        .collect();
    let summary = Summary {
        total_count: i64::try_from(found.total).unwrap_or(i64::MAX),
    };
    Ok(Json(Addresses { summary, addresses }))
}
