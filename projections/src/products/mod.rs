//! Products and their options. Stock and sales belong to the stock aggregate and are joined when read.

mod availability;
mod card_rules;
mod cards;
mod facets;
mod free_shipping_windows;
mod queries;
mod shipping;
mod views;

use domain::Amount;
use domain::catalogue::{Product, ProductType};
use domain::ids::{MemberId, OptionId, ProductId, ShippingId};
use domain::pricing::discount::sale_price_of;
use domain::record::Resource;
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::counts::{self, Counts};
use crate::error::ReadError;
use crate::event_decode::{at, of, stream_id, streams, version};
use crate::macros::projection;
use crate::ngrams;
use crate::record_event::{RecordChange, change};
use crate::row_store::{ChangedRows, Row, delete, save};

pub use availability::{ledgers, left};
pub use card_rules::{BrandMark, CardRuleCache, CardRules};
pub use cards::CardReader;
pub use facets::*;
pub use free_shipping_windows::{free_in, seasons_now};
pub use queries::*;
pub use shipping::{shipping_group, shipping_groups};
pub use views::*;

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "products";

/// The projection.
pub struct Products;

/// One product.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProductRow {
    /// The product.
    pub id: ProductId,
    /// The shop's own code.
    pub code: String,
    /// Name.
    pub name: String,
    /// Type of the product.
    pub kind: ProductType,
    /// Seller of the product.
    pub seller: MemberId,
    /// List price, hundredths.
    pub price: Amount,
    /// List price less the product's own discount, to the hundredth (see [`sale_price_of`]).
    pub sale_price: Amount,
    /// Brand code.
    pub brand: Option<String>,
    /// Category codes in the product record.
    pub categories: Vec<String>,
    /// It has options to choose from.
    pub has_options: bool,
    /// The shipping group set in the record.
    pub shipping: Option<ShippingId>,
    /// Visible to shoppers.
    pub shows: bool,
    /// Marked as removed.
    pub removed: bool,
    /// Sort order, higher first.
    pub index: i32,
    /// N-grams of its name and code, for substring search.
    pub pieces: Vec<String>,
    /// The whole record.
    pub data: Map<String, Value>,
    /// Version of the record.
    pub version: i64,
    /// When it was created.
    #[serde(with = "crate::timestamp")]
    pub created_at: OffsetDateTime,
    /// When it last changed.
    #[serde(with = "crate::timestamp")]
    pub updated_at: OffsetDateTime,
    /// Position of its last event.
    pub position: i64,
}

impl Row for ProductRow {
    const TABLE: &'static str = "p_products_v2";
    const KEY: &'static [&'static str] = &["id"];
}

/// One option of one product.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionRow {
    /// The product.
    pub product: ProductId,
    /// The option.
    pub id: OptionId,
    /// Index in the product's list.
    pub line: i64,
    /// Colour.
    pub hexa: Option<String>,
    /// Name of the option's criterion.
    pub name: String,
    /// Value of the criterion.
    pub value: String,
    /// Added to the product's price, hundredths.
    pub price: Amount,
    /// Whether it can be bought.
    pub enabled: bool,
}

impl Row for OptionRow {
    const TABLE: &'static str = "p_products_v2_options";
    const KEY: &'static [&'static str] = &["product", "id"];
}

impl ProductRow {
    /// The record, deserialized.
    ///
    /// # Errors
    /// [`ReadError::Shape`] if it does not have the shape this build knows.
    pub fn product(&self) -> Result<Product, ReadError> {
        Ok(serde_json::from_value(Value::Object(self.data.clone()))?)
    }

    fn new(recorded: &StoredEvent, data: Map<String, Value>) -> Result<Self, ReadError> {
        let product: Product = serde_json::from_value(Value::Object(data.clone()))?;
        let mut row = Self {
            id: stream_id(recorded)?,
            code: String::new(),
            name: String::new(),
            kind: product.kind,
            seller: product.seller,
            price: product.price,
            sale_price: product.price,
            brand: None,
            categories: Vec::new(),
            has_options: false,
            shipping: None,
            shows: false,
            removed: false,
            index: 0,
            pieces: Vec::new(),
            data,
            version: 0,
            created_at: at(recorded),
            updated_at: at(recorded),
            position: 0,
        };
        row.spread(product);
        Ok(row)
    }

    /// Copies the searchable and sortable fields from the record.
    fn spread(&mut self, product: Product) {
        self.sale_price = sale_price_of(&product).map_or(product.price, |price| price.sale_price);
        self.pieces = ngrams::of([product.name.as_str(), product.code.as_str()]);
        self.code = product.code;
        self.name = product.name;
        self.kind = product.kind;
        self.seller = product.seller;
        self.price = product.price;
        self.brand = product.brand;
        self.categories = product.categories;
        self.has_options = product.options_conf.enabled;
        self.shipping = product.shipping;
        self.shows = product.shows;
        self.index = product.index;
    }

    fn options(&self) -> Result<Vec<OptionRow>, ReadError> {
        let product = self.product()?;
        Ok((1_i64..)
            .zip(product.options)
            .map(|(line, option)| OptionRow {
                product: self.id,
                id: option.id,
                line,
                hexa: option.hexa,
                name: option.name,
                value: option.value,
                price: option.price,
                enabled: option.enabled,
            })
            .collect())
    }
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    let mut rows = ChangedRows::<ProductRow>::load(
        connection,
        ("id", "uuid"),
        streams(batch, "product"),
        |row| row.id.to_string(),
    )
    .await?;
    let before = live(&rows);
    for recorded in of(batch, "product") {
        let key = &recorded.stream.id;
        match change(recorded)? {
            RecordChange::Created(data) => {
                let mut row = ProductRow::new(recorded, data)?;
                if let Ok(before) = rows.known(key) {
                    row.created_at = before.created_at;
                }
                rows.put(key.clone(), row);
            }
            RecordChange::Revised(fields) => {
                let row = rows.known(key)?;
                row.data.extend(fields);
                let product = row.product()?;
                row.spread(product);
            }
            RecordChange::Removed => rows.known(key)?.removed = true,
        }
        let row = rows.known(key)?;
        row.version = version(recorded);
        row.updated_at = at(recorded);
        row.position = recorded.position;
    }
    let mut options = Vec::new();
    let mut touched = Vec::new();
    for row in rows.values() {
        options.extend(row.options()?);
        touched.push(row.id.to_string());
    }
    counts::keep(connection, "p_products_v2_counts", &before, live(&rows)).await?;
    rows.save(connection).await?;
    delete::<OptionRow>(connection, ("product", "uuid"), &touched).await?;
    save(connection, &options).await
}

fn live(rows: &ChangedRows<ProductRow>) -> Counts {
    counts::of(rows.values().map(|row| (Product::KIND, row.removed)))
}

projection!(Products, version 2, reads "product"; rows of one, counted in "p_products_v2_counts"; parks);
