//! A query in Meilisearch's terms.
//!
//! Meilisearch reads a query one way, so each way to read it is a query of its own, and the server merges what they find
//! (federation). All have the same filter and order; how much a way is worth is its weight.

use std::collections::HashMap;

use domain::Amount;
use meilisearch_sdk::client::Client;
use meilisearch_sdk::search::{
    FederationOptions, MatchingStrategies, MergeFacets, SearchQuery, Selectors,
};
use serde::Deserialize;
use uuid::Uuid;

use super::documents::{AS_TYPED, MOST_CATEGORIES, MOST_HITS, everywhere, keys};
use super::server::Server;
use crate::korean::{Asked, Form};
use crate::{Error, Found, Query, Sort};

/// With as many exact matches, nobody wants to see misspelt ones.
const ENOUGH: u64 = 5;
/// The most ways to read a query that are tried.
const MOST_READINGS: usize = 16;
/// The longest page.
const LONGEST_PAGE: usize = 1_000;

/// What a way to read the query is worth.
mod worth {
    pub const AS_TYPED: f32 = 1.0;
    pub const UNFINISHED: f32 = 0.9;
    pub const JOINED: f32 = 0.7;
    pub const WITH_TYPOS: f32 = 0.5;
}

/// One way to read the query.
struct Reading {
    text: String,
    worth: f32,
    attributes: Vec<&'static str>,
}

#[derive(Deserialize)]
struct Hit {
    id: Uuid,
}

/// Searches: as typed first, and with typos where that finds too little.
pub async fn search(server: &Server, index: &str, query: &Query) -> Result<Found, Error> {
    let asked = query.typed().map(Asked::read);
    if asked.as_ref().is_some_and(|asked| asked.words.is_empty()) {
        return Ok(Found::default());
    }
    let mut readings = asked.as_ref().map_or_else(everything, readings);
    let mut found = page(server, index, query, &readings).await?;
    let misspelt = asked.as_ref().and_then(misspelt);
    if let Some(misspelt) = misspelt.filter(|_| found.total < ENOUGH) {
        readings.push(misspelt);
        let again = page(server, index, query, &readings).await?;
        found = Found {
            took: found.took.saturating_add(again.took),
            ..again
        };
    }
    Ok(found)
}

async fn page(
    server: &Server,
    index: &str,
    query: &Query,
    readings: &[Reading],
) -> Result<Found, Error> {
    let client: &Client = &server.client;
    let index = client.index(index);
    let filter = filter(query);
    let sort = sort(query);
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
            .with_attributes_to_retrieve(Selectors::Some(&["id"]));
        if let Some(sort) = &sort {
            one.with_sort(sort);
        }
        search.with_search_query_and_weight(one, reading.worth);
    }
    let count = query.facets.then_some(MergeFacets {
        max_values_per_facet: Some(MOST_CATEGORIES),
    });
    let search = search.with_federation(FederationOptions {
        offset: Some(query.skip.min(MOST_HITS)),
        limit: Some(query.limit.min(LONGEST_PAGE)),
        facets_by_index: count
            .is_some()
            .then(|| HashMap::from([(index.uid.clone(), vec!["categories".to_owned()])])),
        merge_facets: count,
        show_performance_details: None,
    });
    let answer = server.ask(|| search.execute::<Hit>()).await;
    let answer = answer.map_err(Error::unavailable)?;
    let categories = answer.facet_distribution.unwrap_or_default();
    let categories = categories.into_values().flatten();
    Ok(Found {
        total: whole(answer.estimated_total_hits),
        ids: answer.hits.into_iter().map(|hit| hit.result.id).collect(),
        categories: categories
            .map(|(code, count)| (code, whole(count)))
            .collect(),
        took: std::time::Duration::from_millis(whole(answer.processing_time_ms)),
    })
}

fn whole(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// No text: one query that matches all.
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

/// The ways to read a text: all of its words whole, the last one unfinished, and words written without spaces taken
/// apart. A space at the end tells the server that the last word is whole.
fn readings(asked: &Asked) -> Vec<Reading> {
    let typed = text(asked);
    let mut ways = vec![Vec::new()];
    for word in &asked.words {
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

/// The text read with typing errors, if any of its words may have some.
fn misspelt(asked: &Asked) -> Option<Reading> {
    asked.has_typos().then(|| Reading {
        text: format!("{} ", text(asked)),
        worth: worth::WITH_TYPOS,
        attributes: everywhere(),
    })
}

fn text(asked: &Asked) -> String {
    let words: Vec<String> = asked.words.iter().map(|word| keys(&word.jamo)).collect();
    words.join(" ")
}

/// What everything found must be.
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
        one_of("type", query.types.iter().cloned()),
        one_of("sellerId", sellers),
        price(">=", query.price.from),
        price("<=", query.price.to),
    ]
    .into_iter()
    .flatten()
    .collect::<Vec<_>>()
    .join(" AND ")
}

/// A filter by some values, if there are any. A value with a quote or a backslash is nobody's code and cannot be said
/// safely: it is left out, and a list of none matches nothing.
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

/// The order asked for, if it is not that of the best match.
fn sort(query: &Query) -> Option<[&'static str; 2]> {
    let by = match query.sort {
        Sort::Relevance if query.typed().is_some() => return None,
        Sort::Relevance | Sort::Latest => "createdAt:desc",
        Sort::Name => "nameKey:asc",
        Sort::PriceAsc => "salePrice:asc",
        Sort::PriceDesc => "salePrice:desc",
    };
    Some([by, "id:asc"])
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
        let asked = Asked::read("가나다라마바사아자차카타 가나다라마바사아자차카타");
        assert!(readings(&asked).len() <= MOST_READINGS + 2);
    }
}
