//! Settings of an index on the server, and the stored form of documents.
//!
//! The tokens come from [`crate::korean`], so that both engines find the same products. Each jamo is sent as one letter of the phonetic
//! alphabet ([`keys`]): a server with a Korean dictionary would split Hangul again in its own way.

use std::collections::HashMap;

use meilisearch_sdk::settings::{
    FacetingSettings, MinWordSizeForTypos, PaginationSetting, Settings, TypoToleranceSettings,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::index_op::IndexOp;
use crate::korean::{self, IndexTokens};
use crate::{ProductDocument, Removal};

/// The version of the stored form. Raise it when settings, fields or tokens change: an index of another format is set up again and fed from
/// the beginning.
pub const FORMAT: u32 = 3;
/// The id of the document that holds an index's format and position.
pub const MARK: &str = "mark";
/// Attributes searched as typed, most important first.
pub const AS_TYPED: [&str; 5] = ["nameWords", "words", "parts", "initials", "desc"];
/// Attributes searched with typing errors, too.
const WITH_TYPOS: [&str; 2] = ["looseWords", "looseParts"];
/// Maximum number of results that can be paged through.
pub const MOST_HITS: usize = 1_000_000;
/// Maximum number of brands or categories counted.
pub const MOST_CODES: usize = 10_000;
/// The longest token in letters; the server drops words of more than 250 bytes.
const LONGEST_TOKEN: usize = 100;
/// Number of bytes of a name used for sorting.
const SORTED_BYTES: usize = 200;

/// Format and position of an index. Written in the same task as the documents it describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// [`FORMAT`] of the program that wrote it.
    pub format: u32,
    /// Position in the log up to which everything is indexed.
    pub position: i64,
}

impl Mark {
    /// Converts it to a document.
    pub fn document(self) -> Value {
        json!({ "id": MARK, "mark": self })
    }
}

/// All attributes searched when errors are allowed.
pub fn everywhere() -> Vec<&'static str> {
    AS_TYPED.into_iter().chain(WITH_TYPOS).collect()
}

/// Settings of an index.
pub fn settings() -> Settings {
    Settings::new()
        .with_searchable_attributes(everywhere())
        .with_displayed_attributes(["id", "_position", "mark", "said"])
        .with_filterable_attributes([
            "shows",
            "categories",
            "brandCode",
            "groups",
            "type",
            "sellerId",
            "salePrice",
            "soldOutLast",
            "freeIn",
        ])
        .with_sortable_attributes(["id", "createdAt", "nameKey", "salePrice", "reviews"])
        // A requested order comes first; among equal matches, products in stock, best sellers and those with the shortest name come first.
        .with_ranking_rules([
            "sort",
            "words",
            "typo",
            "attributeRank",
            "soldOutLast:asc",
            "sells:desc",
            "nameLength:asc",
            "id:asc",
        ])
        .with_stop_words(Vec::<String>::new())
        .with_synonyms(synonyms())
        .with_distinct_attribute(None::<String>)
        .with_typo_tolerance(TypoToleranceSettings {
            enabled: Some(true),
            disable_on_attributes: Some(AS_TYPED.map(str::to_owned).into()),
            disable_on_words: Some(Vec::new()),
            min_word_size_for_typos: Some(MinWordSizeForTypos {
                one_typo: Some(6),
                two_typos: Some(10),
            }),
            disable_on_numbers: None,
        })
        .with_pagination(PaginationSetting {
            max_total_hits: MOST_HITS,
        })
        .with_faceting(FacetingSettings {
            max_values_per_facet: MOST_CODES,
            sort_facet_values_by: None,
        })
}

/// Synonyms, in both directions.
fn synonyms() -> HashMap<String, Vec<String>> {
    let mut synonyms: HashMap<String, Vec<String>> = HashMap::new();
    for group in korean::synonym_groups() {
        for word in group {
            let others = group.iter().filter(|other| *other != word);
            synonyms
                .entry(keys(&korean::jamo(word)))
                .or_default()
                .extend(others.map(|other| keys(&korean::jamo(other))));
        }
    }
    synonyms
}

/// A token as sent to the server: every single jamo becomes one letter of the phonetic alphabet, so that prefixes and typing errors are
/// preserved. Other characters are kept.
pub fn keys(jamo: &str) -> String {
    let letter = |c: char| {
        let jamo = u32::from(c).checked_sub(0x3131).filter(|at| *at <= 0x32);
        jamo.and_then(|at| char::from_u32(0x250 + at)).unwrap_or(c)
    };
    jamo.chars().take(LONGEST_TOKEN).map(letter).collect()
}

/// The stored document after a change.
pub fn document(change: &IndexOp) -> Value {
    match change {
        IndexOp::State(product) => self::product(product),
        IndexOp::Gone(removal) => self::removal(*removal),
    }
}

fn product(product: &ProductDocument) -> Value {
    let all = product.all_tokens();
    let IndexTokens { words, parts, .. } = product.desc_tokens();
    let name = korean::words(&product.name);
    let desc = [list(&words), list(&parts)].concat();
    let name: Vec<String> = name.iter().map(|word| keys(&korean::jamo(word))).collect();
    json!({
        "id": product.id,
        "_position": product.position,
        "shows": product.shows,
        "categories": product.categories,
        "brandCode": product.brand_code,
        "groups": product.groups,
        "type": product.kind,
        "sellerId": product.seller_id,
        "salePrice": product.sale_price,
        "createdAt": product.created_at,
        "freeIn": product.free_in,
        "reviews": product.reviews,
        "soldOutLast": u8::from(product.sold_out),
        "sells": product.sells,
        "said": product.names().collect::<Vec<_>>(),
        "nameLength": product.name.chars().count(),
        "nameKey": name_key(&product.name),
        "nameWords": name.join(" "),
        "words": list(&all.words),
        "parts": list(&all.parts),
        "initials": list(&all.initials),
        "desc": desc,
        "looseWords": letters_only(&all.words),
        "looseParts": letters_only(&all.parts),
    })
}

/// The document of a removed product: its id and position, so that an older state cannot restore it. Without `shows` no search finds it.
fn removal(Removal { id, position }: Removal) -> Value {
    json!({ "id": id, "_position": position })
}

/// A list, not a text: adjacent words of a text may match as one word, but these tokens are not adjacent.
fn list(tokens: &str) -> Vec<String> {
    tokens.split_whitespace().map(keys).collect()
}

/// The tokens without a digit: in a number or a model name another digit means another thing.
fn letters_only(tokens: &str) -> Vec<String> {
    let tokens = tokens.split_whitespace();
    tokens
        .filter(|token| !token.contains(char::is_numeric))
        .map(keys)
        .collect()
}

/// A name as digits that sort in code point order; the server would sort texts differently.
fn name_key(name: &str) -> String {
    let bytes = name.bytes().take(SORTED_BYTES);
    std::iter::once("n".to_owned())
        .chain(bytes.map(|byte| format!("{byte:02x}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_jamo_is_one_small_latin_letter_of_its_own() {
        let jamo: String = ('\u{3131}'..='\u{3163}').collect();
        let letters = keys(&jamo);
        let mut seen: Vec<char> = letters.chars().collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 51);
        assert!(
            seen.iter()
                .all(|c| ('\u{250}'..='\u{2af}').contains(c) && c.is_lowercase())
        );
        assert_eq!(keys("rtx4070"), "rtx4070");
    }

    #[test]
    fn name_keys_sort_as_code_points() {
        let names = ["", "B", "a", "가", "각", "갸", "Ａ", "😀"];
        let mut keys: Vec<String> = names.map(name_key).into();
        keys.sort();
        assert_eq!(keys, names.map(name_key));
    }
}
