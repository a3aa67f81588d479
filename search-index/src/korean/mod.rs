//! Korean text analysis for search, without a dictionary: the tokens of a text, and the parsing of a query.
//!
//! Both engines use this module, so that they find the same products. It is pure.
//!
//! A word is indexed in three forms:
//! - as **jamo**, the single strokes a Korean keyboard types (`냉장고` is `ㄴㅐㅇㅈㅏㅇㄱㅗ`): an unfinished
//!   syllable (`냉ㅈ`, `냉자`) is then a plain prefix, and one wrong key is one edit;
//! - as **parts**, every run of two to four syllables, in jamo: `냉장고` is found inside `김치냉장고`;
//! - as **initials**, the first consonant of every syllable: `ㄴㅈㄱ` finds `냉장고`.

mod query_analysis;
mod suggest;
mod synonyms;

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

pub use query_analysis::{Form, ParsedQuery, QueryWord};
pub use suggest::{LOOKED_THROUGH, suggestions};
pub use synonyms::groups as synonym_groups;

/// Maximum number of syllables (or letters) of a word; the rest is cut off, in texts and in queries alike, so that a word still matches
/// itself.
pub const LONGEST_WORD: usize = 32;

/// The shortest part of a word that is indexed, in syllables.
const SHORTEST_PART: usize = 2;

/// The longest part of a word that is indexed, in syllables.
const LONGEST_PART: usize = 4;

/// Maximum number of initials from the start of one word across the following ones.
const LONGEST_INITIALS: usize = 16;

/// Tokens of a product's texts for an engine: three strings, each with its tokens separated by a space.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexTokens {
    /// Every word, in jamo.
    pub words: String,
    /// Every part of two to four syllables of every Korean word, in jamo.
    pub parts: String,
    /// The first consonants of every Korean word, from each of its syllables on.
    pub initials: String,
}

impl IndexTokens {
    /// The tokens of `texts`, without duplicates.
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut tokens = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for text in texts {
            let words = words(text);
            tokens.0.extend(words.iter().map(|word| jamo(word)));
            tokens.1.extend(words.iter().flat_map(|word| parts(word)));
            tokens.2.extend(initials(&words));
        }
        let line = |tokens: BTreeSet<String>| Vec::from_iter(tokens).join(" ");
        Self {
            words: line(tokens.0),
            parts: line(tokens.1),
            initials: line(tokens.2),
        }
    }
}

/// Unifies the forms in which a text can be stored: composed (NFC), lower case, full-width, half-width and squared letters as plain ones,
/// Latin accents dropped. Single consonants and vowels (`ㄴㅈㄱ`) are kept as typed.
pub fn normalise(text: &str) -> String {
    let is_accent = |c: &char| ('\u{300}'..='\u{36f}').contains(c);
    text.chars()
        .flat_map(char::to_lowercase)
        .flat_map(plain)
        .filter(|c| !is_accent(c))
        .flat_map(char::to_lowercase)
        .nfc()
        .collect()
}

/// A character without its width, square or accent. The general compatibility form would combine single consonants and vowels into
/// syllables, so those are left alone.
fn plain(c: char) -> impl Iterator<Item = char> {
    let kept = is_single_jamo(c).then_some(c);
    let changed = kept.is_none().then(|| std::iter::once(c).nfkd());
    kept.into_iter().chain(changed.into_iter().flatten())
}

/// The words of a text, normalised and in order. A word ends at anything that is neither letter nor digit, and at a change between Korean
/// and another script: `LG전자` is `lg` and `전자`.
pub fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = None;
    for c in normalise(text).chars() {
        let script = c.is_alphanumeric().then(|| is_hangul(c));
        match (script, words.last_mut()) {
            (None, _) => {}
            (Some(_), Some(word)) if script == last => word.push(c),
            (Some(_), _) => words.push(c.into()),
        }
        last = script;
    }
    for word in &mut words {
        if let Some((end, _)) = word.char_indices().nth(LONGEST_WORD) {
            word.truncate(end);
        }
    }
    words
}

/// A normalised word as the keys that type it: compatibility jamo, with double final consonants split in two (`값` is `ㄱㅏㅂㅅ`, so that it is
/// still a prefix of `갑시다`). Double vowels are not split, so that confusing two of them (`쇠`, `세`) is one error. Letters of other scripts
/// are kept.
pub fn jamo(word: &str) -> String {
    word.nfd().fold(String::new(), |mut keys, c| {
        match strokes(c) {
            Some(strokes) => keys.push_str(strokes),
            None => keys.push(c),
        }
        keys
    })
}

/// The parts of a normalised word: every run of two to four syllables, in jamo. Only Korean words have parts; a part of a Latin word or of
/// a number is meaningless.
pub fn parts(word: &str) -> Vec<String> {
    let syllables: Vec<char> = word.chars().collect();
    if !word.chars().all(is_hangul) {
        return Vec::new();
    }
    (SHORTEST_PART..=LONGEST_PART)
        .flat_map(|length| syllables.windows(length))
        .map(|part| jamo(&String::from_iter(part)))
        .collect()
}

/// The initials by which `words` are found: of each Korean word from each of its syllables on, and from the start of each word to the end
/// of the text (`로드 자전거` is `ㄹㄷ`, `ㅈㅈㄱ`, `ㅈㄱ` and `ㄹㄷㅈㅈㄱ`).
pub fn initials(words: &[String]) -> Vec<String> {
    let firsts: Vec<Vec<char>> = words
        .iter()
        .filter(|word| word.chars().all(is_hangul))
        .map(|word| word.chars().filter_map(first_consonant).collect())
        .collect();
    let within = firsts.iter().flat_map(|word| {
        let tails = (0..word.len()).filter_map(|start| word.get(start..));
        tails.filter(|tail| tail.len() >= SHORTEST_PART || tail.len() == word.len())
    });
    let through = (0..firsts.len()).filter_map(|start| firsts.get(start..));
    within
        .map(String::from_iter)
        .chain(through.map(|rest| rest.iter().flatten().take(LONGEST_INITIALS).collect()))
        .collect()
}

/// Whether `c` is written in Hangul: a syllable or a single jamo of either kind.
pub fn is_hangul(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}' | '\u{1100}'..='\u{11ff}') || is_single_jamo(c)
}

/// Whether `c` is a consonant or a vowel typed alone (a compatibility jamo).
fn is_single_jamo(c: char) -> bool {
    ('\u{3131}'..='\u{3163}').contains(&c)
}

/// Whether `c` is a consonant typed alone.
fn is_consonant(c: char) -> bool {
    ('\u{3131}'..='\u{314e}').contains(&c)
}

/// The first consonant of a syllable; of a single consonant, itself.
fn first_consonant(syllable: char) -> Option<char> {
    let first = std::iter::once(syllable).nfd().next()?;
    strokes(first)?.chars().next().filter(|c| is_consonant(*c))
}

/// The keys of one jamo, whether in a syllable (conjoining, as NFD yields them) or alone (compatibility).
fn strokes(c: char) -> Option<&'static str> {
    Some(match c {
        'ㄱ' | '\u{1100}' | '\u{11a8}' => "ㄱ",
        'ㄲ' | '\u{1101}' | '\u{11a9}' => "ㄲ",
        'ㄳ' | '\u{11aa}' => "ㄱㅅ",
        'ㄴ' | '\u{1102}' | '\u{11ab}' => "ㄴ",
        'ㄵ' | '\u{11ac}' => "ㄴㅈ",
        'ㄶ' | '\u{11ad}' => "ㄴㅎ",
        'ㄷ' | '\u{1103}' | '\u{11ae}' => "ㄷ",
        'ㄸ' | '\u{1104}' => "ㄸ",
        'ㄹ' | '\u{1105}' | '\u{11af}' => "ㄹ",
        'ㄺ' | '\u{11b0}' => "ㄹㄱ",
        'ㄻ' | '\u{11b1}' => "ㄹㅁ",
        'ㄼ' | '\u{11b2}' => "ㄹㅂ",
        'ㄽ' | '\u{11b3}' => "ㄹㅅ",
        'ㄾ' | '\u{11b4}' => "ㄹㅌ",
        'ㄿ' | '\u{11b5}' => "ㄹㅍ",
        'ㅀ' | '\u{11b6}' => "ㄹㅎ",
        'ㅁ' | '\u{1106}' | '\u{11b7}' => "ㅁ",
        'ㅂ' | '\u{1107}' | '\u{11b8}' => "ㅂ",
        'ㅃ' | '\u{1108}' => "ㅃ",
        'ㅄ' | '\u{11b9}' => "ㅂㅅ",
        'ㅅ' | '\u{1109}' | '\u{11ba}' => "ㅅ",
        'ㅆ' | '\u{110a}' | '\u{11bb}' => "ㅆ",
        'ㅇ' | '\u{110b}' | '\u{11bc}' => "ㅇ",
        'ㅈ' | '\u{110c}' | '\u{11bd}' => "ㅈ",
        'ㅉ' | '\u{110d}' => "ㅉ",
        'ㅊ' | '\u{110e}' | '\u{11be}' => "ㅊ",
        'ㅋ' | '\u{110f}' | '\u{11bf}' => "ㅋ",
        'ㅌ' | '\u{1110}' | '\u{11c0}' => "ㅌ",
        'ㅍ' | '\u{1111}' | '\u{11c1}' => "ㅍ",
        'ㅎ' | '\u{1112}' | '\u{11c2}' => "ㅎ",
        'ㅏ' | '\u{1161}' => "ㅏ",
        'ㅐ' | '\u{1162}' => "ㅐ",
        'ㅑ' | '\u{1163}' => "ㅑ",
        'ㅒ' | '\u{1164}' => "ㅒ",
        'ㅓ' | '\u{1165}' => "ㅓ",
        'ㅔ' | '\u{1166}' => "ㅔ",
        'ㅕ' | '\u{1167}' => "ㅕ",
        'ㅖ' | '\u{1168}' => "ㅖ",
        'ㅗ' | '\u{1169}' => "ㅗ",
        'ㅘ' | '\u{116a}' => "ㅘ",
        'ㅙ' | '\u{116b}' => "ㅙ",
        'ㅚ' | '\u{116c}' => "ㅚ",
        'ㅛ' | '\u{116d}' => "ㅛ",
        'ㅜ' | '\u{116e}' => "ㅜ",
        'ㅝ' | '\u{116f}' => "ㅝ",
        'ㅞ' | '\u{1170}' => "ㅞ",
        'ㅟ' | '\u{1171}' => "ㅟ",
        'ㅠ' | '\u{1172}' => "ㅠ",
        'ㅡ' | '\u{1173}' => "ㅡ",
        'ㅢ' | '\u{1174}' => "ㅢ",
        'ㅣ' | '\u{1175}' => "ㅣ",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_spelling_for_all_ways_to_store_a_text() {
        for (stored, plain) in [
            ("ＬＧ　냉장고", "lg 냉장고"),
            ("\u{1102}\u{1162}\u{11bc}", "냉"),
            ("ㄴㅈㄱ", "ㄴㅈㄱ"),
            ("10㎏", "10kg"),
            ("Café", "cafe"),
            ("ﾊﾝｶﾞ", "ハンガ"),
            ("ㅏㄱㅏ", "ㅏㄱㅏ"),
        ] {
            assert_eq!(normalise(stored), plain, "{stored}");
        }
    }

    #[test]
    fn words_end_at_punctuation_and_where_scripts_meet() {
        for (text, expected) in [
            ("LG전자 냉장고", vec!["lg", "전자", "냉장고"]),
            (
                "MTB-산악자전거(26인치)",
                vec!["mtb", "산악자전거", "26", "인치"],
            ),
            ("RTX4070", vec!["rtx4070"]),
            ("냉ㅈ", vec!["냉ㅈ"]),
            ("🚲!?", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn long_words_are_cut_at_a_whole_character() {
        let cut = words(&"가".repeat(100));
        assert_eq!(cut, vec!["가".repeat(LONGEST_WORD)]);
    }

    #[test]
    fn jamo_are_keystrokes() {
        for (word, keys) in [
            ("냉장고", "ㄴㅐㅇㅈㅏㅇㄱㅗ"),
            ("냉ㅈ", "ㄴㅐㅇㅈ"),
            ("값", "ㄱㅏㅂㅅ"),
            ("사과", "ㅅㅏㄱㅘ"),
            ("의", "ㅇㅢ"),
            ("ㄳ", "ㄱㅅ"),
            ("rtx4070", "rtx4070"),
        ] {
            assert_eq!(jamo(word), keys, "{word}");
        }
    }

    #[test]
    fn all_syllables_have_keys() {
        for c in '가'..='힣' {
            let keys = jamo(&c.to_string());
            assert!(keys.chars().all(is_single_jamo), "{c}: {keys}");
            assert!(first_consonant(c).is_some(), "{c}");
        }
    }

    #[test]
    fn parts_are_runs_of_two_to_four_syllables() {
        let expected = [
            "김치",
            "치냉",
            "냉장",
            "장고",
            "김치냉",
            "치냉장",
            "냉장고",
            "김치냉장",
            "치냉장고",
        ];
        assert_eq!(parts("김치냉장고"), expected.map(jamo));
        assert_eq!(parts("컵"), Vec::<String>::new());
        assert_eq!(parts("macbook"), Vec::<String>::new());
    }

    #[test]
    fn initials_start_at_every_syllable_and_run_through_words() {
        let found = initials(&words("로드 자전거 26"));
        for wanted in ["ㄹㄷ", "ㅈㅈㄱ", "ㅈㄱ", "ㄹㄷㅈㅈㄱ"] {
            assert!(
                found.iter().any(|tail| tail == wanted),
                "{wanted} in {found:?}"
            );
        }
        assert!(!found.iter().any(|tail| tail == "ㄷㅈㅈㄱ"), "{found:?}");
    }

    #[test]
    fn tokens_of_a_text_are_listed_once() {
        let indexed = IndexTokens::of(["자전거 자전거", "자전거"]);
        assert_eq!(indexed.words, jamo("자전거"));
        assert_eq!(indexed.initials, "ㅈㄱ ㅈㅈㄱ ㅈㅈㄱㅈㅈㄱ");
    }
}
