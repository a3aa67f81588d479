//! The table columns of a kind of record.

use super::schema::{EVERYWHERE, Field, ResourceSchema};

/// The record's id; empty for a new record.
pub const ID: &str = "_id";
/// The version that the row was exported from.
pub const VERSION: &str = "version";

const ID_FIELD: Field = Field::text(ID, "번호(비우면 새로 등록)").read_only();
const VERSION_FIELD: Field = Field::integer(VERSION, "버전").read_only();

/// The columns of a kind: its id, its fields, its version, its times.
pub fn columns(said: &ResourceSchema) -> Vec<Field> {
    [ID_FIELD]
        .iter()
        .chain(said.fields)
        .chain([VERSION_FIELD].iter())
        .chain(EVERYWHERE)
        .copied()
        .collect()
}
