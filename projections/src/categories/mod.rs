//! The category tree.

mod queries;

use domain::catalogue::tree::{Category, CategoryFacts, CategoryTree};
use domain::ids::CategoryId;
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;

use crate::error::ReadError;
use crate::event_decode::{event, of, version};
use crate::macros::projection;
use crate::page::typed;
use crate::row_store::{Row, save};

pub use queries::*;

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "categories";

/// The projection.
pub struct Categories;

/// One category.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CategoryRow {
    /// The category.
    pub id: CategoryId,
    /// Category code, as products reference it.
    pub code: String,
    /// Display name.
    pub name: String,
    /// Parent category; none for a root.
    pub parent: Option<CategoryId>,
    /// Level in the tree; 1 for a root.
    pub depth: i64,
    /// Place among its siblings.
    pub index: i32,
    /// What staff entered about it.
    pub facts: CategoryFacts,
    /// Codes from the root down to itself.
    pub path: Vec<String>,
    /// Version of the tree.
    pub version: i64,
    /// Position of the tree's last event.
    pub position: i64,
}

impl Row for CategoryRow {
    const TABLE: &'static str = "p_categories_v1";
    const KEY: &'static [&'static str] = &["id"];
}

impl From<CategoryRow> for Category {
    fn from(row: CategoryRow) -> Self {
        Self {
            id: row.id,
            code: row.code,
            parent: row.parent,
            index: row.index,
            facts: row.facts,
        }
    }
}

/// The tree is small and always read whole, so all of it is rewritten.
async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    let Some(last) = of(batch, "category-tree").last() else {
        return Ok(());
    };
    let rows: Vec<CategoryRow> = typed(
        sqlx::query_scalar("DELETE FROM p_categories_v1 c RETURNING to_jsonb(c)")
            .fetch_all(&mut *connection)
            .await?,
    )?;
    let mut tree = CategoryTree {
        categories: rows.into_iter().map(Category::from).collect(),
    };
    for recorded in of(batch, "category-tree") {
        tree.evolve(event(recorded)?);
    }
    let rows: Vec<CategoryRow> = tree
        .categories
        .iter()
        .map(|category| row(&tree, category, last))
        .collect();
    save(connection, &rows).await
}

fn row(tree: &CategoryTree, category: &Category, last: &StoredEvent) -> CategoryRow {
    let mut path: Vec<String> = tree
        .ancestors(&category.code)
        .into_iter()
        .map(str::to_owned)
        .collect();
    path.reverse();
    path.push(category.code.clone());
    CategoryRow {
        id: category.id,
        code: category.code.clone(),
        name: category.facts.name.clone(),
        parent: category.parent,
        depth: i64::try_from(path.len()).unwrap_or(i64::MAX),
        index: category.index,
        facts: category.facts.clone(),
        path,
        version: version(last),
        position: last.position,
    }
}

projection!(Categories, version 1, reads "category-tree"; rows of one; parks);
