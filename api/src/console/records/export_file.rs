//! A list as a file: xlsx, or csv that is streamed while it is read.

use application::resources::list_query::refused;
use application::resources::schema::Field;
use axum::body::Body;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use domain::business_day;
use domain::record::Document;
use futures::{StreamExt, stream};
use time::macros::format_description;

use super::row_mapping::row;
use super::spreadsheet::{self, BOM, Book, Cell};
use crate::app::AppState;
use crate::http::{AppError, AppResult};

/// Maximum number of rows of a file.
const ROWS_MOST: usize = 100_000;
/// Number of keys to query: one more than a file can have, to detect that the list is too long.
pub const KEYS_ASKED: i64 = 100_001;
/// Rows per read.
const AT_ONCE: usize = 500;

/// Format of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For Excel.
    Xlsx,
    /// For all programs.
    Csv,
}

impl Format {
    /// Parses a query parameter; default: xlsx.
    ///
    /// # Errors
    /// `invalid_query` for any other format.
    pub fn of(said: Option<&str>) -> AppResult<Self> {
        match said.unwrap_or("xlsx") {
            "xlsx" => Ok(Self::Xlsx),
            "csv" => Ok(Self::Csv),
            _ => {
                let message = "xlsx 또는 csv로 내보낼 수 있습니다.";
                Err(refused("format", "type", message))
            }
        }
    }

    const fn ending(self) -> &'static str {
        match self {
            Self::Xlsx => "xlsx",
            Self::Csv => "csv",
        }
    }

    const fn kind(self) -> &'static str {
        match self {
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::Csv => "text/csv; charset=utf-8",
        }
    }
}

/// The table to write.
pub struct Table {
    /// File name, before the timestamp.
    pub name: &'static str,
    /// Its heading rows.
    pub headings: Vec<Vec<Cell>>,
    /// Its columns.
    pub columns: Vec<Field>,
    /// The keys of its rows, in order.
    pub keys: Vec<String>,
}

/// The table as a file; `read` loads the documents of some keys, in their order.
///
/// # Errors
/// `invalid_query` for more rows than a file can have; errors of `read`.
pub async fn written<Read, Reading>(
    app: AppState,
    format: Format,
    table: Table,
    read: Read,
) -> AppResult<Response>
where
    Read: Fn(AppState, Vec<String>) -> Reading + Send + Sync + 'static,
    Reading: Future<Output = AppResult<Vec<Document>>> + Send + 'static,
{
    if table.keys.len() > ROWS_MOST {
        let message = "한 번에 100,000행까지 내보낼 수 있습니다. 조건을 좁혀 주세요.";
        return Err(refused("matching", "too_many", message));
    }
    let moment = app.clock.now().to_offset(business_day::OFFSET);
    let stamp = moment
        .format(format_description!(
            "[year][month][day]-[hour][minute][second]"
        ))
        .map_err(AppError::internal)?;
    let name = format!(
        "attachment; filename=\"{}-{stamp}.{}\"",
        table.name,
        format.ending()
    );
    let body = match format {
        Format::Csv => lines(app, table, read)?,
        Format::Xlsx => Body::from(book(app, table, read).await?),
    };
    Ok((
        [
            (CONTENT_TYPE, format.kind().to_owned()),
            (CONTENT_DISPOSITION, name),
        ],
        body,
    )
        .into_response())
}

fn rows(columns: &[Field], documents: &[Document]) -> Vec<Vec<Cell>> {
    documents
        .iter()
        .map(|document| row(columns, document))
        .collect()
}

fn chunks(keys: &[String]) -> Vec<Vec<String>> {
    keys.chunks(AT_ONCE).map(<[String]>::to_vec).collect()
}

fn lines<Read, Reading>(app: AppState, table: Table, read: Read) -> AppResult<Body>
where
    Read: Fn(AppState, Vec<String>) -> Reading + Send + 'static,
    Reading: Future<Output = AppResult<Vec<Document>>> + Send + 'static,
{
    let mut first = BOM.as_bytes().to_vec();
    first.extend(spreadsheet::csv(table.headings)?);
    let rest = stream::iter(chunks(&table.keys)).then(move |keys| {
        let (reading, columns) = (read(app.clone(), keys), table.columns.clone());
        async move {
            let written = async { spreadsheet::csv(rows(&columns, &reading.await?)) };
            // The status has been sent already: the connection is aborted, so that a partial file is not mistaken for a complete one.
            written
                .await
                .map_err(|error| std::io::Error::other(format!("{error:?}")))
        }
    });
    Ok(Body::from_stream(stream::iter([Ok(first)]).chain(rest)))
}

async fn book<Read, Reading>(app: AppState, table: Table, read: Read) -> AppResult<Vec<u8>>
where
    Read: Fn(AppState, Vec<String>) -> Reading + Send + Sync,
    Reading: Future<Output = AppResult<Vec<Document>>> + Send,
{
    let mut book = Book::new()?;
    book.add(table.headings)?;
    for keys in chunks(&table.keys) {
        book.add(rows(&table.columns, &read(app.clone(), keys).await?))?;
    }
    tokio::task::spawn_blocking(move || book.finish())
        .await
        .map_err(AppError::internal)?
}
