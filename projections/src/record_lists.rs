//! Record lists by the fields their kind declares: searched, filtered, sorted.
//!
//! Field names come from declarations in the program ([`Column`] holds `'static` paths); values of a request are always bound parameters.

use domain::catalogue::ProductType;
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

/// Table of a kind of record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The records table, rows of this kind.
    Records(&'static str),
    /// The products table.
    Products,
    /// The reviews table.
    Reviews,
    /// The inquiries table.
    Inquires,
}

/// A declared field; the path is dotted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Creation time.
    Created,
    /// Time of the last change.
    Updated,
    /// Text.
    Text(&'static str),
    /// A whole number.
    Number(&'static str),
    /// Boolean.
    Flag(&'static str),
    /// A Seoul date, `2026-09-25`, as the moment it starts.
    Day(&'static str),
    /// An RFC 3339 timestamp.
    Moment(&'static str),
    /// A list of texts.
    Texts(&'static str),
    /// Pieces left of a product, from the stock read model; tests compare it with [`OUT`] or [`LOW`].
    Left,
}

/// Nothing is left of any option on sale.
pub const OUT: &str = "OUT";
/// At most five pieces are left of an option on sale.
pub const LOW: &str = "LOW";

/// The piles of the options on sale of the product `r`, as `s`; of the product itself if it has no options.
const PILES: &str = "FROM stock s WHERE s.product = r.id AND CASE WHEN r.has_options \
     THEN EXISTS (SELECT FROM products_options o WHERE o.product = r.id AND o.id = s.id AND o.enabled) ELSE s.id = r.id END";

/// The author of content written by members.
pub const AUTHOR: Column = Column::Text("_user");

/// Condition on a record.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// Equals this text.
    Is(Column, String),
    /// Equals this boolean; missing is false.
    Says(Column, bool),
    /// One of its texts is one of these.
    Holds(Column, Vec<String>),
    /// At least this number.
    Least(Column, i64),
    /// At most this number.
    Most(Column, i64),
    /// At or after this moment.
    From(Column, OffsetDateTime),
    /// Before this moment.
    Before(Column, OffsetDateTime),
}

/// Sort order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// Sort column.
    pub column: Column,
    /// Descending.
    pub descending: bool,
    /// Some rows have no value; those come last in both directions.
    pub nullable: bool,
}

/// Filters and order of a record list.
#[derive(Clone, Debug)]
pub struct RecordListQuery {
    /// The kind's source.
    pub source: Source,
    /// Only of this seller.
    pub seller: Option<MemberId>,
    /// Substring of one of these fields.
    pub search: Option<(Vec<Column>, String)>,
    /// Conditions, all of which must hold.
    pub tests: Vec<Test>,
    /// Only removed ones; otherwise only those that are not removed.
    pub removed: bool,
    /// Sort order.
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

    pub(crate) const fn table(self) -> &'static str {
        match self {
            Self::Records(_) => RecordRow::TABLE,
            Self::Products => ProductRow::TABLE,
            Self::Reviews => ReviewRow::TABLE,
            Self::Inquires => InquireRow::TABLE,
        }
    }

    /// Its rows, named `r`.
    pub(crate) fn rows(self) -> String {
        match self {
            // ids are unique within a kind only
            Self::Records(kind) => format!("(SELECT * FROM records WHERE kind = '{kind}') r"),
            Self::Products | Self::Reviews | Self::Inquires => format!("{} r", self.view()),
        }
    }

    /// Name of the kind.
    pub(crate) const fn kind(self) -> &'static str {
        match self {
            Self::Records(kind) => kind,
            Self::Products => "product",
            Self::Reviews => "review",
            Self::Inquires => "inquire",
        }
    }

    /// Postgres type of its ids.
    pub(crate) const fn id(self) -> &'static str {
        match self {
            Self::Records(_) => "text",
            Self::Products | Self::Reviews | Self::Inquires => "uuid",
        }
    }

    /// Whether `id` is a valid id of this kind.
    pub fn may_have(self, id: &str) -> bool {
        self.id() == "text" || uuid::Uuid::parse_str(id).is_ok()
    }

    /// SQL that casts a text field to a timestamp.
    fn moment(self, text: &str) -> String {
        match self {
            Self::Records(kind) => {
                format!("(CASE WHEN kind = '{kind}' THEN {text}::timestamptz END)")
            }
            Self::Products | Self::Reviews | Self::Inquires => format!("{text}::timestamptz"),
        }
    }

    pub(crate) fn row(self) -> String {
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
    /// SQL expression of the column. A text is cast to a timestamp only if the kind declares one: other kinds may have a text of that name.
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
            Self::Left => format!("(SELECT coalesce(sum(s.available), 0) {PILES})"),
        }
    }

    /// Base name of its indexes, if it can have one.
    fn indexed(self) -> Option<&'static str> {
        match self {
            Self::Created => Some("created"),
            Self::Updated => Some("updated"),
            Self::Text(name) | Self::Number(name) | Self::Flag(name) => Some(name),
            // a cast to a timestamp is not immutable, and lists of texts are searched differently
            Self::Day(_) | Self::Moment(_) | Self::Texts(_) | Self::Left => None,
        }
    }

    fn sorted(self, source: Source) -> String {
        match self {
            // code point order of syllables is alphabetical, whatever the server's locale
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

    /// The matching ids, to be sorted and limited.
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
            // Sets have no stock of their own.
            Test::Is(Column::Left, level) if level == OUT => query.push(format!(
                "kind = '{}' AND NOT EXISTS (SELECT {PILES} AND s.available > 0)",
                ProductType::NormalProduct.code()
            )),
            Test::Is(Column::Left, _) => query.push(format!(
                "kind = '{}' AND EXISTS (SELECT {PILES} AND s.available BETWEEN 1 AND 5)",
                ProductType::NormalProduct.code()
            )),
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

/// A page of the matching records. The total of a kind comes from the stored counts.
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

/// The number of matching records.
///
/// # Errors
/// [`ReadError`].
pub async fn narrowed_count(pool: &PgPool, list_query: &RecordListQuery) -> Result<i64, ReadError> {
    let rows = list_query.source.rows();
    let mut query = QueryBuilder::new(format!("SELECT count(*) FROM {rows} WHERE "));
    list_query.filter(&mut query);
    Ok(query.build_query_scalar().fetch_one(pool).await?)
}

/// The ids of the matching records in list order, up to `most`.
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

/// The ids of the matching records after `after` (empty: from the start), ordered by id whatever the list's order, up to `most`. `after`
/// must satisfy [`Source::may_have`].
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

/// The records with these ids, in the given order, either only removed ones or only those that are not.
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

/// Creates the indexes for lists sorted or filtered by these columns; false if the table does not exist yet. Those for text and boolean
/// filters include the creation time, descending, so one brand of a million products is listed without sorting all of its rows. Several
/// servers that start together may all call this.
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
        // an index on a range has no latest-first order
        _ => (column, by_itself),
    });
    for (column, (suffix, then)) in sorted.chain(narrowed) {
        let Some(name) = column.indexed() else {
            continue;
        };
        // One transaction. Postgres first checks the name and then waits for writers: of two that create the same index, one would fail.
        let sql = format!(
            "SELECT pg_advisory_xact_lock(hashtext('index {table}'));
             CREATE INDEX IF NOT EXISTS \"{table}_{kind}_{name}{suffix}\" ON {table} (({}), {then}) WHERE {only}",
            column.sorted(source)
        );
        sqlx::raw_sql(&sql).execute(pool).await?;
    }
    // few records are removed: their lists need no index for each column
    let sql = format!(
        "SELECT pg_advisory_xact_lock(hashtext('index {table}'));
         CREATE INDEX IF NOT EXISTS \"{table}_{kind}_removed\" ON {table} (created_at DESC, id DESC) WHERE {of_kind}removed"
    );
    sqlx::raw_sql(&sql).execute(pool).await?;
    Ok(true)
}
