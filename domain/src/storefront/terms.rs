//! Terms people consent to: joining, buying, marketing messages.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::PAGE_MOST;
use crate::record::{Resource, UniqueCode};
use crate::resource_names;
use crate::validation::FieldError;
use crate::validation::RecordErrors;

/// A terms record (kind `terms`): one edition of one text. The newest edition that has started is in force; code and edition
/// together are unique.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Terms {
    /// Code of the text: `service`, `privacy`, `marketing`; orders use `purchase` and `privacy-third`.
    pub code: String,
    /// Its headline.
    pub name: String,
    /// The text, as HTML.
    pub content: String,
    /// Whether the shop marks it as required; what a form requires is [`crate::forms::RequiredTerms`].
    #[serde(default)]
    pub required: bool,
    /// Edition, from 1: consents refer to it (`version` is the record's own).
    pub edition: u32,
    /// Time from which it is in force.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    pub starts_at: OffsetDateTime,
}

impl Terms {
    /// The edition of a text in force at a moment.
    pub fn in_force<'a>(
        editions: impl IntoIterator<Item = &'a Self>,
        code: &str,
        now: OffsetDateTime,
    ) -> Option<&'a Self> {
        editions
            .into_iter()
            .filter(|terms| terms.code == code && terms.starts_at <= now)
            .max_by_key(|terms| (terms.starts_at, terms.edition))
    }
}

/// Consent to terms, given by joining or buying.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgreedTerm {
    /// Code of the terms.
    pub code: String,
    /// Edition of the terms; 0 if no edition was in force.
    pub version: u64,
}

impl Resource for Terms {
    resource_names!("terms", "Terms", "약관");
    const UNIQUE: Option<UniqueCode> = Some(UniqueCode {
        scope: "terms-edition",
        fields: &["code", "edition"],
        taken: "이 약관에는 이미 같은 차수가 있습니다.",
    });
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.code("code", &data.code);
        errors.title("name", &data.name, "약관명을 두 글자 이상 입력해 주세요.");
        errors.present("content", &data.content, "약관 내용을 입력해 주세요.");
        errors.at_most("content", &data.content, PAGE_MOST);
        errors.require(
            data.edition >= 1,
            "edition",
            "too_small",
            "약관 차수를 1 이상 입력해 주세요.",
        );
        errors.between(("startsAt", Some(data.starts_at)), ("startsAt", None));
        errors.finish()
    }
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    fn edition(code: &str, edition: u32, starts_at: OffsetDateTime) -> Terms {
        Terms {
            code: code.to_owned(),
            name: "이용약관".to_owned(),
            content: "제1조".to_owned(),
            required: true,
            edition,
            starts_at,
        }
    }

    #[test]
    fn the_newest_edition_that_has_begun_is_in_force() {
        let editions = [
            edition("service", 1, datetime!(2026-01-01 00:00 +9)),
            edition("service", 2, datetime!(2026-03-01 00:00 +9)),
            edition("privacy", 9, datetime!(2026-01-01 00:00 +9)),
        ];
        let at = |moment| Terms::in_force(&editions, "service", moment).map(|terms| terms.edition);
        assert_eq!(at(datetime!(2025-12-31 23:59 +9)), None);
        assert_eq!(at(datetime!(2026-02-28 23:59 +9)), Some(1));
        assert_eq!(at(datetime!(2026-03-01 00:00 +9)), Some(2));
    }
}
