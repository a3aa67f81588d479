//! Documents of the search engine, one for each product.
//!
//! Changes are processed event by event, so the position of a document does not depend on how the log is split into batches.

mod queries;

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::mem;

use domain::catalogue::Product;
use domain::catalogue::tree::CategoryTree;
use domain::ids::{MemberId, ProductId, StockId};
use domain::member::MemberEvent;
use domain::pricing::discount::sale_price_of;
use domain::stock::StockEvent;
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::ReadError;
use crate::event_decode::{at, event, of, stream_id, streams};
use crate::macros::projection;
use crate::page::typed;
use crate::products::{ledgers, left, with_ancestors};
use crate::record_event::{RecordChange, change};
use crate::row_store::{Row, load, save};

pub use queries::*;

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "search_documents";

/// The projection.
pub struct SearchDocuments;

/// One product and its document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocumentRow {
    /// The product.
    pub product: ProductId,
    /// Seller of the product.
    pub seller: MemberId,
    /// The product record.
    pub data: Map<String, Value>,
    /// Marked as removed.
    pub removed: bool,
    /// When it was created.
    #[serde(with = "crate::timestamp")]
    pub created_at: OffsetDateTime,
    /// Stocks it depends on.
    pub ledgers: Vec<StockId>,
    /// Of a set: its part products, each of which may make it unsellable.
    pub parts: Vec<ProductId>,
    /// The document in the engine; none: deleted.
    pub document: Option<Value>,
    /// Position of the event that last changed the document.
    pub position: i64,
}

impl Row for DocumentRow {
    const TABLE: &'static str = "p_search_documents_v5";
    const KEY: &'static [&'static str] = &["product"];
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct StockRow {
    id: StockId,
    available: i64,
    sells: i64,
}

impl Row for StockRow {
    const TABLE: &'static str = "p_search_documents_v5_stock";
    const KEY: &'static [&'static str] = &["id"];
}

/// The product of a review or the seller of a shipping group. Their documents depend on it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct TieRow {
    id: Uuid,
    about: Uuid,
}

impl Row for TieRow {
    const TABLE: &'static str = "p_search_documents_v5_ties";
    const KEY: &'static [&'static str] = &["id"];
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct TreeRow {
    id: String,
    tree: CategoryTree,
}

impl Row for TreeRow {
    const TABLE: &'static str = "p_search_documents_v5_tree";
    const KEY: &'static [&'static str] = &["id"];
}

const TREE: &str = "main";

/// The inputs of documents, as far as a batch needs them.
struct Desk {
    documents: BTreeMap<ProductId, DocumentRow>,
    /// Their records, deserialized once.
    products: HashMap<ProductId, Product>,
    /// Products that depend on a stock.
    dependents: HashMap<StockId, BTreeSet<ProductId>>,
    /// Sets that contain a product.
    sets: HashMap<ProductId, BTreeSet<ProductId>>,
    /// Products whose rows have to be saved.
    changed: BTreeSet<ProductId>,
    stock: BTreeMap<StockId, StockRow>,
    /// The products and sellers of the batch's reviews and shipping groups.
    ties: BTreeMap<Uuid, Uuid>,
    tree: CategoryTree,
}

impl Desk {
    async fn set(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<Self, ReadError> {
        let ties = ties(connection, batch).await?;
        let rows: Vec<DocumentRow> = if streams(batch, "category-tree").next().is_some() {
            all(connection).await?
        } else {
            let ids = concerned(connection, batch, &ties).await?;
            load(connection, ("product", "uuid"), &ids).await?
        };
        let tree = load::<TreeRow>(connection, ("id", "text"), &[TREE.to_owned()])
            .await?
            .pop()
            .map(|row| row.tree)
            .unwrap_or_default();
        let mut desk = Self {
            documents: rows.into_iter().map(|row| (row.product, row)).collect(),
            products: HashMap::new(),
            dependents: HashMap::new(),
            sets: HashMap::new(),
            changed: BTreeSet::new(),
            stock: BTreeMap::new(),
            ties,
            tree,
        };
        let parts = desk.documents.values().flat_map(|row| row.parts.clone());
        let parts: Vec<ProductId> = parts.collect();
        desk.fetch_parts(connection, &parts).await?;
        for row in desk.documents.values() {
            for ledger in &row.ledgers {
                let dependents = desk.dependents.entry(*ledger).or_default();
                dependents.insert(row.product);
            }
            for part in &row.parts {
                desk.sets.entry(*part).or_default().insert(row.product);
            }
        }
        let mut wanted: Vec<StockId> = desk.dependents.keys().copied().collect();
        for id in streams(batch, "stock") {
            wanted.extend(id.parse::<StockId>().ok());
        }
        desk.fetch_stock(connection, &wanted).await?;
        Ok(desk)
    }

    /// Loads the stock of these ids unless it is loaded already.
    async fn fetch_stock(
        &mut self,
        connection: &mut PgConnection,
        wanted: &[StockId],
    ) -> Result<(), ReadError> {
        let missing: Vec<String> = wanted
            .iter()
            .filter(|id| !self.stock.contains_key(id))
            .map(StockId::to_string)
            .collect();
        for row in load::<StockRow>(connection, ("id", "uuid"), &missing).await? {
            self.stock.insert(row.id, row);
        }
        Ok(())
    }

    /// Loads these products, if they exist, unless they are loaded already.
    async fn fetch_parts(
        &mut self,
        connection: &mut PgConnection,
        wanted: &[ProductId],
    ) -> Result<(), ReadError> {
        let missing: Vec<String> = wanted
            .iter()
            .filter(|id| !self.documents.contains_key(id))
            .map(ProductId::to_string)
            .collect();
        for row in load::<DocumentRow>(connection, ("product", "uuid"), &missing).await? {
            self.documents.insert(row.product, row);
        }
        Ok(())
    }

    /// Deserializes the record of a product, if there is one.
    fn read(&mut self, id: ProductId) -> Result<(), ReadError> {
        if let (Some(row), Entry::Vacant(unread)) =
            (self.documents.get(&id), self.products.entry(id))
        {
            unread.insert(product_of(row)?);
        }
        Ok(())
    }

    /// Whether a product can be sold: a set only with valid parts.
    fn is_sound(&mut self, id: ProductId) -> Result<bool, ReadError> {
        self.read(id)?;
        let parts = self.documents.get(&id).map(|row| row.parts.clone());
        for part in parts.unwrap_or_default() {
            self.read(part)?;
        }
        let live = |id: &ProductId| self.documents.get(id).is_some_and(|row| !row.removed);
        let known = |id| self.products.get(&id).filter(|_| live(&id));
        let product = self.products.get(&id);
        Ok(product.is_none_or(|product| product.faults(known).is_empty()))
    }

    /// Rebuilds these documents; those that change get the position.
    fn renew(
        &mut self,
        position: i64,
        ids: impl IntoIterator<Item = ProductId>,
    ) -> Result<(), ReadError> {
        for id in ids {
            let sound = self.is_sound(id)?;
            let (Some(row), Some(product)) = (self.documents.get_mut(&id), self.products.get(&id))
            else {
                continue;
            };
            let document = document(row, product, sound, &self.stock, &self.tree);
            if row.document != document {
                row.document = document;
                row.position = position;
                self.changed.insert(id);
            }
        }
        Ok(())
    }

    /// Sends these documents to the engine again although nothing in this table changed.
    fn tell_again(&mut self, position: i64, concerns: impl Fn(&DocumentRow) -> bool) {
        for row in self.documents.values_mut().filter(|row| concerns(row)) {
            row.position = position;
            self.changed.insert(row.product);
        }
    }

    async fn product(
        &mut self,
        connection: &mut PgConnection,
        recorded: &StoredEvent,
    ) -> Result<(), ReadError> {
        let id: ProductId = stream_id(recorded)?;
        match change(recorded)? {
            RecordChange::Created(data) => {
                let row = self.documents.entry(id).or_insert_with(|| DocumentRow {
                    product: id,
                    seller: MemberId(id.0),
                    data: Map::new(),
                    removed: false,
                    created_at: at(recorded),
                    ledgers: Vec::new(),
                    parts: Vec::new(),
                    document: None,
                    position: recorded.position,
                });
                row.data = data;
                row.removed = false;
            }
            RecordChange::Revised(fields) => self.known(id)?.data.extend(fields),
            RecordChange::Removed => self.known(id)?.removed = true,
        }
        let row = self.known(id)?;
        let product = product_of(row)?;
        row.seller = product.seller;
        let wanted = ledgers(id, &product);
        let before = mem::replace(&mut row.ledgers, wanted.clone());
        for ledger in before {
            self.dependents.entry(ledger).or_default().remove(&id);
        }
        for ledger in &wanted {
            self.dependents.entry(*ledger).or_default().insert(id);
        }
        let parts = Vec::from_iter(product.parts());
        let row = self.known(id)?;
        for part in mem::replace(&mut row.parts, parts.clone()) {
            self.sets.entry(part).or_default().remove(&id);
        }
        for part in &parts {
            self.sets.entry(*part).or_default().insert(id);
        }
        self.products.insert(id, product);
        self.changed.insert(id);
        self.fetch_parts(connection, &parts).await?;
        self.fetch_stock(connection, &wanted).await?;
        let sets = self.sets.get(&id).cloned().unwrap_or_default();
        self.renew(recorded.position, [id].into_iter().chain(sets))
    }

    fn known(&mut self, id: ProductId) -> Result<&mut DocumentRow, ReadError> {
        self.documents
            .get_mut(&id)
            .ok_or_else(|| ReadError::Unknown(format!("product {id}")))
    }

    fn stock(&mut self, recorded: &StoredEvent) -> Result<(), ReadError> {
        let id: StockId = stream_id(recorded)?;
        let row = self.stock.entry(id).or_insert(StockRow {
            id,
            available: 0,
            sells: 0,
        });
        match event(recorded)? {
            StockEvent::StockCounted { quantity, .. } => row.available = i64::from(quantity),
            StockEvent::StockTaken { quantity, .. } => {
                row.available -= i64::from(quantity);
                row.sells += i64::from(quantity);
            }
            StockEvent::StockGivenBack { quantity, .. } => {
                row.available += i64::from(quantity);
                row.sells -= i64::from(quantity);
            }
            StockEvent::StockWrittenOff { quantity, .. } => row.sells -= i64::from(quantity),
        }
        let dependents = self.dependents.get(&id).cloned().unwrap_or_default();
        self.renew(recorded.position, dependents)
    }

    /// A seller's nickname is in the engine, but sealed here: the feeder has to look it up again.
    fn member(&mut self, recorded: &StoredEvent) -> Result<(), ReadError> {
        let id: MemberId = stream_id(recorded)?;
        if matches!(
            event(recorded)?,
            MemberEvent::ProfileRevised { .. } | MemberEvent::MemberLeft { .. }
        ) {
            self.tell_again(recorded.position, |row| row.seller == id);
        }
        Ok(())
    }

    /// The feeder looks up a product's review count and free shipping.
    fn tied(&mut self, recorded: &StoredEvent) -> Result<(), ReadError> {
        let id: Uuid = stream_id(recorded)?;
        let before = self.ties.get(&id).copied();
        let now = about(recorded)?.or(before);
        if let Some(now) = now {
            self.ties.insert(id, now);
        }
        let concerns = |id: Uuid| Some(id) == before || Some(id) == now;
        self.tell_again(recorded.position, |row| {
            concerns(row.product.0) || concerns(row.seller.0)
        });
        Ok(())
    }

    /// Products reference brands by code; the feeder looks their names up again.
    fn brand(&mut self, recorded: &StoredEvent) {
        self.tell_again(recorded.position, |row| {
            row.data.get("brand").is_some_and(Value::is_string)
        });
    }
}

async fn all(connection: &mut PgConnection) -> Result<Vec<DocumentRow>, ReadError> {
    typed(
        sqlx::query_scalar("SELECT to_jsonb(d) FROM p_search_documents_v5 d")
            .fetch_all(connection)
            .await?,
    )
}

/// The product or seller of a review or shipping group, if the event contains it.
fn about(recorded: &StoredEvent) -> Result<Option<Uuid>, ReadError> {
    let field = match recorded.stream.kind.as_str() {
        "review" => "_product",
        _ => "_seller",
    };
    let said = match change(recorded)? {
        RecordChange::Created(mut data) => data.remove(field),
        RecordChange::Revised(fields) => {
            let mut fields = fields.into_iter();
            fields.find_map(|(name, to)| (name == field).then_some(to))
        }
        RecordChange::Removed => None,
    };
    Ok(said.map(serde_json::from_value).transpose()?)
}

/// The events of a batch that belong to reviews and shipping groups.
fn tied(batch: &[StoredEvent]) -> impl Iterator<Item = &StoredEvent> {
    of(batch, "review").chain(of(batch, "shipping"))
}

/// The products and sellers of a batch's reviews and shipping groups before the batch.
async fn ties(
    connection: &mut PgConnection,
    batch: &[StoredEvent],
) -> Result<BTreeMap<Uuid, Uuid>, ReadError> {
    let ids: Vec<String> = tied(batch).map(|one| one.stream.id.clone()).collect();
    let rows = load::<TieRow>(connection, ("id", "uuid"), &ids).await?;
    Ok(rows.into_iter().map(|row| (row.id, row.about)).collect())
}

/// The products whose documents a batch may change. One query for each condition: no index serves all conditions together.
async fn concerned(
    connection: &mut PgConnection,
    batch: &[StoredEvent],
    ties: &BTreeMap<Uuid, Uuid>,
) -> Result<Vec<String>, ReadError> {
    let mut abouts: BTreeSet<String> = ties.values().map(Uuid::to_string).collect();
    for recorded in tied(batch) {
        abouts.extend(about(recorded)?.map(|about| about.to_string()));
    }
    let of: [(BTreeSet<String>, &str); 4] = [
        (
            streams(batch, "product").collect(),
            "parts && $1::text[]::uuid[]",
        ),
        (
            streams(batch, "stock").collect(),
            "ledgers && $1::text[]::uuid[]",
        ),
        (
            streams(batch, "member").chain(abouts.clone()).collect(),
            "seller = ANY($1::text[]::uuid[])",
        ),
        (abouts, "product = ANY($1::text[]::uuid[])"),
    ];
    let mut ids: BTreeSet<String> = streams(batch, "product").collect();
    for (causes, condition) in of {
        if causes.is_empty() {
            continue;
        }
        let sql = format!("SELECT product::text FROM p_search_documents_v5 WHERE {condition}");
        let found: Vec<String> = sqlx::query_scalar(&sql)
            .bind(Vec::from_iter(causes))
            .fetch_all(&mut *connection)
            .await?;
        ids.extend(found);
    }
    if streams(batch, "brand").next().is_some() {
        let found: Vec<String> = sqlx::query_scalar(
            "SELECT product::text FROM p_search_documents_v5 WHERE data ->> 'brand' IS NOT NULL",
        )
        .fetch_all(&mut *connection)
        .await?;
        ids.extend(found);
    }
    Ok(ids.into_iter().collect())
}

fn product_of(row: &DocumentRow) -> Result<Product, ReadError> {
    Ok(serde_json::from_value(Value::Object(row.data.clone()))?)
}

/// The document of `search_index::ProductDocument`, without what the feeder looks up (the seller's name, the reviews, the free-shipping
/// seasons) and the position, and with the brand's code in place of its name.
fn document(
    row: &DocumentRow,
    product: &Product,
    sound: bool,
    stock: &BTreeMap<StockId, StockRow>,
    tree: &CategoryTree,
) -> Option<Value> {
    if row.removed {
        return None;
    }
    let available = |ledger: StockId| stock.get(&ledger).map_or(0, |row| row.available);
    let sold = row.ledgers.iter().filter_map(|ledger| stock.get(ledger));
    let sells = sold.map(|row| row.sells).sum();
    let sold_out = left(row.product, product, sound, available) <= 0;
    let sale_price = sale_price_of(product).map_or(product.price, |price| price.sale_price);
    let created_at = row.created_at.unix_timestamp_nanos() / 1_000_000;
    Some(json!({
        "id": row.product,
        "code": product.code,
        "name": product.name,
        "keywords": product.hashtags,
        "desc": product.desc,
        "brand": product.brand,
        "brandCode": product.brand,
        "sellerId": product.seller,
        "categories": with_ancestors(tree, &product.categories),
        "groups": product.groups,
        "price": product.price,
        "salePrice": sale_price,
        "type": product.kind,
        "shows": product.shows,
        "soldOut": sold_out,
        "sells": roughly(sells),
        "createdAt": i64::try_from(created_at).unwrap_or_default(),
    }))
}

/// The greatest power of two that is not larger; 0 for zero. Sales only rank otherwise equal products, and this is precise enough for that
/// without sending the document again after every sale.
fn roughly(sells: i64) -> i64 {
    match u64::try_from(sells) {
        Ok(sells @ 1..) => 1 << sells.ilog2(),
        _ => 0,
    }
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    let mut desk = Desk::set(connection, batch).await?;
    for recorded in batch {
        match recorded.stream.kind.as_str() {
            "product" => desk.product(connection, recorded).await?,
            "stock" => desk.stock(recorded)?,
            "category-tree" => {
                desk.tree.evolve(event(recorded)?);
                let all: Vec<ProductId> = desk.documents.keys().copied().collect();
                desk.renew(recorded.position, all)?;
            }
            "member" => desk.member(recorded)?,
            "brand" => desk.brand(recorded),
            "review" | "shipping" => desk.tied(recorded)?,
            _ => {}
        }
    }
    let Desk {
        documents,
        changed,
        mut stock,
        ties,
        tree,
        ..
    } = desk;
    let ties: Vec<TieRow> = ties
        .into_iter()
        .map(|(id, about)| TieRow { id, about })
        .collect();
    save(connection, &ties).await?;
    let moved = streams(batch, "stock").filter_map(|id| id.parse().ok());
    let stock: Vec<StockRow> = moved.filter_map(|id| stock.remove(&id)).collect();
    save(connection, &stock).await?;
    let documents: Vec<DocumentRow> = documents
        .into_values()
        .filter(|row| changed.contains(&row.product))
        .collect();
    save(connection, &documents).await?;
    if streams(batch, "category-tree").next().is_some() {
        let row = TreeRow {
            id: TREE.to_owned(),
            tree,
        };
        save(connection, &[row]).await?;
    }
    Ok(())
}

projection!(SearchDocuments, version 5, reads "product", "category-tree", "stock", "member", "brand", "review", "shipping"; rows of many; stops);
