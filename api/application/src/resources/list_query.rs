//! Parses list queries: only parameters that the kind declares are accepted, so no other name ever reaches a query.

use domain::business_day;
use domain::validation::FieldError;
use projections::categories::category_tree;
use projections::record_lists::{Column, Order, RecordListQuery, Test};

use super::AdminResource;
use super::schema::{Field, FieldType, Filter, FilterType, ResourceSchema};
use crate::access::RowScope;
use crate::app::App;
use crate::error::{AppError, AppResult, Code};

/// The key-value pairs of a query.
pub type Pairs = Vec<(String, String)>;

/// The search term.
pub const SEARCH: &str = "searchValue";
/// The sort order.
pub const SORT: &str = "sort";
/// `true` lists removed records instead of existing ones.
pub const REMOVED: &str = "removed";
/// Exact code, for kinds that have codes.
const CODE: &str = "code";
/// Query parameters besides the declared filters.
const BESIDE: [&str; 7] = [SEARCH, SORT, REMOVED, "skip", "limit", "format", "dryRun"];

impl AdminResource {
    /// The list query of a request, restricted to these rows.
    ///
    /// # Errors
    /// `invalid_query` with the parameter that is not declared or malformed.
    pub async fn list_query(
        &self,
        app: &App,
        rows: RowScope,
        pairs: &[(String, String)],
    ) -> AppResult<RecordListQuery> {
        let said = &self.schema;
        let unknown: Vec<FieldError> = pairs
            .iter()
            .filter(|(name, _)| !BESIDE.contains(&name.as_str()) && filter_of(said, name).is_none())
            .filter(|(name, _)| name != CODE || said.field(CODE).is_none())
            .map(|(name, _)| FieldError::new(name, "unknown_filter", "알 수 없는 조회 조건입니다."))
            .collect();
        if !unknown.is_empty() {
            return Err(AppError::new(Code::InvalidQuery).with_fields(unknown));
        }
        let mut tests = Vec::new();
        for (name, value) in pairs {
            let value = value.trim();
            if let Some(filter) = filter_of(said, name).filter(|_| !value.is_empty()) {
                tests.push(test(app, said, filter, name, value).await?);
            }
        }
        if filter_of(said, CODE).is_none()
            && let Some(code) = last(pairs, CODE)
        {
            tests.push(Test::Is(Column::Text(CODE), code.to_owned()));
        }
        let search = last(pairs, SEARCH).map(|text| {
            let columns = said.search.iter().map(|name| Column::Text(name));
            (columns.collect(), text.to_owned())
        });
        let removed = last(pairs, REMOVED).unwrap_or("false").parse();
        Ok(RecordListQuery {
            source: self.source,
            seller: rows.seller(),
            search,
            tests,
            removed: removed.map_err(|_| refused(REMOVED, "type", "형식이 올바르지 않습니다."))?,
            order: order(said, last(pairs, SORT).unwrap_or(said.default_sort))?,
        })
    }
}

/// The last value of a parameter, unless it is empty.
pub fn last<'a>(pairs: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let value = pairs.iter().rev().find(|(known, _)| known == name)?;
    Some(value.1.trim()).filter(|text| !text.is_empty())
}

fn filter_of(said: &ResourceSchema, parameter: &str) -> Option<&'static Filter> {
    said.filters
        .iter()
        .find(|filter| filter.parameters().iter().any(|name| name == parameter))
}

/// The columns a kind can be sorted by.
pub fn sorted_columns(said: &ResourceSchema) -> Vec<Column> {
    columns(said, said.sorts.iter().copied())
}

/// The columns a kind can be filtered by.
pub fn narrowed_columns(said: &ResourceSchema) -> Vec<Column> {
    let filters = said.filters.iter().map(|filter| filter.name);
    columns(said, filters.chain([CODE]))
}

fn columns(said: &ResourceSchema, names: impl Iterator<Item = &'static str>) -> Vec<Column> {
    names
        .filter_map(|name| said.field(name).map(column))
        .collect()
}

/// The column of a declared field.
fn column(field: &'static Field) -> Column {
    match (field.name, field.holds) {
        ("createdAt", _) => Column::Created,
        ("updatedAt", _) => Column::Updated,
        ("stock", _) => Column::Left,
        (name, FieldType::Integer | FieldType::Amount | FieldType::Percent) => Column::Number(name),
        (name, FieldType::Boolean) => Column::Flag(name),
        (name, FieldType::Date) => Column::Day(name),
        (name, FieldType::Datetime) => Column::Moment(name),
        (name, FieldType::Tags | FieldType::References) => Column::Texts(name),
        (name, _) => Column::Text(name),
    }
}

fn order(said: &ResourceSchema, sort: &str) -> AppResult<Order> {
    let (name, descending) = match sort.strip_prefix('-') {
        Some(name) => (name, true),
        None => (sort, false),
    };
    let field = said
        .sorts
        .contains(&name)
        .then(|| said.field(name))
        .flatten()
        .ok_or_else(|| refused(SORT, "unknown_sort", "알 수 없는 정렬 기준입니다."))?;
    let column = column(field);
    Ok(Order {
        column,
        descending,
        nullable: !field.required && !matches!(column, Column::Created | Column::Updated),
    })
}

async fn test(
    app: &App,
    said: &ResourceSchema,
    filter: &'static Filter,
    name: &str,
    value: &str,
) -> AppResult<Test> {
    let column = said
        .field(filter.name)
        .map(column)
        .ok_or_else(|| AppError::new(Code::InvalidQuery))?;
    let wrong = || refused(name, "type", "형식이 올바르지 않습니다.");
    Ok(match filter.by {
        FilterType::Enum => {
            let known = filter.values.iter().find(|choice| choice.value == value);
            Test::Is(column, known.ok_or_else(wrong)?.value.to_owned())
        }
        FilterType::Boolean => Test::Says(column, value.parse().map_err(|_| wrong())?),
        FilterType::Reference => {
            let texts = if filter.resource == Some("category") {
                let (tree, _) = category_tree(app.pool()).await?;
                let mut codes = tree.with_descendants(value);
                codes.push(value);
                codes.into_iter().map(str::to_owned).collect()
            } else {
                vec![value.to_owned()]
            };
            match column {
                Column::Texts(_) => Test::Holds(column, texts),
                _ => Test::Is(column, value.to_owned()),
            }
        }
        FilterType::Range => {
            let number = value.parse().map_err(|_| wrong())?;
            match name.ends_with("Min") {
                true => Test::Least(column, number),
                false => Test::Most(column, number),
            }
        }
        FilterType::Period => match name.ends_with("From") {
            true => Test::From(column, business_day::begin(value).ok_or_else(wrong)?),
            false => Test::Before(column, business_day::end(value).ok_or_else(wrong)?),
        },
    })
}

/// An error about a query parameter.
pub fn refused(field: &str, code: &str, message: &str) -> AppError {
    AppError::new(Code::InvalidQuery).with_fields(vec![FieldError::new(field, code, message)])
}
