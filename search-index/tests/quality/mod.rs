//! The products of the tables, and the engines they are searched with.

mod finding;
mod narrowing;
mod spelling;

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::Amount;
use search_index::{EmbeddedEngine, Engine, Meilisearch, ProductDocument, Query, SearchResults};
use tempfile::TempDir;
use uuid::Uuid;

use crate::common::plain;
use crate::fake::{Fake, KEY};

const GOODS: &str = include_str!("goods.txt");
const SUGGESTIONS: &str = include_str!("suggestions.txt");
const CASES: &str = include_str!("cases.txt");

/// The rows of a table: without comments, blank lines and the heading; cells trimmed.
fn table(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .skip(1)
        .map(|line| line.split('|').map(str::trim).collect())
}

/// An engine with the products.
struct Shop {
    name: &'static str,
    engine: Arc<dyn Engine>,
    goods: BTreeMap<&'static str, ProductDocument>,
    _home: Home,
}

/// Storage of an engine, removed at the end of the test.
enum Home {
    Folder {
        _folder: TempDir,
    },
    Server {
        index: String,
        address: ServerAddress,
    },
}

impl Drop for Home {
    fn drop(&mut self) {
        if let Self::Server { index, address } = self {
            // connections belong to the runtime that opened them, and the test's is blocked by this
            let index = std::mem::take(index);
            if address.key.as_deref() == Some(KEY) {
                return; // the fake server ends with the test
            }
            let engine = address.engine(&index);
            std::thread::spawn(|| {
                let runtime = tokio::runtime::Runtime::new().unwrap();
                runtime.block_on(async move { engine.delete().await.unwrap() });
            })
            .join()
            .unwrap();
        }
    }
}

/// An engine to test, with its batch size.
struct EngineUnderTest {
    name: &'static str,
    engine: Arc<dyn Engine>,
    batch: usize,
    home: Home,
}

/// Every engine, empty.
async fn engines() -> Vec<EngineUnderTest> {
    let folder = || Home::Folder {
        _folder: tempfile::tempdir().unwrap(),
    };
    let memory = || Arc::new(EmbeddedEngine::in_memory().unwrap());
    let on_disk = tempfile::tempdir().unwrap();
    let disk = Arc::new(EmbeddedEngine::open(on_disk.path()).await.unwrap());
    let index = format!("test-{}", Uuid::now_v7());
    let (server, address) = server(&index).await;
    vec![
        EngineUnderTest {
            name: "memory",
            engine: memory(),
            batch: 1_000,
            home: folder(),
        },
        EngineUnderTest {
            name: "disk",
            engine: disk,
            batch: 1_000,
            home: Home::Folder { _folder: on_disk },
        },
        // one commit each, so that the products are spread over many segments
        EngineUnderTest {
            name: "many segments",
            engine: memory(),
            batch: 1,
            home: folder(),
        },
        EngineUnderTest {
            name: "meilisearch",
            engine: Arc::new(server),
            batch: 1_000,
            home: Home::Server { index, address },
        },
    ]
}

/// The Meilisearch engine: the server at `MEILISEARCH_URL` (and `MEILISEARCH_KEY`), or else the fake one.
async fn server(index: &str) -> (Meilisearch, ServerAddress) {
    let variable = |name| std::env::var(name).ok().filter(|text| !text.is_empty());
    let address = match variable("MEILISEARCH_URL") {
        Some(url) => ServerAddress {
            url,
            key: variable("MEILISEARCH_KEY"),
        },
        None => ServerAddress {
            url: Fake::start().await.1,
            key: Some(KEY.to_owned()),
        },
    };
    (address.engine(index), address)
}

struct ServerAddress {
    url: String,
    key: Option<String>,
}

impl ServerAddress {
    fn engine(&self, index: &str) -> Meilisearch {
        Meilisearch::new(&self.url, self.key.as_deref(), index).unwrap()
    }
}

/// Every engine, with the products.
async fn shops() -> Vec<Shop> {
    let mut shops = Vec::new();
    for EngineUnderTest {
        name,
        engine,
        batch,
        home,
    } in engines().await
    {
        let goods = goods();
        let mut documents: Vec<_> = goods.values().cloned().collect();
        documents.sort_by_key(|document| document.position);
        for documents in documents.chunks(batch) {
            engine.upsert(documents.to_vec()).await.unwrap();
            engine
                .commit(documents.last().unwrap().position)
                .await
                .unwrap();
        }
        shops.push(Shop {
            name,
            engine,
            goods,
            _home: home,
        });
    }
    shops
}

fn goods() -> BTreeMap<&'static str, ProductDocument> {
    (1..)
        .zip(table(GOODS))
        .map(|(number, cells)| {
            let text = |at: usize| (!cells[at].is_empty()).then(|| cells[at].to_owned());
            let list =
                |at: usize, by: char| cells[at].split(by).map(str::trim).filter(|s| !s.is_empty());
            let marks = cells[7];
            let price = Amount::new(cells[6].parse().unwrap());
            let document = ProductDocument {
                keywords: list(2, ',').map(Into::into).collect(),
                brand: text(3),
                brand_code: text(3),
                groups: list(7, ' ')
                    .filter(|mark| *mark == "new")
                    .map(str::to_uppercase)
                    .collect(),
                free_in: list(7, ' ')
                    .filter_map(|mark| mark.strip_prefix("free-"))
                    .map(str::to_owned)
                    .collect(),
                reviews: list(7, ' ')
                    .find_map(|mark| mark.strip_suffix("-reviews")?.parse().ok())
                    .unwrap_or(0),
                seller_id: text(4).map(|name| seller(&name)),
                seller_name: text(4),
                categories: list(5, ' ').map(Into::into).collect(),
                price: Amount::new(price.hundredths() * 2),
                sale_price: price,
                kind: if marks.contains("bundle") {
                    "PRODUCT_BUNDLE"
                } else {
                    "NORMAL_PRODUCT"
                }
                .into(),
                shows: !marks.contains("hidden"),
                sold_out: marks.contains("sold-out"),
                ..plain(number, cells[1])
            };
            (cells[0], document)
        })
        .collect()
}

fn seller(nickname: &str) -> Uuid {
    let sum: u32 = nickname.chars().map(u32::from).sum();
    Uuid::from_u128(u128::from(sum))
}

impl Shop {
    async fn search(&self, query: Query) -> SearchResults {
        let query_shown = format!("{query:?}");
        let found = self.engine.search(query).await;
        found.unwrap_or_else(|error| panic!("{}: {query_shown}: {error}", self.name))
    }

    /// The keys of the products a query finds, in order.
    async fn keys(&self, query: Query) -> Vec<&'static str> {
        let found = self
            .search(Query {
                limit: 1_000,
                ..query
            })
            .await;
        let keys: Vec<_> = found.ids.iter().map(|id| self.key(*id)).collect();
        assert_eq!(
            found.total,
            u64::try_from(keys.len()).unwrap(),
            "{}",
            self.name
        );
        keys
    }

    fn key(&self, id: Uuid) -> &'static str {
        self.goods
            .iter()
            .find(|(_, document)| document.id == id)
            .unwrap()
            .0
    }

    fn shown(&self) -> impl Iterator<Item = (&'static str, &ProductDocument)> {
        self.goods
            .iter()
            .filter(|(_, document)| document.shows)
            .map(|(key, document)| (*key, document))
    }
}
