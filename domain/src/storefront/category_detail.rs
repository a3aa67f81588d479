//! Details of categories: texts shown with the products of a category.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::merchandising::{ShowItem, check_items};
use super::{PAGE_MOST, SHOW_ITEM};
use crate::catalogue::Picture;
use crate::ids::MemberId;
use crate::record::{DeclaredRecord, Resource, SellerAccess, WireNames};
use crate::resource_names;
use crate::schema::{Field, Filter, ResourceSchema};
use crate::validation::{FieldError, RecordErrors};

/// A category detail record (kind `category-detail`), of the shop or of a seller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CategoryDetail {
    /// Its name.
    pub name: String,
    /// Code of the category; none for all.
    #[serde(default)]
    pub category: Option<String>,
    /// The seller it belongs to; none for the shop.
    #[serde(rename = "_seller", default)]
    pub seller: Option<MemberId>,
    /// Its text (HTML).
    #[serde(default)]
    pub content: String,
    /// Its picture, if any.
    #[serde(default)]
    pub image: Option<Picture>,
    /// Texts with pictures, in order.
    #[serde(default)]
    pub items: Vec<ShowItem>,
    /// Whether shoppers see it.
    #[serde(default)]
    pub shows: bool,
    /// Sort index, higher first.
    #[serde(default)]
    pub index: i32,
}

impl Resource for CategoryDetail {
    resource_names!("category-detail", "CategoryDetail", "카테고리 상세");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.title(
            "name",
            &data.name,
            "카테고리 상세 이름을 두 글자 이상 입력해 주세요.",
        );
        errors.at_most("content", &data.content, PAGE_MOST);
        if let Some(image) = &data.image {
            errors.picture("image.url", &image.url);
        }
        check_items(&mut errors, &data.items);
        errors.finish()
    }
}

impl DeclaredRecord for CategoryDetail {
    const WIRE: WireNames = WireNames {
        path: "/api/console/shop/category-details",
        one: "categoryDetail",
        many: "categoryDetails",
    };
    const SELLERS: SellerAccess = SellerAccess::Own;
    const SCHEMA: ResourceSchema = ResourceSchema {
        sorts: &["index", "name", "createdAt", "updatedAt"],
        default_sort: "-index",
        filters: &[
            Filter::reference("category", "category"),
            Filter::reference("_seller", "seller"),
            Filter::boolean("shows"),
            Filter::period("createdAt"),
        ],
        ..ResourceSchema::of(&[
            Field::text("name", "이름").required(),
            Field::reference("category", "카테고리", "category"),
            Field::reference("_seller", "판매자", "seller"),
            Field::html("content", "내용"),
            Field::image("image", "이미지"),
            Field::list("items", "항목", SHOW_ITEM),
            Field::boolean("shows", "노출"),
            Field::integer("index", "노출 순서"),
        ])
    };
}
