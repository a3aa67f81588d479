//! Translates a query to Meilisearch.
//!
//! Meilisearch has one reading of a query, so each alternative reading is a query of its own, and the server merges the results
//! (federation). All have the same filter and order; the score of a reading is its weight.

use std::collections::{BTreeMap, HashMap};

use domain::Amount;
use meilisearch_sdk::client::Client;
use meilisearch_sdk::search::{
    FederatedMultiSearchResponse, FederationOptions, MatchingStrategies, MergeFacets, SearchQuery,
    Selectors,
};
use serde::Deserialize;
use uuid::Uuid;

use super::documents::{AS_TYPED, MOST_CODES, MOST_HITS, everywhere, keys};
use super::server::Server;
use crate::korean::{Form, ParsedQuery};
use crate::query::Facet;
use crate::{Error, Facets, PriceRange, Query, SearchResults, Sort};

/// With this many exact matches, misspelt ones are not searched.
const ENOUGH: usize = 5;
/// Maximum number of readings of a query.
const MOST_READINGS: usize = 16;
/// Maximum page length.
const LONGEST_PAGE: usize = 1_000;

/// Weights of the readings.
mod worth {
    pub const AS_TYPED: f32 = 1.0;
    pub const UNFINISHED: f32 = 0.9;
    pub const JOINED: f32 = 0.7;
    pub const WITH_TYPOS: f32 = 0.5;
}

/// One reading of the query.
struct Reading {
    text: String,
    worth: f32,
    attributes: Vec<&'static str>,
}

/// A product in the server's response.
#[derive(Deserialize)]
struct Hit {
    id: Uuid,
    #[serde(default)]
    said: Vec<String>,
}

type Answer = FederatedMultiSearchResponse<Hit>;

/// What is requested in addition to the number of matches.
enum Selection {
    /// The page, with these attributes of each product.
    Page(&'static [&'static str]),
    /// A facet.
    Counts(Facet),
}

/// The attribute of a facet.
fn attribute(facet: Facet) -> &'static str {
    match facet {
        Facet::Brands => "brandCode",
        Facet::Categories => "categories",
        Facet::Price => "salePrice",
    }
}

/// Searches as typed, and with typos if there are too few exact matches.
pub async fn search(server: &Server, index: &str, query: &Query) -> Result<SearchResults, Error> {
    let asker = Asker { server, index };
    let Some((readings, page)) = asker.read(query, &["id"]).await? else {
        return Ok(SearchResults::default());
    };
    let facets = match query.facets {
        true => Some(asker.facets(query, &readings).await?),
        false => None,
    };
    Ok(SearchResults {
        total: whole(page.estimated_total_hits),
        ids: page.hits.into_iter().map(|hit| hit.result.id).collect(),
        facets,
        took: std::time::Duration::from_millis(whole(page.processing_time_ms)),
    })
}

/// The texts of the products a query finds, in their order, for suggestions.
pub async fn names(server: &Server, index: &str, query: &Query) -> Result<Vec<Vec<String>>, Error> {
    let asker = Asker { server, index };
    let read = asker.read(query, &["id", "said"]).await?;
    let hits = read.into_iter().flat_map(|(_, page)| page.hits);
    Ok(hits.map(|hit| hit.result.said).collect())
}

/// Sends queries to an index.
struct Asker<'a> {
    server: &'a Server,
    index: &'a str,
}

impl Asker<'_> {
    /// The readings of a query, and its page; none if its text has no word, in which case it finds nothing.
    async fn read(
        &self,
        query: &Query,
        fields: &'static [&'static str],
    ) -> Result<Option<(Vec<Reading>, Answer)>, Error> {
        let parsed = query.typed().map(ParsedQuery::parse);
        if parsed
            .as_ref()
            .is_some_and(|parsed| parsed.words.is_empty())
        {
            return Ok(None);
        }
        let mut readings = parsed.as_ref().map_or_else(everything, readings);
        let mut page = self.ask(query, &readings, Selection::Page(fields)).await?;
        let misspelt = parsed.as_ref().and_then(misspelt);
        if let Some(misspelt) = misspelt.filter(|_| page.estimated_total_hits < ENOUGH) {
            let wide = Selection::Page(&["id"]);
            let wide = self.ask(&query.widest(), &readings, wide).await?;
            if wide.estimated_total_hits < ENOUGH {
                readings.push(misspelt);
                page = self.ask(query, &readings, Selection::Page(fields)).await?;
            }
        }
        Ok(Some((readings, page)))
    }

    /// The facets: one query for each, because none of them may be filtered by itself.
    async fn facets(&self, query: &Query, readings: &[Reading]) -> Result<Facets, Error> {
        let (brands, categories, price) = tokio::try_join!(
            self.count(query, readings, Facet::Brands),
            self.count(query, readings, Facet::Categories),
            self.count(query, readings, Facet::Price),
        )?;
        let ends = price.facet_stats.unwrap_or_default();
        let ends = ends.get(attribute(Facet::Price));
        Ok(Facets {
            brands: counts(brands),
            categories: counts(categories),
            price: PriceRange {
                from: ends.and_then(|ends| hundredths(ends.min)),
                to: ends.and_then(|ends| hundredths(ends.max)),
            },
        })
    }

    async fn count(
        &self,
        query: &Query,
        readings: &[Reading],
        facet: Facet,
    ) -> Result<Answer, Error> {
        let wide = query.without(facet);
        self.ask(&wide, readings, Selection::Counts(facet)).await
    }

    async fn ask(
        &self,
        query: &Query,
        readings: &[Reading],
        selection: Selection,
    ) -> Result<Answer, Error> {
        let client: &Client = &self.server.client;
        let index = client.index(self.index);
        let filter = filter(query);
        let sort = sort(query);
        let shown = match selection {
            Selection::Page(shown) => shown,
            Selection::Counts(_) => &["id"],
        };
        let attributes: Vec<&[&str]> = readings
            .iter()
            .map(|one| one.attributes.as_slice())
            .collect();
        let mut search = client.multi_search();
        for (reading, attributes) in readings.iter().zip(attributes) {
            let mut one = SearchQuery::new(&index);
            one.with_query(&reading.text)
                .with_filter(&filter)
                .with_matching_strategy(MatchingStrategies::ALL)
                .with_attributes_to_search_on(attributes)
                .with_attributes_to_retrieve(Selectors::Some(shown));
            if let Some(sort) = sort {
                one.with_sort(sort);
            }
            search.with_search_query_and_weight(one, reading.worth);
        }
        let search = search.with_federation(match selection {
            Selection::Page(_) => FederationOptions {
                offset: Some(query.skip.min(MOST_HITS)),
                limit: Some(query.limit.min(LONGEST_PAGE)),
                ..FederationOptions::default()
            },
            Selection::Counts(facet) => FederationOptions {
                offset: Some(0),
                limit: Some(0),
                facets_by_index: Some(HashMap::from([(
                    index.uid.clone(),
                    vec![attribute(facet).to_owned()],
                )])),
                merge_facets: Some(MergeFacets {
                    // price statistics come with a count of each price, which is not needed
                    max_values_per_facet: Some(match facet {
                        Facet::Price => 1,
                        Facet::Brands | Facet::Categories => MOST_CODES,
                    }),
                }),
                ..FederationOptions::default()
            },
        });
        let answer = self.server.ask(|| search.execute::<Hit>()).await;
        answer.map_err(Error::unavailable)
    }
}

/// The counts of the requested facet, by code.
fn counts(answer: Answer) -> BTreeMap<String, u64> {
    let codes = answer.facet_distribution.unwrap_or_default();
    let codes = codes.into_values().flatten();
    codes.map(|(code, count)| (code, whole(count))).collect()
}

/// A price from the server's response: it converts all numbers to floating point, which is exact up to ninety trillion.
fn hundredths(price: f64) -> Option<Amount> {
    format!("{price:.0}").parse().ok().map(Amount::new)
}

fn whole(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// Without a text: one query that matches all.
fn everything() -> Vec<Reading> {
    vec![as_typed(String::new(), worth::AS_TYPED)]
}

fn as_typed(text: String, worth: f32) -> Reading {
    Reading {
        text,
        worth,
        attributes: AS_TYPED.into(),
    }
}

/// The readings of a text: all of its words complete, the last one incomplete, and words written without spaces split. A space at the end
/// tells the server that the last word is complete.
fn readings(parsed: &ParsedQuery) -> Vec<Reading> {
    let typed = text(parsed);
    let mut ways = vec![Vec::new()];
    for word in &parsed.words {
        let pieces = word.forms.iter().filter_map(|form| match form {
            Form::Joined(pieces) => Some(pieces.iter().filter_map(|piece| piece.first())),
            Form::Synonym(_) => None,
        });
        let pieces = pieces.map(|pieces| pieces.map(|piece| keys(piece)).collect());
        let spellings: Vec<Vec<String>> = std::iter::once(vec![keys(&word.jamo)])
            .chain(pieces)
            .collect();
        ways = spellings
            .iter()
            .flat_map(|spelling| ways.iter().map(|way| [way.as_slice(), spelling].concat()))
            .take(MOST_READINGS)
            .collect();
    }
    let joined = ways.into_iter().skip(1);
    let joined = joined.map(|way| as_typed(way.join(" "), worth::JOINED));
    [
        as_typed(format!("{typed} "), worth::AS_TYPED),
        as_typed(typed, worth::UNFINISHED),
    ]
    .into_iter()
    .chain(joined)
    .collect()
}

/// The reading of the text with typing errors, if any of its words may have some.
fn misspelt(parsed: &ParsedQuery) -> Option<Reading> {
    parsed.has_typos().then(|| Reading {
        text: format!("{} ", text(parsed)),
        worth: worth::WITH_TYPOS,
        attributes: everywhere(),
    })
}

fn text(parsed: &ParsedQuery) -> String {
    let words: Vec<String> = parsed.words.iter().map(|word| keys(&word.jamo)).collect();
    words.join(" ")
}

/// The filter on all results.
fn filter(query: &Query) -> String {
    let sellers = query.sellers.iter().map(Uuid::to_string);
    let visible = if query.include_hidden {
        "shows EXISTS"
    } else {
        "shows = true"
    };
    let price = |sign: &str, end: Option<Amount>| {
        end.map(|end| format!("salePrice {sign} {}", end.hundredths()))
    };
    [
        Some(visible.to_owned()),
        one_of("categories", query.categories.iter().cloned()),
        one_of("brandCode", query.brands.iter().cloned()),
        one_of("groups", query.groups.iter().cloned()),
        one_of("type", query.types.iter().cloned()),
        one_of("sellerId", sellers),
        price(">=", query.price.from),
        price("<=", query.price.to),
        query.in_stock.then(|| "soldOutLast = 0".to_owned()),
        one_of("freeIn", query.free_in.iter().cloned()),
    ]
    .into_iter()
    .flatten()
    .collect::<Vec<_>>()
    .join(" AND ")
}

/// A filter by some values, if there are any. A value with a quote or a backslash is not a valid code and cannot be quoted safely: it is
/// left out, and an empty list matches nothing.
fn one_of(attribute: &str, values: impl Iterator<Item = String>) -> Option<String> {
    let mut values = values.peekable();
    values.peek()?;
    let said = |c: char| c != '"' && c != '\\' && !c.is_control();
    let values: Vec<String> = values
        .filter(|value| value.chars().all(said))
        .map(|value| format!("\"{value}\""))
        .collect();
    Some(format!("{attribute} IN [{}]", values.join(", ")))
}

/// The requested order, unless it is by relevance.
fn sort(query: &Query) -> Option<&'static [&'static str]> {
    Some(match query.sort {
        Sort::Relevance if query.typed().is_some() => return None,
        Sort::Relevance | Sort::Latest => &["createdAt:desc", "id:asc"],
        Sort::Name => &["nameKey:asc", "id:asc"],
        Sort::PriceAsc => &["salePrice:asc", "id:asc"],
        Sort::PriceDesc => &["salePrice:desc", "id:asc"],
        Sort::Review => &["reviews:desc", "createdAt:desc", "id:asc"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_talks_their_way_out_of_a_filter() {
        let query = Query {
            categories: ["BIKE", "x\"] OR shows = false OR categories IN [\"", "y\\"]
                .map(str::to_owned)
                .into(),
            ..Query::default()
        };
        assert_eq!(filter(&query), "shows = true AND categories IN [\"BIKE\"]");
    }

    #[test]
    fn a_query_has_a_bounded_number_of_readings() {
        let parsed = ParsedQuery::parse("가나다라마바사아자차카타 가나다라마바사아자차카타");
        assert!(readings(&parsed).len() <= MOST_READINGS + 2);
    }
}
