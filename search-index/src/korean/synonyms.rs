//! Synonyms, stored as data in `synonyms.tsv`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::normalise;

/// The groups of `synonyms.tsv`, normalised. Meilisearch takes them as a setting; the embedded engine looks up each word's group with every
/// query.
pub fn groups() -> impl Iterator<Item = &'static [String]> {
    GROUPS.iter().map(Vec::as_slice)
}

/// The other words of every group that contains `word` (normalised).
pub fn of(word: &str) -> Vec<&'static str> {
    let groups = BY_WORD.get(word).into_iter().flatten();
    let others = groups.flat_map(|group| group.iter());
    others
        .map(String::as_str)
        .filter(|other| *other != word)
        .collect()
}

static GROUPS: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    include_str!("synonyms.tsv")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| line.split('\t').map(normalise).collect())
        .collect()
});

static BY_WORD: LazyLock<HashMap<&'static str, Vec<&'static [String]>>> = LazyLock::new(|| {
    let mut by_word: HashMap<_, Vec<_>> = HashMap::new();
    for group in groups() {
        for word in group {
            by_word.entry(word.as_str()).or_default().push(group);
        }
    }
    by_word
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::korean::words;

    #[test]
    fn a_group_works_in_every_direction() {
        assert_eq!(of("엘지"), ["lg"]);
        assert_eq!(of("lg"), ["엘지"]);
        assert_eq!(of("냉장고"), Vec::<&str>::new());
    }

    #[test]
    fn every_synonym_is_one_word_and_every_group_has_two() {
        for group in groups() {
            assert!(group.len() >= 2, "{group:?}");
            for word in group {
                assert_eq!(words(word), [word.as_str()], "{group:?}");
            }
        }
    }
}
