//! Search terms of visitors, without a position in the log. A term counts once for each visitor and day.

use domain::validation::FieldError;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use time::{Date, Duration, OffsetDateTime};
use utoipa::ToSchema;

use crate::error::ReadError;
use crate::page::typed;

/// Retention in days.
pub const KEPT_DAYS: i64 = 400;
/// Maximum length of a term, characters.
pub const LONGEST: usize = 50;
/// A term with this many digits may be a phone number.
const MOST_DIGITS: usize = 7;

/// Origin of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum TermKind {
    /// Typed into the search box.
    Search,
    /// A hashtag that was clicked.
    Tag,
}

impl TermKind {
    /// Parses its name, in any case.
    pub fn read(word: &str) -> Option<Self> {
        match word.to_ascii_uppercase().as_str() {
            "SEARCH" => Some(Self::Search),
            "TAG" => Some(Self::Tag),
            _ => None,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Search => "SEARCH",
            Self::Tag => "TAG",
        }
    }
}

/// A term that may be counted and shown to others: one line of at most [`LONGEST`] characters with a letter or digit, without a tag's `#`
/// and invisible characters; nothing that could be markup, an e-mail address or a phone number. None for any other term: emoji, "H&M", a
/// phone number. Such terms can be searched for, but are not ranked.
///
/// # Errors
/// The term is empty; for the field `value`.
pub fn term(text: &str) -> Result<Option<String>, FieldError> {
    let seen: String = text
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| !c.is_control() && !is_invisible(*c))
        .collect();
    let words: Vec<&str> = seen
        .split(' ')
        .map(|word| word.trim_start_matches('#'))
        .filter(|word| !word.is_empty())
        .collect();
    let term = words.join(" ").to_lowercase();
    if term.is_empty() {
        let message = "검색어를 입력해 주세요.";
        return Err(FieldError::new("value", "required", message));
    }
    let digits = term.chars().filter(|c| c.is_numeric()).count();
    let is_fit = term.chars().count() <= LONGEST
        && digits <= MOST_DIGITS
        && term.chars().any(char::is_alphanumeric)
        && !term.contains(['<', '>', '@', '&']);
    Ok(is_fit.then_some(term))
}

/// Direction marks, joiners and the like: they could make one term look like another, or reverse the text of a page.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// A term in a ranking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TermCount {
    /// The term.
    #[serde(rename = "_id")]
    pub term: String,
    /// Number of visitors who searched for it, counted once a day each.
    pub count: i64,
    /// Places gained since the previous period (negative: lost); missing: new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<i64>,
}

/// The salt of a day's visitor hashes; created on first use.
///
/// # Errors
/// [`ReadError`].
pub async fn salt(pool: &PgPool, day: Date, fresh: [u8; 32]) -> Result<Vec<u8>, ReadError> {
    let salt = sqlx::query_scalar(
        "INSERT INTO visitor_salts (day, salt) VALUES ($1, $2) \
         ON CONFLICT (day) DO UPDATE SET salt = visitor_salts.salt RETURNING salt",
    );
    Ok(salt
        .bind(day)
        .bind(fresh.as_slice())
        .fetch_one(pool)
        .await?)
}

/// Records that a visitor searched for a term.
///
/// # Errors
/// [`ReadError`].
pub async fn note(
    pool: &PgPool,
    kind: TermKind,
    term: &str,
    day: Date,
    visitor: &[u8],
    at: OffsetDateTime,
) -> Result<(), ReadError> {
    sqlx::query(
        "INSERT INTO term_facts (kind, day, term, visitor, at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
    )
    .bind(kind.word())
    .bind(day)
    .bind(term)
    .bind(visitor)
    .bind(at)
    .execute(pool)
    .await?;
    Ok(())
}

/// The most searched terms of a range of days, both ends included, with the change of their ranks since the preceding range of the same
/// length.
///
/// # Errors
/// [`ReadError`].
pub async fn ranking(
    pool: &PgPool,
    kind: TermKind,
    (from, to): (Date, Date),
    limit: i64,
) -> Result<Vec<TermCount>, ReadError> {
    let days = (to - from).whole_days().max(0) + 1;
    let before = from.saturating_sub(Duration::days(days));
    let yesterday = from.saturating_sub(Duration::days(1));
    typed(
        sqlx::query_scalar(
            "WITH place AS (SELECT day >= $2 AS now, term, count(*) AS count, \
                 row_number() OVER (PARTITION BY day >= $2 ORDER BY count(*) DESC, term COLLATE \"C\") AS place \
                 FROM term_facts WHERE kind = $1 AND (day BETWEEN $2 AND $3 OR day BETWEEN $4 AND $5) GROUP BY 1, 2) \
             SELECT jsonb_build_object('_id', n.term, 'count', n.count, 'diff', b.place - n.place) \
             FROM place n LEFT JOIN place b ON b.term = n.term AND NOT b.now \
             WHERE n.now ORDER BY n.place LIMIT $6",
        )
        .bind(kind.word())
        .bind(from)
        .bind(to)
        .bind(before)
        .bind(yesterday)
        .bind(limit)
        .fetch_all(pool)
        .await?,
    )
}

/// Deletes rows older than [`KEPT_DAYS`], and the salts of past days.
///
/// # Errors
/// [`ReadError`].
pub async fn forget_old(pool: &PgPool, today: Date) -> Result<u64, ReadError> {
    sqlx::query("DELETE FROM visitor_salts WHERE day < $1")
        .bind(today)
        .execute(pool)
        .await?;
    let gone = sqlx::query("DELETE FROM term_facts WHERE day < $1")
        .bind(today.saturating_sub(Duration::days(KEPT_DAYS)))
        .execute(pool)
        .await?;
    Ok(gone.rows_affected())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::term;

    #[test]
    fn a_term_is_one_clean_line() {
        for (text, expected) in [
            ("  자전거\t가방\n", Ok(Some("자전거 가방"))),
            ("#출퇴근", Ok(Some("출퇴근"))),
            ("LG 냉장고", Ok(Some("lg 냉장고"))),
            ("\u{202e}거전자", Ok(Some("거전자"))),
            ("자\u{0}전\u{200b}거", Ok(Some("자전거"))),
            ("BK-ROAD-01", Ok(Some("bk-road-01"))),
            ("자전거 🚲", Ok(Some("자전거 🚲"))),
            ("🚲", Ok(None)),
            ("👨\u{200d}👩\u{200d}👧 ❤\u{fe0f}", Ok(None)),
            ("H&M", Ok(None)),
            ("<script>alert(1)</script>", Ok(None)),
            ("me@example.com", Ok(None)),
            ("010-1234-5678", Ok(None)),
            ("!?", Ok(None)),
            ("", Err("required")),
            ("##", Err("required")),
            (" \u{200b}", Err("required")),
        ] {
            let term = term(text);
            let term = term.as_ref().map(Option::as_deref);
            let term = term.map_err(|error| error.code.as_str());
            assert_eq!(term, expected, "{text}");
        }
        assert!(term(&"가".repeat(51)).unwrap().is_none());
        assert!(term(&"가".repeat(50)).unwrap().is_some());
    }
}
