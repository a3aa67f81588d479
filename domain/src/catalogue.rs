//! Products with their options, and the category tree.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::ids::{MemberId, OptionId, ProductId, ShippingId, StockId};
use crate::money::Amount;
use crate::record::{Resource, UniqueCode};
use crate::resource_names;
use crate::validation::FieldError;
use crate::validation::RecordErrors;

mod bundle;
mod details;
pub mod tree;

pub use bundle::PartFault;
pub use details::{Nutrition, Variation};

/// Maximum number of groups, related products, materials and rows of nutritions of one product.
const NAMED_MOST: usize = 50;

/// Product types (spec section 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ProductType {
    /// A single product.
    #[default]
    NormalProduct,
    /// A set with one part of the buyer's choice.
    VarietyBundle,
    /// A fixed set of products.
    ProductBundle,
}

impl ProductType {
    /// The specification's code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NormalProduct => "NORMAL_PRODUCT",
            Self::VarietyBundle => "VARIETY_BUNDLE",
            Self::ProductBundle => "PRODUCT_BUNDLE",
        }
    }
}

/// Unit of a discount or coupon value (spec section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ValueUnit {
    /// `value` is hundredths.
    Amount,
    /// `value` is a whole percent, 0 to 100 (spec V150), rounded up when taken (spec V282).
    Percent,
}

/// A discount: `AMOUNT` hundredths or `PERCENT` 0-100, at most `limit` hundredths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Discount {
    /// Unit of `value`.
    pub unit: ValueUnit,
    /// Hundredths, or percent.
    pub value: i64,
    /// Maximum discount, in hundredths; none for no cap.
    #[serde(default)]
    pub limit: Option<Amount>,
}

impl Discount {
    /// The money amounts entered by people, named relative to `field`.
    pub fn amounts(&self, field: &str) -> Vec<(String, Amount)> {
        let value = (self.unit == ValueUnit::Amount).then(|| Amount::new(self.value));
        [("value", value), ("limit", self.limit)]
            .into_iter()
            .filter_map(|(name, amount)| Some((format!("{field}.{name}"), amount?)))
            .collect()
    }
}

impl RecordErrors {
    /// Requires hundredths of zero or more, or a percent of 0 to 100.
    pub fn value(&mut self, field: impl Into<String>, unit: ValueUnit, value: i64) {
        match unit {
            ValueUnit::Amount => self.amount(field, Amount::new(value)),
            ValueUnit::Percent => self.percent(field, value),
        }
    }

    /// Requires a valid value and cap of a discount.
    pub fn discount(&mut self, field: &str, discount: Option<&Discount>) {
        if let Some(discount) = discount {
            self.value(format!("{field}.value"), discount.unit, discount.value);
            self.amount(format!("{field}.limit"), discount.limit);
        }
    }
}

/// A purchasable option of a product.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductOption {
    /// Its id, also the id of the stock aggregate that counts it.
    #[serde(rename = "_id")]
    pub id: OptionId,
    /// Colour as `#rrggbb`, for options of type `COLOR`.
    #[serde(default)]
    pub hexa: Option<String>,
    /// The criterion, e.g. "색상 / 사이즈".
    pub name: String,
    /// The value, e.g. "레드 / M".
    pub value: String,
    /// Added to the product's price, hundredths, may be 0.
    pub price: Amount,
    /// Whether the option is for sale.
    pub enabled: bool,
    /// The shop's own code of the option, unique within the product.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Its picture; none for the product's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<Picture>,
}

/// How a product's options are presented.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct OptionsConf {
    /// Whether options are offered; otherwise the product itself is bought.
    pub enabled: bool,
    /// `COLOR` or `OTHER`.
    pub sort: Option<String>,
    /// Names of the criteria.
    pub criteria: Vec<String>,
}

/// A part of a set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BundledPart {
    /// The product inside the set.
    #[serde(rename = "_product")]
    pub product: ProductId,
    /// Its option, for products with options.
    #[serde(rename = "_option", default)]
    pub option: Option<OptionId>,
    /// Quantity of the part per set.
    pub quantity: u32,
}

/// Something that comes with a product: a charger, a user guide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Supply {
    /// Its id within the product.
    #[serde(rename = "_id", default)]
    pub id: String,
    /// Its name.
    pub name: String,
    /// Quantity per product.
    pub quantity: u32,
}

/// A picture.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Picture {
    /// Address of the picture on this site.
    pub url: String,
    /// Alternative text.
    pub alt: Option<String>,
}

/// Metadata for search engines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Seo {
    /// Page title.
    pub title: Option<String>,
    /// Author, description and keywords.
    pub meta: SeoMeta,
}

/// The `meta` of [`Seo`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SeoMeta {
    /// Author.
    pub author: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Keywords.
    pub keywords: Option<String>,
}

/// A product record (kind `product`). Stock and sales counts are read-only here: they belong to the stock aggregate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Product {
    /// The shop's own code, unique.
    pub code: String,
    /// Name, more than one character (spec V135).
    pub name: String,
    /// Type of product.
    #[serde(rename = "type", default)]
    pub kind: ProductType,
    /// The seller.
    #[serde(rename = "_seller")]
    pub seller: MemberId,
    /// List price, hundredths.
    pub price: Amount,
    /// What a piece costs the seller, hundredths; shoppers do not see it.
    #[serde(default)]
    pub cost: Option<Amount>,
    /// The product's own discount.
    #[serde(default)]
    pub discount: Option<Discount>,
    /// How options are offered.
    #[serde(default)]
    pub options_conf: OptionsConf,
    /// The options.
    #[serde(default)]
    pub options: Vec<ProductOption>,
    /// Parts of a set (`VARIETY_BUNDLE`, `PRODUCT_BUNDLE`).
    #[serde(default)]
    pub bundleds: Vec<BundledPart>,
    /// Products the buyer may choose with it, in order.
    #[serde(default)]
    pub choicees: Vec<ProductId>,
    /// What comes with it.
    #[serde(default)]
    pub supplies: Vec<Supply>,
    /// Category codes, most specific; ancestors follow from the tree.
    #[serde(default)]
    pub categories: Vec<String>,
    /// Brand code.
    #[serde(default)]
    pub brand: Option<String>,
    /// One-line description.
    #[serde(default)]
    pub desc: String,
    /// Long description, sanitised HTML.
    #[serde(default)]
    pub content: String,
    /// Picture for product cards.
    #[serde(default)]
    pub thumb: Picture,
    /// Gallery.
    #[serde(default)]
    pub images: Vec<Picture>,
    /// Whether the product is shown to shoppers.
    pub shows: bool,
    /// Sort index, higher first.
    #[serde(default)]
    pub index: i32,
    /// Place among its variations and in its related group, lowest first.
    #[serde(default)]
    pub sequence: i32,
    /// Address of a page about it, e.g. its manufacturer's.
    #[serde(default)]
    pub link: Option<String>,
    /// Search keywords.
    #[serde(default)]
    pub hashtags: Vec<String>,
    /// Badges such as NEW or BEST.
    #[serde(default)]
    pub flags: Vec<String>,
    /// Groups it is listed in, e.g. `SPRING_SALE`; defined by the shop.
    #[serde(default)]
    pub groups: Vec<String>,
    /// Related products, in order.
    #[serde(default)]
    pub relateds: Vec<ProductId>,
    /// Group code: products of the same seller with this code are shown as related, after `relateds`.
    #[serde(default)]
    pub related_group_code: Option<String>,
    /// How it differs from its variations.
    #[serde(default)]
    pub variation: Variation,
    /// What it is made of: ids of material records, in order.
    #[serde(default)]
    pub materials: Vec<Uuid>,
    /// Nutrition facts, in order.
    #[serde(default)]
    pub nutritions: Vec<Nutrition>,
    /// Size text.
    #[serde(default)]
    pub size: Option<String>,
    /// Country of origin.
    #[serde(default)]
    pub origin: Option<String>,
    /// Manufacturer.
    #[serde(default)]
    pub manufacturer: Option<String>,
    /// Shipping group; none = the seller's default group.
    #[serde(rename = "_shipping", default)]
    pub shipping: Option<ShippingId>,
    /// Metadata for search engines.
    #[serde(default)]
    pub seo: Seo,
}

impl Product {
    /// The option with this id, if it exists and is for sale.
    pub fn option(&self, id: OptionId) -> Option<&ProductOption> {
        self.options
            .iter()
            .find(|option| option.id == id && option.enabled)
    }

    /// The stock aggregates of this product: one per option, or its own when options are off.
    pub fn stock_ids(&self, id: ProductId) -> Vec<StockId> {
        if self.options_conf.enabled {
            self.options
                .iter()
                .map(|option| StockId(option.id.0))
                .collect()
        } else {
            vec![StockId(id.0)]
        }
    }
}

impl Resource for Product {
    resource_names!("product", "Product", "상품");
    const UNIQUE: Option<UniqueCode> = Some(UniqueCode {
        scope: "product-code",
        fields: &["code"],
        taken: "이미 사용 중인 코드입니다.",
    });
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.present("code", &data.code, "상품코드를 입력해 주세요.");
        errors.name("name", &data.name, "상품명을 두 글자 이상 입력해 주세요.");
        errors.amount("price", data.price);
        errors.amount("cost", data.cost);
        errors.discount("discount", data.discount.as_ref());
        for (index, option) in data.options.iter().enumerate() {
            errors.amount(format!("options.{index}.price"), option.price);
            errors.present(
                format!("options.{index}.value"),
                &option.value,
                "옵션값을 입력해 주세요.",
            );
            errors.require(
                option.hexa.as_deref().is_none_or(is_colour),
                format!("options.{index}.hexa"),
                "not_a_colour",
                "색상 코드를 #rrggbb 형식으로 입력해 주세요.",
            );
        }
        let ids = data.options.iter().map(|option| option.id);
        errors.unique("options", "_id", ids, "같은 옵션이 중복되었습니다.");
        let choices = data
            .options
            .iter()
            .map(|option| (option.name.as_str(), option.value.as_str()));
        errors.unique("options", "value", choices, "같은 옵션값이 중복되었습니다.");
        details::check(&mut errors, data);
        errors.require(
            !data.options_conf.enabled || !data.options.is_empty(),
            "options",
            "required",
            "옵션을 하나 이상 입력해 주세요.",
        );
        errors.require(
            matches!(
                data.options_conf.sort.as_deref(),
                None | Some("COLOR" | "OTHER")
            ),
            "optionsConf.sort",
            "unknown",
            "옵션 종류를 선택해 주세요.",
        );
        errors.require(
            data.kind != ProductType::ProductBundle || !data.bundleds.is_empty(),
            "bundleds",
            "required",
            "세트 구성 상품을 입력해 주세요.",
        );
        for (index, part) in data.bundleds.iter().enumerate() {
            errors.require(
                part.quantity > 0,
                format!("bundleds.{index}.quantity"),
                "too_small",
                "수량을 1 이상 입력해 주세요.",
            );
        }
        for (index, supply) in data.supplies.iter().enumerate() {
            errors.present(
                format!("supplies.{index}.name"),
                &supply.name,
                "구성품의 이름을 입력해 주세요.",
            );
            errors.require(
                supply.quantity > 0,
                format!("supplies.{index}.quantity"),
                "too_small",
                "수량을 1 이상 입력해 주세요.",
            );
        }
        let ids = data.supplies.iter().map(|supply| supply.id.as_str());
        let ids = ids.filter(|id| !id.is_empty());
        errors.unique("supplies", "_id", ids, "같은 구성품이 중복되었습니다.");
        for (field, count) in [
            ("choicees", data.choicees.len()),
            ("supplies", data.supplies.len()),
            ("groups", data.groups.len()),
            ("relateds", data.relateds.len()),
            ("materials", data.materials.len()),
            ("nutritions", data.nutritions.len()),
        ] {
            errors.require(
                count <= NAMED_MOST,
                field,
                "too_many",
                "등록할 수 있는 개수를 넘었습니다.",
            );
        }
        errors.finish()
    }

    fn amounts(data: &Self) -> Vec<(String, Amount)> {
        let options = data.options.iter().enumerate();
        let discount = data.discount.iter();
        let cost = data.cost.map(|cost| ("cost".to_owned(), cost));
        [("price".to_owned(), data.price)]
            .into_iter()
            .chain(cost)
            .chain(discount.flat_map(|discount| discount.amounts("discount")))
            .chain(options.map(|(index, option)| (format!("options.{index}.price"), option.price)))
            .collect()
    }
}

/// Whether `text` is a colour as `#rrggbb`.
pub fn is_colour(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(|digits| {
        digits.len() == 6 && digits.chars().all(|digit| digit.is_ascii_hexdigit())
    })
}

#[cfg(test)]
mod tests {
    use super::ProductType;

    #[test]
    fn the_code_of_a_type_is_what_is_stored() {
        for each in [
            ProductType::NormalProduct,
            ProductType::VarietyBundle,
            ProductType::ProductBundle,
        ] {
            assert_eq!(serde_json::to_value(each).ok(), Some(each.code().into()));
        }
    }
}
