//! One index: a folder (or memory) that answers searches.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use tantivy::collector::sort_key::{
    SortByBytes, SortBySimilarityScore, SortByStaticFastValue, SortByString,
};
use tantivy::collector::{Count, SortKeyComputer, TopDocs};
use tantivy::query::{BooleanQuery, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{Index, IndexReader, Order, ReloadPolicy, Searcher};
use uuid::Uuid;

use super::categories::CategoryCounts;
use super::fields::{FORMAT, Fields, column};
use super::matching::{self, Typos};
use crate::korean::Asked;
use crate::{Found, Query, Sort};

/// With as many exact matches, nobody wants to see misspelt ones.
const ENOUGH: u64 = 5;

/// What every commit says about the whole index.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Mark {
    /// [`FORMAT`] of the program that wrote it.
    pub format: u32,
    /// Whether it has been made the live index; a rebuild that was cut short has not.
    pub complete: bool,
    /// Everything up to this position of the log is in.
    pub position: i64,
}

impl Mark {
    /// A mark of this program's format.
    pub fn new(complete: bool, position: i64) -> Self {
        Self {
            format: FORMAT,
            complete,
            position,
        }
    }
}

/// One index.
pub struct Volume {
    pub index: Index,
    pub reader: IndexReader,
    pub fields: Fields,
    /// Its folder; none in memory.
    pub folder: Option<PathBuf>,
    position: AtomicI64,
}

impl Volume {
    /// An empty one in `folder`, which is made, or in memory.
    pub fn create(folder: Option<PathBuf>) -> tantivy::Result<Self> {
        let (schema, _) = Fields::schema();
        let index = match &folder {
            None => Index::create_in_ram(schema),
            Some(folder) => {
                std::fs::create_dir_all(folder)?;
                Index::create_in_dir(folder, schema)?
            }
        };
        Self::of(index, folder, 0)
    }

    /// The one in `folder`, if it is whole: of this format, complete, and with every checksum right.
    pub fn open(folder: &Path) -> tantivy::Result<Option<Self>> {
        let index = Index::open_in_dir(folder)?;
        let payload = index.load_metas()?.payload.unwrap_or_default();
        let mark = serde_json::from_str::<Mark>(&payload).ok();
        let mark = mark.filter(|mark| mark.complete && mark.format == FORMAT);
        match mark {
            Some(mark)
                if index.schema() == Fields::schema().0
                    && index.validate_checksum()?.is_empty() =>
            {
                Self::of(index, Some(folder.to_owned()), mark.position).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn of(index: Index, folder: Option<PathBuf>, position: i64) -> tantivy::Result<Self> {
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        Ok(Self {
            reader,
            fields: Fields::schema().1,
            index,
            folder,
            position: position.into(),
        })
    }

    /// Everything up to this position of the log is in.
    pub fn position(&self) -> i64 {
        self.position.load(Ordering::Acquire)
    }

    /// Shows searches what was committed up to `position`.
    pub fn show(&self, position: i64) -> tantivy::Result<()> {
        self.reader.reload()?;
        self.position.store(position, Ordering::Release);
        Ok(())
    }

    /// The position of the state of a product that is committed, if there is one.
    pub fn position_of(&self, id: Uuid) -> tantivy::Result<Option<i64>> {
        let query = TermQuery::new(self.fields.of_id(id), IndexRecordOption::Basic);
        let newest =
            TopDocs::with_limit(1).order_by_fast_field::<i64>(column::POSITION, Order::Desc);
        let found = self.reader.searcher().search(&query, &newest)?;
        Ok(found.first().and_then(|(position, _)| *position))
    }

    /// Searches: as typed first, and with typos where that finds too little.
    pub fn search(&self, query: &Query) -> tantivy::Result<Found> {
        let started = Instant::now();
        let asked = query.typed().map(Asked::read);
        let searcher = self.reader.searcher();
        let page = |typos| {
            let matching = matching::all(self.fields, query, asked.as_ref(), typos);
            page(&searcher, &matching, query, asked.is_some())
        };
        let mut found = match &asked {
            Some(asked) if asked.words.is_empty() => Found::default(),
            _ => page(Typos::No)?,
        };
        if found.total < ENOUGH && asked.as_ref().is_some_and(Asked::has_typos) {
            found = page(Typos::Yes)?;
        }
        found.took = started.elapsed();
        Ok(found)
    }
}

/// The page `query` asks for of everything that matches.
fn page(
    searcher: &Searcher,
    matching: &BooleanQuery,
    query: &Query,
    has_text: bool,
) -> tantivy::Result<Found> {
    let number = |name| SortByStaticFastValue::<i64>::for_field(name);
    match query.sort {
        Sort::Relevance if has_text => {
            let sold_out = SortByStaticFastValue::<bool>::for_field(column::SOLD_OUT);
            let length = SortByStaticFastValue::<u64>::for_field(column::NAME_LENGTH);
            let equals = (
                (sold_out, Order::Asc),
                (number(column::SELLS), Order::Desc),
                (length, Order::Asc),
            );
            let best = ((SortBySimilarityScore, Order::Desc), equals);
            page_by(searcher, matching, query, best)
        }
        Sort::Relevance | Sort::Latest => page_by(
            searcher,
            matching,
            query,
            (number(column::CREATED_AT), Order::Desc),
        ),
        Sort::Name => {
            let name = SortByString::for_field(column::NAME);
            page_by(searcher, matching, query, (name, Order::Asc))
        }
        Sort::PriceAsc => page_by(
            searcher,
            matching,
            query,
            (number(column::SALE_PRICE), Order::Asc),
        ),
        Sort::PriceDesc => page_by(
            searcher,
            matching,
            query,
            (number(column::SALE_PRICE), Order::Desc),
        ),
    }
}

/// The page in the order of `key`, equals by id.
fn page_by<K>(
    searcher: &Searcher,
    matching: &BooleanQuery,
    query: &Query,
    key: K,
) -> tantivy::Result<Found>
where
    K: SortKeyComputer + Send + 'static,
{
    // No page is longer than the index, whatever was asked for: the collector reserves room for all of it at once.
    let most = usize::try_from(searcher.num_docs()).unwrap_or(usize::MAX);
    let limit = query.limit.min(most);
    let by_id = (SortByBytes::for_field(column::ID), Order::Asc);
    let top = TopDocs::with_limit(limit.max(1))
        .and_offset(query.skip.min(most))
        .order_by((key, by_id));
    let categories = query.facets.then_some(CategoryCounts);
    let (total, top, categories) = searcher.search(matching, &(Count, top, categories))?;
    let ids = top.into_iter().take(limit).filter_map(|((_, id), _)| id);
    Ok(Found {
        total: u64::try_from(total).unwrap_or(u64::MAX),
        ids: ids.filter_map(|id| Uuid::from_slice(&id).ok()).collect(),
        categories: categories.unwrap_or_default(),
        ..Found::default()
    })
}
