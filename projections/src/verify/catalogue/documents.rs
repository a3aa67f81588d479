//! The documents of the search engine.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::catalogue::{BundledPart, Product, ProductType};
use domain::ids::MemberId;
use domain::member::MemberEvent;
use domain::stock::StockEvent;
use serde_json::{Map, Value, json};
use time::OffsetDateTime;

use super::categories::Tree;
use super::{after_discount, no_row, set, typed};
use crate::verify::compare::{ExpectedRows, moment};
use crate::verify::decoded_log::{DecodedEvent, Event, RecordEvent};
use crate::verify::{Fold, VerifyError, id};

struct ProductState {
    data: Map<String, Value>,
    product: Product,
    /// The stocks its stock fields are computed from.
    ledgers: BTreeSet<String>,
    removed: bool,
    created_at: OffsetDateTime,
    /// The document without its stock fields; null: none.
    document: Value,
    stock: InStock,
    position: i64,
}

/// Stock fields of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct InStock {
    sold_out: bool,
    sells: i64,
}

/// The documents of the search engine, recomputed after every event that could change them.
#[derive(Default)]
pub struct Documents {
    shown: BTreeMap<String, ProductState>,
    /// Products that depend on a stock, or once did.
    watchers: HashMap<String, BTreeSet<String>>,
    /// Sets that contain a product, or once did.
    wholes: HashMap<String, BTreeSet<String>>,
    available: HashMap<String, i64>,
    sells: HashMap<String, i64>,
    /// The product of each review, and the seller of each shipping group.
    abouts: BTreeMap<String, Value>,
    tree: Tree,
    has_tree: bool,
}

fn is_whole(product: &Product) -> bool {
    product.kind != ProductType::NormalProduct && !product.bundleds.is_empty()
}

/// The part products of a set, sorted, without duplicates.
fn parts_of(product: &Product) -> BTreeSet<String> {
    let parts = product.bundleds.iter();
    match is_whole(product) {
        true => parts.map(|part| part.product.to_string()).collect(),
        false => BTreeSet::new(),
    }
}

fn ledgers_of(id: &str, product: &Product) -> BTreeSet<String> {
    if is_whole(product) {
        let part = |part: &domain::catalogue::BundledPart| match part.option {
            Some(option) => option.to_string(),
            None => part.product.to_string(),
        };
        product.bundleds.iter().map(part).collect()
    } else if product.options_conf.enabled {
        product
            .options
            .iter()
            .map(|option| option.id.to_string())
            .collect()
    } else {
        BTreeSet::from([id.to_owned()])
    }
}

impl Documents {
    fn is_sold_out(&self, id: &str, shown: &ProductState) -> bool {
        let product = &shown.product;
        let has = |ledger: &str, need: i64| {
            self.available.get(ledger).copied().unwrap_or(0) >= need.max(1)
        };
        let part = |part: &BundledPart| {
            let ledger = part.option.map_or(part.product.0, |option| option.0);
            has(&ledger.to_string(), i64::from(part.quantity))
        };
        if is_whole(product) && !self.holds_together(product) {
            return true;
        }
        match product.kind {
            ProductType::ProductBundle if !product.bundleds.is_empty() => {
                !product.bundleds.iter().all(part)
            }
            ProductType::VarietyBundle if !product.bundleds.is_empty() => {
                !product.bundleds.iter().any(part)
            }
            _ if product.options_conf.enabled => !product
                .options
                .iter()
                .any(|option| option.enabled && has(&option.id.to_string(), 1)),
            _ => !has(id, 1),
        }
    }

    /// Every part of a set is a plain product of the same seller, chosen in the way the set requires, in a quantity from 1 to 999, and no
    /// two share a stock.
    fn holds_together(&self, set: &Product) -> bool {
        let counted: BTreeSet<String> = ledgers_of("", set);
        counted.len() == set.bundleds.len()
            && set.bundleds.iter().all(|part| {
                let id = part.product.to_string();
                let Some(shown) = self.shown.get(&id).filter(|shown| !shown.removed) else {
                    return false;
                };
                let ways = match shown.product.options_conf.enabled {
                    true => shown
                        .product
                        .options
                        .iter()
                        .map(|one| one.id.to_string())
                        .collect(),
                    false => vec![id.clone()],
                };
                let way = part.option.map_or(id, |option| option.to_string());
                shown.product.seller == set.seller
                    && shown.product.kind == ProductType::NormalProduct
                    && (1..1_000).contains(&part.quantity)
                    && ways.contains(&way)
            })
    }

    /// Units sold, with all bits below the highest cleared.
    fn sells_about(&self, shown: &ProductState) -> i64 {
        let sold = shown.ledgers.iter().filter_map(|own| self.sells.get(own));
        let mut sells = sold.sum::<i64>().max(0);
        while sells & (sells - 1).max(0) != 0 {
            sells &= sells - 1;
        }
        sells
    }

    fn in_stock(&self, id: &str, shown: &ProductState) -> InStock {
        if shown.removed {
            return InStock::default();
        }
        InStock {
            sold_out: self.is_sold_out(id, shown),
            sells: self.sells_about(shown),
        }
    }

    fn document(&self, id: &str, shown: &ProductState) -> Value {
        if shown.removed {
            return Value::Null;
        }
        let product = &shown.product;
        json!({
            "id": id, "code": product.code, "name": product.name, "keywords": product.hashtags, "desc": product.desc,
            "brand": product.brand, "brandCode": product.brand, "sellerId": product.seller, "groups": product.groups,
            "categories": self.tree.and_above(&product.categories), "price": product.price,
            "salePrice": after_discount(product), "type": product.kind, "shows": product.shows,
            "createdAt": shown.created_at.unix_timestamp() * 1_000 + i64::from(shown.created_at.millisecond()),
        })
    }

    /// Recomputes a product's document; the position moves if it changed.
    fn look_again(&mut self, id: &str, position: i64) {
        let Some(shown) = self.shown.get(id) else {
            return;
        };
        let document = self.document(id, shown);
        let changed = shown.document != document;
        if let Some(shown) = self.shown.get_mut(id).filter(|_| changed) {
            shown.document = document;
            shown.position = position;
        }
        self.look_at_stock(id, position);
    }

    /// Recomputes its stock fields; the position moves if they changed.
    fn look_at_stock(&mut self, id: &str, position: i64) {
        let Some(shown) = self.shown.get(id) else {
            return;
        };
        let stock = self.in_stock(id, shown);
        let changed = shown.stock != stock;
        if let Some(shown) = self.shown.get_mut(id).filter(|_| changed) {
            shown.stock = stock;
            shown.position = position;
        }
    }

    fn product(&mut self, told: &DecodedEvent, paper: &RecordEvent) -> Result<(), VerifyError> {
        let id = &told.stream.id;
        if let RecordEvent::Created { data } = paper {
            let before = self.shown.remove(id);
            let shown = ProductState {
                data: data.clone(),
                product: typed(data)?,
                ledgers: BTreeSet::new(),
                removed: false,
                created_at: before
                    .as_ref()
                    .map_or(told.metadata.occurred_at, |before| before.created_at),
                position: before
                    .as_ref()
                    .map_or(told.position, |before| before.position),
                stock: before
                    .as_ref()
                    .map_or_else(InStock::default, |before| before.stock),
                document: before.map(|before| before.document).unwrap_or_default(),
            };
            self.shown.insert(id.clone(), shown);
        }
        let shown = self.shown.get_mut(id).ok_or_else(|| no_row(told))?;
        match paper {
            RecordEvent::Created { .. } => {}
            RecordEvent::Revised { changes } => {
                for (field, change) in changes {
                    shown.data.insert(field.clone(), change.to.clone());
                }
                shown.product = typed(&shown.data)?;
            }
            RecordEvent::Removed {} => shown.removed = true,
        }
        shown.ledgers = ledgers_of(id, &shown.product);
        for ledger in &shown.ledgers {
            let watchers = self.watchers.entry(ledger.clone()).or_default();
            watchers.insert(id.clone());
        }
        for part in parts_of(&shown.product) {
            self.wholes.entry(part).or_default().insert(id.clone());
        }
        self.look_again(id, told.position);
        for whole in self.wholes.get(id).cloned().unwrap_or_default() {
            self.look_at_stock(&whole, told.position);
        }
        Ok(())
    }

    /// Handles an event of a review or a shipping group: the products it concerned before and now are sent to the engine again.
    fn heard_of(&mut self, told: &DecodedEvent, paper: &RecordEvent, field: &str) {
        let said = match paper {
            RecordEvent::Created { data } => data.get(field),
            RecordEvent::Revised { changes } => changes.get(field).map(|change| &change.to),
            RecordEvent::Removed {} => None,
        };
        let id = &told.stream.id;
        let before = self.abouts.get(id).cloned();
        if let Some(said) = said {
            self.abouts.insert(id.clone(), said.clone());
        }
        let after = self.abouts.get(id).cloned();
        for about in [before, after].iter().flatten().filter_map(Value::as_str) {
            if field == "_product" {
                if let Some(shown) = self.shown.get_mut(about) {
                    shown.position = told.position;
                }
                continue;
            }
            let theirs = |shown: &&mut ProductState| shown.product.seller.to_string() == about;
            for shown in self.shown.values_mut().filter(theirs) {
                shown.position = told.position;
            }
        }
    }

    fn stock(&mut self, told: &DecodedEvent, event: &StockEvent) {
        let id = &told.stream.id;
        let available = self.available.entry(id.clone()).or_default();
        let sells = self.sells.entry(id.clone()).or_default();
        match event {
            StockEvent::StockCounted { quantity, .. } => *available = i64::from(*quantity),
            StockEvent::StockTaken { quantity, .. } => {
                *available -= i64::from(*quantity);
                *sells += i64::from(*quantity);
            }
            StockEvent::StockGivenBack { quantity, .. } => {
                *available += i64::from(*quantity);
                *sells -= i64::from(*quantity);
            }
            StockEvent::StockWrittenOff { quantity, .. } => *sells -= i64::from(*quantity),
        }
        for watcher in self.watchers.get(id).cloned().unwrap_or_default() {
            self.look_at_stock(&watcher, told.position);
        }
    }
}

impl Fold for Documents {
    fn name(&self) -> &'static str {
        "search_documents"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[
            "product",
            "stock",
            "category-tree",
            "member",
            "brand",
            "review",
            "shipping",
        ]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        let position = told.position;
        match told.event()? {
            Event::Record(paper) if told.stream.kind == "review" => {
                self.heard_of(told, paper, "_product");
            }
            Event::Record(paper) if told.stream.kind == "shipping" => {
                self.heard_of(told, paper, "_seller");
            }
            Event::Record(_) if told.stream.kind == "brand" => {
                let branded = |shown: &&mut ProductState| shown.product.brand.is_some();
                for shown in self.shown.values_mut().filter(branded) {
                    shown.position = position;
                }
            }
            Event::Record(paper) => self.product(told, paper)?,
            Event::Stock(event) => self.stock(told, event),
            Event::CategoryTree(event) => {
                self.tree.take(event);
                self.has_tree = true;
                let all: Vec<String> = self.shown.keys().cloned().collect();
                for id in all {
                    self.look_again(&id, position);
                }
            }
            Event::Member(MemberEvent::ProfileRevised { .. } | MemberEvent::MemberLeft { .. }) => {
                let seller: MemberId = id(told)?;
                let theirs = |shown: &&mut ProductState| shown.product.seller == seller;
                for shown in self.shown.values_mut().filter(theirs) {
                    shown.position = position;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        let rows = self
            .shown
            .iter()
            .map(|(id, shown)| {
                let mut document = shown.document.clone();
                if let Value::Object(fields) = &mut document {
                    set(fields, "soldOut", shown.stock.sold_out);
                    set(fields, "sells", shown.stock.sells);
                }
                json!({
                    "product": id, "seller": shown.product.seller, "data": shown.data, "removed": shown.removed,
                    "created_at": moment(shown.created_at), "ledgers": ledgers_in_order(id, &shown.product),
                    "parts": parts_of(&shown.product),
                    "document": document, "position": shown.position,
                })
            })
            .collect();
        let stock = self
            .available
            .iter()
            .map(|(id, available)| json!({"id": id, "available": available, "sells": self.sells.get(id)}))
            .collect();
        let ties = self.abouts.iter();
        let ties = ties
            .map(|(id, about)| json!({"id": id, "about": about}))
            .collect();
        let tree = self.has_tree.then(|| self.tree.kept());
        Ok(vec![
            ExpectedRows {
                view: "search_documents_tree",
                key: &["id"],
                rows: tree.into_iter().collect(),
            },
            ExpectedRows {
                view: "search_documents",
                key: &["product"],
                rows,
            },
            ExpectedRows {
                view: "search_documents_ties",
                key: &["id"],
                rows: ties,
            },
            ExpectedRows {
                view: "search_documents_stock",
                key: &["id"],
                rows: stock,
            },
        ])
    }
}

/// Stocks of a set sorted, those of options in the order of the options.
fn ledgers_in_order(id: &str, product: &Product) -> Vec<String> {
    let all = ledgers_of(id, product);
    let options = product.options.iter().map(|option| option.id.to_string());
    let own: Vec<String> = options.filter(|option| all.contains(option)).collect();
    if own.len() == all.len() && !own.is_empty() {
        own
    } else {
        all.into_iter().collect()
    }
}
