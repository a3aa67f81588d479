//! One index: a folder (or memory) that is searched.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};
use tantivy::collector::sort_key::{
    SortByBytes, SortBySimilarityScore, SortByStaticFastValue, SortByString,
};
use tantivy::collector::{Count, SortKeyComputer, TopDocs};
use tantivy::query::{BooleanQuery, TermQuery};
use tantivy::schema::{IndexRecordOption, Value as _};
use tantivy::{DocAddress, Index, IndexReader, Order, ReloadPolicy, Searcher, TantivyDocument};
use uuid::Uuid;

use super::facets::{CodeCounts, PriceEnds};
use super::query_builder::{self, Typos};
use super::schema::{FORMAT, Fields, column};
use crate::korean::ParsedQuery;
use crate::query::Facet;
use crate::{Facets, Query, SearchResults, Sort};

/// With this many exact matches, misspelt ones are not searched.
const ENOUGH: usize = 5;

/// The state of the index, stored with every commit.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Mark {
    /// [`FORMAT`] of the program that wrote it.
    pub format: u32,
    /// Whether it has become the live index; an interrupted rebuild has not.
    pub complete: bool,
    /// Position in the log up to which everything is indexed.
    pub position: i64,
}

impl Mark {
    /// A mark in this program's format.
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
    /// Creates an empty one in `folder`, which is created too, or in memory.
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

    /// Opens the one in `folder`, if it is intact: of this format, complete, and with every checksum right.
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

    /// Position in the log up to which everything is indexed.
    pub fn position(&self) -> i64 {
        self.position.load(Ordering::Acquire)
    }

    /// Makes what was committed up to `position` visible to searches.
    pub fn show(&self, position: i64) -> tantivy::Result<()> {
        self.reader.reload()?;
        self.position.store(position, Ordering::Release);
        Ok(())
    }

    /// The committed position of a product, if it has one.
    pub fn position_of(&self, id: Uuid) -> tantivy::Result<Option<i64>> {
        let query = TermQuery::new(self.fields.of_id(id), IndexRecordOption::Basic);
        let newest =
            TopDocs::with_limit(1).order_by_fast_field::<i64>(column::POSITION, Order::Desc);
        let found = self.reader.searcher().search(&query, &newest)?;
        Ok(found.first().and_then(|(position, _)| *position))
    }

    /// Searches as typed, and with typos if there are too few exact matches.
    pub fn search(&self, query: &Query) -> tantivy::Result<SearchResults> {
        let started = Instant::now();
        let Some((reading, page)) = self.read(query)? else {
            return Ok(SearchResults::default());
        };
        let facets = query.facets.then(|| reading.facets(query)).transpose()?;
        Ok(SearchResults {
            total: u64::try_from(page.total).unwrap_or(u64::MAX),
            ids: page.places.into_iter().map(|(id, _)| id).collect(),
            facets,
            took: started.elapsed(),
        })
    }

    /// The texts of the products a query finds, in their order, for suggestions.
    pub fn names(&self, query: &Query) -> tantivy::Result<Vec<Vec<String>>> {
        let Some((reading, page)) = self.read(query)? else {
            return Ok(Vec::new());
        };
        let names = page
            .places
            .into_iter()
            .map(|(_, address)| -> tantivy::Result<Vec<String>> {
                let stored: TantivyDocument = reading.searcher.doc(address)?;
                let texts = stored.get_all(self.fields.said);
                Ok(texts
                    .filter_map(|text| text.as_str().map(str::to_owned))
                    .collect())
            });
        names.collect()
    }

    /// How to read a query, and its page; none if its text has no word, in which case it finds nothing.
    fn read(&self, query: &Query) -> tantivy::Result<Option<(Reading, Page)>> {
        let parsed = query.typed().map(ParsedQuery::parse);
        if parsed
            .as_ref()
            .is_some_and(|parsed| parsed.words.is_empty())
        {
            return Ok(None);
        }
        let may_be_misspelt = parsed.as_ref().is_some_and(ParsedQuery::has_typos);
        let mut reading = Reading {
            searcher: self.reader.searcher(),
            fields: self.fields,
            parsed,
            typos: Typos::No,
        };
        let mut page = reading.page(query)?;
        let is_misspelt =
            may_be_misspelt && page.total < ENOUGH && reading.count(&query.widest())? < ENOUGH;
        if is_misspelt {
            reading.typos = Typos::Yes;
            page = reading.page(query)?;
        }
        Ok(Some((reading, page)))
    }
}

/// A page of matches.
struct Page {
    /// Total number of matching products.
    total: usize,
    /// The products of this page, with their addresses in the index.
    places: Vec<(Uuid, DocAddress)>,
}

/// A parsed query on one snapshot of the index: all results of a query come from the same commit.
struct Reading {
    searcher: Searcher,
    fields: Fields,
    parsed: Option<ParsedQuery>,
    typos: Typos,
}

impl Reading {
    fn matching(&self, query: &Query) -> BooleanQuery {
        query_builder::all(self.fields, query, self.parsed.as_ref(), self.typos)
    }

    fn count(&self, query: &Query) -> tantivy::Result<usize> {
        self.searcher.search(&self.matching(query), &Count)
    }

    /// The page requested by `query`.
    fn page(&self, query: &Query) -> tantivy::Result<Page> {
        let number = |name| SortByStaticFastValue::<i64>::for_field(name);
        let newest = (number(column::CREATED_AT), Order::Desc);
        match query.sort {
            Sort::Relevance if self.parsed.is_some() => {
                let sold_out = SortByStaticFastValue::<bool>::for_field(column::SOLD_OUT);
                let length = SortByStaticFastValue::<u64>::for_field(column::NAME_LENGTH);
                let equals = (
                    (sold_out, Order::Asc),
                    (number(column::SELLS), Order::Desc),
                    (length, Order::Asc),
                );
                self.page_by(query, ((SortBySimilarityScore, Order::Desc), equals))
            }
            Sort::Relevance | Sort::Latest => self.page_by(query, newest),
            Sort::Name => {
                let name = SortByString::for_field(column::NAME);
                self.page_by(query, (name, Order::Asc))
            }
            Sort::PriceAsc => self.page_by(query, (number(column::SALE_PRICE), Order::Asc)),
            Sort::PriceDesc => self.page_by(query, (number(column::SALE_PRICE), Order::Desc)),
            Sort::Review => {
                let reviews = (number(column::REVIEWS), Order::Desc);
                self.page_by(query, (reviews, newest))
            }
        }
    }

    /// The page sorted by `key`, equal ones by id.
    fn page_by<K>(&self, query: &Query, key: K) -> tantivy::Result<Page>
    where
        K: SortKeyComputer + Send + 'static,
    {
        // No page is longer than the index, whatever the limit: the collector allocates memory for all of it in advance.
        let most = usize::try_from(self.searcher.num_docs()).unwrap_or(usize::MAX);
        let limit = query.limit.min(most);
        let by_id = (SortByBytes::for_field(column::ID), Order::Asc);
        let top = TopDocs::with_limit(limit.max(1))
            .and_offset(query.skip.min(most))
            .order_by((key, by_id));
        let (total, top) = self.searcher.search(&self.matching(query), &(Count, top))?;
        let places = top.into_iter().take(limit);
        let places =
            places.filter_map(|((_, id), place)| Some((Uuid::from_slice(&id?).ok()?, place)));
        Ok(Page {
            total,
            places: places.collect(),
        })
    }

    /// The facets. Those without a filter of their own are counted in one search, the others in one each.
    fn facets(&self, query: &Query) -> tantivy::Result<Facets> {
        let mut facets = Facets::default();
        let (own, shared): (Vec<Facet>, Vec<Facet>) = Facet::ALL
            .into_iter()
            .partition(|facet| query.without(*facet) != *query);
        let passes = own
            .into_iter()
            .map(|facet| (query.without(facet), vec![facet]));
        let together = [(query.clone(), shared)];
        let together = together.into_iter().filter(|(_, some)| !some.is_empty());
        for (query, counted) in passes.chain(together) {
            let counts = |facet, column| counted.contains(&facet).then_some(CodeCounts(column));
            let ends = counted.contains(&Facet::Price).then_some(PriceEnds);
            let collector = (
                counts(Facet::Brands, column::BRAND),
                counts(Facet::Categories, column::CATEGORIES),
                ends,
            );
            let (brands, categories, price) =
                self.searcher.search(&self.matching(&query), &collector)?;
            facets.brands.extend(brands.unwrap_or_default());
            facets.categories.extend(categories.unwrap_or_default());
            facets.price = price.unwrap_or(facets.price);
        }
        Ok(facets)
    }
}
