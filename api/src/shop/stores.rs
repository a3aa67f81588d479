//! GET /api/v1/shop/stores, GET {id}: physical stores of sellers, and the mini-shops of those sellers.

use application::members::profiles::shown_names;
use axum::extract::State;
use domain::distance::Kilometres;
use domain::shipping::Geolocation;
use domain::storefront::Store;
use projections::records;
use projections::records::TypedRecord;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, ConsistencyToken, Page, Path, Query, Summary,
};

/// Coordinates in a query: `latitude,longitude`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
struct Place(Geolocation);

impl TryFrom<String> for Place {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let degrees = |text: &str| text.trim().parse().ok();
        let point = text.split_once(',').and_then(|(latitude, longitude)| {
            Some(Geolocation {
                latitude: degrees(latitude)?,
                longitude: degrees(longitude)?,
            })
        });
        let point = point.filter(|point| point.is_on_earth());
        point.map(Self).ok_or("latitude,longitude")
    }
}

/// The field that is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum StoreKey {
    /// Nickname of the seller.
    Nickname,
    /// Name of the store.
    Name,
}

/// Sort order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
pub enum StoreSort {
    /// Highest index first (spec V268).
    #[default]
    #[serde(rename = "-index")]
    Index,
    /// Nearest to `near` first.
    #[serde(rename = "distance")]
    Distance,
}

/// Filters of the store list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct StoreListQuery {
    /// Coordinates of the user: `latitude,longitude`. Then stores have their distance, and those without coordinates are left out.
    #[param(value_type = Option<String>)]
    near: Option<Place>,
    /// Maximum distance in kilometres.
    within: Option<u32>,
    /// Only recommended stores, or only others.
    recommended: Option<bool>,
    /// The field in which `searchValue` is searched; default: both.
    #[param(inline)]
    search_key: Option<StoreKey>,
    /// A substring of a name.
    search_value: Option<String>,
    /// The sort order.
    #[serde(default)]
    #[param(inline)]
    sort: StoreSort,
}

/// A store.
#[derive(Serialize, ToSchema)]
pub struct StoreView {
    /// Id of the record.
    #[serde(rename = "_id")]
    id: String,
    /// Its document.
    #[serde(flatten)]
    store: Store,
    /// Nickname of its seller; none if the account is closed.
    nickname: Option<String>,
    /// Distance from `near` in kilometres.
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f64>,
}

/// A page of stores.
#[derive(Serialize, ToSchema)]
pub struct Stores {
    /// Number of stores.
    summary: Summary,
    /// The stores of the page.
    stores: Vec<StoreView>,
}

/// One store.
#[derive(Serialize, ToSchema)]
pub struct StoreAnswer {
    /// The store.
    store: StoreView,
}

/// The visible stores, highest index first.
async fn shown(app: &AppState) -> AppResult<Vec<StoreView>> {
    let mut found = records::all::<Store>(app.pool()).await?;
    found.retain(|found| found.data.shows);
    found.sort_by_key(|found| std::cmp::Reverse(found.data.index));
    named(app, found).await
}

/// Stores with the names of their sellers.
async fn named(app: &AppState, found: Vec<TypedRecord<Store>>) -> AppResult<Vec<StoreView>> {
    let names = shown_names(app, found.iter().map(|found| found.data.seller)).await?;
    let view = |found: TypedRecord<Store>| StoreView {
        nickname: names.get(&found.data.seller).cloned(),
        id: found.id,
        store: found.data,
        distance: None,
    };
    Ok(found.into_iter().map(view).collect())
}

impl StoreListQuery {
    fn names(&self, view: &StoreView) -> bool {
        let Some(sought) = self.search_value.as_deref().map(str::trim) else {
            return true;
        };
        let sought = sought.to_lowercase();
        let has =
            |name: Option<&str>| name.is_some_and(|name| name.to_lowercase().contains(&sought));
        let nickname = || has(view.nickname.as_deref());
        let name = || has(Some(view.store.name.as_str()));
        match self.search_key {
            Some(StoreKey::Nickname) => nickname(),
            Some(StoreKey::Name) => name(),
            None => name() || nickname(),
        }
    }

    /// Adds the distance from `near`; none if the store is not within the requested distance.
    fn reached(&self, mut view: StoreView) -> Option<StoreView> {
        let Some(Place(from)) = self.near else {
            return Some(view);
        };
        let distance = Kilometres::between(from, view.store.geolocation?)?.get();
        view.distance = Some(distance);
        let is_near = self.within.is_none_or(|most| distance <= f64::from(most));
        is_near.then_some(view)
    }
}

/// Stores.
#[utoipa::path(
    get, path = "/api/v1/shop/stores", tag = "shop", operation_id = "listStores", params(StoreListQuery, Page),
    responses((status = OK, body = Stores))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    Query(query): Query<StoreListQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Stores>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let mut stores: Vec<StoreView> = shown(&app)
        .await?
        .into_iter()
        .filter(|view| {
            query
                .recommended
                .is_none_or(|wish| wish == view.store.is_recommended)
        })
        .filter(|view| query.names(view))
        .filter_map(|view| query.reached(view))
        .collect();
    if query.sort == StoreSort::Distance {
        let distance = |view: &StoreView| view.distance.unwrap_or(f64::INFINITY);
        stores.sort_by(|one, other| distance(one).total_cmp(&distance(other)));
    }
    let summary = Summary::counting(&stores);
    let stores = page.of(stores).collect();
    Ok(fresh.answer(Stores { summary, stores }))
}

/// One store.
#[utoipa::path(
    get, path = "/api/v1/shop/stores/{id}", tag = "shop", operation_id = "showStore", params(("id" = String, Path)),
    responses((status = OK, body = StoreAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    Path(id): Path<String>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<StoreAnswer>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let found = records::found::<Store>(app.pool(), &id).await?;
    let found = found.filter(|found| found.data.shows);
    let store = named(&app, found.into_iter().collect()).await?.pop();
    let store = store.ok_or_else(AppError::not_found)?;
    Ok(fresh.answer(StoreAnswer { store }))
}
