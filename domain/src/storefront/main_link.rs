//! Main links: shortcuts on the home page.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::LinkTarget;
use crate::catalogue::Picture;
use crate::record::{DeclaredRecord, Resource, WireNames};
use crate::resource_names;
use crate::schema::{Field, FieldType, Filter, ResourceSchema};
use crate::validation::{FieldError, RecordErrors};

/// A main link record (kind `main-link`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MainLink {
    /// Its name.
    pub name: String,
    /// Link target.
    pub url: String,
    /// Its picture, if any.
    #[serde(default)]
    pub image: Option<Picture>,
    /// Window in which the link opens.
    #[serde(default)]
    pub target: LinkTarget,
    /// Whether shoppers see it.
    #[serde(default)]
    pub shows: bool,
    /// Sort index, higher first.
    #[serde(default)]
    pub index: i32,
}

impl Resource for MainLink {
    resource_names!("main-link", "MainLink", "메인 링크");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.title(
            "name",
            &data.name,
            "링크 이름을 두 글자 이상 입력해 주세요.",
        );
        errors.present("url", &data.url, "연결 주소를 입력해 주세요.");
        if let Some(image) = &data.image {
            errors.picture("image.url", &image.url);
        }
        errors.finish()
    }
}

impl DeclaredRecord for MainLink {
    const WIRE: WireNames = WireNames {
        path: "/api/console/main/links",
        one: "link",
        many: "links",
    };
    const SCHEMA: ResourceSchema = ResourceSchema {
        sorts: &["index", "name", "createdAt", "updatedAt"],
        default_sort: "-index",
        filters: &[Filter::boolean("shows"), Filter::period("createdAt")],
        ..ResourceSchema::of(&[
            Field::text("name", "링크명").required(),
            Field::of("url", "연결 주소", FieldType::Url).required(),
            Field::image("image", "이미지"),
            Field::one_of("target", "열리는 곳", LinkTarget::CHOICES),
            Field::boolean("shows", "노출"),
            Field::integer("index", "노출 순서"),
        ])
    };
}
