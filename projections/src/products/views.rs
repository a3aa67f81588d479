//! API views of products.

use std::collections::HashMap;

use domain::Amount;
use domain::catalogue::{
    BundledPart, Nutrition, OptionsConf, Picture, Product, ProductType, Seo, Supply,
};
use domain::ids::{OptionId, ProductId, ShippingId, StockId};
use domain::pricing::discount::{SalePrice, sale_price};
use domain::pricing::fare::fare;
use domain::rounding::RoundingStep;
use domain::shipping::{ChargeType, MethodTerms, ShippingGroup, ShippingOption};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::{ProductRow, left};
use crate::error::ReadError;
use crate::records::TypedRecord;
use crate::reviews::ProductStars;
use crate::seller::SellerRef;
use crate::stock::StockRow;

/// The badge of products of an ongoing exhibition.
const EXHIBITION: &str = "기획전";

/// Counters kept outside the record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductMeta {
    /// Number of likes.
    pub like_count: i64,
    /// Whether the reader likes it.
    pub liked: bool,
    /// Number of visible reviews.
    pub review_count: i64,
    /// Average rating in hundredths of a star; 0 without reviews.
    pub star: i64,
}

/// One product in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductCard {
    /// The product.
    #[serde(rename = "_id")]
    pub id: ProductId,
    /// The shop's own code.
    pub code: String,
    /// Name.
    pub name: String,
    /// Type of the product.
    #[serde(rename = "type")]
    pub kind: ProductType,
    /// Picture.
    pub thumb: Picture,
    /// List price, hundredths.
    pub price: Amount,
    /// Price of one unit, hundredths.
    pub sale_price: Amount,
    /// List price less sale price, hundredths.
    pub discount_price: Amount,
    /// The discount in whole percent, rounded down.
    pub discount_rate: u8,
    /// Brand code.
    pub brand: Option<String>,
    /// Category codes.
    pub categories: Vec<String>,
    /// Seller of the product.
    pub seller: SellerRef,
    /// Sellable quantity.
    pub stock: i64,
    /// Nothing is left to sell.
    pub sold_out: bool,
    /// Units sold.
    pub sells: i64,
    /// Badges like NEW or BEST.
    pub flags: Vec<String>,
    /// Counters kept outside the record.
    pub meta: ProductMeta,
    /// When it was created.
    #[serde(with = "crate::timestamp")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: OffsetDateTime,
    /// One unit ships free on the mainland.
    pub free_shipping: bool,
}

/// One choice of a product.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductOptionView {
    /// The option.
    #[serde(rename = "_id")]
    pub id: OptionId,
    /// Colour.
    pub hexa: Option<String>,
    /// Name of the option's criterion.
    pub name: String,
    /// Value of the criterion.
    pub value: String,
    /// Added to the product's list price, hundredths.
    pub price: Amount,
    /// Price of one unit of this option, hundredths.
    pub sale_price: Amount,
    /// Sellable quantity.
    pub stock: i64,
    /// Nothing is left to sell.
    pub sold_out: bool,
    /// Whether it can be bought.
    pub enabled: bool,
    /// Its picture; none for the product's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<Picture>,
}

/// A part of a set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BundledView {
    /// The part product.
    #[serde(rename = "_product")]
    pub product: ProductId,
    /// Its option.
    #[serde(rename = "_option")]
    pub option: Option<OptionId>,
    /// Its name with the option's value.
    pub name: String,
    /// Units of it in one set.
    pub quantity: u32,
}

/// Shipping of a product.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShippingView {
    /// The group.
    #[serde(rename = "_id")]
    pub id: ShippingId,
    /// Its name.
    pub name: String,
    /// The shipping methods; the first is the default.
    pub options: Vec<ShippingOption>,
    /// What the seller says of the methods.
    pub methods: Vec<MethodTerms>,
}

/// One product in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductDetail {
    /// Fields shown in lists.
    #[serde(flatten)]
    pub card: ProductCard,
    /// Name of its brand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brand_name: Option<String>,
    /// One-line description.
    pub desc: String,
    /// Long description, sanitised HTML.
    pub content: String,
    /// Gallery.
    pub images: Vec<Picture>,
    /// How options are presented.
    pub options_conf: OptionsConf,
    /// The options.
    pub options: Vec<ProductOptionView>,
    /// Parts of a set.
    pub bundleds: Vec<BundledView>,
    /// Its shipping; none: no group delivers it, so it cannot be ordered.
    pub shipping: Option<ShippingView>,
    /// Its variations; none if it has none.
    pub variation: Option<VariationView>,
    /// What it is made of.
    pub materials: Vec<MaterialView>,
    /// Nutrition facts.
    pub nutritions: Vec<Nutrition>,
    /// Address of a page about it.
    pub link: Option<String>,
    /// Size.
    pub size: Option<String>,
    /// Country of origin.
    pub origin: Option<String>,
    /// Manufacturer.
    pub manufacturer: Option<String>,
    /// Search keywords.
    pub hashtags: Vec<String>,
    /// Product groups it is in.
    pub groups: Vec<String>,
    /// What comes with it.
    pub supplies: Vec<Supply>,
    /// Products the buyer may choose with it.
    pub choicees: Vec<ProductCard>,
    /// Related products: those it lists, then those of the same related group.
    pub relateds: Vec<ProductCard>,
    /// Seller of the product.
    pub seller_card: SellerCard,
    /// Metadata for search engines.
    pub seo: Seo,
    /// Version of the record.
    pub version: i64,
}

/// The variations of a product.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VariationView {
    /// Names of what they differ in.
    pub list: Vec<String>,
    /// The variations that are shown, the product itself included, in their order.
    pub products: Vec<VariationProduct>,
}

/// One variation of a product.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VariationProduct {
    /// Its values of what they differ in.
    pub spec: String,
    /// The product.
    #[serde(flatten)]
    pub card: ProductCard,
}

/// A material of a product.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MaterialView {
    /// The record.
    #[serde(rename = "_id")]
    pub id: String,
    /// Its name.
    pub name: String,
    /// Description.
    pub desc: String,
    /// Country or region of origin.
    pub origin: String,
    /// Its picture.
    pub image: Option<Picture>,
}

/// The seller as shown beside a product.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SellerCard {
    /// The seller.
    #[serde(flatten)]
    pub seller: SellerRef,
    /// Number of products they sell.
    pub product_count: i64,
}

/// What a card needs beyond the product's own row.
pub(super) struct Around<'a> {
    pub likes: i64,
    pub stars: ProductStars,
    pub stock: &'a [StockRow],
    pub group: Option<&'a TypedRecord<ShippingGroup>>,
    pub step: RoundingStep,
    /// Its parts are valid.
    pub sound: bool,
    /// An exhibition that is ongoing contains it.
    pub is_exhibited: bool,
    /// Name of its brand.
    pub brand: Option<&'a str>,
}

impl Around<'_> {
    fn available(&self, ledger: StockId) -> i64 {
        self.stock
            .iter()
            .find(|row| row.id == ledger)
            .map_or(0, |row| row.available)
    }

    /// Units sold from the product's own stock.
    fn sells(&self, product: ProductId) -> i64 {
        self.stock
            .iter()
            .filter(|row| row.product == Some(product))
            .map(|row| row.sells)
            .sum()
    }

    fn is_free(&self, sale_price: Amount) -> bool {
        self.group
            .is_some_and(|group| travels_free(&group.data, sale_price))
    }
}

/// Whether one unit at this price ships free on the mainland.
pub(super) fn travels_free(group: &ShippingGroup, sale_price: Amount) -> bool {
    group.ways().first().is_some_and(|option| {
        option.charge_type != ChargeType::PayOnDelivery
            && !option.service.is_active
            && fare(option, sale_price, None) == Ok(Amount::ZERO)
    })
}

pub(super) fn card(row: &ProductRow, product: &Product, around: &Around<'_>) -> ProductCard {
    let stock = left(row.id, product, around.sound, |ledger| {
        around.available(ledger)
    });
    let price = price_of(product, Amount::ZERO, around.step);
    let exhibition = around.is_exhibited.then(|| EXHIBITION.to_owned());
    ProductCard {
        id: row.id,
        code: product.code.clone(),
        name: product.name.clone(),
        kind: product.kind,
        thumb: product.thumb.clone(),
        price: price.price,
        sale_price: price.sale_price,
        discount_price: price.discount_price,
        discount_rate: price.discount_rate,
        brand: product.brand.clone(),
        categories: product.categories.clone(),
        seller: SellerRef::unnamed(product.seller),
        stock,
        sold_out: stock <= 0,
        sells: around.sells(row.id),
        flags: product.flags.iter().cloned().chain(exhibition).collect(),
        meta: ProductMeta {
            like_count: around.likes,
            liked: false,
            review_count: around.stars.count,
            star: around.stars.average(),
        },
        created_at: row.created_at,
        free_shipping: around.is_free(price.sale_price),
    }
}

/// The price of one unit with `added` to the list price. An invalid discount is ignored (an order refuses it).
fn price_of(product: &Product, added: Amount, step: RoundingStep) -> SalePrice {
    let price = product.price.plus(added).unwrap_or(product.price);
    sale_price(price, product.discount.as_ref(), step).unwrap_or(SalePrice {
        price,
        discount_price: Amount::ZERO,
        sale_price: price,
        discount_rate: 0,
    })
}

/// Label of the choice among the parts of a set.
const CHOICE: &str = "구성";

/// The choices of a product: its options, or the parts of a set with a choice.
fn options(
    product: &Product,
    around: &Around<'_>,
    parts: &HashMap<ProductId, Product>,
) -> Vec<ProductOptionView> {
    if product.is_choice() {
        let bundleds = product.bundleds.iter().filter(|_| around.sound);
        return bundleds
            .map(|part| {
                let pieces = around.available(part.ledger());
                let stock = pieces.checked_div(i64::from(part.quantity)).unwrap_or(0);
                ProductOptionView {
                    id: OptionId(part.ledger().0),
                    hexa: None,
                    name: CHOICE.to_owned(),
                    value: part_name(part, parts),
                    price: Amount::ZERO,
                    sale_price: price_of(product, Amount::ZERO, around.step).sale_price,
                    stock,
                    sold_out: stock <= 0,
                    enabled: true,
                    image: None,
                }
            })
            .collect();
    }
    product
        .options
        .iter()
        .map(|option| {
            let stock = around.available(StockId(option.id.0));
            ProductOptionView {
                id: option.id,
                hexa: option.hexa.clone(),
                name: option.name.clone(),
                value: option.value.clone(),
                price: option.price,
                sale_price: price_of(product, option.price, around.step).sale_price,
                stock,
                sold_out: stock <= 0 || !option.enabled,
                enabled: option.enabled,
                image: option.image.clone(),
            }
        })
        .collect()
}

/// `parts` are the part products of a set.
pub(super) fn detail(
    row: &ProductRow,
    product: Product,
    around: &Around<'_>,
    parts: &HashMap<ProductId, Product>,
) -> Result<ProductDetail, ReadError> {
    let card = card(row, &product, around);
    let options = options(&product, around, parts);
    let is_choice = product.is_choice();
    let bundleds = product
        .bundleds
        .iter()
        .map(|part| BundledView {
            product: part.product,
            option: part.option,
            name: part_name(part, parts),
            quantity: part.quantity,
        })
        .collect();
    let shipping = around
        .group
        .map(|group| {
            Ok::<_, ReadError>(ShippingView {
                id: group
                    .id
                    .parse()
                    .map_err(|_| ReadError::StreamId(group.id.clone()))?,
                name: group.data.name.clone(),
                options: group.data.ways().into_iter().cloned().collect(),
                methods: group.data.methods.clone(),
            })
        })
        .transpose()?;
    Ok(ProductDetail {
        card,
        brand_name: around.brand.map(str::to_owned),
        desc: product.desc,
        content: product.content,
        images: product.images,
        options_conf: match is_choice {
            true => OptionsConf {
                enabled: true,
                sort: Some("OTHER".to_owned()),
                criteria: vec![CHOICE.to_owned()],
            },
            false => product.options_conf,
        },
        options,
        bundleds,
        shipping,
        variation: None,
        materials: Vec::new(),
        nutritions: product.nutritions,
        link: product.link,
        size: product.size,
        origin: product.origin,
        manufacturer: product.manufacturer,
        hashtags: product.hashtags,
        groups: product.groups,
        supplies: product.supplies,
        choicees: Vec::new(),
        relateds: Vec::new(),
        seller_card: SellerCard {
            seller: SellerRef::unnamed(product.seller),
            product_count: 0,
        },
        seo: product.seo,
        version: row.version,
    })
}

fn part_name(part: &BundledPart, parts: &HashMap<ProductId, Product>) -> String {
    let inside = parts.get(&part.product);
    inside.map(|inside| part.name(inside)).unwrap_or_default()
}
