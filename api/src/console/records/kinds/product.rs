//! Products: their counts belong to stock ledgers, and change in the same append.

use std::collections::BTreeMap;

use domain::catalogue::Product;
use domain::event::Context;
use domain::ids::{MemberId, OptionId, ProductId, StockId};
use domain::member::Member;
use domain::money::Amount;
use domain::pricing::discount::sale_price;
use domain::record::Document;
use domain::rounding::RoundingStep;
use domain::stock::{Stock, StockCommand};
use domain::validation::FieldError;
use event_store::StreamAppend;
use projections::record_lists::Source;
use projections::records::RecordRow;
use projections::{products, stock};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use super::{AdminResource, admin_resource};
use crate::app::AppState;
use crate::console::records::declared::catalogue;
use crate::console::records::input::Count;
use crate::console::records::schema::ResourceSchema;
use crate::http::body::typed;
use crate::http::{AppError, AppResult};
use application::executor::decide;
use application::pricing_rules::VersionedRecord;

impl AdminResource for Product {
    admin_resource!(
        "product",
        "/api/console/shop/products",
        "product",
        "products"
    );
    const DESCRIPTION: ResourceSchema = catalogue::PRODUCT;
    const FOR_SELLERS: bool = true;
    const SOURCE: Source = Source::Products;
    const READS: &'static [&'static str] = &[products::NAME, stock::NAME];

    fn seller(&self) -> Option<MemberId> {
        Some(self.seller)
    }

    /// Counts come as `stock: [{ _stock, quantity }]`, or for a new product as `stock: 12` and `options[].stock`.
    fn normalize(id: &str, _by: MemberId, fields: &mut Document) -> AppResult<Vec<Count>> {
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
                return Err(AppError::invalid_field(
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

    fn input_extension_schema() -> Option<RefOr<Schema>> {
        Some(CountsAsked::schema())
    }

    fn output_extension_schema() -> Option<RefOr<Schema>> {
        Some(Beside::schema())
    }

    fn beside_schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        CountsAsked::schemas(schemas);
        Beside::schemas(schemas);
    }

    async fn enrich_list(app: &AppState, mut rows: Vec<RecordRow>) -> AppResult<Vec<RecordRow>> {
        let (mut own, mut prices) = (Vec::with_capacity(rows.len()), Vec::new());
        let step = app.pricing_rules.step(&app.store).await?;
        let mut shown = Vec::with_capacity(rows.len());
        for row in &rows {
            let id: ProductId = typed(json!(row.id))?;
            let product: Self = typed(Value::Object(row.data.clone()))?;
            own.push(product.stock_ids(id));
            prices.push(PriceShown::of(&product, step)?);
            shown.push(product);
        }
        let parts = products::parts_of(app.pool(), &shown).await?;
        let faults = shown
            .iter()
            .map(|one| bundle_fault(one, |id| parts.get(&id)));
        let counted = stock::stock(app.pool(), &own.concat()).await?;
        let counted: BTreeMap<StockId, _> = counted.iter().map(|pile| (pile.id, pile)).collect();
        let beside = own.into_iter().zip(prices).zip(faults);
        for (row, ((own, price), bundle_fault)) in rows.iter_mut().zip(beside) {
            let counts = own.iter().filter_map(|id| counted.get(id));
            let counts = counts.map(|pile| StockShown {
                stock: pile.id,
                available: pile.available,
                sells: pile.sells,
            });
            let stock = counts.collect();
            let beside = Beside {
                stock,
                price,
                bundle_fault,
            };
            row.data.extend(beside.document()?);
        }
        Ok(rows)
    }

    async fn consistent(&self, app: &AppState, id: &str, before: Option<&Self>) -> AppResult<()> {
        let product: ProductId = id.parse().map_err(|_| AppError::not_found())?;
        own_options(app, product, before, self).await?;
        sound(app, before, self).await
    }

    async fn side_effects(
        &self,
        app: &AppState,
        id: &str,
        counts: &[Count],
        context: &Context,
    ) -> AppResult<Vec<StreamAppend>> {
        let product: ProductId = id.parse().map_err(|_| AppError::not_found())?;
        let seller = app.store.load::<Member>(&self.seller.to_string()).await?;
        if self.shows && seller.state.left {
            return Err(AppError::invalid_field(
                "_seller",
                "left",
                "탈퇴한 판매자의 상품은 진열할 수 없습니다.",
            ));
        }
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
                return Err(AppError::invalid(vec![complaint]));
            }
            let pile = app.store.load::<Stock>(&count.stock.to_string()).await?;
            let now = pile.state.available;
            if count.available.is_some_and(|seen| seen != now) {
                return Err(AppError::invalid_field(
                    &format!("stock.{line}.quantity"),
                    "changed",
                    &format!(
                        "그사이 재고가 {now}개로 바뀌었습니다. 새로 고친 뒤 다시 입력해 주세요."
                    ),
                ));
            }
            let act = StockCommand::Count { product, quantity };
            appends.push(decide(count.stock, &pile, act, context)?);
        }
        Ok(appends)
    }

    async fn enrich_one(&self, app: &AppState, id: &str) -> AppResult<Document> {
        let product: ProductId = id.parse().map_err(|_| AppError::not_found())?;
        let mut counts = Vec::new();
        for pile in self.stock_ids(product) {
            let state = app.store.load::<Stock>(&pile.to_string()).await?.state;
            counts.push(StockShown {
                stock: pile,
                available: i64::from(state.available),
                sells: i64::try_from(state.taken).unwrap_or(i64::MAX),
            });
        }
        let price = PriceShown::of(self, app.pricing_rules.step(&app.store).await?)?;
        let parts = parts_of(app, self).await?;
        let bundle_fault = bundle_fault(self, |id| parts.get(&id).map(|part| &*part.data));
        let stock = counts;
        Beside {
            stock,
            price,
            bundle_fault,
        }
        .document()
    }
}

/// The parts of some products that are not removed, as the log has them.
async fn parts_of(
    app: &AppState,
    product: &Product,
) -> AppResult<BTreeMap<ProductId, VersionedRecord<Product>>> {
    let parts = Vec::from_iter(product.parts());
    match parts.is_empty() {
        true => Ok(BTreeMap::new()),
        false => app.pricing_rules.products(&app.store, &parts).await,
    }
}

/// Passes if the parts of a set are as they have to be. A set that is not put on sale and names nothing new is let through, so
/// that whoever takes an unsound one off, or mends something else of it, can.
async fn sound(app: &AppState, before: Option<&Product>, after: &Product) -> AppResult<()> {
    let same = before.is_some_and(|before| {
        (before.seller, before.kind, &before.bundleds)
            == (after.seller, after.kind, &after.bundleds)
    });
    if same && (!after.shows || before.is_some_and(|before| before.shows)) {
        return Ok(());
    }
    let parts = parts_of(app, after).await?;
    let faults = after.faults(|id| parts.get(&id).map(|part| &*part.data));
    let errors: Vec<FieldError> = faults
        .into_iter()
        .map(|(place, fault)| fault.field_error(place))
        .collect();
    match errors.is_empty() {
        true => Ok(()),
        false => Err(AppError::invalid(errors)),
    }
}

/// Passes if no option is counted as another product's: options are sold from the stock ledger of their id.
async fn own_options(
    app: &AppState,
    id: ProductId,
    before: Option<&Product>,
    after: &Product,
) -> AppResult<()> {
    let known = |option: &OptionId| {
        before.is_some_and(|before| before.options.iter().any(|one| one.id == *option))
    };
    let ids = after.options.iter().map(|option| option.id);
    let new: Vec<OptionId> = ids.filter(|option| !known(option)).collect();
    if new.is_empty() {
        return Ok(());
    }
    let mut others = products::options_of_others(app.pool(), id, &new).await?;
    for option in new {
        let pile = app.store.load::<Stock>(&option.to_string()).await?.state;
        if pile.product.is_some_and(|product| product != id) {
            others.push(option);
        }
    }
    let wrong = after.options.iter().enumerate();
    let wrong = wrong.filter(|(_, option)| others.contains(&option.id));
    let errors: Vec<FieldError> = wrong
        .map(|(place, _)| {
            FieldError::new(
                format!("options.{place}._id"),
                "taken",
                "다른 상품의 옵션 번호입니다. 옵션을 새로 추가해 주세요.",
            )
        })
        .collect();
    match errors.is_empty() {
        true => Ok(()),
        false => Err(AppError::invalid(errors)),
    }
}

/// What people are told of a set that cannot be sold; none: it can.
fn bundle_fault<'a>(
    product: &Product,
    known: impl Fn(ProductId) -> Option<&'a Product>,
) -> Option<String> {
    let (place, fault) = product.faults(known).into_iter().next()?;
    let number = place.saturating_add(1);
    Some(format!(
        "판매 중지: {number}번째 구성 상품을 확인해 주세요. {}",
        fault.message()
    ))
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
    /// Of a set that cannot be sold as it is, why, in Korean; none: it can.
    #[serde(rename = "bundleFault")]
    pub bundle_fault: Option<String>,
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
    fn of(product: &Product, step: RoundingStep) -> AppResult<Self> {
        let shown = sale_price(product.price, product.discount.as_ref(), step);
        let shown = shown.map_err(AppError::internal)?;
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
    fn document(self) -> AppResult<Document> {
        let shown = serde_json::to_value(self).map_err(AppError::internal)?;
        Ok(shown.as_object().cloned().unwrap_or_default())
    }
}
