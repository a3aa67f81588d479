//! The embedded engine: tantivy in this process, for a shop without a search server.
//!
//! - [`Home`] is its location: `index-<n>` folders and a lock, or memory.
//! - [`Volume`] is one index and answers searches; an [`ArcSwap`] holds the live one, so that searches never wait.
//! - [`Writing`] is the only writer of a volume; a mutex guards it, and each commit stores the position.
//! - `query_builder` defines what a product must match, `schema` which fields are indexed.

mod facets;
mod index;
mod index_dir;
mod query_builder;
mod schema;
mod writer;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;
use async_trait::async_trait;
use tokio::task::spawn_blocking;

use self::index::Volume;
use self::index_dir::Home;
use self::writer::Writing;
use crate::index_op::IndexOp;
use crate::{Engine, Error, ProductDocument, Query, Rebuild, Removal, SearchResults, korean};

/// The embedded engine. Cheap to clone; all clones are one engine. Must be used within a tokio runtime.
#[derive(Clone)]
pub struct EmbeddedEngine {
    shelf: Arc<Shelf>,
}

/// The live index and its writers. The home comes last, so that its lock outlives everything in it.
struct Shelf {
    live: ArcSwap<Volume>,
    desk: Mutex<Desk>,
    home: Home,
}

/// The writers of the live index and of the one being built.
struct Desk {
    live: Writing,
    building: Option<Writing>,
}

impl EmbeddedEngine {
    /// Opens the index in `folder`, or creates an empty one there. An index that is damaged, unfinished or of another format is deleted and
    /// created again; its position is then 0.
    ///
    /// # Errors
    /// [`Error::InUse`] if another process has it open; [`Error::Unavailable`] if the disk fails.
    pub async fn open(folder: impl Into<PathBuf>) -> Result<Self, Error> {
        let folder = folder.into();
        let opened = spawn_blocking(move || Self::of(Home::open(&folder)?));
        opened.await.map_err(Error::unavailable)?
    }

    /// An empty index in memory, for tests.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if there is not enough memory.
    pub fn in_memory() -> Result<Self, Error> {
        Self::of(Home::Memory)
    }

    fn of(home: Home) -> Result<Self, Error> {
        let volume = home.live()?;
        let desk = Mutex::new(Desk {
            live: Writing::new(Arc::clone(&volume), true),
            building: None,
        });
        let live = ArcSwap::new(volume);
        Ok(Self {
            shelf: Arc::new(Shelf { live, desk, home }),
        })
    }

    /// Runs blocking disk work on a thread where it delays no other task.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Shelf) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let shelf = Arc::clone(&self.shelf);
        spawn_blocking(move || work(&shelf))
            .await
            .map_err(Error::unavailable)?
    }
}

#[async_trait]
impl Engine for EmbeddedEngine {
    fn name(&self) -> &'static str {
        "embedded"
    }

    fn is_shared(&self) -> bool {
        false
    }

    async fn upsert(&self, documents: Vec<ProductDocument>) -> Result<(), Error> {
        let changes = documents
            .into_iter()
            .map(Arc::new)
            .map(IndexOp::State)
            .collect();
        self.work(|shelf| shelf.desk().take(changes)).await
    }

    async fn remove(&self, removals: Vec<Removal>) -> Result<(), Error> {
        let changes = removals.into_iter().map(IndexOp::Gone).collect();
        self.work(|shelf| shelf.desk().take(changes)).await
    }

    async fn commit(&self, position: i64) -> Result<(), Error> {
        self.work(move |shelf| {
            shelf
                .desk()
                .live
                .commit(position)
                .map_err(Error::unavailable)
        })
        .await
    }

    async fn position(&self) -> Result<i64, Error> {
        Ok(self.shelf.live.load().position())
    }

    async fn search(&self, query: Query) -> Result<SearchResults, Error> {
        self.work(move |shelf| shelf.live.load().search(&query).map_err(Error::unavailable))
            .await
    }

    async fn suggest(&self, typed: &str, most: usize) -> Result<Vec<String>, Error> {
        let typed = typed.to_owned();
        self.work(move |shelf| {
            let looked_through = Query {
                limit: korean::LOOKED_THROUGH,
                ..Query::text(&typed)
            };
            // nothing was typed: an empty text would complete to every name
            let names = match looked_through.typed() {
                Some(_) => shelf.live.load().names(&looked_through),
                None => Ok(Vec::new()),
            };
            let names = names.map_err(Error::unavailable)?;
            Ok(korean::suggestions(&typed, &names, most))
        })
        .await
    }

    async fn rebuild(&self) -> Result<Box<dyn Rebuild>, Error> {
        let engine = self.clone();
        let volume = self.work(Shelf::begin_rebuild).await?;
        Ok(Box::new(Rebuilding { engine, volume }))
    }
}

impl Shelf {
    /// The writers. A thread that panicked while writing left nothing half done: changes are taken as a whole or not at all, and a writer
    /// is put back only after its commit.
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin_rebuild(&self) -> Result<Arc<Volume>, Error> {
        let mut desk = self.desk();
        if desk.building.is_some() {
            return Err(Error::Rebuilding);
        }
        let volume = Arc::new(self.home.create()?);
        desk.building = Some(Writing::beside(&desk.live, Arc::clone(&volume)));
        Ok(volume)
    }

    fn swap(&self, volume: &Arc<Volume>, position: i64, back: bool) -> Result<(), Error> {
        let mut desk = self.desk();
        let mut building = desk.take_building(volume).ok_or_else(given_up)?;
        let position = match back {
            true => position,
            false => position.max(desk.live.volume.position()),
        };
        if let Err(error) = building.complete(position) {
            discard(building);
            return Err(Error::unavailable(error));
        }
        self.live.store(Arc::clone(&building.volume));
        discard(std::mem::replace(&mut desk.live, building));
        Ok(())
    }
}

impl Desk {
    /// Applies changes to both indexes. If the one being built fails, it is given up; the live one continues.
    fn take(&mut self, changes: Vec<IndexOp>) -> Result<(), Error> {
        for change in changes {
            let beside = self
                .building
                .as_mut()
                .map(|building| building.take(change.clone()));
            if let Some(Err(error)) = beside {
                tracing::warn!(%error, "the search index being built failed and is given up");
                if let Some(building) = self.building.take() {
                    discard(building);
                }
            }
            self.live.take(change).map_err(Error::unavailable)?;
        }
        Ok(())
    }

    /// Takes the writer of `volume`, if that is still the index being built.
    fn take_building(&mut self, volume: &Arc<Volume>) -> Option<Writing> {
        self.building
            .take_if(|building| Arc::ptr_eq(&building.volume, volume))
    }
}

/// A rebuild in progress: it writes to `volume`.
struct Rebuilding {
    engine: EmbeddedEngine,
    volume: Arc<Volume>,
}

#[async_trait]
impl Rebuild for Rebuilding {
    async fn upsert(&self, documents: Vec<ProductDocument>) -> Result<(), Error> {
        let volume = Arc::clone(&self.volume);
        let bring = move |shelf: &Shelf| {
            let mut desk = shelf.desk();
            let building = desk.building.as_mut();
            let building = building.filter(|building| Arc::ptr_eq(&building.volume, &volume));
            let building = building.ok_or_else(given_up)?;
            let mut changes = documents.into_iter().map(Arc::new).map(IndexOp::State);
            changes
                .try_for_each(|change| building.take(change))
                .map_err(Error::unavailable)
        };
        self.engine.work(bring).await
    }

    async fn swap(self: Box<Self>, position: i64) -> Result<(), Error> {
        let volume = Arc::clone(&self.volume);
        self.engine
            .work(move |shelf| shelf.swap(&volume, position, false))
            .await
    }

    async fn swap_back(self: Box<Self>, position: i64) -> Result<(), Error> {
        let volume = Arc::clone(&self.volume);
        self.engine
            .work(move |shelf| shelf.swap(&volume, position, true))
            .await
    }
}

impl Drop for Rebuilding {
    fn drop(&mut self) {
        let given_up = self.engine.shelf.desk().take_building(&self.volume);
        if let Some(building) = given_up {
            discard(building);
        }
    }
}

fn given_up() -> Error {
    Error::unavailable("the rebuild was given up")
}

/// Closes an index that is no longer needed and deletes its folder; running searches are not affected.
fn discard(writing: Writing) {
    if let Some(folder) = &writing.end().folder {
        index_dir::delete(folder);
    }
}
