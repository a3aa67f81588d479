//! Materials of products, kept by the sellers.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::LINE_MOST;
use crate::catalogue::Picture;
use crate::ids::MemberId;
use crate::record::{DeclaredRecord, Resource, SellerAccess, WireNames};
use crate::resource_names;
use crate::schema::{Field, Filter, ResourceSchema};
use crate::validation::{FieldError, RecordErrors};

/// A material record (kind `material`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Material {
    /// Its name.
    pub name: String,
    /// The seller it belongs to; none for the shop.
    #[serde(rename = "_seller", default)]
    pub seller: Option<MemberId>,
    /// Description.
    #[serde(default)]
    pub desc: String,
    /// Country or region of origin.
    #[serde(default)]
    pub origin: String,
    /// Its picture, if any.
    #[serde(default)]
    pub image: Option<Picture>,
    /// Whether shoppers see it.
    #[serde(default)]
    pub shows: bool,
    /// Sort index, higher first.
    #[serde(default)]
    pub index: i32,
}

impl Resource for Material {
    resource_names!("material", "Material", "소재");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.title("name", &data.name, "소재명을 두 글자 이상 입력해 주세요.");
        errors.at_most("desc", &data.desc, LINE_MOST);
        errors.title_if_any("origin", &data.origin);
        if let Some(image) = &data.image {
            errors.picture("image.url", &image.url);
        }
        errors.finish()
    }
}

impl DeclaredRecord for Material {
    const WIRE: WireNames = WireNames {
        path: "/api/console/shop/materials",
        one: "material",
        many: "materials",
    };
    const SELLERS: SellerAccess = SellerAccess::Own;
    const SCHEMA: ResourceSchema = ResourceSchema {
        search: &["name", "origin"],
        sorts: &["index", "name", "createdAt", "updatedAt"],
        default_sort: "-index",
        filters: &[
            Filter::reference("_seller", "seller"),
            Filter::boolean("shows"),
            Filter::period("createdAt"),
        ],
        ..ResourceSchema::of(&[
            Field::text("name", "소재명").required(),
            Field::reference("_seller", "판매자", "seller"),
            Field::longtext("desc", "설명"),
            Field::text("origin", "원산지"),
            Field::image("image", "이미지"),
            Field::boolean("shows", "노출"),
            Field::integer("index", "노출 순서"),
        ])
    };
}
