//! Popups shown over home, until dismissed for the day.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Display, PAGE_MOST};
use crate::catalogue::Picture;
use crate::record::Resource;
use crate::resource_names;
use crate::validation::FieldError;
use crate::validation::RecordErrors;

/// Maximum offset from an edge, and maximum side length, in pixels.
const PIXELS_MOST: i32 = 4_000;

/// A popup record (kind `popup`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Popup {
    /// Name in the console, and label for screen readers.
    pub name: String,
    /// Its content, as HTML.
    #[serde(default)]
    pub content: String,
    /// A picture, above the content or instead of it.
    #[serde(default)]
    pub image: Option<Picture>,
    /// Link target; empty for none.
    #[serde(default)]
    pub url: String,
    /// Offset from the left edge, pixels.
    #[serde(default)]
    pub left: i32,
    /// Offset from the upper edge, pixels.
    #[serde(default)]
    pub top: i32,
    /// Width in pixels.
    pub width: i32,
    /// Height in pixels.
    pub height: i32,
    /// When it is shown.
    #[serde(default)]
    pub display: Display,
}

impl Resource for Popup {
    resource_names!("popup", "Popup", "팝업");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.title("name", &data.name, "팝업명을 두 글자 이상 입력해 주세요.");
        errors.require(
            data.image.is_some() || !data.content.trim().is_empty(),
            "content",
            "required",
            "내용을 입력하거나 이미지를 등록해 주세요.",
        );
        errors.at_most("content", &data.content, PAGE_MOST);
        if let Some(image) = &data.image {
            errors.picture("image.url", &image.url);
        }
        for (field, pixels, least) in [
            ("left", data.left, 0),
            ("top", data.top, 0),
            ("width", data.width, 1),
            ("height", data.height, 1),
        ] {
            errors.require(
                (least..=PIXELS_MOST).contains(&pixels),
                field,
                "out_of_range",
                "위치와 크기는 4000픽셀 이하로 입력해 주세요.",
            );
        }
        data.display.check(&mut errors);
        errors.finish()
    }
}
