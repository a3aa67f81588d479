//! Product search: the search engine finds, sorts and counts by facet; all returned data comes from the read model, and so does the current
//! visibility, because the engine is updated with a delay.

use std::collections::BTreeMap;
use std::time::Instant;

use domain::ids::ProductId;
use projections::products::{
    self, CardReader, FacetCounts, Facets, PriceBounds, ProductFilter, ProductSort,
};
use search_index::{PriceRange, Query, Sort};

use crate::app::AppState;
use crate::http::{AppResult, Page};
use crate::metrics;

/// Maximum number of suggestions.
const SUGGESTIONS: usize = 8;

/// A page of search results.
pub struct ProductSearchPage {
    /// The products of the page.
    pub ids: Vec<ProductId>,
    /// Number of all matching products.
    pub total_count: i64,
    /// Facets, if requested.
    pub facets: Option<Facets>,
}

/// A product search: the text of a filter, with all its other conditions except `ids` and `code`.
pub struct ProductSearch<'a> {
    /// The filter.
    pub filter: &'a ProductFilter,
    /// The sort order; none for best match first.
    pub sort: Option<ProductSort>,
    /// Only products of which one piece ships for free on the mainland.
    pub free_fare: bool,
    /// Whether to return facets.
    pub facets: bool,
}

/// A page of search results.
///
/// # Errors
/// `search_unavailable` if the engine is unavailable.
pub(crate) async fn search_page(
    app: &AppState,
    cards: &CardReader<'_>,
    search: ProductSearch<'_>,
    page: Page,
) -> AppResult<ProductSearchPage> {
    let began = Instant::now();
    let filter = search.filter.clone();
    let free_in = match search.free_fare {
        true => products::seasons_now(app.pool(), app.clock.now()).await?,
        false => Vec::new(),
    };
    let found = app
        .search
        .search(Query {
            text: filter.search,
            categories: filter.categories,
            brands: filter.brands,
            groups: filter.groups,
            sellers: filter.seller.into_iter().map(|seller| seller.0).collect(),
            price: PriceRange {
                from: filter.price_min,
                to: filter.price_max,
            },
            in_stock: filter.in_stock,
            free_in,
            sort: match search.sort {
                None => Sort::Relevance,
                Some(ProductSort::Review) => Sort::Review,
                Some(ProductSort::Latest) => Sort::Latest,
                Some(ProductSort::Name) => Sort::Name,
                Some(ProductSort::PriceAsc) => Sort::PriceAsc,
                Some(ProductSort::PriceDesc) => Sort::PriceDesc,
            },
            skip: usize::try_from(page.skip).unwrap_or(usize::MAX),
            limit: usize::try_from(page.limit).unwrap_or(Query::PAGE),
            facets: search.facets,
            ..Query::default()
        })
        .await?;
    metrics::searched(began.elapsed());
    let facets = match found.facets {
        Some(facets) => Some(named(cards, facets).await?),
        None => None,
    };
    Ok(ProductSearchPage {
        ids: found.ids.into_iter().map(ProductId).collect(),
        total_count: whole(found.total),
        facets,
    })
}

/// Facets with the names of brands and categories.
async fn named(cards: &CardReader<'_>, facets: search_index::Facets) -> AppResult<Facets> {
    let counts = |of: BTreeMap<String, u64>| {
        let counts = of.into_iter();
        counts.map(|(code, count)| (code, whole(count))).collect()
    };
    let price = facets.price.from.zip(facets.price.to);
    let counts = FacetCounts {
        brands: counts(facets.brands),
        categories: counts(facets.categories),
        price: price.map(|(min, max)| PriceBounds { min, max }),
    };
    Ok(cards.named(counts))
}

fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Completions of a text, most likely first.
///
/// # Errors
/// `search_unavailable` if the engine is unavailable.
pub(crate) async fn suggestions(app: &AppState, text: &str) -> AppResult<Vec<String>> {
    Ok(app.search.suggest(text, SUGGESTIONS).await?)
}
