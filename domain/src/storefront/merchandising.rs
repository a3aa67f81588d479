//! Goods laid out: displays at fixed places, and showrooms.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{LINE_MOST, PRODUCTS_MOST};
use crate::catalogue::Picture;
use crate::ids::ProductId;
use crate::record::{FieldError, Resource, UniqueCode};
use crate::resource_names;
use crate::validation::RecordErrors;

/// Texts of one display at most.
const ITEMS_MOST: usize = 50;

/// The places of displays (spec section 4; `MAIN_FEATURED` and `MERIT` are home's own, V019 and V021).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DisplayCode {
    /// New goods.
    NewArrival,
    /// What sells most.
    BestSeller,
    /// What people like.
    Popular,
    /// What was reviewed best; never shown (spec V114).
    BestReview,
    /// What the shop recommends.
    Recommendation,
    /// The four products of home.
    MainFeatured,
    /// The ten merits of home.
    Merit,
}

impl DisplayCode {
    /// As on the wire.
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

    /// Shoppers may see it (spec V114).
    pub const fn is_public(self) -> bool {
        !matches!(self, Self::BestReview)
    }
}

/// A text with a picture, e.g. one merit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShowItem {
    /// Its headline.
    pub title: String,
    /// What it says.
    #[serde(default)]
    pub content: String,
    /// Its picture, where it has one.
    #[serde(default)]
    pub image: Option<Picture>,
}

/// A display record (kind `display`): products laid out at one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductDisplay {
    /// The place.
    pub code: DisplayCode,
    /// Its headline.
    pub name: String,
    /// The products, in order.
    #[serde(rename = "_products", default)]
    pub products: Vec<ProductId>,
    /// Texts, in order.
    #[serde(default)]
    pub items: Vec<ShowItem>,
    /// Shoppers see it.
    #[serde(default)]
    pub shows: bool,
    /// Order among others, higher first.
    #[serde(default)]
    pub index: i32,
}

impl Resource for ProductDisplay {
    resource_names!("display", "Display");
    const UNIQUE: Option<UniqueCode> = Some(UniqueCode {
        scope: "display-code",
        fields: &["code"],
    });
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut complaints = RecordErrors::default();
        complaints.title("name", &data.name, "진열명을 두 글자 이상 입력해 주세요.");
        laid_out(&mut complaints, &data.products);
        complaints.no_more_than("items", data.items.len(), ITEMS_MOST);
        for (place, item) in data.items.iter().enumerate() {
            let at = format!("items.{place}");
            complaints.present(format!("{at}.title"), &item.title, "제목을 입력해 주세요.");
            complaints.at_most(format!("{at}.title"), &item.title, LINE_MOST);
            complaints.at_most(format!("{at}.content"), &item.content, LINE_MOST);
            if let Some(image) = &item.image {
                complaints.picture(format!("{at}.image.url"), &image.url);
            }
        }
        complaints.finish()
    }
}

/// A showroom record (kind `showroom`): goods that go together, shown as one. Its code is unique.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Showroom {
    /// Its code, part of its address.
    pub code: String,
    /// Its name.
    pub name: String,
    /// What it is about.
    #[serde(default)]
    pub desc: String,
    /// Its picture.
    pub image: Picture,
    /// The products, in order.
    #[serde(rename = "_products", default)]
    pub products: Vec<ProductId>,
    /// Shoppers see it.
    #[serde(default)]
    pub shows: bool,
    /// Order among others, higher first.
    #[serde(default)]
    pub index: i32,
}

impl Resource for Showroom {
    resource_names!("showroom", "Showroom");
    const UNIQUE: Option<UniqueCode> = Some(UniqueCode {
        scope: "showroom-code",
        fields: &["code"],
    });
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut complaints = RecordErrors::default();
        complaints.code("code", &data.code);
        complaints.title("name", &data.name, "쇼룸명을 두 글자 이상 입력해 주세요.");
        complaints.at_most("desc", &data.desc, LINE_MOST);
        complaints.picture("image.url", &data.image.url);
        laid_out(&mut complaints, &data.products);
        complaints.finish()
    }
}

/// Each product once, and not too many.
fn laid_out(complaints: &mut RecordErrors, products: &[ProductId]) {
    complaints.no_more_than("_products", products.len(), PRODUCTS_MOST);
    let mut seen = std::collections::BTreeSet::new();
    for (place, product) in products.iter().enumerate() {
        complaints.require(
            seen.insert(product),
            format!("_products.{place}"),
            "duplicate",
            "같은 상품이 중복되었습니다.",
        );
    }
}
