//! Products: their counts belong to stock ledgers, and change in the same append.

use std::collections::BTreeMap;

use domain::catalogue::Product;
use domain::event::Context;
use domain::ids::{MemberId, ProductId, StockId};
use domain::member::Member;
use domain::money::Amount;
use domain::pricing::discount::sale_price;
use domain::record::{Document, FieldError, Record};
use domain::rounding::RoundingStep;
use domain::shipping::ShippingGroup;
use domain::stock::{Stock, StockAct};
use event_store::StreamAppend;
use projections::records::{RecordRow, Source};
use projections::{products, stock};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use super::{Kept, kept};
use crate::app::AppState;
use crate::commands::decide;
use crate::console::records::declared::catalogue;
use crate::console::records::describe::Description;
use crate::console::records::draft::Count;
use crate::http::body::typed;
use crate::http::{ApiError, ApiResult};

impl Kept for Product {
    kept!(
        "product",
        "/api/console/shop/products",
        "product",
        "products"
    );
    const DESCRIPTION: Description = catalogue::PRODUCT;
    const FOR_SELLERS: bool = true;
    const CODES: Option<&'static str> = Some("product-code");
    const SOURCE: Source = Source::Products;
    const READS: &'static [&'static str] = &[products::NAME, stock::NAME];

    fn seller(&self) -> Option<MemberId> {
        Some(self.seller)
    }

    fn code(&self) -> Option<String> {
        Some(self.code.clone())
    }

    /// Counts come as `stock: [{ _stock, quantity }]`, or for a new product as `stock: 12` and `options[].stock`.
    fn complete(id: &str, _by: MemberId, fields: &mut Document) -> ApiResult<Vec<Count>> {
        let mut counts = match fields.remove("stock") {
            Some(Value::Array(mut counts)) => {
                counts.iter_mut().for_each(uncounted_if_shown);
                let asked: CountsAsked = typed(json!({ "stock": counts }))?;
                asked.stock.unwrap_or_default()
            }
            Some(number @ Value::Number(_)) => {
                vec![Count {
                    stock: typed(json!(id))?,
                    quantity: Some(typed(number)?),
                    available: None,
                }]
            }
            None | Some(Value::Null) => Vec::new(),
            Some(_) => {
                return Err(ApiError::invalid_field(
                    "stock",
                    "type",
                    "형식이 올바르지 않습니다.",
                ));
            }
        };
        let options = fields.get_mut("options").and_then(Value::as_array_mut);
        for option in options
            .into_iter()
            .flatten()
            .filter_map(Value::as_object_mut)
        {
            if option.get("_id").is_none_or(Value::is_null) {
                option.insert("_id".to_owned(), json!(Uuid::now_v7()));
            }
            if let (Some(number @ Value::Number(_)), Some(stock)) =
                (option.remove("stock"), option.get("_id"))
            {
                counts.push(Count {
                    stock: typed(stock.clone())?,
                    quantity: Some(typed(number)?),
                    available: None,
                });
            }
        }
        Ok(counts)
    }

    fn asked_beside() -> Option<RefOr<Schema>> {
        Some(CountsAsked::schema())
    }

    fn shown_beside() -> Option<RefOr<Schema>> {
        Some(Beside::schema())
    }

    fn beside_schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        CountsAsked::schemas(schemas);
        Beside::schemas(schemas);
    }

    async fn listed_with(app: &AppState, mut rows: Vec<RecordRow>) -> ApiResult<Vec<RecordRow>> {
        let (mut own, mut prices) = (Vec::with_capacity(rows.len()), Vec::new());
        let step = app.shelf.step(&app.store).await?;
        for row in &rows {
            let id: ProductId = typed(json!(row.id))?;
            let product: Self = typed(Value::Object(row.data.clone()))?;
            own.push(product.stock_ids(id));
            prices.push(PriceShown::of(&product, step)?);
        }
        let counted = stock::stock(app.pool(), &own.concat()).await?;
        let counted: BTreeMap<StockId, _> = counted.iter().map(|pile| (pile.id, pile)).collect();
        for ((row, own), price) in rows.iter_mut().zip(own).zip(prices) {
            let counts = own.iter().filter_map(|id| counted.get(id));
            let counts = counts.map(|pile| StockShown {
                stock: pile.id,
                available: pile.available,
                sells: pile.sells,
            });
            let stock = counts.collect();
            row.data.extend(Beside { stock, price }.document()?);
        }
        Ok(rows)
    }

    async fn beside(
        &self,
        app: &AppState,
        id: &str,
        counts: &[Count],
        context: &Context,
    ) -> ApiResult<Vec<StreamAppend>> {
        let product: ProductId = id.parse().map_err(|_| ApiError::not_found())?;
        let seller = app.store.load::<Member>(&self.seller.to_string()).await?;
        if self.shows && seller.state.left {
            return Err(ApiError::invalid_field(
                "_seller",
                "left",
                "탈퇴한 판매자의 상품은 진열할 수 없습니다.",
            ));
        }
        delivered_by_its_seller(app, self).await?;
        let own = self.stock_ids(product);
        let mut appends = Vec::new();
        for (line, count) in counts.iter().enumerate() {
            let Some(quantity) = count.quantity else {
                continue;
            };
            if !own.contains(&count.stock) {
                let complaint = FieldError::new(
                    format!("stock.{line}._stock"),
                    "unknown",
                    "이 상품의 재고가 아닙니다.",
                );
                return Err(ApiError::invalid(vec![complaint]));
            }
            let pile = app.store.load::<Stock>(&count.stock.to_string()).await?;
            let now = pile.state.available;
            if count.available.is_some_and(|seen| seen != now) {
                return Err(ApiError::invalid_field(
                    &format!("stock.{line}.quantity"),
                    "changed",
                    &format!(
                        "그사이 재고가 {now}개로 바뀌었습니다. 새로 고친 뒤 다시 입력해 주세요."
                    ),
                ));
            }
            let act = StockAct::Count { product, quantity };
            appends.push(decide(count.stock, &pile, act, context)?);
        }
        Ok(appends)
    }

    async fn shown_with(&self, app: &AppState, id: &str) -> ApiResult<Document> {
        let product: ProductId = id.parse().map_err(|_| ApiError::not_found())?;
        let mut counts = Vec::new();
        for pile in self.stock_ids(product) {
            let state = app.store.load::<Stock>(&pile.to_string()).await?.state;
            counts.push(StockShown {
                stock: pile,
                available: i64::from(state.available),
                sells: i64::try_from(state.taken).unwrap_or(i64::MAX),
            });
        }
        let price = PriceShown::of(self, app.shelf.step(&app.store).await?)?;
        let stock = counts;
        Beside { stock, price }.document()
    }
}

/// Passes if the shipping group a product names is its seller's own: nobody else's warehouse sends it.
async fn delivered_by_its_seller(app: &AppState, product: &Product) -> ApiResult<()> {
    let Some(group) = product.shipping else {
        return Ok(());
    };
    let group = app
        .store
        .load::<Record<ShippingGroup>>(&group.to_string())
        .await?;
    let document = group.state.document.as_ref();
    match document.and_then(|group| group.get("_seller")) == Some(&json!(product.seller)) {
        true => Ok(()),
        false => Err(ApiError::invalid_field(
            "_shipping",
            "not_the_sellers",
            "이 판매자의 배송 그룹이 아닙니다. 다시 선택하거나 비워 주세요.",
        )),
    }
}

/// What a change of a product says of its stock.
#[derive(Deserialize, ToSchema)]
pub struct CountsAsked {
    /// Piles somebody counted, or as the product shows them.
    pub stock: Option<Vec<Count>>,
}

/// What a product shows beside its document.
#[derive(Serialize, ToSchema)]
pub struct Beside {
    /// Its piles: its own, or one an option.
    pub stock: Vec<StockShown>,
    /// What it costs.
    #[serde(flatten)]
    pub price: PriceShown,
}

/// What a piece costs with the product's own discount, options apart (spec section 3).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PriceShown {
    /// Hundredths.
    pub sale_price: Amount,
    /// Whole percent taken off, rounded down.
    pub discount_rate: u8,
}

impl PriceShown {
    fn of(product: &Product, step: RoundingStep) -> ApiResult<Self> {
        let shown = sale_price(product.price, product.discount.as_ref(), step);
        let shown = shown.map_err(ApiError::internal)?;
        Ok(Self {
            sale_price: shown.sale_price,
            discount_rate: shown.discount_rate,
        })
    }
}

/// A pile of a product.
#[derive(Serialize, ToSchema)]
pub struct StockShown {
    /// The pile.
    #[serde(rename = "_stock")]
    pub stock: StockId,
    /// Pieces no order has taken.
    pub available: i64,
    /// Pieces orders have taken.
    pub sells: i64,
}

/// A pile as a product shows it ([`StockShown`]) says that nobody counted it.
fn uncounted_if_shown(pile: &mut Value) {
    if let Value::Object(pile) = pile
        && pile.contains_key("sells")
    {
        pile.entry("quantity").or_insert(Value::Null);
    }
}

impl Beside {
    fn document(self) -> ApiResult<Document> {
        let shown = serde_json::to_value(self).map_err(ApiError::internal)?;
        Ok(shown.as_object().cloned().unwrap_or_default())
    }
}
