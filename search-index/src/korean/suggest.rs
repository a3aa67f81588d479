//! Suggestions for an incomplete query.

use std::collections::{BTreeSet, HashMap};

use super::query_analysis::typos;
use super::{is_consonant, jamo, normalise, words};

/// Number of best-matching products whose texts are searched for suggestions.
pub const LOOKED_THROUGH: usize = 200;

/// Maximum number of words of a text that are joined to match a word typed without spaces.
const MOST_TOGETHER: usize = 4;

/// The typed text with its last word completed as in the texts (names, keywords, brands) of the products it finds: completions of most
/// products first, at most `most`. Spaces are ignored: `로드자전` is completed to `로드 자전거`, `전동 킥보` to `전동킥보드`. A last word that is neither a
/// prefix of nor contained in any word counts as misspelt: similarly spelt words are suggested then. A complete text is not suggested.
pub fn suggestions(typed: &str, products: &[Vec<String>], most: usize) -> Vec<String> {
    let parsed = words(typed);
    let Some((last, before)) = parsed.split_last() else {
        return Vec::new();
    };
    let said: Vec<Vec<Vec<String>>> = products
        .iter()
        .map(|texts| texts.iter().map(|text| words(text)).collect())
        .collect();
    let kept = normalise(typed.trim());
    let kept = kept.strip_suffix(last.as_str()).unwrap_or_default();
    let typed = TypedText {
        kept,
        last,
        begun: jamo(last),
        before,
        together: jamo(&parsed.concat()),
    };
    let finished = most_said(&said, |text| typed.finished(text));
    let nothing_begins_so = finished.is_empty();
    let likely = match nothing_begins_so && !typed.is_said(&said) {
        true => most_said(&said, |text| typed.corrected(text)),
        false => finished,
    };
    likely.into_iter().take(most).collect()
}

/// The text to complete.
struct TypedText<'a> {
    /// Everything before the last word, with its spaces.
    kept: &'a str,
    last: &'a str,
    /// The last word in jamo.
    begun: String,
    /// The words before it.
    before: &'a [String],
    /// All words in jamo, without spaces.
    together: String,
}

impl TypedText<'_> {
    /// The completions of the typed text in a text.
    fn finished(&self, text: &[String]) -> Vec<String> {
        let word = text.iter().filter(|word| self.is_begun(word));
        let word = word.map(|word| format!("{}{word}", self.kept));
        word.chain(self.respaced(text)).collect()
    }

    /// Whether a word is not among those typed and completes the last one.
    fn is_begun(&self, word: &str) -> bool {
        key(word, &self.begun).starts_with(&self.begun)
            && word != self.last
            && !self.before.iter().any(|typed| typed == word)
    }

    /// The forms of the whole typed text, with different spaces, in a text.
    fn respaced(&self, text: &[String]) -> Vec<String> {
        let written = self.before.len() + 1;
        let runs = (0..text.len()).filter_map(|from| {
            let rest = text.get(from..)?;
            let mut so_far = String::new();
            for length in 1..=rest.len().min(MOST_TOGETHER) {
                so_far += &key(rest.get(length - 1)?, &self.together);
                if so_far.starts_with(&self.together) {
                    return rest.get(..length).filter(|_| length != written);
                }
                if so_far.is_empty() || !self.together.starts_with(&so_far) {
                    return None;
                }
            }
            None
        });
        runs.map(|run| run.join(" ")).collect()
    }

    /// The words of a text that are spelt similarly to the last one.
    fn corrected(&self, text: &[String]) -> Vec<String> {
        let most = usize::from(typos(&self.begun));
        let near = text
            .iter()
            .filter(|word| (1..=most).contains(&apart(&self.begun, &jamo(word))));
        near.map(|word| format!("{}{word}", self.kept)).collect()
    }

    /// Whether some text has the last word, alone or inside another.
    fn is_said(&self, said: &[Vec<Vec<String>>]) -> bool {
        let mut words = said.iter().flatten().flatten();
        words.any(|word| word.contains(self.last))
    }
}

/// A word as it was typed: its jamo, or its initials if only consonants were typed.
fn key(word: &str, typed: &str) -> String {
    match typed.chars().all(is_consonant) {
        true => super::initials(&[word.to_owned()])
            .into_iter()
            .next()
            .unwrap_or_default(),
        false => jamo(word),
    }
}

/// The results of `make` for the texts of all products, most frequent first.
fn most_said(said: &[Vec<Vec<String>>], make: impl Fn(&[String]) -> Vec<String>) -> Vec<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for texts in said {
        let own: BTreeSet<String> = texts.iter().flat_map(|text| make(text)).collect();
        for one in own {
            let count = counts.entry(one).or_default();
            *count = count.saturating_add(1);
        }
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by(|(a, often), (b, seldom)| seldom.cmp(often).then_with(|| a.cmp(b)));
    counts.into_iter().map(|(text, _)| text).collect()
}

/// Number of letters that are wrong, missing, superfluous or swapped between two words.
fn apart(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let at = |row: &[usize], place: usize| row.get(place).copied().unwrap_or(usize::MAX);
    let mut earlier = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    let mut previous = None;
    for (letters, c) in (1..).zip(one.chars()) {
        let mut row = vec![letters];
        for (place, d) in other.iter().enumerate() {
            let changed = at(&last, place).saturating_add(usize::from(c != *d));
            let more = at(&last, place + 1).saturating_add(1);
            let fewer = at(&row, place).saturating_add(1);
            let swap = place
                .checked_sub(1)
                .filter(|before| previous == Some(*d) && other.get(*before) == Some(&c));
            let swapped = swap.map_or(usize::MAX, |before| at(&earlier, before).saturating_add(1));
            row.push(changed.min(more).min(fewer).min(swapped));
        }
        earlier = std::mem::replace(&mut last, row);
        previous = Some(c);
    }
    at(&last, other.len())
}

#[cfg(test)]
mod tests {
    use super::{apart, suggestions};

    const NAMES: [&str; 5] = [
        "로드 자전거",
        "어린이 자전거",
        "자물쇠",
        "제주감귤 5kg",
        "전동킥보드",
    ];

    #[test]
    fn the_last_word_is_finished() {
        let products = NAMES.map(|name| vec![name.to_owned()]);
        for (typed, expected) in [
            ("자", vec!["자전거", "자물쇠"]),
            ("자ㅈ", vec!["자전거"]),
            ("로드 자전", vec!["로드 자전거"]),
            ("로드자전", vec!["로드 자전거"]),
            ("로드자전거", vec!["로드 자전거"]),
            ("전동 킥보", vec!["전동킥보드"]),
            ("ㅈㅈ", vec!["자전거", "제주감귤"]),
            ("ㄹㄷㅈ", vec!["로드 자전거"]),
            ("자전고", vec!["자전거"]),
            ("로드 자전고", vec!["로드 자전거"]),
            ("자전거", vec![]),
            ("로드 자전거", vec![]),
            ("유모차", vec![]),
            ("!", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(suggestions(typed, &products, 5), expected, "{typed}");
        }
        assert_eq!(suggestions("자", &products, 1), ["자전거"]);
    }

    #[test]
    fn a_product_counts_once_however_often_it_says_a_word() {
        let product = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let products: [Vec<String>; 3] = [
            product(&["자물쇠 자물쇠", "자물쇠", "자물쇠 세트"]),
            product(&["자전거"]),
            product(&["산악 자전거"]),
        ];
        assert_eq!(suggestions("자", &products, 5), ["자전거", "자물쇠"]);
    }

    #[test]
    fn words_are_as_far_apart_as_keys_went_wrong() {
        for (one, other, far) in [
            ("", "", 0),
            ("ㄱㄴ", "", 2),
            ("ㄱㄴㄷ", "ㄱㄴㄷ", 0),
            ("ㄱㄴㄷ", "ㄱㄷㄴ", 1),
            ("ㄱㄴㄷ", "ㄱㅁㄷ", 1),
            ("ㄱㄴㄷ", "ㄱㄴㄷㄹ", 1),
            ("ㄱㄴㄷ", "ㄹㅁㅂ", 3),
        ] {
            assert_eq!(apart(one, other), far, "{one} {other}");
            assert_eq!(apart(other, one), far, "{other} {one}");
        }
    }
}
