//! Lists of records by the fields their kind declares: searched, narrowed, sorted.
//!
//! Names of fields come from declarations in the program ([`Column`] holds `'static` paths); what a request says is only ever
//! a bound value.

use domain::ids::MemberId;
use serde_json::Value;
use sqlx::{PgPool, Postgres, QueryBuilder};
use time::OffsetDateTime;

use crate::counts;
use crate::error::ReadError;
use crate::inquires::InquireRow;
use crate::ngrams::{needed, pattern};
use crate::page::{List, ListPage, Page, typed};
use crate::products::ProductRow;
use crate::records::RecordRow;
use crate::reviews::ReviewRow;
use crate::row_store::Row;

/// Where the records of a kind are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Among the records, under this kind.
    Records(&'static str),
    /// They are the products.
    Products,
    /// They are the reviews.
    Reviews,
    /// They are the inquiries.
    Inquires,
}

/// A declared field; the path is dotted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// When it was made.
    Created,
    /// When it last changed.
    Updated,
    /// Text.
    Text(&'static str),
    /// A whole number.
    Number(&'static str),
    /// Yes or no.
    Flag(&'static str),
    /// A Seoul day, `2026-09-25`: the moment it begins.
    Day(&'static str),
    /// RFC 3339.
    Moment(&'static str),
    /// A list of texts.
    Texts(&'static str),
}

/// What a record has to be.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// This text.
    Is(Column, String),
    /// Yes or no; missing is no.
    Says(Column, bool),
    /// One of its texts is one of these.
    Holds(Column, Vec<String>),
    /// This number or more.
    Least(Column, i64),
    /// This number or less.
    Most(Column, i64),
    /// This moment or later.
    From(Column, OffsetDateTime),
    /// Before this moment.
    Before(Column, OffsetDateTime),
}

/// In which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// By what.
    pub column: Column,
    /// The last first.
    pub descending: bool,
    /// Some have none; those come last either way.
    pub nullable: bool,
}

/// Filters and order of a record list.
#[derive(Clone, Debug)]
pub struct RecordListQuery {
    /// Of which kind.
    pub source: Source,
    /// Of this seller only.
    pub seller: Option<MemberId>,
    /// With this text in one of these fields.
    pub search: Option<(Vec<Column>, String)>,
    /// All of these hold.
    pub tests: Vec<Test>,
    /// Those that were removed, and no others; otherwise those that were not.
    pub removed: bool,
    /// In which order.
    pub order: Order,
}

impl Source {
    const fn view(self) -> &'static str {
        match self {
            Self::Records(_) => "records",
            Self::Products => "products",
            Self::Reviews => "reviews",
            Self::Inquires => "inquires",
        }
    }

    const fn table(self) -> &'static str {
        match self {
            Self::Records(_) => RecordRow::TABLE,
            Self::Products => ProductRow::TABLE,
            Self::Reviews => ReviewRow::TABLE,
            Self::Inquires => InquireRow::TABLE,
        }
    }

    /// Its rows, named `r`.
    fn rows(self) -> String {
        match self {
            // ids are unique in a kind only
            Self::Records(kind) => format!("(SELECT * FROM records WHERE kind = '{kind}') r"),
            Self::Products | Self::Reviews | Self::Inquires => format!("{} r", self.view()),
        }
    }

    /// The kind of record.
    const fn kind(self) -> &'static str {
        match self {
            Self::Records(kind) => kind,
            Self::Products => "product",
            Self::Reviews => "review",
            Self::Inquires => "inquire",
        }
    }

    /// The type of its ids.
    const fn id(self) -> &'static str {
        match self {
            Self::Records(_) => "text",
            Self::Products | Self::Reviews | Self::Inquires => "uuid",
        }
    }

    /// Whether `id` could be one of its ids.
    pub fn may_have(self, id: &str) -> bool {
        self.id() == "text" || uuid::Uuid::parse_str(id).is_ok()
    }

    /// A text of its documents as a moment.
    fn moment(self, text: &str) -> String {
        match self {
            Self::Records(kind) => {
                format!("(CASE WHEN kind = '{kind}' THEN {text}::timestamptz END)")
            }
            Self::Products | Self::Reviews | Self::Inquires => format!("{text}::timestamptz"),
        }
    }

    fn row(self) -> String {
        match self {
            Self::Records(_) => "to_jsonb(r)".to_owned(),
            Self::Products | Self::Reviews | Self::Inquires => format!(
                "jsonb_build_object('kind', '{}', 'id', id, 'version', version, 'data', data, 'removed', removed, \
                 'created_at', created_at, 'updated_at', updated_at, 'position', position)",
                self.kind()
            ),
        }
    }
}

impl Column {
    /// As SQL. A moment is only read where the kind is known to have one: other kinds may have a text of that name.
    fn sql(self, source: Source) -> String {
        let path = |path: &str| format!("'{{{}}}'", path.replace('.', ","));
        match self {
            Self::Created => "created_at".to_owned(),
            Self::Updated => "updated_at".to_owned(),
            Self::Text(name) => format!("(data #>> {})", path(name)),
            Self::Number(name) | Self::Flag(name) | Self::Texts(name) => {
                format!("NULLIF(data #> {}, 'null'::jsonb)", path(name))
            }
            Self::Day(name) => {
                source.moment(&format!("(data #>> {} || 'T00:00+09:00')", path(name)))
            }
            Self::Moment(name) => source.moment(&format!("(data #>> {})", path(name))),
        }
    }

    /// What its indexes are called after, if it can have one.
    fn indexed(self) -> Option<&'static str> {
        match self {
            Self::Created => Some("created"),
            Self::Updated => Some("updated"),
            Self::Text(name) | Self::Number(name) | Self::Flag(name) => Some(name),
            // a cast to a moment is no function of its text alone, and lists are searched by other means
            Self::Day(_) | Self::Moment(_) | Self::Texts(_) => None,
        }
    }

    fn sorted(self, source: Source) -> String {
        match self {
            // syllables in the order of their code points are in the order of the alphabet, whatever the server's locale
            Self::Text(_) => format!("{} COLLATE \"C\"", self.sql(source)),
            _ => self.sql(source),
        }
    }
}

impl Order {
    fn sql(self, source: Source) -> String {
        let by = self.column.sorted(source);
        match (self.descending, self.nullable) {
            (false, _) => format!("{by}, id"),
            (true, false) => format!("{by} DESC, id DESC"),
            (true, true) => format!("{by} DESC NULLS LAST, id DESC"),
        }
    }
}

impl RecordListQuery {
    fn is_everything(&self) -> bool {
        !self.removed && self.seller.is_none() && self.search.is_none() && self.tests.is_empty()
    }

    /// The ids of all of them, to be ordered and cut.
    fn ids(&self) -> QueryBuilder<'_, Postgres> {
        let mut query = QueryBuilder::new(format!(
            "SELECT id::text FROM {} WHERE ",
            self.source.rows()
        ));
        self.filter(&mut query);
        query
    }

    fn filter(&self, query: &mut QueryBuilder<'_, Postgres>) {
        query.push(if self.removed {
            "removed"
        } else {
            "NOT removed"
        });
        if let Some(seller) = self.seller {
            match self.source {
                Source::Records(_) => query
                    .push(" AND data ->> '_seller' = ")
                    .push_bind(seller.to_string()),
                Source::Products | Source::Reviews | Source::Inquires => {
                    query.push(" AND seller = ").push_bind(seller.0)
                }
            };
        }
        if let Some((columns, text)) = &self.search {
            if self.source == Source::Products {
                query.push(" AND pieces @> ").push_bind(needed(text));
            }
            query.push(" AND (false");
            for column in columns {
                query
                    .push(format!(" OR {} ILIKE ", column.sql(self.source)))
                    .push_bind(pattern(text));
            }
            query.push(")");
        }
        for test in &self.tests {
            query.push(" AND ");
            self.test(test, query);
        }
    }

    fn test(&self, test: &Test, query: &mut QueryBuilder<'_, Postgres>) {
        let sql = |column: &Column| column.sql(self.source);
        match test {
            Test::Is(column, text) => query
                .push(format!("{} = ", column.sorted(self.source)))
                .push_bind(text.clone()),
            Test::Says(column, yes) => query.push(format!(
                "COALESCE({}, 'false'::jsonb) = '{yes}'::jsonb",
                sql(column)
            )),
            Test::Holds(column, texts) => query
                .push(format!("{} ?| ", sql(column)))
                .push_bind(texts.clone()),
            Test::Least(column, least) => query
                .push(format!("{} >= to_jsonb(", sql(column)))
                .push_bind(*least)
                .push(")"),
            Test::Most(column, most) => query
                .push(format!("{} <= to_jsonb(", sql(column)))
                .push_bind(*most)
                .push(")"),
            Test::From(column, moment) => query
                .push(format!("{} >= ", sql(column)))
                .push_bind(*moment),
            Test::Before(column, moment) => {
                query.push(format!("{} < ", sql(column))).push_bind(*moment)
            }
        };
    }
}

/// A page of the records wanted. How many there are of a kind in all is kept beside them, not counted.
///
/// # Errors
/// [`ReadError`].
pub async fn narrowed(
    pool: &PgPool,
    list_query: &RecordListQuery,
    page: Page,
) -> Result<ListPage<RecordRow>, ReadError> {
    let rows = list_query.source.rows();
    let list = List {
        select: &list_query.source.row(),
        from: &rows,
        narrow: &rows,
        key: "id",
        order: &list_query.order.sql(list_query.source),
    };
    let filter = |query: &mut QueryBuilder<'_, Postgres>| list_query.filter(query);
    if !list_query.is_everything() {
        return list.page(pool, page, filter).await;
    }
    Ok(ListPage {
        total_count: counts::live(pool, list_query.source.view(), list_query.source.kind()).await?,
        rows: list.rows(pool, page, filter).await?,
    })
}

/// The ids of the records wanted, in order, at most so many.
///
/// # Errors
/// [`ReadError`].
pub async fn narrowed_ids(
    pool: &PgPool,
    list_query: &RecordListQuery,
    most: i64,
) -> Result<Vec<String>, ReadError> {
    let mut query = list_query.ids();
    query
        .push(format!(
            " ORDER BY {} LIMIT ",
            list_query.order.sql(list_query.source)
        ))
        .push_bind(most);
    Ok(query.build_query_scalar().fetch_all(pool).await?)
}

/// The ids of the records wanted that come behind `after` (empty: all), in the order of ids whatever the list's, at most so many.
/// [`Source::may_have`] `after`.
///
/// # Errors
/// [`ReadError`].
pub async fn narrowed_ids_behind(
    pool: &PgPool,
    list_query: &RecordListQuery,
    after: &str,
    most: i64,
) -> Result<Vec<String>, ReadError> {
    let mut query = list_query.ids();
    if !after.is_empty() {
        query
            .push(" AND id > ")
            .push_bind(after)
            .push(format!("::{}", list_query.source.id()));
    }
    query.push(" ORDER BY id LIMIT ").push_bind(most);
    Ok(query.build_query_scalar().fetch_all(pool).await?)
}

/// The records with these ids, in their order, of those that were removed or of those that were not.
///
/// # Errors
/// [`ReadError`].
pub async fn records_of(
    pool: &PgPool,
    source: Source,
    removed: bool,
    ids: &[String],
) -> Result<Vec<RecordRow>, ReadError> {
    let id = source.id();
    let sql = format!(
        "SELECT {} FROM {} WHERE removed = $2 AND id = ANY($1::text[]::{id}[])",
        source.row(),
        source.rows()
    );
    let found: Vec<Value> = sqlx::query_scalar(&sql)
        .bind(ids)
        .bind(removed)
        .fetch_all(pool)
        .await?;
    let mut rows: Vec<RecordRow> = typed(found)?;
    rows.sort_by_key(|row| ids.iter().position(|id| *id == row.id));
    Ok(rows)
}

/// Makes what lists sorted or narrowed by these columns need; false if the table is not there yet. What is narrowed comes latest
/// first, from the index too: one brand of a million products is read without sorting all that is the brand's. Several servers
/// that start together may all make them.
///
/// # Errors
/// [`ReadError`].
pub async fn index(
    pool: &PgPool,
    source: Source,
    sorted: &[Column],
    narrowed: &[Column],
) -> Result<bool, ReadError> {
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
        Source::Products | Source::Reviews | Source::Inquires => String::new(),
    };
    let only = format!("{of_kind}NOT removed");
    let kind = source.kind();
    let by_itself = ("", "id");
    let latest_first = ("_latest", "created_at DESC, id DESC");
    let sorted = sorted.iter().map(|column| (column, by_itself));
    let narrowed = narrowed.iter().map(|column| match column {
        Column::Text(_) | Column::Flag(_) => (column, latest_first),
        // of a range there is no latest in an index
        _ => (column, by_itself),
    });
    for (column, (suffix, then)) in sorted.chain(narrowed) {
        let Some(name) = column.indexed() else {
            continue;
        };
        // One transaction. Postgres looks for the name first and waits for writers then: of two who make the same index, one
        // would fail.
        let sql = format!(
            "SELECT pg_advisory_xact_lock(hashtext('index {table}'));
             CREATE INDEX IF NOT EXISTS \"{table}_{kind}_{name}{suffix}\" ON {table} (({}), {then}) WHERE {only}",
            column.sorted(source)
        );
        sqlx::raw_sql(&sql).execute(pool).await?;
    }
    // few are removed: what is sorted or narrowed among them is
    let sql = format!(
        "SELECT pg_advisory_xact_lock(hashtext('index {table}'));
         CREATE INDEX IF NOT EXISTS \"{table}_{kind}_removed\" ON {table} (created_at DESC, id DESC) WHERE {of_kind}removed"
    );
    sqlx::raw_sql(&sql).execute(pool).await?;
    Ok(true)
}
