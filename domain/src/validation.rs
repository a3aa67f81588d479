//! Validation of records, with the Korean prompts (spec section 5). The only place with these texts.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::macros::datetime;
use utoipa::ToSchema;

use crate::money::Amount;

/// Dates are accepted up to the end of 2999-12-31 in Seoul (spec V151).
const LAST_MOMENT: OffsetDateTime = datetime!(2999-12-31 23:59:59.999999999 +9);

/// Maximum amount in a record, hundredths: a hundred lines of 999 pieces at this price stay far from overflowing an `i64`.
pub const AMOUNT_MOST: Amount = Amount::new(1_000_000_000_000);

/// An error of one field, shown by forms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldError {
    /// Path on the wire, e.g. `options.0.price`.
    pub field: String,
    /// Stable code, e.g. `too_short`.
    pub code: String,
    /// Korean prompt (spec V149).
    pub message: String,
}

impl FieldError {
    /// Creates a field error.
    pub fn new(field: impl Into<String>, code: &str, message: &str) -> Self {
        Self {
            field: field.into(),
            code: code.to_owned(),
            message: message.to_owned(),
        }
    }
}

/// The field errors of a document.
#[derive(Debug, Default)]
pub struct RecordErrors(Vec<FieldError>);

impl RecordErrors {
    /// Adds an error unless `holds`.
    pub fn require(&mut self, holds: bool, field: impl Into<String>, code: &str, message: &str) {
        if !holds {
            self.0.push(FieldError::new(field, code, message));
        }
    }

    /// Requires more than one character (spec V135).
    pub fn name(&mut self, field: impl Into<String>, text: &str, message: &str) {
        self.require(text.trim().chars().count() > 1, field, "too_short", message);
    }

    /// Requires text.
    pub fn present(&mut self, field: impl Into<String>, text: &str, message: &str) {
        self.require(!text.trim().is_empty(), field, "required", message);
    }

    /// Requires 0 to 100 (spec V150).
    pub fn percent(&mut self, field: impl Into<String>, percent: impl Into<i64>) {
        let percent = percent.into();
        self.require(
            (0..=100).contains(&percent),
            field,
            "percent_out_of_range",
            "0에서 100 사이의 값을 입력해 주세요.",
        );
    }

    /// Requires an amount, if given, of zero or more and below the maximum.
    pub fn amount(&mut self, field: impl Into<String>, amount: impl Into<Option<Amount>>) {
        let Some(amount) = amount.into() else {
            return;
        };
        let (code, message) = match amount.is_negative() {
            true => ("negative", "금액을 0 이상 입력해 주세요."),
            false => ("too_large", "금액을 100억 이하로 입력해 주세요."),
        };
        let fine = (Amount::ZERO..=AMOUNT_MOST).contains(&amount);
        self.require(fine, field, code, message);
    }

    /// Requires a period to end after its start, and before the year 3000 (spec V151).
    pub fn period(
        &mut self,
        field: &str,
        starts_at: Option<OffsetDateTime>,
        ends_at: Option<OffsetDateTime>,
    ) {
        self.between(
            (&format!("{field}.startsAt"), starts_at),
            (&format!("{field}.endsAt"), ends_at),
        );
    }

    /// The same for any two fields.
    pub fn between(
        &mut self,
        (start_field, start): (&str, Option<OffsetDateTime>),
        (end_field, end): (&str, Option<OffsetDateTime>),
    ) {
        for (field, moment) in [(start_field, start), (end_field, end)] {
            self.require(
                moment.is_none_or(|moment| moment <= LAST_MOMENT),
                field,
                "too_late",
                "날짜는 2999-12-31까지 입력할 수 있습니다.",
            );
        }
        if let (Some(start), Some(end)) = (start, end) {
            self.require(
                start < end,
                end_field,
                "out_of_order",
                "종료일은 시작일보다 뒤로 입력해 주세요.",
            );
        }
    }

    /// Requires unique values; reports duplicates at `{list}.{index}.{field}`.
    pub fn unique<T: Ord>(
        &mut self,
        list: &str,
        field: &str,
        keys: impl IntoIterator<Item = T>,
        message: &str,
    ) {
        let mut seen = BTreeSet::new();
        for (index, key) in keys.into_iter().enumerate() {
            self.require(
                seen.insert(key),
                format!("{list}.{index}.{field}"),
                "duplicate",
                message,
            );
        }
    }

    /// Finishes the validation.
    ///
    /// # Errors
    /// All field errors.
    pub fn finish(self) -> Result<(), Vec<FieldError>> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(self.0)
        }
    }
}
