//! Metadata of the pages of events and exhibitions.

use axum::http::StatusCode;
use domain::ids::ProductId;
use domain::record::Resource;
use domain::storefront::PromotionState;
use domain::storefront::exhibition::Exhibition;
use domain::storefront::shop_event::ShopEvent;
use projections::records;
use time::OffsetDateTime;

use super::super::html_head::{About, Site};
use super::{SLOGAN, gathered, missing};
use crate::app::AppState;
use crate::http::AppResult;

/// The page of an event or exhibition.
pub(super) async fn promotion<R: PagePromotion>(
    app: &AppState,
    site: &Site,
    path: &str,
    id: &str,
) -> AppResult<About> {
    let now = app.clock.now();
    let found = records::found::<R>(app.pool(), id).await?;
    let Some(found) = found.and_then(|found| R::page(found.data, now)) else {
        return Ok(missing(path, StatusCode::NOT_FOUND));
    };
    let cards = app.cards().await?.shown(&found.products).await?;
    let words = Some(found.desc).filter(|desc| !desc.trim().is_empty());
    let description = words.unwrap_or_else(|| SLOGAN.to_owned());
    Ok(gathered(
        site,
        (found.list, found.name, description),
        format!("{}/{id}", found.list),
        Some(found.picture).filter(|url| !url.is_empty()),
        &cards,
    ))
}

/// What the page of an event or exhibition says about itself.
pub(super) struct PromotionPage {
    list: &'static str,
    name: String,
    desc: String,
    picture: String,
    products: Vec<ProductId>,
}

/// A kind of promotion with a page of its own.
pub(super) trait PagePromotion: Resource<Data = Self> {
    /// Its page; none while shoppers do not see it.
    fn page(of: Self, now: OffsetDateTime) -> Option<PromotionPage>;
}

impl PagePromotion for ShopEvent {
    fn page(of: Self, now: OffsetDateTime) -> Option<PromotionPage> {
        let list = match of.state(now) {
            PromotionState::Upcoming => return None,
            PromotionState::Ongoing => "/sub/event/ongoing",
            PromotionState::Ended => "/sub/event/ended",
        };
        of.shows.then_some(PromotionPage {
            list,
            name: of.name,
            desc: of.desc,
            picture: of.thumb.url,
            products: of.products,
        })
    }
}

impl PagePromotion for Exhibition {
    fn page(of: Self, now: OffsetDateTime) -> Option<PromotionPage> {
        let is_seen = of.shows && of.state(now) != PromotionState::Upcoming;
        is_seen.then_some(PromotionPage {
            list: "/sub/event/exhibition",
            name: of.name,
            desc: of.desc,
            picture: of.thumb.url,
            products: of.products,
        })
    }
}
