//! What a shopper may be about to type.

use std::collections::HashMap;

use super::{is_consonant, jamo, normalise, words};

/// The text with its last word finished, in the ways `texts` (names, keywords, brands of what was found) finish it: the
/// most frequent first, at most `most`. A text that is finished already is no suggestion.
pub fn suggestions<'a>(
    typed: &str,
    texts: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Vec<String> {
    let asked = words(typed);
    let Some((last, before)) = asked.split_last() else {
        return Vec::new();
    };
    let begun = jamo(last);
    let initials = begun.chars().all(is_consonant);
    let finishes = |word: &str| match initials {
        true => super::initials(&[word.to_owned()])
            .first()
            .is_some_and(|firsts| firsts.starts_with(&begun)),
        false => jamo(word).starts_with(&begun),
    };
    let mut counts: HashMap<String, usize> = HashMap::new();
    for text in texts {
        for word in words(text) {
            if word != *last && !before.contains(&word) && finishes(&word) {
                let count = counts.entry(word).or_default();
                *count = count.saturating_add(1);
            }
        }
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by(|(a, often), (b, seldom)| seldom.cmp(often).then_with(|| a.cmp(b)));
    let kept = normalise(typed.trim());
    let kept = kept.strip_suffix(last.as_str()).unwrap_or_default();
    let finished = counts.into_iter().take(most);
    finished.map(|(word, _)| format!("{kept}{word}")).collect()
}

#[cfg(test)]
mod tests {
    use super::suggestions;

    const NAMES: [&str; 4] = ["로드 자전거", "어린이 자전거", "자물쇠", "제주감귤 5kg"];

    #[test]
    fn the_last_word_is_finished() {
        for (typed, expected) in [
            ("자", vec!["자전거", "자물쇠"]),
            ("자ㅈ", vec!["자전거"]),
            ("로드 자전", vec!["로드 자전거"]),
            ("ㅈㅈ", vec!["자전거", "제주감귤"]),
            ("자전거", vec![]),
            ("!", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(suggestions(typed, NAMES, 5), expected, "{typed}");
        }
        assert_eq!(suggestions("자", NAMES, 1), ["자전거"]);
    }
}
