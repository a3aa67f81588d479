//! What people send about a record.

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

/// The fields of a record, as a form sends them; fields the record does not have are left out.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct Draft(pub Document);

impl Validate for Draft {
    /// The rules are the record's own.
    fn check(&self, _checks: &mut FormErrors) {}
}

/// How many pieces were counted.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub struct Count {
    /// The pile.
    #[serde(rename = "_stock")]
    pub stock: StockId,
    /// Pieces no order has taken; null, or a pile as a product shows it: nobody counted.
    #[serde(deserialize_with = "Option::deserialize")]
    pub quantity: Option<u32>,
    /// Pieces there were when the form was opened: if there are others by now, the count is refused and not the sale lost.
    pub available: Option<u32>,
}

impl Draft {
    /// The version the form started from.
    ///
    /// # Errors
    /// When it is missing or no number.
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

/// A seller's record is the seller's own, whatever the form says.
pub(super) fn belongs_to(rows: RowScope, fields: &mut Document) {
    if let RowScope::Seller(seller) = rows {
        fields.insert("_seller".to_owned(), json!(seller));
    }
}

impl AdminResource {
    /// A new record says of itself only what is for people to say: a seller's is the seller's own, whatever the form says.
    pub(super) fn begin(&self, rows: RowScope, fields: &mut Document) {
        fields.retain(|field, _| !self.is_said_by_shop(field));
        if let (RowScope::Seller(_), Some(changeable)) = (rows, (self.changeable)(rows)) {
            fields.retain(|field, _| changeable.contains(&field.as_str()));
        }
        belongs_to(rows, fields);
    }

    /// The fields as the document that is stored: its HTML cleaned where it is not what was `stored` before, its amounts whole
    /// numbers of the shop's rounding steps.
    ///
    /// # Errors
    /// `invalid_body`; `invalid` with every amount that is a part of a step.
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

    /// Whether the shop says what is in this field, and nobody else. A list that is only shown is of counts, which have their own
    /// rules.
    fn is_said_by_shop(&self, field: &str) -> bool {
        self.schema
            .field(field)
            .is_some_and(|field| field.read_only && field.holds != FieldType::List)
    }

    /// Passes if those with these rows may make all of these changes, by field. `before` is the whole document, with what one of
    /// an older build leaves unsaid.
    ///
    /// # Errors
    /// `invalid` with every field that is not theirs to change.
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
