//! Ids of the rows of a list in a document.

use domain::record::Document;
use serde_json::{Value, json};
use uuid::Uuid;

/// The id of a row within its list.
pub(super) const ID: &str = "_id";

/// Gives ids to the rows of a list that have none.
pub fn assign_ids(list: &str, fields: &mut Document) {
    let rows = fields.get_mut(list).and_then(Value::as_array_mut);
    for row in rows.into_iter().flatten().filter_map(Value::as_object_mut) {
        if text(row, ID).is_none() {
            row.insert(ID.to_owned(), json!(Uuid::now_v7()));
        }
    }
}

/// Gives the rows of a list that were sent without ids those of the stored rows of the same name: forms and clients may not know them.
pub fn keep_ids(list: &str, before: &Document, fields: &mut Document) {
    let known = before.get(list).and_then(Value::as_array);
    let rows = fields.get_mut(list).and_then(Value::as_array_mut);
    let (Some(known), Some(rows)) = (known, rows) else {
        return;
    };
    let of = |row: &Value, field: &str| row.as_object().and_then(|row| text(row, field));
    let mut taken: Vec<String> = rows.iter().filter_map(|row| of(row, ID)).collect();
    for row in rows {
        if of(row, ID).is_some() {
            continue;
        }
        let name = of(row, "name");
        let same = known.iter().filter(|one| of(one, "name") == name);
        let mut ids = same.filter_map(|one| of(one, ID));
        if let (Some(id), Some(row)) = (ids.find(|id| !taken.contains(id)), row.as_object_mut()) {
            row.insert(ID.to_owned(), json!(id));
            taken.push(id);
        }
    }
}

/// A text that is not empty.
pub(super) fn text(row: &Document, field: &str) -> Option<String> {
    let text = row.get(field)?.as_str()?;
    (!text.is_empty()).then(|| text.to_owned())
}
