//! Translates a query to tantivy: what a product must match, and the score of each kind of match.

use std::ops::Bound;

use tantivy::Term;
use tantivy::query::{
    BooleanQuery, ConstScoreQuery, DisjunctionMaxQuery, FuzzyTermQuery, RangeQuery, TermQuery,
    TermSetQuery,
};
use tantivy::schema::{Field, IndexRecordOption};

use super::schema::Fields;
use crate::Query;
use crate::korean::{Form, ParsedQuery, QueryWord};

type Clause = Box<dyn tantivy::query::Query>;

/// Score of a word match. Of all the ways in which a word matches a product the best one counts, and the words add up. All scores are sums
/// of powers of two, so adding them is exact in any order.
mod worth {
    pub const NAME_WORD: f32 = 8.0;
    pub const WORD: f32 = 6.0;
    pub const SYNONYM: f32 = 5.0;
    pub const BEGINNING: f32 = 4.0;
    pub const PART: f32 = 3.0;
    pub const JOINED: f32 = 2.5;
    pub const PART_BEGINNING: f32 = 2.0;
    pub const INITIALS: f32 = 1.5;
    pub const INITIALS_BEGINNING: f32 = 1.0;
    pub const DESC: f32 = 0.75;
    pub const WORD_WITH_TYPOS: f32 = 0.5;
    pub const PART_WITH_TYPOS: f32 = 0.25;
}

/// Whether typos are allowed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Typos {
    /// No typos.
    No,
    /// Up to [`QueryWord::typos`].
    Yes,
}

/// All conditions on a product.
pub fn all(
    fields: Fields,
    query: &Query,
    parsed: Option<&ParsedQuery>,
    typos: Typos,
) -> BooleanQuery {
    let words = parsed.iter().flat_map(|parsed| &parsed.words);
    let words = words.map(|each| word(fields, each, typos));
    BooleanQuery::intersection(filters(fields, query).into_iter().chain(words).collect())
}

/// The filters. They do not affect the score.
fn filters(fields: Fields, query: &Query) -> Vec<Clause> {
    let any_of = |mut terms: Vec<Term>| match terms.len() {
        0 => None,
        // a set is checked for each product in a bitmap built for the query; a single term already has its posting list
        1 => terms.pop().map(|term| scored(has(term), 0.0)),
        _ => Some(scored(TermSetQuery::new(terms), 0.0)),
    };
    let text_in = |field: Field, values: &[String]| {
        let terms = values
            .iter()
            .map(|value| Term::from_field_text(field, value));
        any_of(terms.collect())
    };
    let sellers = query.sellers.iter();
    let sellers = sellers.map(|seller| Term::from_field_bytes(fields.seller, seller.as_bytes()));
    let left = Term::from_field_bool(fields.sold_out, false);
    let visible = [true]
        .into_iter()
        .chain(query.include_hidden.then_some(false));
    let visible = visible.map(|shows| Term::from_field_bool(fields.shows, shows));
    [
        any_of(visible.collect()),
        text_in(fields.categories, &query.categories),
        text_in(fields.brand, &query.brands),
        text_in(fields.groups, &query.groups),
        query.in_stock.then(|| scored(has(left), 0.0)),
        text_in(fields.free_in, &query.free_in),
        text_in(fields.kind, &query.types),
        any_of(sellers.collect()),
        prices(fields, query),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The filter by sale price, if there is one.
fn prices(fields: Fields, query: &Query) -> Option<Clause> {
    let range = query.price;
    let bound = |end: Option<domain::Amount>| {
        end.map_or(Bound::Unbounded, |end| {
            Bound::Included(Term::from_field_i64(fields.sale_price, end.hundredths()))
        })
    };
    (range.from.is_some() || range.to.is_some())
        .then(|| scored(RangeQuery::new(bound(range.from), bound(range.to)), 0.0))
}

/// A product must match a word in one of these ways.
fn word(fields: Fields, query_word: &QueryWord, typos: Typos) -> Clause {
    let jamo = query_word.jamo.as_str();
    let mut ways = vec![
        scored(exact(fields.name_words, jamo), worth::NAME_WORD),
        scored(exact(fields.words, jamo), worth::WORD),
        scored(exact(fields.parts, jamo), worth::PART),
        scored(exact(fields.desc, jamo), worth::DESC),
    ];
    if query_word.unfinished {
        ways.push(scored(beginning(fields.words, jamo), worth::BEGINNING));
        ways.push(scored(beginning(fields.parts, jamo), worth::PART_BEGINNING));
    }
    if let Some(initials) = &query_word.initials {
        ways.push(scored(exact(fields.initials, initials), worth::INITIALS));
        ways.push(scored(
            beginning(fields.initials, initials),
            worth::INITIALS_BEGINNING,
        ));
    }
    for form in &query_word.forms {
        ways.push(match form {
            Form::Synonym(other) => scored(
                piece(fields, std::slice::from_ref(other), false),
                worth::SYNONYM,
            ),
            Form::Joined(pieces) => {
                scored(joined(fields, pieces, query_word.unfinished), worth::JOINED)
            }
        });
    }
    if typos == Typos::Yes && query_word.typos > 0 {
        ways.push(scored(
            misspelt(fields.words, jamo, query_word.typos),
            worth::WORD_WITH_TYPOS,
        ));
        ways.push(scored(
            misspelt(fields.parts, jamo, query_word.typos),
            worth::PART_WITH_TYPOS,
        ));
    }
    Box::new(DisjunctionMaxQuery::new(ways))
}

/// All parts of a word written without spaces; the last one may be incomplete.
fn joined(fields: Fields, pieces: &[Vec<String>], unfinished: bool) -> BooleanQuery {
    let last = pieces.len().saturating_sub(1);
    let clauses = pieces.iter().enumerate();
    let clauses = clauses.map(|(at, piece)| self::piece(fields, piece, unfinished && at == last));
    BooleanQuery::intersection(clauses.map(boxed).collect())
}

/// One of `spellings`, as a word or inside one.
fn piece(fields: Fields, spellings: &[String], unfinished: bool) -> BooleanQuery {
    let mut ways: Vec<Clause> = Vec::new();
    for jamo in spellings {
        ways.push(Box::new(exact(fields.words, jamo)));
        ways.push(Box::new(exact(fields.parts, jamo)));
    }
    if let Some(typed) = spellings.first().filter(|_| unfinished) {
        ways.push(Box::new(beginning(fields.words, typed)));
        ways.push(Box::new(beginning(fields.parts, typed)));
    }
    BooleanQuery::union(ways)
}

fn exact(field: Field, token: &str) -> TermQuery {
    has(Term::from_field_text(field, token))
}

fn has(term: Term) -> TermQuery {
    TermQuery::new(term, IndexRecordOption::Basic)
}

fn beginning(field: Field, token: &str) -> FuzzyTermQuery {
    FuzzyTermQuery::new_prefix(Term::from_field_text(field, token), 0, true)
}

fn misspelt(field: Field, token: &str, typos: u8) -> FuzzyTermQuery {
    FuzzyTermQuery::new(Term::from_field_text(field, token), typos, true)
}

fn scored(query: impl tantivy::query::Query, worth: f32) -> Clause {
    Box::new(ConstScoreQuery::new(Box::new(query), worth))
}

fn boxed(query: impl tantivy::query::Query) -> Clause {
    Box::new(query)
}
