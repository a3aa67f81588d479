//! Input about a record, as users send it.

use std::collections::BTreeMap;

use domain::forms::{FormErrors, Validate};
use domain::ids::StockId;
use domain::record::{Change, Document};
use domain::validation::FieldError;
use event_store::KeyRing;
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;

use super::AdminResource;
use super::schema::FieldType;
use crate::access::RowScope;
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::html::clean_fields;

/// The fields of a record from a form; unknown fields are ignored.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct Draft(pub Document);

impl Validate for Draft {
    /// The rules are the record's own.
    fn check(&self, _checks: &mut FormErrors) {}
}

/// A stock count.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub struct Count {
    /// The stock of the product or option.
    #[serde(rename = "_stock")]
    pub stock: StockId,
    /// Quantity not taken by orders; null, or a stock object as the product returned it, means that it was not counted.
    #[serde(deserialize_with = "Option::deserialize")]
    pub quantity: Option<u32>,
    /// Quantity available when the form was opened; if it has changed since, the count is rejected, so that sales in between are not lost.
    pub available: Option<u32>,
}

impl Draft {
    /// The version the form started from.
    ///
    /// # Errors
    /// It is missing or not a number.
    pub fn version(&mut self) -> AppResult<u64> {
        let version = self
            .0
            .remove("version")
            .and_then(|version| version.as_u64());
        version.ok_or_else(|| {
            AppError::invalid_field("version", "required", "수정하려는 버전을 보내 주세요.")
        })
    }
}

/// Assigns a seller's record to that seller, whatever the form contains.
pub(super) fn belongs_to(rows: RowScope, fields: &mut Document) {
    if let RowScope::Seller(seller) = rows {
        fields.insert("_seller".to_owned(), json!(seller));
    }
}

impl AdminResource {
    /// Removes from a new record the fields that users cannot set, and assigns a seller's record to that seller, whatever the form
    /// contains.
    pub(super) fn begin(&self, rows: RowScope, fields: &mut Document) {
        fields.retain(|field, _| !self.is_said_by_shop(field));
        if let (RowScope::Seller(_), Some(changeable)) = (rows, (self.changeable)(rows)) {
            fields.retain(|field, _| changeable.contains(&field.as_str()));
        }
        belongs_to(rows, fields);
    }

    /// The fields as the document to store: its HTML sanitised unless it is unchanged from `stored`, its amounts whole numbers of the
    /// shop's rounding steps.
    ///
    /// # Errors
    /// `invalid_body`; `invalid` with every amount that is not a whole number of steps.
    pub(super) async fn acceptable(
        &self,
        app: &App,
        stored: Option<&Document>,
        mut fields: Document,
    ) -> AppResult<Document> {
        let mut written = self.schema.html();
        written.retain(|path| {
            let whole = path.split('.').next().unwrap_or(path);
            stored.is_none_or(|stored| stored.get(whole) != fields.get(whole))
        });
        clean_fields(&mut fields, &written);
        let document = self.read(fields)?;
        let step = app.pricing_rules.step(&app.store).await?;
        self.record.whole_steps(document.clone(), step)?;
        Ok(document)
    }

    /// Whether only the shop sets this field. Read-only lists are of counts, which have their own rules.
    fn is_said_by_shop(&self, field: &str) -> bool {
        self.schema
            .field(field)
            .is_some_and(|field| field.read_only && field.holds != FieldType::List)
    }

    /// Checks that users with these rows may make all of these changes, by field. `before` is the whole document, including fields that
    /// documents of an older version lack.
    ///
    /// # Errors
    /// `invalid` with every field that they may not change.
    pub(super) fn may_change(
        &self,
        rows: RowScope,
        before: &Document,
        changes: &BTreeMap<String, Change>,
    ) -> AppResult<()> {
        let may = |field: &str| match (self.changeable)(rows) {
            Some(changeable) => changeable.contains(&field),
            None => !self.is_said_by_shop(field),
        };
        let others: Vec<FieldError> = changes
            .iter()
            .filter(|(field, change)| {
                !may(field) && before.get(*field).is_some_and(|known| *known != change.to)
            })
            .map(|(field, _)| FieldError::new(field, "read_only", "변경할 수 없는 항목입니다."))
            .collect();
        match others.is_empty() {
            true => Ok(()),
            false => Err(AppError::invalid(others)),
        }
    }

    /// The reservation of a record's code, if codes of its kind are unique.
    pub(super) fn reservation(
        &self,
        keys: &KeyRing,
        document: &Document,
    ) -> Option<(&'static str, [u8; 32])> {
        let unique = self.record.unique?;
        let code = unique.of(document)?;
        Some((unique.scope, keys.lookup_hash(unique.scope, &code)))
    }
}
