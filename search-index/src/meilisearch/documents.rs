//! What the server is told: how an index is set up, and a product as it keeps it.
//!
//! The words are ours ([`crate::korean`]), so that both engines find the same. Each jamo is sent as one letter of the
//! phonetic alphabet ([`keys`]): as Hangul, a server that has a Korean dictionary would cut it up again its own way.

use std::collections::HashMap;

use meilisearch_sdk::settings::{
    FacetingSettings, MinWordSizeForTypos, PaginationSetting, Settings, TypoToleranceSettings,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::index_op::IndexOp;
use crate::korean::{self, IndexTokens};
use crate::{ProductDocument, Removal};

/// The version of what is sent. Raise it when settings, fields or tokens change: an index of another format is set up
/// anew and fed again from the beginning.
pub const FORMAT: u32 = 3;
/// The id of the document in which an index says what it is.
pub const MARK: &str = "mark";
/// What is searched as typed, the most telling first.
pub const AS_TYPED: [&str; 5] = ["nameWords", "words", "parts", "initials", "desc"];
/// What is searched with typing errors too.
const WITH_TYPOS: [&str; 2] = ["looseWords", "looseParts"];
/// As far into the results as one may page.
pub const MOST_HITS: usize = 1_000_000;
/// As many brands or categories are counted.
pub const MOST_CODES: usize = 10_000;
/// The longest token in letters; the server drops words of more than 250 bytes.
const LONGEST_TOKEN: usize = 100;
/// As many bytes of a name decide where it is sorted.
const SORTED_BYTES: usize = 200;

/// What an index says about itself. It is written together with the documents it speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// [`FORMAT`] of the program that wrote it.
    pub format: u32,
    /// Everything up to this position of the log is in.
    pub position: i64,
}

impl Mark {
    /// As a document.
    pub fn document(self) -> Value {
        json!({ "id": MARK, "mark": self })
    }
}

/// All that is searched when errors are allowed.
pub fn everywhere() -> Vec<&'static str> {
    AS_TYPED.into_iter().chain(WITH_TYPOS).collect()
}

/// How an index is set up.
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
        // An order that was asked for comes before everything; of equal matches comes first what can be had, what sells
        // best, and what has the shortest name.
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

/// Words that mean the same, in both directions.
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

/// A token as the server reads it: every single jamo as a letter of the phonetic alphabet, one for one, so that
/// beginnings and typing errors stay what they are. All else stays.
pub fn keys(jamo: &str) -> String {
    let letter = |c: char| {
        let jamo = u32::from(c).checked_sub(0x3131).filter(|at| *at <= 0x32);
        jamo.and_then(|at| char::from_u32(0x250 + at)).unwrap_or(c)
    };
    jamo.chars().take(LONGEST_TOKEN).map(letter).collect()
}

/// What the server keeps after a change.
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

/// What stays of a removed product: its id and the position, so that an older state cannot come back. Without `shows`
/// no search finds it.
fn removal(Removal { id, position }: Removal) -> Value {
    json!({ "id": id, "_position": position })
}

/// A list, not a text: neighbours in a text may be found as one word, and these are no neighbours.
fn list(tokens: &str) -> Vec<String> {
    tokens.split_whitespace().map(keys).collect()
}

/// The tokens without a digit: in a number or a model name another digit is another thing.
fn letters_only(tokens: &str) -> Vec<String> {
    let tokens = tokens.split_whitespace();
    tokens
        .filter(|token| !token.contains(char::is_numeric))
        .map(keys)
        .collect()
}

/// A name in digits that sort as its code points do; the server would sort texts its own way.
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
