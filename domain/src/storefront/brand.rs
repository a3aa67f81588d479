//! Brands: manufacturers of products, referred to by code.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{LINE_MOST, NAME_MOST};
use crate::record::{Resource, UniqueCode};
use crate::resource_names;
use crate::validation::FieldError;
use crate::validation::RecordErrors;

/// Maximum number of categories of a brand.
const CATEGORIES_MOST: usize = 50;
/// Range of Unicode's composed Korean syllables.
const SYLLABLES: std::ops::RangeInclusive<u32> = 0xAC00..=0xD7A3;
/// Number of composed syllables per initial consonant.
const SYLLABLES_PER_CONSONANT: u32 = 588;
/// Initial consonants of syllables, doubled ones as the single one they are sorted under.
const CONSONANTS: [char; 19] = [
    'ㄱ', 'ㄱ', 'ㄴ', 'ㄷ', 'ㄷ', 'ㄹ', 'ㅁ', 'ㅂ', 'ㅂ', 'ㅅ', 'ㅅ', 'ㅇ', 'ㅈ', 'ㅈ', 'ㅊ', 'ㅋ',
    'ㅌ', 'ㅍ', 'ㅎ',
];

/// A brand's logo.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Label {
    /// Address of the picture; empty for none, then the name is displayed.
    pub url: String,
}

/// A brand record (kind `brand`). Its code is unique; `brand` of a product and `brands` of a category are such codes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Brand {
    /// Its code.
    pub code: String,
    /// Its name.
    pub name: String,
    /// Its name in Latin letters.
    #[serde(default)]
    pub name_en: Option<String>,
    /// The letter it is sorted under; none for the initial of its name ([`initial_of`]).
    #[serde(default)]
    pub initial: Option<char>,
    /// Its logo.
    #[serde(default)]
    pub label: Label,
    /// Short description.
    #[serde(default)]
    pub desc: String,
    /// Codes of the categories it is listed in.
    #[serde(default)]
    pub categories: Vec<String>,
    /// Sort index, higher first.
    #[serde(default)]
    pub index: i32,
    /// Whether shoppers see it.
    #[serde(default)]
    pub shows: bool,
}

impl Brand {
    /// The letter it is sorted under.
    pub fn filed_under(&self) -> Option<char> {
        self.initial.or_else(|| initial_of(&self.name))
    }
}

/// The letter a name is sorted under: the initial consonant of a Korean syllable (`삼천리` ㅅ), a capital Latin letter, `0` for any
/// digit.
pub fn initial_of(name: &str) -> Option<char> {
    let first = name.trim().chars().next()?;
    if first.is_ascii_digit() {
        return Some('0');
    }
    let code = u32::from(first);
    if !SYLLABLES.contains(&code) {
        return first.to_uppercase().next();
    }
    let place = code
        .checked_sub(*SYLLABLES.start())?
        .checked_div(SYLLABLES_PER_CONSONANT)?;
    CONSONANTS.get(usize::try_from(place).ok()?).copied()
}

impl Resource for Brand {
    resource_names!("brand", "Brand", "브랜드");
    const UNIQUE: Option<UniqueCode> = Some(UniqueCode {
        scope: "brand-code",
        fields: &["code"],
        taken: "이미 사용 중인 코드입니다.",
    });
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.code("code", &data.code);
        errors.title("name", &data.name, "브랜드명을 두 글자 이상 입력해 주세요.");
        errors.at_most(
            "nameEn",
            data.name_en.as_deref().unwrap_or_default(),
            NAME_MOST,
        );
        errors.require(
            data.initial.is_none_or(char::is_alphanumeric),
            "initial",
            "not_a_letter",
            "초성 또는 영문자 한 글자를 입력해 주세요.",
        );
        errors.at_most("desc", &data.desc, LINE_MOST);
        errors.no_more_than("categories", data.categories.len(), CATEGORIES_MOST);
        errors.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_filed_under_the_letter_they_begin_with() {
        for (name, letter) in [
            ("삼천리", Some('ㅅ')),
            ("씨앗", Some('ㅅ')),
            ("가나", Some('ㄱ')),
            ("힣", Some('ㅎ')),
            (" alton", Some('A')),
            ("3T", Some('0')),
            ("ㅋㅋ", Some('ㅋ')),
            ("  ", None),
        ] {
            assert_eq!(initial_of(name), letter, "{name}");
        }
    }
}
