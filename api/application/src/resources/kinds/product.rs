//! Products. Their stock is kept in stock aggregates, which change in the same append.

use std::collections::BTreeMap;

use domain::catalogue::Product;
use domain::ids::{OptionId, ProductId, StockId};
use domain::member::Member;
use domain::money::Amount;
use domain::pricing::discount::sale_price;
use domain::record::Document;
use domain::rounding::RoundingStep;
use domain::stock::{Stock, StockCommand};
use domain::validation::FieldError;
use event_store::StreamAppend;
use futures::FutureExt;
use projections::record_lists::{LOW, OUT, Source};
use projections::records::RecordRow;
use projections::{products, stock};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::super::element_ids::assign_ids;
use super::super::input::Count;
use super::super::schema::{Field, FieldChoice, FieldType, Filter, ResourceSchema, choice};
use super::super::table_form::{ListSheet, TableForm};
use super::super::{
    AdminResource, ConsoleRecord, DocumentSchema, RecordWrite, admin_resource, document_of,
};
use super::UNITS;
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::decide;
use crate::json::typed;
use crate::pricing_rules::VersionedRecord;

const TYPES: &[FieldChoice] = &[
    choice("NORMAL_PRODUCT", "일반 상품"),
    choice("VARIETY_BUNDLE", "선택 세트"),
    choice("PRODUCT_BUNDLE", "고정 세트"),
];

const STOCK_LEVELS: &[FieldChoice] = &[choice(OUT, "품절"), choice(LOW, "5개 이하인 옵션이 있음")];

const OPTION_SORTS: &[FieldChoice] = &[choice("COLOR", "색상"), choice("OTHER", "기타")];

const OPTION: &[Field] = &[
    Field::text("_id", "옵션 번호").read_only(),
    Field::of("hexa", "색상 코드", FieldType::Color),
    Field::text("name", "옵션명").required(),
    Field::text("value", "옵션값").required(),
    Field::amount("price", "추가 금액").required(),
    Field::boolean("enabled", "판매").required(),
    Field::text("code", "옵션 코드").letters(50),
    Field::image("image", "옵션 이미지"),
];

const NUTRITION: &[Field] = &[
    Field::text("name", "영양성분").required(),
    Field::text("amount", "함량").required(),
    Field::integer("percent", "1일 기준치에 대한 비율(%)")
        .least(0)
        .most(10_000),
];

const PART: &[Field] = &[
    Field::reference("_product", "상품", "product").required(),
    // An option of the product: not a kind of record.
    Field::of("_option", "옵션", FieldType::Reference),
    Field::integer("quantity", "수량").required().least(1),
];

const SUPPLY: &[Field] = &[
    Field::text("_id", "구성품 번호").read_only(),
    Field::text("name", "구성품").required(),
    Field::integer("quantity", "수량").required().least(1),
];

const COUNT: &[Field] = &[
    Field::text("_stock", "재고 번호").read_only(),
    Field::integer("available", "재고").read_only(),
    Field::integer("sells", "판매 수량").read_only(),
];

/// Columns of imported tables only: a count of the stock instead of the stock as the shop shows it.
const TABLE: TableForm = TableForm {
    fields: &[COUNTED],
    sheets: &[ListSheet {
        list: "options",
        title: "옵션",
        fields: &[
            Field::text("name", "옵션명").required(),
            Field::text("value", "옵션값").required(),
            Field::amount("price", "추가 금액").required(),
            Field::boolean("enabled", "판매").required(),
            COUNTED,
            Field::of("hexa", "색상 코드", FieldType::Color),
        ],
        same_by: &["name", "value"],
        switch: Some("optionsConf.enabled"),
        examples: &[
            &[
                ("code", "SHIRT-01"),
                ("name", "색상 / 사이즈"),
                ("value", "화이트 / M"),
                ("price", "0"),
                ("enabled", "Y"),
                ("stock", "30"),
                ("hexa", "#ffffff"),
            ],
            &[
                ("code", "SHIRT-01"),
                ("name", "색상 / 사이즈"),
                ("value", "화이트 / L"),
                ("price", "2000"),
                ("enabled", "Y"),
                ("stock", "12"),
                ("hexa", "#ffffff"),
            ],
        ],
    }],
    examples: &[
        &[
            ("code", "SHIRT-01"),
            ("name", "코튼 반팔 셔츠"),
            ("type", "일반 상품"),
            ("_seller", "판매자 이름"),
            ("price", "39000"),
            ("discount.unit", "%"),
            ("discount.value", "10"),
            ("optionsConf.enabled", "Y"),
            ("optionsConf.sort", "색상"),
            ("optionsConf.criteria", "색상, 사이즈"),
            ("categories", "의류 > 상의"),
            ("brand", "브랜드 이름 또는 코드"),
            ("desc", "사계절 입는 부드러운 면 셔츠"),
            ("thumb", "https://example.com/shirt.jpg"),
            (
                "images",
                "https://example.com/shirt-1.jpg, https://example.com/shirt-2.jpg",
            ),
            ("shows", "Y"),
            ("hashtags", "셔츠, 여름"),
            ("_shipping", "기본 배송"),
            ("origin", "대한민국"),
        ],
        &[
            ("code", "MUG-02"),
            ("name", "도자기 머그컵"),
            ("_seller", "판매자 이름"),
            ("price", "15000"),
            ("categories", "주방"),
            ("shows", "N"),
            ("stock", "100"),
            ("_shipping", "기본 배송"),
        ],
    ],
};

const COUNTED: Field = Field::integer("stock", "재고").least(0).most(4_294_967_295);

impl ConsoleRecord for Product {
    const RESOURCE: AdminResource = AdminResource {
        table: TABLE,
        for_sellers: true,
        source: Source::Products,
        reads: &[products::NAME, stock::NAME],
        normalize: |id, _, fields| counts_of(id, fields),
        consistent: |app, id, before, after| consistent(app, id, before, after).boxed(),
        side_effects: |app, write| stock_counts(app, write).boxed(),
        input: Some(DocumentSchema::of::<StockCounts>()),
        output: Some(DocumentSchema::of::<ProductExtras>()),
        enrich_one: |app, id, document| beside(app, id, document).boxed(),
        enrich_list: |app, rows| with_stock_and_prices(app, rows).boxed(),
        schema: ResourceSchema {
            search: &["name", "code"],
            sorts: &["createdAt", "updatedAt", "name", "code", "price", "index"],
            filters: &[
                Filter::boolean("shows"),
                Filter::one_of("type", TYPES),
                Filter::one_of("stock", STOCK_LEVELS),
                Filter::reference("categories", "category"),
                Filter::reference("brand", "brand"),
                Filter::reference("_seller", "seller"),
                Filter::range("price"),
                Filter::period("createdAt"),
            ],
            grows: true,
            ..ResourceSchema::of(&[
                Field::text("code", "상품코드").required(),
                Field::text("name", "상품명").required(),
                Field::one_of("type", "상품 유형", TYPES),
                Field::reference("_seller", "판매자", "seller").required(),
                Field::amount("price", "정가").required(),
                Field::amount("cost", "원가"),
                Field::one_of("discount.unit", "할인 방식", UNITS),
                Field::worth("discount.value", "할인 값", "discount.unit"),
                Field::amount("discount.limit", "최대 할인 금액"),
                Field::amount("salePrice", "판매가").read_only(),
                Field::percent("discountRate", "할인율").read_only(),
                Field::boolean("optionsConf.enabled", "옵션 사용"),
                Field::one_of("optionsConf.sort", "옵션 종류", OPTION_SORTS),
                Field::tags("optionsConf.criteria", "옵션 기준"),
                Field::list("options", "옵션", OPTION),
                Field::list("bundleds", "세트 구성", PART),
                Field::text("bundleFault", "세트 판매 상태").read_only(),
                Field::references("categories", "카테고리", "category"),
                Field::reference("brand", "브랜드", "brand"),
                Field::text("desc", "간단 설명").letters(1_000),
                Field::html("content", "상세 설명"),
                Field::image("thumb", "대표 이미지"),
                Field::of("images", "추가 이미지", FieldType::Images),
                Field::boolean("shows", "노출").required(),
                Field::integer("index", "노출 순서"),
                Field::integer("sequence", "묶음 안 순번"),
                Field::of("link", "관련 페이지", FieldType::Url),
                Field::tags("hashtags", "해시태그"),
                Field::tags("flags", "표시"),
                Field::tags("groups", "모음"),
                Field::references("relateds", "관련 상품", "product"),
                Field::references("choicees", "선택 상품", "product"),
                Field::list("supplies", "구성품", SUPPLY),
                Field::text("relatedGroupCode", "관련 상품 묶음"),
                Field::boolean("variation.enabled", "변형 상품 사용"),
                Field::text("variation.code", "변형 묶음 코드"),
                Field::tags("variation.list", "변형 기준"),
                Field::text("variation.spec", "변형 사양"),
                Field::references("materials", "소재", "material"),
                Field::list("nutritions", "영양성분", NUTRITION),
                Field::text("size", "크기"),
                Field::text("origin", "원산지"),
                Field::text("manufacturer", "제조사"),
                Field::reference("_shipping", "배송 그룹", "shipping").own(),
                Field::text("seo.title", "메타 제목"),
                Field::text("seo.meta.author", "메타 작성자"),
                Field::text("seo.meta.description", "메타 설명").letters(1_000),
                Field::text("seo.meta.keywords", "메타 키워드").letters(1_000),
                Field::list("stock", "재고", COUNT).read_only(),
            ])
        },
        ..admin_resource!(Product: "product" at "/api/console/shop/products", "product", "products")
    };
}

/// Counts come as `stock: [{ _stock, quantity }]`, or for a new product as `stock: 12` and `options[].stock`.
fn counts_of(id: &str, fields: &mut Document) -> AppResult<Vec<Count>> {
    let mut counts = match fields.remove("stock") {
        Some(Value::Array(mut counts)) => {
            counts.iter_mut().for_each(uncounted_if_shown);
            let asked: StockCounts = typed(json!({ "stock": counts }))?;
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
    assign_ids("options", fields);
    assign_ids("supplies", fields);
    let options = fields.get_mut("options").and_then(Value::as_array_mut);
    for option in options
        .into_iter()
        .flatten()
        .filter_map(Value::as_object_mut)
    {
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

/// Rows with the stock and prices shown in lists.
async fn with_stock_and_prices(app: &App, mut rows: Vec<RecordRow>) -> AppResult<Vec<RecordRow>> {
    let (mut own, mut prices) = (Vec::with_capacity(rows.len()), Vec::new());
    let step = app.pricing_rules.step(&app.store).await?;
    let mut shown = Vec::with_capacity(rows.len());
    for row in &rows {
        let id: ProductId = typed(json!(row.id))?;
        let product: Product = typed(Value::Object(row.data.clone()))?;
        own.push(product.stock_ids(id));
        prices.push(ProductPrice::of(&product, step)?);
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
        let counts = counts.map(|pile| ProductStock {
            stock: pile.id,
            available: pile.available,
            sells: pile.sells,
        });
        let stock = counts.collect();
        let beside = ProductExtras {
            stock,
            price,
            bundle_fault,
        };
        row.data.extend(document_of(&beside)?);
    }
    Ok(rows)
}

/// Checks that the options belong to the product and that the parts of a set are valid.
async fn consistent(
    app: &App,
    id: &str,
    before: Option<&Document>,
    after: &Document,
) -> AppResult<()> {
    let id: ProductId = id.parse().map_err(|_| AppError::not_found())?;
    let (before, after) = (before.map(product).transpose()?, product(after)?);
    own_options(app, id, before.as_ref(), &after).await?;
    sound(app, before.as_ref(), &after).await
}

fn product(document: &Document) -> AppResult<Product> {
    typed(Value::Object(document.clone()))
}

/// Appends the stock counts to the stock aggregates.
async fn stock_counts(app: &App, write: RecordWrite<'_>) -> AppResult<Vec<StreamAppend>> {
    let id: ProductId = write.id.parse().map_err(|_| AppError::not_found())?;
    let after = product(write.after)?;
    let seller = app.store.load::<Member>(&after.seller.to_string()).await?;
    if after.shows && seller.state.left {
        return Err(AppError::invalid_field(
            "_seller",
            "left",
            "탈퇴한 판매자의 상품은 진열할 수 없습니다.",
        ));
    }
    let own = after.stock_ids(id);
    let mut appends = Vec::new();
    for (line, count) in write.counts.iter().enumerate() {
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
                &format!("그사이 재고가 {now}개로 바뀌었습니다. 새로 고친 뒤 다시 입력해 주세요."),
            ));
        }
        let act = StockCommand::Count {
            product: id,
            quantity,
        };
        appends.push(decide(count.stock, &pile, act, write.context)?);
    }
    Ok(appends)
}

/// The stock, prices and parts shown with a product.
async fn beside(app: &App, id: &str, document: &Document) -> AppResult<Document> {
    let id: ProductId = id.parse().map_err(|_| AppError::not_found())?;
    let product = product(document)?;
    let mut counts = Vec::new();
    for pile in product.stock_ids(id) {
        let state = app.store.load::<Stock>(&pile.to_string()).await?.state;
        counts.push(ProductStock {
            stock: pile,
            available: i64::from(state.available),
            sells: i64::try_from(state.taken).unwrap_or(i64::MAX),
        });
    }
    let price = ProductPrice::of(&product, app.pricing_rules.step(&app.store).await?)?;
    let parts = parts_of(app, &product).await?;
    let bundle_fault = bundle_fault(&product, |id| parts.get(&id).map(|part| &*part.data));
    let stock = counts;
    document_of(&ProductExtras {
        stock,
        price,
        bundle_fault,
    })
}

/// The parts of a product that are not removed, from the log.
async fn parts_of(
    app: &App,
    product: &Product,
) -> AppResult<BTreeMap<ProductId, VersionedRecord<Product>>> {
    let parts = Vec::from_iter(product.parts());
    match parts.is_empty() {
        true => Ok(BTreeMap::new()),
        false => app.pricing_rules.products(&app.store, &parts).await,
    }
}

/// Checks that the parts of a set are valid. A set that is not put on sale and names no new parts passes, so that an invalid set can be
/// taken off sale, or other fields of it changed.
async fn sound(app: &App, before: Option<&Product>, after: &Product) -> AppResult<()> {
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

/// Checks that no option has the id of another product's option: options are sold from the stock aggregate of their id.
async fn own_options(
    app: &App,
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

/// Message shown for a set that cannot be sold; none if it can.
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

/// The stock counts in a change of a product.
#[derive(Deserialize, ToSchema)]
pub struct StockCounts {
    /// Stock counts entered by the user, or the stock as the product returned it.
    pub stock: Option<Vec<Count>>,
}

/// Data shown with a product besides its document.
#[derive(Serialize, ToSchema)]
pub struct ProductExtras {
    /// Its stock: of the product itself, or of each option.
    pub stock: Vec<ProductStock>,
    /// Its price.
    #[serde(flatten)]
    pub price: ProductPrice,
    /// For a set that cannot be sold at present: the reason, in Korean; null if it can.
    #[serde(rename = "bundleFault")]
    pub bundle_fault: Option<String>,
}

/// Unit price with the product's own discount, without options (spec section 3).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductPrice {
    /// Price after the discount, hundredths.
    pub sale_price: Amount,
    /// Discount in whole percent, rounded down.
    pub discount_rate: u8,
}

impl ProductPrice {
    fn of(product: &Product, step: RoundingStep) -> AppResult<Self> {
        let shown = sale_price(product.price, product.discount.as_ref(), step);
        let shown = shown.map_err(AppError::internal)?;
        Ok(Self {
            sale_price: shown.sale_price,
            discount_rate: shown.discount_rate,
        })
    }
}

/// Stock of a product or option.
#[derive(Serialize, ToSchema)]
pub struct ProductStock {
    /// Id of the stock.
    #[serde(rename = "_stock")]
    pub stock: StockId,
    /// Quantity not taken by orders.
    pub available: i64,
    /// Quantity taken by orders.
    pub sells: i64,
}

/// Treats stock as the product returned it ([`ProductStock`]) as not counted.
fn uncounted_if_shown(pile: &mut Value) {
    if let Value::Object(pile) = pile
        && pile.contains_key("sells")
    {
        pile.entry("quantity").or_insert(Value::Null);
    }
}
