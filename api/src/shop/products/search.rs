//! Products of a search: the engine says which and in which order, everything shown comes from the read model.

use std::collections::BTreeMap;

use domain::Amount;
use domain::ids::{MemberId, ProductId};
use projections::Listed;
use projections::products::{self, ProductCard, ProductSort};
use search_index::korean::suggestions;
use search_index::{PriceRange, Query, Sort};

use crate::app::AppState;
use crate::http::{ApiResult, Page};

/// Suggestions shown.
const SUGGESTIONS: usize = 8;

/// What is looked for.
pub struct Wanted {
    /// What the shopper typed.
    pub text: String,
    /// In this category or one under it (code).
    pub category: Option<String>,
    /// Of this seller.
    pub seller: Option<MemberId>,
    /// Costing at least this.
    pub price_min: Option<Amount>,
    /// Costing at most this.
    pub price_max: Option<Amount>,
    /// The order; none: the best match first.
    pub sort: Option<ProductSort>,
}

/// What was found.
pub struct Found {
    /// The page.
    pub cards: Listed<ProductCard>,
    /// How many of all found are in each category or below it.
    pub categories: BTreeMap<String, u64>,
    /// What the shopper may be about to type.
    pub suggestions: Vec<String>,
}

/// Searches.
///
/// # Errors
/// `search_unavailable` when the engine is away; the database's.
pub async fn search(app: &AppState, wanted: Wanted, page: Page) -> ApiResult<Found> {
    let found = app
        .search
        .search(Query {
            text: Some(wanted.text.clone()),
            categories: wanted.category.into_iter().collect(),
            sellers: wanted.seller.into_iter().map(|seller| seller.0).collect(),
            price: PriceRange {
                from: wanted.price_min,
                to: wanted.price_max,
            },
            sort: match wanted.sort {
                None => Sort::Relevance,
                Some(ProductSort::Latest) => Sort::Latest,
                Some(ProductSort::Name) => Sort::Name,
                Some(ProductSort::PriceAsc) => Sort::PriceAsc,
                Some(ProductSort::PriceDesc) => Sort::PriceDesc,
            },
            skip: usize::try_from(page.skip).unwrap_or(usize::MAX),
            limit: usize::try_from(page.limit).unwrap_or(Query::PAGE),
            facets: true,
            ..Query::default()
        })
        .await?;
    let ids: Vec<ProductId> = found.ids.into_iter().map(ProductId).collect();
    let rows = products::product_cards(app.pool(), &ids).await?;
    let texts = rows
        .iter()
        .flat_map(|card| std::iter::once(card.name.as_str()).chain(card.brand.as_deref()));
    Ok(Found {
        suggestions: suggestions(&wanted.text, texts, SUGGESTIONS),
        categories: found.categories,
        cards: Listed {
            total_count: i64::try_from(found.total).unwrap_or(i64::MAX),
            rows,
        },
    })
}
