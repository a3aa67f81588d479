//! Lists of the elements of a list in records, over many records: options of products, regions of shipping groups.
//!
//! The elements have no table: they are read from the records' documents. Records with elements have an index by creation time
//! ([`index`]), so a page follows it and stops; counting reads the lists of all records that match. As in [`crate::record_lists`], names come
//! from declarations and values are bound.

use domain::ids::MemberId;
use serde::Deserialize;
use serde_json::Value;
use sqlx::{PgPool, Postgres, QueryBuilder};

use crate::error::ReadError;
use crate::ngrams::pattern;
use crate::page::{ListPage, Page, typed};
use crate::record_lists::Source;
use crate::records::RecordRow;

/// A value in an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementColumn {
    /// The element itself, a text.
    Itself,
    /// A text field.
    Text(&'static str),
    /// A number or boolean field.
    Value(&'static str),
}

impl ElementColumn {
    fn sql(self) -> String {
        match self {
            Self::Itself => "(element #>> '{}')".to_owned(),
            Self::Text(name) => format!("(element ->> '{name}')"),
            Self::Value(name) => format!("(element -> '{name}')"),
        }
    }
}

/// Sort order of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementOrder {
    /// By the creation of their records.
    Created,
    /// By the last change of their records.
    Updated,
    /// By their places in their records.
    Place,
    /// By a value of the elements.
    By(ElementColumn),
}

/// Filters and order of a list of elements.
#[derive(Clone, Debug)]
pub struct ElementListQuery {
    /// The source of the records.
    pub source: Source,
    /// The list in their documents.
    pub list: &'static str,
    /// Only of this record; it has to satisfy [`Source::may_have`].
    pub owner: Option<String>,
    /// Only of this seller.
    pub seller: Option<MemberId>,
    /// Substring of one of these texts.
    pub search: Option<(Vec<ElementColumn>, String)>,
    /// Conditions, all of which must hold: equality of a text, or of a boolean as a text.
    pub tests: Vec<(ElementColumn, String)>,
    /// Sort order.
    pub order: ElementOrder,
    /// Descending.
    pub descending: bool,
}

/// An element of a record.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ElementRow {
    /// Its record, with only the seller in its document.
    pub owner: RecordRow,
    /// Its value.
    pub element: Value,
    /// Its place, from 1.
    pub place: usize,
}

/// The condition that a record has elements; as the index has it.
fn has_elements(list: &str) -> String {
    format!("data @? '$.{list}[*]'")
}

impl ElementListQuery {
    fn from(&self) -> String {
        format!(
            "(SELECT * FROM {} WHERE NOT removed AND {}) r \
             CROSS JOIN LATERAL jsonb_array_elements(r.data -> '{}') WITH ORDINALITY e (element, place)",
            self.source.rows(),
            has_elements(self.list),
            self.list,
        )
    }

    fn filter(&self, query: &mut QueryBuilder<'_, Postgres>) {
        query.push(" WHERE true");
        if let Some(owner) = &self.owner {
            query
                .push(" AND r.id = ")
                .push_bind(owner.clone())
                .push(format!("::{}", self.source.id()));
        }
        if let Some(seller) = self.seller {
            match self.source {
                Source::Records(_) => query
                    .push(" AND r.data ->> '_seller' = ")
                    .push_bind(seller.to_string()),
                _ => query.push(" AND r.seller = ").push_bind(seller.0),
            };
        }
        if let Some((columns, text)) = &self.search {
            query.push(" AND (false");
            for column in columns {
                query
                    .push(format!(" OR {} ILIKE ", column.sql()))
                    .push_bind(pattern(text));
            }
            query.push(")");
        }
        for (column, text) in &self.tests {
            query
                .push(format!(
                    " AND {}{} = ",
                    column.sql(),
                    match column {
                        ElementColumn::Value(_) => "::text",
                        _ => "",
                    }
                ))
                .push_bind(text.clone());
        }
    }

    fn order(&self) -> String {
        let way = if self.descending { " DESC" } else { "" };
        match self.order {
            ElementOrder::Created => format!("r.created_at{way}, r.id{way}, place"),
            ElementOrder::Updated => format!("r.updated_at{way}, r.id{way}, place"),
            ElementOrder::Place => format!("place{way}, r.created_at, r.id"),
            ElementOrder::By(column @ ElementColumn::Value(_)) => {
                format!("{}{way} NULLS LAST, place", column.sql())
            }
            ElementOrder::By(column) => {
                format!("{} COLLATE \"C\"{way} NULLS LAST, place", column.sql())
            }
        }
    }
}

/// A page of the matching elements.
///
/// # Errors
/// [`ReadError`].
pub async fn elements(
    pool: &PgPool,
    list_query: &ElementListQuery,
    page: Page,
) -> Result<ListPage<ElementRow>, ReadError> {
    let from = list_query.from();
    let mut count = QueryBuilder::new(format!("SELECT count(*) FROM {from}"));
    list_query.filter(&mut count);
    let total_count = count.build_query_scalar().fetch_one(pool).await?;
    let mut query = QueryBuilder::new(format!(
        "SELECT jsonb_build_object('owner', {} || jsonb_build_object('data', \
         jsonb_build_object('_seller', r.data -> '_seller')), 'element', element, 'place', place) FROM {from}",
        list_query.source.row()
    ));
    list_query.filter(&mut query);
    query
        .push(format!(" ORDER BY {} LIMIT ", list_query.order()))
        .push_bind(page.limit)
        .push(" OFFSET ")
        .push_bind(page.skip);
    let rows: Vec<Value> = query.build_query_scalar().fetch_all(pool).await?;
    Ok(ListPage {
        total_count,
        rows: typed(rows)?,
    })
}

/// Creates the index of the records that have elements in this list; false if the table does not exist yet.
///
/// # Errors
/// [`ReadError`].
pub async fn index(pool: &PgPool, source: Source, list: &str) -> Result<bool, ReadError> {
    let table = source.table();
    let there: bool = sqlx::query_scalar("SELECT to_regclass($1) IS NOT NULL")
        .bind(table)
        .fetch_one(pool)
        .await?;
    if !there {
        return Ok(false);
    }
    let of_kind = match source {
        Source::Records(kind) => format!("kind = '{kind}' AND "),
        _ => String::new(),
    };
    // one transaction, as in `record_lists::index`
    let sql = format!(
        "SELECT pg_advisory_xact_lock(hashtext('index {table}'));
         CREATE INDEX IF NOT EXISTS \"{table}_{}_{list}_elements\" ON {table} (created_at, id) \
         WHERE {of_kind}NOT removed AND {}",
        source.kind(),
        has_elements(list)
    );
    sqlx::raw_sql(&sql).execute(pool).await?;
    Ok(true)
}
