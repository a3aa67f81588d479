//! The read models at an earlier position: built in a schema of their own that is rolled back with the transaction.

use std::collections::HashSet;
use std::sync::Arc;

use event_store::{Projection, StoredEvent};
use sqlx::{Connection, Executor, PgConnection};

use super::VerifyError;
use super::compare::Checker;
use super::decoded_log::DecodedEvent;

/// Name of the shadow schema, visible to this transaction only.
const SCHEMA: &str = "verify_shadow";

/// Read models being built.
pub(super) struct Shadow {
    models: Vec<Arc<dyn Projection>>,
    /// Models that failed to apply an event.
    pub failed: HashSet<&'static str>,
}

impl Shadow {
    /// Creates the tables and views of the requested models, and puts their schema first in the search path.
    pub async fn make(
        connection: &mut PgConnection,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Self, VerifyError> {
        let mut models = crate::all();
        models.retain(|model| wanted(model.name()));
        connection
            .execute(
                format!("CREATE SCHEMA {SCHEMA}; SET LOCAL search_path = {SCHEMA}, public")
                    .as_str(),
            )
            .await?;
        for model in &models {
            connection.execute(model.create_sql()).await?;
        }
        let tables: Vec<String> = sqlx::query_scalar(
            "SELECT tablename::text FROM pg_tables WHERE schemaname = $1 ORDER BY tablename",
        )
        .bind(SCHEMA)
        .fetch_all(&mut *connection)
        .await?;
        for table in tables {
            let view = format!(
                "CREATE VIEW \"{}\" AS SELECT * FROM \"{table}\"",
                view(&table)
            );
            connection.execute(view.as_str()).await?;
        }
        Ok(Self {
            models,
            failed: HashSet::new(),
        })
    }

    /// Applies a page of the log to all models. A failing model adds a difference; the others go on.
    pub async fn apply(
        &mut self,
        connection: &mut PgConnection,
        page: &[DecodedEvent],
        checker: &mut Checker,
    ) -> Result<(), VerifyError> {
        for model in &self.models {
            let kinds = model.kinds();
            let batch: Vec<StoredEvent> = page
                .iter()
                .map(|told| &told.recorded)
                .filter(|one| kinds.is_empty() || kinds.contains(&one.stream.kind.as_str()))
                .cloned()
                .collect();
            let (Some(first), Some(last)) = (batch.first(), batch.last()) else {
                continue;
            };
            let mut savepoint = connection.begin().await?;
            match model.apply(&mut savepoint, &batch).await {
                Ok(()) => savepoint.commit().await?,
                Err(error) => {
                    let places = format!("events from {} to {}", first.position, last.position);
                    checker.differs(
                        model.name(),
                        places,
                        "taken".into(),
                        error.to_string().into(),
                    );
                    self.failed.insert(model.name());
                    savepoint.rollback().await?;
                }
            }
        }
        Ok(())
    }
}

/// The table `p_orders_v1_purchases` is read through the view `orders_purchases`.
fn view(table: &str) -> String {
    let name = table.strip_prefix("p_").unwrap_or(table);
    let mut parts = Vec::new();
    let mut versioned = false;
    for part in name.split('_') {
        let version = part
            .strip_prefix('v')
            .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()));
        if version && !versioned {
            versioned = true;
        } else {
            parts.push(part);
        }
    }
    parts.join("_")
}

#[cfg(test)]
mod tests {
    use super::view;

    #[test]
    fn a_table_is_read_under_the_name_of_its_model() {
        assert_eq!(view("p_orders_v1"), "orders");
        assert_eq!(view("p_orders_v1_purchases"), "orders_purchases");
        assert_eq!(view("p_order_timeline_v4"), "order_timeline");
        assert_eq!(
            view("p_search_documents_v12_stock"),
            "search_documents_stock"
        );
    }
}
