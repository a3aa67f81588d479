//! The connection to the server: every request has a timeout, and every task is waited for.

use std::collections::HashMap;
use std::future::Future;
use std::time::Duration;

use meilisearch_sdk::client::{Client, SwapIndexes};
use meilisearch_sdk::documents::DocumentsQuery;
use meilisearch_sdk::errors::{Error as SdkError, ErrorCode};
use meilisearch_sdk::settings::Settings;
use meilisearch_sdk::task_info::TaskInfo;
use meilisearch_sdk::tasks::{Task, TasksPaginationFilters, TasksQuery};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout};
use uuid::Uuid;

use super::documents::{MARK, Mark};
use crate::Error;

/// Timeout of a response.
const PATIENCE: Duration = Duration::from_secs(5);
/// Timeout of a task, including all tasks queued before it.
const TASK_PATIENCE: Duration = Duration::from_secs(120);
/// Pause between two polls of a task, initial and maximum.
const PAUSES: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(500));

/// Errors of requests.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error("the search server has not answered for {} s", PATIENCE.as_secs())]
    Silent,
    #[error("the search server did not do task {task}: {why}")]
    Failed { task: u32, why: String },
    #[error("the search server is still busy with task {task} after {} s", TASK_PATIENCE.as_secs())]
    Busy { task: u32 },
    #[error("the key of the search server has characters no key has")]
    Key,
}

/// The part of a stored document that is read back.
#[derive(Deserialize)]
struct StoredDocument {
    id: String,
    #[serde(rename = "_position")]
    position: Option<i64>,
}

#[derive(Deserialize)]
struct StoredMark {
    mark: Mark,
}

/// A Meilisearch server.
#[derive(Clone)]
pub struct Server {
    pub client: Client,
}

impl Server {
    /// The server at an address.
    pub fn new(url: &str, key: Option<&str>) -> Result<Self, Error> {
        let is_key = |key: &str| key.chars().all(|c| c.is_ascii_graphic());
        if !key.is_none_or(is_key) {
            return Err(Error::unavailable(Trouble::Key));
        }
        let client = Client::new(url.trim_end_matches('/'), key).map_err(Error::unavailable)?;
        Ok(Self { client })
    }

    /// Sends a request with a timeout. After a broken connection it is repeated once: all requests sent this way are idempotent.
    pub async fn ask<T, F>(&self, question: impl Fn() -> F) -> Result<T, SdkError>
    where
        F: Future<Output = Result<T, SdkError>>,
    {
        let once = async || match timeout(PATIENCE, question()).await {
            Ok(answer) => answer,
            Err(_) => Err(SdkError::Other(Box::new(Trouble::Silent))),
        };
        match once().await {
            Err(SdkError::HttpError(_)) => once().await,
            answer => answer,
        }
    }

    /// Waits for an enqueued task.
    async fn done(&self, taken: Result<TaskInfo, SdkError>) -> Result<(), Error> {
        self.finished(taken.map_err(Error::unavailable)?.task_uid)
            .await
    }

    async fn finished(&self, task: u32) -> Result<(), Error> {
        let begun = Instant::now();
        let mut pause = PAUSES.0;
        while begun.elapsed() < TASK_PATIENCE {
            let state = self.ask(|| self.client.get_task(Uid(task))).await;
            match state.map_err(Error::unavailable)? {
                Task::Succeeded { .. } => return Ok(()),
                Task::Failed { content } => {
                    let why = content.error.to_string();
                    return Err(Error::unavailable(Trouble::Failed { task, why }));
                }
                Task::Enqueued { .. } | Task::Processing { .. } => sleep(pause).await,
            }
            pause = PAUSES.1.min(pause * 2);
        }
        Err(Error::unavailable(Trouble::Busy { task }))
    }

    /// Waits until no task of this index is queued any more: from an earlier process, or from a call that timed out.
    pub async fn idle(&self, index: &str) -> Result<(), Error> {
        let mut query = TasksQuery::<TasksPaginationFilters, _>::new(&self.client);
        query
            .with_index_uids([index])
            .with_statuses(["enqueued", "processing"])
            .with_limit(1);
        let waiting = self.ask(|| query.execute()).await;
        let newest = waiting.map_err(Error::unavailable)?.results.pop();
        match newest {
            Some(task) => self.finished(task.get_uid()).await,
            None => Ok(()),
        }
    }

    /// The mark of an index; none if there is no such index, or it has none.
    pub async fn mark(&self, index: &str) -> Result<Option<Mark>, Error> {
        let index = self.client.index(index);
        match self.ask(|| index.get_document::<StoredMark>(MARK)).await {
            Ok(stored) => Ok(Some(stored.mark)),
            Err(error) if is_missing(&error) => Ok(None),
            Err(error) => Err(Error::unavailable(error)),
        }
    }

    /// Creates an index, if it does not exist, and sets it up.
    pub async fn create(&self, index: &str, settings: &Settings) -> Result<(), Error> {
        match self.ask(|| self.client.get_index(index)).await {
            Ok(_) => {}
            Err(error) if is_missing(&error) => {
                let taken = self.ask(|| self.client.create_index(index, Some("id")));
                self.done(taken.await).await?;
            }
            Err(error) => return Err(Error::unavailable(error)),
        }
        let index = self.client.index(index);
        let taken = self.ask(|| index.set_settings(settings)).await;
        self.done(taken).await
    }

    /// Deletes an index, if it exists.
    pub async fn delete(&self, index: &str) -> Result<(), Error> {
        match self.ask(|| self.client.get_index(index)).await {
            Ok(_) => {
                let taken = self.ask(|| self.client.delete_index(index)).await;
                self.done(taken).await
            }
            Err(error) if is_missing(&error) => Ok(()),
            Err(error) => Err(Error::unavailable(error)),
        }
    }

    /// The indexed positions of these products.
    pub async fn positions(
        &self,
        index: &str,
        products: &[Uuid],
    ) -> Result<HashMap<Uuid, i64>, Error> {
        let ids: Vec<String> = products.iter().map(Uuid::to_string).collect();
        let index = self.client.index(index);
        let mut query = DocumentsQuery::new(&index);
        query
            .with_ids(ids.iter().map(String::as_str))
            .with_fields(["id", "_position"])
            .with_limit(ids.len());
        let known = self.ask(|| query.execute::<StoredDocument>()).await;
        let known = known.map_err(Error::unavailable)?.results;
        let known = known
            .into_iter()
            .filter_map(|stored| Some((stored.id.parse().ok()?, stored.position?)));
        Ok(known.collect())
    }

    /// Adds documents to an index; all are indexed when this returns.
    pub async fn put(&self, index: &str, documents: &[Value]) -> Result<(), Error> {
        let index = self.client.index(index);
        let taken = self.ask(|| index.add_or_replace(documents, Some("id")));
        self.done(taken.await).await
    }

    /// Swaps the names of two indexes atomically.
    pub async fn swap(&self, one: &str, other: &str) -> Result<(), Error> {
        let swap = SwapIndexes {
            indexes: (one.to_owned(), other.to_owned()),
            rename: None,
        };
        // Not idempotent: a second swap would undo the first, so this one is not retried.
        let taken = timeout(PATIENCE, self.client.swap_indexes([&swap])).await;
        self.done(taken.unwrap_or_else(|_| Err(SdkError::Other(Box::new(Trouble::Silent)))))
            .await
    }
}

/// The id of a task, in the client's form.
#[derive(Clone, Copy, Serialize)]
struct Uid(u32);

impl AsRef<u32> for Uid {
    fn as_ref(&self) -> &u32 {
        &self.0
    }
}

fn is_missing(error: &SdkError) -> bool {
    let SdkError::Meilisearch(error) = error else {
        return false;
    };
    matches!(
        error.error_code,
        ErrorCode::IndexNotFound | ErrorCode::DocumentNotFound
    )
}
