//! Parses a shopper's query into terms any engine can search.

use super::{is_consonant, is_hangul, jamo, synonyms, words};

/// Maximum number of characters of a query. Longer ones are pasted by mistake or meant as an attack.
const LONGEST_QUERY: usize = 1_000;

/// Maximum number of words of a query that must all be found.
const MOST_WORDS: usize = 16;

/// Maximum length of a word, in syllables, that is tried as several words written without spaces.
const LONGEST_JOINED: usize = 12;

/// Maximum number of words searched for in one word written without spaces.
const MOST_JOINED: usize = 3;

/// Minimum length of each of them, in syllables.
const SHORTEST_JOINED: usize = 2;

/// Maximum length of a word, in jamo, that is searched with typos.
const LONGEST_WITH_TYPOS: usize = 24;

/// A parsed query: all of its words must be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedQuery {
    /// The words, without duplicates, in the order typed. Empty if the text has no letter or digit.
    pub words: Vec<QueryWord>,
}

/// One word of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryWord {
    /// The word in jamo.
    pub jamo: String,
    /// Whether it is the last one, which may be incomplete: any word that starts with it matches too.
    pub unfinished: bool,
    /// The consonants, if it consists of consonants only: they may be a prefix of a word's initials.
    pub initials: Option<String>,
    /// Other ways to write it.
    pub forms: Vec<Form>,
    /// Number of jamo that may be wrong, missing, superfluous or swapped (0, 1 or 2) when there are too few exact matches.
    pub typos: u8,
}

/// Another way to write a word: all of its pieces, in jamo, must be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A synonym (`엘지` is `lg`).
    Synonym(String),
    /// The word as several words written without spaces (`삼성냉장고`). Every piece comes with its synonyms.
    Joined(Vec<Vec<String>>),
}

impl ParsedQuery {
    /// Parses a query. Never fails; a text of punctuation only has no words and finds nothing.
    pub fn parse(text: &str) -> Self {
        let text: String = text.chars().take(LONGEST_QUERY).collect();
        let mut kept: Vec<String> = Vec::new();
        for word in words(&text) {
            if !kept.contains(&word) {
                kept.push(word);
            }
        }
        kept.truncate(MOST_WORDS);
        let last = kept.len().saturating_sub(1);
        let words = kept.iter().enumerate();
        Self {
            words: words
                .map(|(at, word)| QueryWord::parse(word, at == last))
                .collect(),
        }
    }

    /// Whether typos are allowed in any of the words.
    pub fn has_typos(&self) -> bool {
        self.words.iter().any(|word| word.typos > 0)
    }
}

impl QueryWord {
    fn parse(word: &str, unfinished: bool) -> Self {
        let jamo = jamo(word);
        let synonyms = synonyms::of(word)
            .into_iter()
            .map(|other| Form::Synonym(self::jamo(other)));
        let initials = jamo.chars().all(is_consonant).then(|| jamo.clone());
        // consonants alone are the initials of one word, or already span several words
        let joined = if initials.is_some() {
            Vec::new()
        } else {
            joined(word)
        };
        let joined = joined.into_iter().map(Form::Joined);
        Self {
            unfinished,
            typos: if initials.is_some() { 0 } else { typos(&jamo) },
            initials,
            forms: synonyms.chain(joined).collect(),
            jamo,
        }
    }
}

/// Number of jamo of a word that may be wrong. Short words have too many neighbours (`코트` and `노트` differ in one jamo), and in a number or
/// a model name (`rtx4070`) another digit means another thing.
pub(super) fn typos(jamo: &str) -> u8 {
    if jamo.contains(char::is_numeric) {
        return 0;
    }
    match jamo.chars().count() {
        0..=5 => 0,
        6..=9 => 1,
        10..=LONGEST_WITH_TYPOS => 2,
        _ => 0,
    }
}

/// The ways to split a Korean word into two or three words of at least two syllables each.
fn joined(word: &str) -> Vec<Vec<Vec<String>>> {
    let syllables: Vec<char> = word.chars().collect();
    if syllables.len() > LONGEST_JOINED || !syllables.iter().copied().all(is_hangul) {
        return Vec::new();
    }
    cuts(&syllables, MOST_JOINED)
        .into_iter()
        .filter(|pieces| pieces.len() > 1)
        .map(|pieces| pieces.iter().map(|piece| with_synonyms(piece)).collect())
        .collect()
}

/// A piece and its synonyms, in jamo.
fn with_synonyms(piece: &str) -> Vec<String> {
    let synonyms = synonyms::of(piece).into_iter();
    std::iter::once(piece).chain(synonyms).map(jamo).collect()
}

/// Every way to split `syllables` into one to `most` pieces that are long enough.
fn cuts(syllables: &[char], most: usize) -> Vec<Vec<String>> {
    let whole = (syllables.len() >= SHORTEST_JOINED).then(|| vec![String::from_iter(syllables)]);
    let mut ways = Vec::from_iter(whole);
    if most > 1 {
        for at in SHORTEST_JOINED..syllables.len() {
            let Some((first, rest)) = syllables.split_at_checked(at) else {
                continue;
            };
            for mut pieces in cuts(rest, most - 1) {
                pieces.insert(0, String::from_iter(first));
                ways.push(pieces);
            }
        }
    }
    ways
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn consonants_alone_are_initials() {
        let parsed = ParsedQuery::parse("ㄴㅈㄱ 냉ㅈ ㄳ");
        let initials: Vec<_> = parsed
            .words
            .iter()
            .map(|word| word.initials.as_deref())
            .collect();
        assert_eq!(initials, [Some("ㄴㅈㄱ"), None, Some("ㄱㅅ")]);
    }

    #[test]
    fn only_the_last_word_is_unfinished() {
        let parsed = ParsedQuery::parse("삼성 냉ㅈ");
        let unfinished: Vec<_> = parsed.words.iter().map(|word| word.unfinished).collect();
        assert_eq!(unfinished, [false, true]);
        assert_eq!(parsed.words[1].jamo, "ㄴㅐㅇㅈ");
    }

    #[test]
    fn typos_by_length_in_jamo() {
        for (word, typos) in [
            ("코트", 0),
            ("헬멧", 1),
            ("자전거", 1),
            ("전기자전거", 2),
            ("rtx4070", 0),
            ("ㅈㅈㄱㅈㅈㄱ", 0),
        ] {
            assert_eq!(ParsedQuery::parse(word).words[0].typos, typos, "{word}");
        }
    }

    #[test]
    fn words_written_without_spaces_are_cut_in_two_or_three() {
        let ways = cuts(&Vec::from_iter("로드자전거".chars()), MOST_JOINED);
        assert_eq!(
            ways,
            [
                vec!["로드자전거"],
                vec!["로드", "자전거"],
                vec!["로드자", "전거"]
            ]
        );
        let three = cuts(&Vec::from_iter("전동보드헬멧".chars()), MOST_JOINED);
        assert!(
            three.contains(&vec!["전동".into(), "보드".into(), "헬멧".into()]),
            "{three:?}"
        );
    }

    #[test]
    fn pieces_come_with_their_synonyms() {
        let parsed = ParsedQuery::parse("엘지냉장고");
        let wanted = Form::Joined(vec![vec![jamo("엘지"), "lg".into()], vec![jamo("냉장고")]]);
        assert!(
            parsed.words[0].forms.contains(&wanted),
            "{:?}",
            parsed.words[0].forms
        );
    }

    #[test]
    fn a_query_is_bounded() {
        assert!(ParsedQuery::parse("!?🚲 ,,,").words.is_empty());
        assert!(
            ParsedQuery::parse(&"가 나 다 라 ".repeat(10_000))
                .words
                .len()
                <= MOST_WORDS
        );
        assert!(
            ParsedQuery::parse(&"a b c d e f g h i j k l m n o p q r s t u v".repeat(9))
                .words
                .len()
                == MOST_WORDS
        );
        assert_eq!(ParsedQuery::parse("자전거 자전거 자전거").words.len(), 1);
    }
}
