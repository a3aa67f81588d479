//! What people send about a record.

use std::collections::BTreeMap;

use domain::forms::{FormErrors, Validate};
use domain::ids::{MemberId, StockId};
use domain::record::{Change, Document, whole_steps};
use domain::validation::FieldError;
use event_store::KeyRing;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::kinds::AdminResource;
use super::schema::FieldType;
use crate::app::AppState;
use crate::http::body::typed;
use crate::http::{AppError, AppResult, RowScope, StaffOrSeller};
use application::html::clean_fields;

/// The fields of a record, as a form sends them; fields the record does not have are left out.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct Draft(pub Document);

impl Validate for Draft {
    /// The rules are the record's own.
    fn check(&self, _checks: &mut FormErrors) {}
}

/// How many pieces somebody counted.
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

    /// A seller's record is the seller's own, whatever the form says.
    pub fn belongs_to(&mut self, rows: RowScope) {
        if let RowScope::Seller(seller) = rows {
            self.0.insert("_seller".to_owned(), json!(seller));
        }
    }
}

/// A new record says of itself only what is for people to say: a seller's is the seller's own, whatever the form says.
pub fn begun_by<R: AdminResource>(fields: &mut Document, rows: RowScope) {
    fields.retain(|field, _| !said_by_shop::<R>(field));
    if let RowScope::Seller(seller) = rows {
        if let Some(changeable) = R::changeable(rows) {
            fields.retain(|field, _| changeable.contains(&field.as_str()));
        }
        fields.insert("_seller".to_owned(), json!(seller));
    }
}

/// The fields as a record.
///
/// # Errors
/// `invalid_body` naming the field of another shape.
pub fn record_of<R: AdminResource>(fields: Document) -> AppResult<R> {
    typed(Value::Object(fields))
}

/// The fields as the record that is stored: its HTML cleaned where it is not what was `stored` before, its amounts whole numbers
/// of the shop's rounding steps.
///
/// # Errors
/// `invalid_body`; `invalid` with every amount that is a part of a step.
pub(crate) async fn acceptable<R: AdminResource>(
    app: &AppState,
    stored: Option<&Document>,
    mut fields: Document,
) -> AppResult<R> {
    let mut written = R::DESCRIPTION.html();
    written.retain(|path| {
        let whole = path.split('.').next().unwrap_or(path);
        stored.is_none_or(|stored| stored.get(whole) != fields.get(whole))
    });
    clean_fields(&mut fields, &written);
    let record: R = record_of(fields)?;
    let step = app.pricing_rules.step(&app.store).await?;
    whole_steps::<R>(&record, step).map_err(AppError::invalid)?;
    Ok(record)
}

/// Passes if this kind is for whoever asks.
///
/// # Errors
/// `access_denied`.
pub fn may_keep<R: AdminResource>(who: &StaffOrSeller) -> AppResult<()> {
    match who.rows {
        RowScope::Seller(_) if !R::FOR_SELLERS => Err(AppError::denied(&["console"])),
        _ => Ok(()),
    }
}

/// The rows of this kind that whoever asks may look at.
///
/// # Errors
/// `access_denied`.
pub fn may_see<R: AdminResource>(who: &StaffOrSeller) -> AppResult<RowScope> {
    match who.rows {
        RowScope::Seller(_) if R::READABLE_BY_SELLERS => Ok(RowScope::All),
        rows => may_keep::<R>(who).map(|()| rows),
    }
}

/// Whether the shop says what is in this field, and nobody else. A list that is only shown is of counts, which have their own rules.
fn said_by_shop<R: AdminResource>(field: &str) -> bool {
    R::DESCRIPTION
        .field(field)
        .is_some_and(|field| field.read_only && field.holds != FieldType::List)
}

/// Passes if whoever has these rows may make all of these changes, by field.
///
/// # Errors
/// `invalid` with every field that is not theirs to change.
pub fn may_change<R: AdminResource>(
    rows: RowScope,
    before: &R,
    changes: &BTreeMap<String, Change>,
) -> AppResult<()> {
    let may = |field: &str| match R::changeable(rows) {
        Some(changeable) => changeable.contains(&field),
        None => !said_by_shop::<R>(field),
    };
    // with what a document of an older build leaves unsaid
    let before = serde_json::to_value(before)?;
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

/// Passes if whoever has these rows may remove such a record, or bring one back.
///
/// # Errors
/// `access_denied`: what members wrote is for staff to remove, not for those it is about.
pub fn may_remove<R: AdminResource>(rows: RowScope) -> AppResult<()> {
    match rows {
        RowScope::Seller(_) if R::MEMBER_AUTHORED => Err(AppError::denied(&["console"])),
        _ => Ok(()),
    }
}

/// Passes if this record is within the rows of whoever asks.
///
/// # Errors
/// `not_found`.
pub fn reaches<R: AdminResource>(rows: RowScope, record: &R) -> AppResult<()> {
    match (rows, record.seller()) {
        (RowScope::All, _) => Ok(()),
        (RowScope::Seller(_), Some(seller)) => rows.reaches(seller),
        (RowScope::Seller(_), None) => Err(AppError::not_found()),
    }
}

/// The reservation of a record's code, if codes of its kind are unique.
///
/// # Errors
/// A record that is no JSON object.
pub fn reservation<R: AdminResource>(
    keys: &KeyRing,
    record: &R,
) -> AppResult<Option<(&'static str, [u8; 32])>> {
    let Some(unique) = R::UNIQUE else {
        return Ok(None);
    };
    let document: Document = serde_json::from_value(serde_json::to_value(record)?)?;
    let code = unique.of(&document);
    Ok(code.map(|code| (unique.scope, keys.lookup_hash(unique.scope, &code))))
}

/// Who asks, as a member.
pub fn asking(who: &StaffOrSeller) -> MemberId {
    who.session.user
}
