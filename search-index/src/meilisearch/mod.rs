//! The Meilisearch engine, for a shop with several processes.
//!
//! - `server` talks to it: timeouts, waiting for tasks, clear errors.
//! - `documents` holds an index's settings and the stored form of a product.
//! - `query_translation` translates a query.
//! - [`Writing`] is the only writer of an index; the position in the log is a document of its own, written in the same task as the
//!   documents it covers.
//!
//! The server may be unavailable at any time, also when the shop starts: every call then returns an error, and no change is lost.

mod documents;
mod query_translation;
mod server;
mod writer;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio::time::Instant;

use self::documents::{FORMAT, settings};
use self::server::Server;
use self::writer::Writing;
use crate::index_op::IndexOp;
use crate::{Engine, Error, ProductDocument, Query, Rebuild, Removal, SearchResults, korean};

/// How long a cached position is used. A server that lost its data is noticed after this.
const BELIEVED: Duration = Duration::from_secs(2);

/// The Meilisearch engine. Cheap to clone; all clones are one engine.
#[derive(Clone)]
pub struct Meilisearch {
    shop: Arc<Shop>,
}

struct Shop {
    server: Server,
    index: String,
    desk: Mutex<Desk>,
}

/// The writers of the live index and of the one being built.
struct Desk {
    live: Writing,
    building: Option<Writing>,
    /// The position of the live index, and when it was last read or written; none before the index was set up.
    seen: Option<(i64, Instant)>,
}

impl Meilisearch {
    /// The engine for an index at a URL. Sends no request yet.
    ///
    /// # Errors
    /// [`Error::Unavailable`] for an invalid key.
    pub fn new(url: &str, key: Option<&str>, index: &str) -> Result<Self, Error> {
        Ok(Self {
            shop: Arc::new(Shop {
                server: Server::new(url, key)?,
                index: index.to_owned(),
                desk: Mutex::new(Desk {
                    live: Writing::new(index.to_owned()),
                    building: None,
                    seen: None,
                }),
            }),
        })
    }

    /// Deletes the index, for tests and for a shop that stops using the server.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    pub async fn delete(&self) -> Result<(), Error> {
        let mut desk = self.shop.desk.lock().await;
        desk.seen = None;
        self.shop.server.delete(&self.shop.index).await
    }
}

impl Shop {
    /// The position of the live index, which is created if it does not exist or has another format.
    async fn position(&self, desk: &mut Desk) -> Result<i64, Error> {
        if let Some((position, _)) = desk.seen.filter(|(_, at)| at.elapsed() < BELIEVED) {
            return Ok(position);
        }
        let mark = self.server.mark(&self.index).await?;
        let mark = mark.filter(|mark| mark.format == FORMAT);
        let position = match mark {
            Some(mark) => mark.position,
            None => {
                self.server.create(&self.index, &settings()).await?;
                desk.live.commit(&self.server, 0).await?;
                0
            }
        };
        desk.seen = Some((position, Instant::now()));
        Ok(position)
    }

    /// Applies changes to both indexes. If the one being built fails, it is given up; the live one continues.
    async fn take(&self, changes: Vec<IndexOp>) -> Result<(), Error> {
        let mut desk = self.desk.lock().await;
        let desk = &mut *desk;
        self.position(desk).await?;
        for change in changes {
            if let Some(building) = &mut desk.building
                && let Err(error) = building.take(&self.server, change.clone()).await
            {
                tracing::warn!(%error, "the search index being built failed and is given up");
                desk.building = None;
            }
            desk.live.take(&self.server, change).await?;
        }
        Ok(())
    }

    /// The name of the index being built.
    fn beside(&self) -> String {
        format!("{}-next", self.index)
    }
}

#[async_trait]
impl Engine for Meilisearch {
    fn name(&self) -> &'static str {
        "meilisearch"
    }

    fn is_shared(&self) -> bool {
        true
    }

    async fn upsert(&self, documents: Vec<ProductDocument>) -> Result<(), Error> {
        let changes = documents.into_iter().map(Arc::new).map(IndexOp::State);
        self.shop.take(changes.collect()).await
    }

    async fn remove(&self, removals: Vec<Removal>) -> Result<(), Error> {
        let changes = removals.into_iter().map(IndexOp::Gone);
        self.shop.take(changes.collect()).await
    }

    async fn commit(&self, position: i64) -> Result<(), Error> {
        let mut desk = self.shop.desk.lock().await;
        let position = position.max(self.shop.position(&mut desk).await?);
        desk.live.commit(&self.shop.server, position).await?;
        desk.seen = Some((position, Instant::now()));
        Ok(())
    }

    async fn position(&self) -> Result<i64, Error> {
        let mut desk = self.shop.desk.lock().await;
        self.shop.position(&mut desk).await
    }

    async fn search(&self, query: Query) -> Result<SearchResults, Error> {
        query_translation::search(&self.shop.server, &self.shop.index, &query).await
    }

    async fn suggest(&self, typed: &str, most: usize) -> Result<Vec<String>, Error> {
        let looked_through = Query {
            limit: korean::LOOKED_THROUGH,
            ..Query::text(typed)
        };
        // nothing was typed: an empty text would complete to every name
        let names = match looked_through.typed() {
            Some(_) => {
                query_translation::names(&self.shop.server, &self.shop.index, &looked_through)
                    .await?
            }
            None => Vec::new(),
        };
        Ok(korean::suggestions(typed, &names, most))
    }

    async fn rebuild(&self) -> Result<Box<dyn Rebuild>, Error> {
        let shop = &self.shop;
        let mut desk = shop.desk.lock().await;
        if desk.building.is_some() {
            return Err(Error::Rebuilding);
        }
        shop.position(&mut desk).await?;
        let index = shop.beside();
        // an interrupted rebuild may have left an index
        shop.server.delete(&index).await?;
        shop.server.create(&index, &settings()).await?;
        let building = Writing::beside(&desk.live, index);
        let token = Arc::clone(&building.token);
        desk.building = Some(building);
        Ok(Box::new(Rebuilding {
            engine: self.clone(),
            token,
        }))
    }
}

/// A rebuild in progress.
struct Rebuilding {
    engine: Meilisearch,
    token: Arc<()>,
}

impl Desk {
    /// The writer of a rebuild, if that is still in progress.
    fn building(&mut self, token: &Arc<()>) -> Result<&mut Writing, Error> {
        let building = self.building.as_mut();
        let building = building.filter(|building| Arc::ptr_eq(&building.token, token));
        building.ok_or_else(|| Error::unavailable("the rebuild was given up"))
    }
}

#[async_trait]
impl Rebuild for Rebuilding {
    async fn upsert(&self, documents: Vec<ProductDocument>) -> Result<(), Error> {
        let shop = &self.engine.shop;
        let mut desk = shop.desk.lock().await;
        let building = desk.building(&self.token)?;
        for change in documents.into_iter().map(Arc::new).map(IndexOp::State) {
            building.take(&shop.server, change).await?;
        }
        Ok(())
    }

    async fn swap(self: Box<Self>, position: i64) -> Result<(), Error> {
        self.change(position, false).await
    }

    async fn swap_back(self: Box<Self>, position: i64) -> Result<(), Error> {
        self.change(position, true).await
    }
}

impl Rebuilding {
    /// Makes the new index the live one; with `back`, even if its position is lower.
    async fn change(&self, position: i64, back: bool) -> Result<(), Error> {
        let shop = Arc::clone(&self.engine.shop);
        let mut desk = shop.desk.lock().await;
        let position = match back {
            true => position,
            false => position.max(shop.position(&mut desk).await?),
        };
        let building = desk.building(&self.token)?;
        building.commit(&shop.server, position).await?;
        shop.server.swap(&shop.index, &building.index).await?;
        desk.building = None;
        desk.live.forget();
        desk.seen = Some((position, Instant::now()));
        if let Err(error) = shop.server.delete(&shop.beside()).await {
            tracing::warn!(%error, "the old search index could not be deleted; the next rebuild does it");
        }
        Ok(())
    }
}

impl Drop for Rebuilding {
    fn drop(&mut self) {
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        let (engine, token) = (self.engine.clone(), Arc::clone(&self.token));
        runtime.spawn(async move {
            let mut desk = engine.shop.desk.lock().await;
            if desk.building(&token).is_err() {
                return;
            }
            desk.building = None;
            if let Err(error) = engine.shop.server.delete(&engine.shop.beside()).await {
                tracing::warn!(%error, "a search index that was given up could not be deleted; the next rebuild does it");
            }
        });
    }
}
