//! What an import did, or would do.

use domain::validation::FieldError;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::columns::ID;
use crate::error::{AppError, AppResult};

/// The action of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RowAction {
    /// It creates a record.
    Create,
    /// It changes a record.
    Update,
    /// It is invalid.
    Error,
}

/// Outcome of a row, or of its preview. Rows that change nothing are only counted.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RowOutcome {
    /// Row number in the sheet, from 1.
    pub row: usize,
    /// Name of the sheet, if not the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
    /// The action.
    pub action: RowAction,
    /// The record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The record's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The changes of a preview: by field, the text before and after.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub changes: Option<Value>,
    /// The errors.
    pub errors: Vec<FieldError>,
}

/// Number of rows by action.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct ImportSummary {
    /// All rows.
    pub rows: usize,
    /// Records created.
    pub creates: usize,
    /// Records changed.
    pub updates: usize,
    /// Unchanged rows.
    pub unchanged: usize,
    /// Invalid rows.
    pub errors: usize,
}

/// Outcome of importing a batch of a table.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct ImportReport {
    /// Id of the table, to request its other batches; valid for a day.
    pub table: Uuid,
    /// Rows of the whole table.
    pub total: usize,
    /// The row of the file after which the next batch starts; none after the last batch.
    pub next: Option<usize>,
    /// Counts of this batch.
    pub summary: ImportSummary,
    /// Outcomes by row.
    pub rows: Vec<RowOutcome>,
}

/// Records a rejection as an error of the row; failures are returned.
pub(super) fn wrong(outcome: &mut RowOutcome, error: &AppError) -> AppResult<()> {
    if error.is_failure() {
        return Err(error.clone());
    }
    outcome.action = RowAction::Error;
    outcome.errors = error.fields().to_vec();
    if outcome.errors.is_empty() {
        outcome
            .errors
            .push(FieldError::new(ID, error.code().as_str(), error.message()));
    }
    Ok(())
}
