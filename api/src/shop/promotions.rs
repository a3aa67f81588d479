//! GET /api/v1/shop/{events,exhibitions,tag-events}, GET {id}: promotions with a period; whether one is over depends on the shop's clock.

use axum::extract::State;
use domain::catalogue::Picture;
use domain::ids::{CouponId, ProductId};
use domain::record::Resource;
use domain::storefront::PromotionState;
use domain::storefront::exhibition::Exhibition;
use domain::storefront::shop_event::ShopEvent;
use domain::storefront::tag_event::TagEvent;
use projections::products::{self, ProductCard};
use projections::records::TypedRecord;
use projections::{records, stock};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::{IntoParams, ToSchema};

use super::cards::dress;
use super::coupons::{CouponOffer, offers_among};
use super::raffles::{RaffleView, raffle_of};
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, ConsistencyToken, OptionalMember, Page, Path,
    Query, Summary,
};

/// Which promotions.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PromotionListQuery {
    /// `ONGOING` or `ENDED` (spec V112); both if missing. What has not started is in neither.
    #[param(inline)]
    filter: Option<PromotionFilter>,
}

/// Filter of promotions.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PromotionFilter {
    /// Ongoing and ended.
    All,
    /// Within their period.
    Ongoing,
    /// Whose end has passed.
    Ended,
}

/// A promotion in a list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PromotionCard {
    /// Id of the record.
    #[serde(rename = "_id")]
    id: String,
    /// Its name.
    name: String,
    /// Its hashtag, without `#`; only of tag events.
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
    /// Short description.
    desc: String,
    /// Picture in lists.
    thumb: Picture,
    /// Wide picture of its page.
    banner: Option<Picture>,
    /// Start (inclusive); none for no start.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    starts_at: Option<OffsetDateTime>,
    /// End (exclusive); none for no end.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    ends_at: Option<OffsetDateTime>,
    /// Whether it is ongoing or over.
    state: PromotionState,
    /// Number of its products.
    product_count: usize,
}

/// A promotion with its text, products and coupons.
#[derive(Serialize, ToSchema)]
pub struct PromotionView {
    /// The promotion, as in lists.
    #[serde(flatten)]
    card: PromotionCard,
    /// Its text (HTML).
    content: String,
    /// The products that are for sale, in order.
    products: Vec<ProductCard>,
    /// Its coupons that can be downloaded now, in order.
    coupons: Vec<CouponOffer>,
}

/// A page of events.
#[derive(Serialize, ToSchema)]
#[schema(as = ShopEvents)]
pub struct Events {
    /// Number of events.
    summary: Summary,
    /// The events of the page, highest index first.
    events: Vec<PromotionCard>,
}

/// One event.
#[derive(Serialize, ToSchema)]
#[schema(as = ShopEventAnswer)]
pub struct EventAnswer {
    /// The event.
    event: PromotionView,
    /// Its raffle, if it has one.
    raffle: Option<RaffleView>,
}

/// A page of exhibitions.
#[derive(Serialize, ToSchema)]
pub struct Exhibitions {
    /// Number of exhibitions.
    summary: Summary,
    /// The exhibitions of the page, highest index first.
    exhibitions: Vec<PromotionCard>,
}

/// One exhibition.
#[derive(Serialize, ToSchema)]
pub struct ExhibitionAnswer {
    /// The exhibition.
    exhibition: PromotionView,
}

/// A page of tag events.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TagEvents {
    /// Number of tag events.
    summary: Summary,
    /// The tag events of the page, highest index first.
    tag_events: Vec<PromotionCard>,
}

/// One tag event.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TagEventAnswer {
    /// The tag event.
    tag_event: PromotionView,
}

/// What the shop shows of a promotion of any kind.
struct Promotion {
    card: PromotionCard,
    shows: bool,
    index: i32,
    content: String,
    products: Vec<ProductId>,
    coupons: Vec<CouponId>,
}

/// A kind of promotion.
trait PromotionKind: Resource<Data = Self> {
    fn promotion(id: String, of: Self, now: OffsetDateTime) -> Promotion;
}

macro_rules! promotion_kind {
    ($kind:ty, $tag:expr, $coupons:expr) => {
        impl PromotionKind for $kind {
            fn promotion(id: String, of: Self, now: OffsetDateTime) -> Promotion {
                let tag: fn(&Self) -> Option<String> = $tag;
                let coupons: fn(&Self) -> Vec<CouponId> = $coupons;
                Promotion {
                    coupons: coupons(&of),
                    card: PromotionCard {
                        id,
                        tag: tag(&of),
                        state: of.state(now),
                        product_count: of.products.len(),
                        name: of.name,
                        desc: of.desc,
                        thumb: of.thumb,
                        banner: of.banner,
                        starts_at: of.starts_at,
                        ends_at: of.ends_at,
                    },
                    shows: of.shows,
                    index: of.index,
                    content: of.content,
                    products: of.products,
                }
            }
        }
    };
}

promotion_kind!(ShopEvent, |_| None, |event| event.coupons.clone());
promotion_kind!(Exhibition, |_| None, |_| Vec::new());
promotion_kind!(TagEvent, |event| Some(event.tag.clone()), |_| Vec::new());

impl Promotion {
    /// The promotion of a record, if shoppers see it: what has not started is not seen.
    fn seen<R: PromotionKind>(
        TypedRecord { id, data, .. }: TypedRecord<R>,
        now: OffsetDateTime,
    ) -> Option<Self> {
        let found = R::promotion(id, data, now);
        (found.shows && found.card.state != PromotionState::Upcoming).then_some(found)
    }
}

async fn listed<R: PromotionKind>(
    app: &AppState,
    query: &PromotionListQuery,
    page: &Page,
) -> AppResult<(Summary, Vec<PromotionCard>)> {
    let now = app.clock.now();
    let all = records::all::<R>(app.pool()).await?.into_iter();
    // The highest index first, and the newest of one index.
    let mut found: Vec<Promotion> = all
        .rev()
        .filter_map(|found| Promotion::seen(found, now))
        .collect();
    found.sort_by_key(|found| std::cmp::Reverse(found.index));
    let state = match query.filter {
        Some(PromotionFilter::Ongoing) => Some(PromotionState::Ongoing),
        Some(PromotionFilter::Ended) => Some(PromotionState::Ended),
        Some(PromotionFilter::All) | None => None,
    };
    found.retain(|found| state.is_none_or(|state| found.card.state == state));
    let summary = Summary::counting(&found);
    Ok((summary, page.of(found).map(|found| found.card).collect()))
}

async fn view<R: PromotionKind>(
    app: &AppState,
    who: &OptionalMember,
    id: &str,
) -> AppResult<PromotionView> {
    let now = app.clock.now();
    let found = records::found::<R>(app.pool(), id).await?;
    let found = found.and_then(|found| Promotion::seen(found, now));
    let Promotion {
        card,
        content,
        products: ids,
        coupons,
        ..
    } = found.ok_or_else(AppError::not_found)?;
    let mut products = app.cards().await?.shown(&ids).await?;
    dress(app, who.member(), &mut products).await?;
    let coupons = match card.state {
        PromotionState::Ongoing => offers_among(app, who.member(), &coupons).await?,
        PromotionState::Upcoming | PromotionState::Ended => Vec::new(),
    };
    Ok(PromotionView {
        card,
        content,
        products,
        coupons,
    })
}

/// The read models that the page of a promotion depends on.
const READS: [&str; 4] = [
    records::NAME,
    products::NAME,
    stock::NAME,
    projections::member_coupons::NAME,
];

/// The read models that the page of an event depends on.
const EVENT_READS: [&str; 5] = [
    records::NAME,
    products::NAME,
    stock::NAME,
    projections::member_coupons::NAME,
    projections::raffles::NAME,
];

/// Events, the ongoing or the ended ones.
#[utoipa::path(get, path = "/api/v1/shop/events", tag = "shop", operation_id = "listShopEvents", params(PromotionListQuery), responses((status = OK, body = Events)))]
pub(crate) async fn events(
    State(app): State<AppState>,
    Query(query): Query<PromotionListQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Events>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let (summary, events) = listed::<ShopEvent>(&app, &query, &page).await?;
    Ok(fresh.answer(Events { summary, events }))
}

/// An event with its products and coupons.
#[utoipa::path(
    get, path = "/api/v1/shop/events/{id}", tag = "shop", operation_id = "showShopEvent", params(("id" = String, Path)),
    responses((status = OK, body = EventAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn event(
    State(app): State<AppState>,
    who: OptionalMember,
    Path(id): Path<String>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<EventAnswer>> {
    let fresh = wait.until(&app, &EVENT_READS).await?;
    let event = view::<ShopEvent>(&app, &who, &id).await?;
    let raffle = raffle_of(&app, who.member(), &id).await?;
    Ok(fresh.answer(EventAnswer { event, raffle }))
}

/// Exhibitions, the ongoing or the ended ones.
#[utoipa::path(get, path = "/api/v1/shop/exhibitions", tag = "shop", operation_id = "listExhibitions", params(PromotionListQuery), responses((status = OK, body = Exhibitions)))]
pub(crate) async fn exhibitions(
    State(app): State<AppState>,
    Query(query): Query<PromotionListQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Exhibitions>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let (summary, exhibitions) = listed::<Exhibition>(&app, &query, &page).await?;
    let answer = Exhibitions {
        summary,
        exhibitions,
    };
    Ok(fresh.answer(answer))
}

/// An exhibition with its products.
#[utoipa::path(
    get, path = "/api/v1/shop/exhibitions/{id}", tag = "shop", operation_id = "showExhibition", params(("id" = String, Path)),
    responses((status = OK, body = ExhibitionAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn exhibition(
    State(app): State<AppState>,
    who: OptionalMember,
    Path(id): Path<String>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<ExhibitionAnswer>> {
    let fresh = wait.until(&app, &READS).await?;
    let exhibition = view::<Exhibition>(&app, &who, &id).await?;
    Ok(fresh.answer(ExhibitionAnswer { exhibition }))
}

/// Tag events, the ongoing or the ended ones.
#[utoipa::path(get, path = "/api/v1/shop/tag-events", tag = "shop", operation_id = "listTagEvents", params(PromotionListQuery), responses((status = OK, body = TagEvents)))]
pub(crate) async fn tag_events(
    State(app): State<AppState>,
    Query(query): Query<PromotionListQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<TagEvents>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let (summary, tag_events) = listed::<TagEvent>(&app, &query, &page).await?;
    let answer = TagEvents {
        summary,
        tag_events,
    };
    Ok(fresh.answer(answer))
}

/// A tag event with its products.
#[utoipa::path(
    get, path = "/api/v1/shop/tag-events/{id}", tag = "shop", operation_id = "showTagEvent", params(("id" = String, Path)),
    responses((status = OK, body = TagEventAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn tag_event(
    State(app): State<AppState>,
    who: OptionalMember,
    Path(id): Path<String>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<TagEventAnswer>> {
    let fresh = wait.until(&app, &READS).await?;
    let tag_event = view::<TagEvent>(&app, &who, &id).await?;
    Ok(fresh.answer(TagEventAnswer { tag_event }))
}
