//! Substring search in names by an ordinary index: every name is stored with its 1-grams and 2-grams.
//!
//! Works for Korean, where word boundaries are unclear, and needs no Postgres extension.

use std::collections::BTreeSet;

/// All lowercase 1-grams and 2-grams of the texts, for the column `pieces`.
pub(crate) fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut pieces = BTreeSet::new();
    for text in texts {
        let letters: Vec<char> = text.to_lowercase().chars().collect();
        pieces.extend(letters.iter().map(char::to_string));
        pieces.extend(
            letters
                .windows(2)
                .map(|pair| pair.iter().collect::<String>()),
        );
    }
    pieces.into_iter().collect()
}

/// The n-grams a name must have to contain `wanted`.
pub(crate) fn needed(wanted: &str) -> Vec<String> {
    let letters: Vec<char> = wanted.to_lowercase().chars().collect();
    if letters.len() < 2 {
        return letters.iter().map(char::to_string).collect();
    }
    letters
        .windows(2)
        .map(|pair| pair.iter().collect())
        .collect()
}

/// The `ILIKE` pattern for containing `wanted`, which may hold `%` and `_` itself.
pub(crate) fn pattern(wanted: &str) -> String {
    format!("%{}%", escaped(wanted))
}

/// `wanted` with the wildcards of `LIKE` escaped.
pub(crate) fn escaped(wanted: &str) -> String {
    wanted
        .replace('\\', "\\\\")
        .replace('%', "\\%")
        .replace('_', "\\_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_contains_a_text_has_the_pieces_it_needs() {
        let kept = of(["전기 자전거 E-100"]);
        for wanted in ["자전거", "기 자", "e-1", "거", "전기 자전거 E-100"] {
            assert!(
                needed(wanted).iter().all(|piece| kept.contains(piece)),
                "{wanted}"
            );
        }
        assert!(!needed("킥보드").iter().all(|piece| kept.contains(piece)));
    }

    #[test]
    fn signs_of_like_are_harmless() {
        assert_eq!(pattern("100%_"), "%100\\%\\_%");
    }
}
