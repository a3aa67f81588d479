//! Products of a search: the engine says which and in which order, everything shown comes from the read model.

use std::collections::HashSet;
use std::time::Instant;

use domain::Amount;
use domain::ids::{MemberId, ProductId};
use projections::products::{ProductCard, ProductSort};
use search_index::korean::suggestions;
use search_index::{PriceRange, Query, Sort};

use crate::app::AppState;
use crate::http::{ApiResult, Page};
use crate::metrics;

/// Suggestions shown.
const SUGGESTIONS: usize = 8;

/// What is looked for.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// What the shopper typed.
    pub text: String,
    /// In one of these categories or under it (codes).
    pub categories: Vec<String>,
    /// Of this seller.
    pub seller: Option<MemberId>,
    /// Costing at least this.
    pub price_min: Option<Amount>,
    /// Costing at most this.
    pub price_max: Option<Amount>,
    /// The order; none: the best match first.
    pub sort: Option<ProductSort>,
}

/// A page of what the engine finds, and how much that is in all.
///
/// # Errors
/// `search_unavailable` when the engine is away.
pub(crate) async fn found(
    app: &AppState,
    asked: Asked,
    page: Page,
) -> ApiResult<(Vec<ProductId>, i64)> {
    let began = Instant::now();
    let found = app
        .search
        .search(Query {
            text: Some(asked.text),
            categories: asked.categories,
            sellers: asked.seller.into_iter().map(|seller| seller.0).collect(),
            price: PriceRange {
                from: asked.price_min,
                to: asked.price_max,
            },
            sort: match asked.sort {
                // the engine does not know reviews; the list sorts what it finds by them
                None | Some(ProductSort::Review) => Sort::Relevance,
                Some(ProductSort::Latest) => Sort::Latest,
                Some(ProductSort::Name) => Sort::Name,
                Some(ProductSort::PriceAsc) => Sort::PriceAsc,
                Some(ProductSort::PriceDesc) => Sort::PriceDesc,
            },
            skip: usize::try_from(page.skip).unwrap_or(usize::MAX),
            limit: usize::try_from(page.limit).unwrap_or(Query::PAGE),
            ..Query::default()
        })
        .await?;
    metrics::searched(began.elapsed());
    let ids = found.ids.into_iter().map(ProductId).collect();
    Ok((ids, i64::try_from(found.total).unwrap_or(i64::MAX)))
}

/// All the engine finds, each once: a list that is narrowed by what the engine does not know is right only over all of it.
/// The engine is asked for the rest until there is none, for one call may answer less than was asked for.
///
/// # Errors
/// `search_unavailable` when the engine is away.
pub(crate) async fn all_found(app: &AppState, asked: Asked) -> ApiResult<Vec<ProductId>> {
    let mut ids = Vec::new();
    let mut seen = HashSet::new();
    let mut skip = 0;
    loop {
        let rest = Page {
            skip,
            limit: i64::MAX,
        };
        let (more, total) = found(app, asked.clone(), rest).await?;
        skip = skip.saturating_add(i64::try_from(more.len()).unwrap_or(i64::MAX));
        let is_last = more.is_empty() || skip >= total;
        ids.extend(more.into_iter().filter(|id| seen.insert(*id)));
        if is_last {
            return Ok(ids);
        }
    }
}

/// What a shopper who typed this may be about to type, by what was found; the likeliest first.
pub fn suggested(text: &str, cards: &[ProductCard]) -> Vec<String> {
    let texts = cards
        .iter()
        .flat_map(|card| std::iter::once(card.name.as_str()).chain(card.brand.as_deref()));
    suggestions(text, texts, SUGGESTIONS)
}
