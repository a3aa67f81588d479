//! GET export: the whole list as a table, searched, narrowed and sorted like the list.

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use domain::record::FieldError;
use domain::seoul;
use futures::{StreamExt, stream};
use projections::records::{narrowed_ids, records_of};
use time::macros::format_description;

use super::describe::Field;
use super::draft::may_keep;
use super::kinds::Kept;
use super::list::listed;
use super::sheet::{self, BOM, Book, Cell};
use super::table::{columns, headings, row};
use super::wanted::{Pairs, last, wanted};
use crate::app::AppState;
use crate::http::{ApiError, ApiResult, Code, ConsoleOrCompany, Query, Wait};

/// Rows of one table at most.
const ROWS_MOST: usize = 100_000;
/// Rows read at a time.
const AT_ONCE: usize = 500;

/// The list as a table.
///
/// # Errors
/// `access_denied`, `invalid_query`.
pub(crate) async fn export<R: Kept>(
    State(app): State<AppState>,
    who: ConsoleOrCompany,
    Query(pairs): Query<Pairs>,
    wait: Wait,
) -> ApiResult<Response> {
    may_keep::<R>(&who)?;
    let wanted = wanted::<R>(&app, who.rows, &pairs).await?;
    let format = last(&pairs, "format").unwrap_or("xlsx");
    if !matches!(format, "xlsx" | "csv") {
        return Err(refused(
            "format",
            "type",
            "xlsx 또는 csv로 내보낼 수 있습니다.",
        ));
    }
    wait.until(&app, R::READS).await?;
    let most = i64::try_from(ROWS_MOST).map_err(ApiError::internal)? + 1;
    let ids = narrowed_ids(app.pool(), &wanted, most).await?;
    if ids.len() > ROWS_MOST {
        let message = "한 번에 100,000행까지 내보낼 수 있습니다. 조건을 좁혀 주세요.";
        return Err(refused("matching", "too_many", message));
    }
    let chunks: Vec<Vec<String>> = ids.chunks(AT_ONCE).map(<[String]>::to_vec).collect();
    let moment = app.clock.now().to_offset(seoul::OFFSET);
    let stamp = moment
        .format(format_description!(
            "[year][month][day]-[hour][minute][second]"
        ))
        .map_err(ApiError::internal)?;
    let columns = columns(&R::DESCRIPTION);
    let (kind, body) = match format {
        "csv" => ("text/csv; charset=utf-8", lines::<R>(app, columns, chunks)?),
        _ => (
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Body::from(book::<R>(&app, &columns, chunks).await?),
        ),
    };
    let name = format!("attachment; filename=\"{}-{stamp}.{format}\"", R::MANY);
    Ok((
        [(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, name)],
        body,
    )
        .into_response())
}

async fn rows<R: Kept>(
    app: &AppState,
    columns: &[Field],
    ids: &[String],
) -> ApiResult<Vec<Vec<Cell>>> {
    let found = records_of(app.pool(), R::SOURCE, ids).await?;
    R::listed_with(app, found)
        .await?
        .into_iter()
        .map(|found| Ok(row(columns, &listed(found)?)))
        .collect()
}

fn lines<R: Kept>(app: AppState, columns: Vec<Field>, chunks: Vec<Vec<String>>) -> ApiResult<Body> {
    let mut first = BOM.as_bytes().to_vec();
    first.extend(sheet::csv(headings(&columns))?);
    let rest = stream::iter(chunks).then(move |ids| {
        let (app, columns) = (app.clone(), columns.clone());
        async move {
            let written = async { sheet::csv(rows::<R>(&app, &columns, &ids).await?) };
            // what was promised cannot be refused any more: the connection breaks, so that nobody takes a part for all
            written
                .await
                .map_err(|error| std::io::Error::other(format!("{error:?}")))
        }
    });
    Ok(Body::from_stream(stream::iter([Ok(first)]).chain(rest)))
}

async fn book<R: Kept>(
    app: &AppState,
    columns: &[Field],
    chunks: Vec<Vec<String>>,
) -> ApiResult<Vec<u8>> {
    let mut book = Book::new()?;
    book.add(headings(columns))?;
    for ids in chunks {
        book.add(rows::<R>(app, columns, &ids).await?)?;
    }
    tokio::task::spawn_blocking(move || book.finish())
        .await
        .map_err(ApiError::internal)?
}

fn refused(field: &str, code: &str, message: &str) -> ApiError {
    ApiError::new(Code::InvalidQuery).with_fields(vec![FieldError::new(field, code, message)])
}
