//! Parses an address search: words of an address, and optionally a building number.

/// Short forms of provinces that are not a prefix of their name.
const SHORT: [(&str, &str); 6] = [
    ("충북", "충청북도"),
    ("충남", "충청남도"),
    ("전북", "전라북도"),
    ("전남", "전라남도"),
    ("경북", "경상북도"),
    ("경남", "경상남도"),
];
/// Maximum number of words used; an address has no more.
const WORDS_MOST: usize = 8;

/// A parsed search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wording {
    /// Prefixes of words of the address.
    pub words: Vec<String>,
    /// A building number.
    pub number: Option<Number>,
    /// A postcode.
    pub postcode: Option<u32>,
}

/// A building number: `152`, `152-3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub main: u32,
    /// The second number; none matches any.
    pub second: Option<u32>,
}

impl Number {
    fn read(text: &str) -> Option<Self> {
        let number = |digits: &str| {
            let plain =
                (1..=5).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| digits.parse().ok()).flatten()
        };
        match text.split_once('-') {
            None => Some(Self {
                main: number(text)?,
                second: None,
            }),
            Some((main, second)) => Some(Self {
                main: number(main)?,
                second: Some(number(second)?),
            }),
        }
    }

    pub(super) fn fits(self, main: u32, second: u32) -> bool {
        self.main == main && self.second.is_none_or(|wanted| wanted == second)
    }
}

impl Wording {
    /// Five digits are a postcode; another number after a word is a building's.
    pub(super) fn of(text: &str) -> Self {
        let mut wording = Self::default();
        let separators = |letter: char| letter.is_whitespace() || matches!(letter, ',' | '(' | ')');
        let parts = text.split(separators).filter(|part| !part.is_empty());
        for part in parts.take(WORDS_MOST) {
            match Number::read(part) {
                Some(Number { main, second: None }) if part.len() == 5 => {
                    wording.postcode = Some(main);
                }
                Some(number) if !wording.words.is_empty() => wording.number = Some(number),
                _ => {
                    let long = SHORT.iter().find(|(short, _)| *short == part);
                    wording
                        .words
                        .push(long.map_or(part, |(_, long)| long).to_owned());
                }
            }
        }
        wording
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_numbers_and_postcodes_are_told_apart() {
        let wording = Wording::of("경남 진양호로225번길, 12-3 (평거동)");
        assert_eq!(wording.words, ["경상남도", "진양호로225번길", "평거동"]);
        assert_eq!(
            wording.number,
            Some(Number {
                main: 12,
                second: Some(3)
            })
        );
        assert_eq!(Wording::of("06236").postcode, Some(6236));
        assert_eq!(Wording::of("12").words, ["12"]);
        assert_eq!(Wording::of(" \u{3000}-- ").words, ["--"]);
        assert_eq!(Wording::of("테헤란로 999999").number, None);
    }
}
