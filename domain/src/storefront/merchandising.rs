//! Product displays at fixed places, and showrooms.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{LINE_MOST, PRODUCTS_MOST};
use crate::catalogue::Picture;
use crate::ids::ProductId;
use crate::record::{Resource, UniqueCode};
use crate::resource_names;
use crate::validation::FieldError;
use crate::validation::RecordErrors;

/// Maximum number of texts of a display.
const ITEMS_MOST: usize = 50;

/// Codes of displays (spec section 4; `MAIN_FEATURED` and `MERIT` belong to home, V019 and V021).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DisplayCode {
    /// New products.
    NewArrival,
    /// Best-selling products.
    BestSeller,
    /// Popular products.
    Popular,
    /// Best-reviewed products; never shown (spec V114).
    BestReview,
    /// Products recommended by the shop.
    Recommendation,
    /// The four products on home.
    MainFeatured,
    /// The ten merits on home.
    Merit,
}

impl DisplayCode {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::NewArrival,
        Self::BestSeller,
        Self::Popular,
        Self::BestReview,
        Self::Recommendation,
        Self::MainFeatured,
        Self::Merit,
    ];

    /// Korean title.
    pub const fn title(self) -> &'static str {
        match self {
            Self::NewArrival => "신상품",
            Self::BestSeller => "베스트셀러",
            Self::Popular => "인기 상품",
            Self::BestReview => "후기 좋은 상품",
            Self::Recommendation => "추천 상품",
            Self::MainFeatured => "메인 추천",
            Self::Merit => "장점",
        }
    }

    /// The display with this name on the wire.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == code)
    }

    /// Name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NewArrival => "NEW_ARRIVAL",
            Self::BestSeller => "BEST_SELLER",
            Self::Popular => "POPULAR",
            Self::BestReview => "BEST_REVIEW",
            Self::Recommendation => "RECOMMENDATION",
            Self::MainFeatured => "MAIN_FEATURED",
            Self::Merit => "MERIT",
        }
    }

    /// Whether shoppers may see it (spec V114).
    pub const fn is_public(self) -> bool {
        !matches!(self, Self::BestReview)
    }
}

/// A text with a picture, e.g. one merit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShowItem {
    /// Its headline.
    pub title: String,
    /// Its text.
    #[serde(default)]
    pub content: String,
    /// Its picture, if any.
    #[serde(default)]
    pub image: Option<Picture>,
}

/// The checks of texts with pictures.
pub(super) fn check_items(errors: &mut RecordErrors, items: &[ShowItem]) {
    errors.no_more_than("items", items.len(), ITEMS_MOST);
    for (place, item) in items.iter().enumerate() {
        let at = format!("items.{place}");
        errors.present(format!("{at}.title"), &item.title, "제목을 입력해 주세요.");
        errors.at_most(format!("{at}.title"), &item.title, LINE_MOST);
        errors.at_most(format!("{at}.content"), &item.content, LINE_MOST);
        if let Some(image) = &item.image {
            errors.picture(format!("{at}.image.url"), &image.url);
        }
    }
}

/// A display record (kind `display`): products shown at one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductDisplay {
    /// Code of the place.
    pub code: DisplayCode,
    /// Its headline.
    pub name: String,
    /// The products, in order.
    #[serde(rename = "_products", default)]
    pub products: Vec<ProductId>,
    /// Texts, in order.
    #[serde(default)]
    pub items: Vec<ShowItem>,
    /// Whether shoppers see it.
    #[serde(default)]
    pub shows: bool,
    /// Sort index, higher first.
    #[serde(default)]
    pub index: i32,
}

impl Resource for ProductDisplay {
    resource_names!("display", "Display", "상품 진열");
    const UNIQUE: Option<UniqueCode> = Some(UniqueCode {
        scope: "display-code",
        fields: &["code"],
        taken: "이 위치에는 이미 진열이 있습니다.",
    });
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.title("name", &data.name, "진열명을 두 글자 이상 입력해 주세요.");
        laid_out(&mut errors, &data.products);
        check_items(&mut errors, &data.items);
        errors.finish()
    }
}

/// A showroom record (kind `showroom`): a collection of products. Its code is unique.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Showroom {
    /// Its code, part of its address.
    pub code: String,
    /// Its name.
    pub name: String,
    /// Description.
    #[serde(default)]
    pub desc: String,
    /// Its picture.
    pub image: Picture,
    /// The products, in order.
    #[serde(rename = "_products", default)]
    pub products: Vec<ProductId>,
    /// Whether shoppers see it.
    #[serde(default)]
    pub shows: bool,
    /// Sort index, higher first.
    #[serde(default)]
    pub index: i32,
}

impl Resource for Showroom {
    resource_names!("showroom", "Showroom", "쇼룸");
    const UNIQUE: Option<UniqueCode> = Some(UniqueCode {
        scope: "showroom-code",
        fields: &["code"],
        taken: "이미 사용 중인 코드입니다.",
    });
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.code("code", &data.code);
        errors.title("name", &data.name, "쇼룸명을 두 글자 이상 입력해 주세요.");
        errors.at_most("desc", &data.desc, LINE_MOST);
        errors.picture("image.url", &data.image.url);
        laid_out(&mut errors, &data.products);
        errors.finish()
    }
}

/// Checks that the products are unique and within the maximum number.
fn laid_out(errors: &mut RecordErrors, products: &[ProductId]) {
    errors.no_more_than("_products", products.len(), PRODUCTS_MOST);
    let mut seen = std::collections::BTreeSet::new();
    for (place, product) in products.iter().enumerate() {
        errors.require(
            seen.insert(product),
            format!("_products.{place}"),
            "duplicate",
            "같은 상품이 중복되었습니다.",
        );
    }
}
