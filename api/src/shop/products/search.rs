//! Products of a search: the engine says which, in which order, and what they can be narrowed by; everything shown comes
//! from the read model, and so does whether shoppers see it now: the engine is told of changes a moment later.

use std::collections::BTreeMap;
use std::time::Instant;

use domain::ids::ProductId;
use projections::products::{self, FacetCounts, Facets, PriceBounds, ProductFilter, ProductSort};
use search_index::{PriceRange, Query, Sort};

use crate::app::AppState;
use crate::http::{AppResult, Page};
use crate::metrics;

/// Suggestions shown.
const SUGGESTIONS: usize = 8;

/// A page of search results.
pub struct ProductSearchPage {
    /// This page's.
    pub ids: Vec<ProductId>,
    /// How many that is in all.
    pub total_count: i64,
    /// What it can be narrowed by, if that was asked for.
    pub facets: Option<Facets>,
}

/// A product search: the text of a filter, narrowed by all else in it but `ids` and `code`.
pub struct ProductSearch<'a> {
    /// What is wanted.
    pub filter: &'a ProductFilter,
    /// The order; none: the best match first.
    pub sort: Option<ProductSort>,
    /// Those alone of which one piece travels for nothing on the mainland.
    pub free_fare: bool,
    /// Also what it can be narrowed by.
    pub facets: bool,
}

/// A page of what the engine finds.
///
/// # Errors
/// `search_unavailable` when the engine is away.
pub(crate) async fn search_page(
    app: &AppState,
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
        Some(facets) => Some(named(app, facets).await?),
        None => None,
    };
    Ok(ProductSearchPage {
        ids: found.ids.into_iter().map(ProductId).collect(),
        total_count: whole(found.total),
        facets,
    })
}

/// Facets with the names of what they count.
async fn named(app: &AppState, facets: search_index::Facets) -> AppResult<Facets> {
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
    Ok(products::named(app.pool(), counts).await?)
}

fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// What a shopper who typed this may be about to type; the likeliest first.
///
/// # Errors
/// `search_unavailable` when the engine is away.
pub(crate) async fn suggestions(app: &AppState, text: &str) -> AppResult<Vec<String>> {
    Ok(app.search.suggest(text, SUGGESTIONS).await?)
}
