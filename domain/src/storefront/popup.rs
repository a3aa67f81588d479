//! Popups: what opens over home, until somebody does not want to see it today.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Display, PAGE_MOST};
use crate::catalogue::Picture;
use crate::record::{FieldError, Resource};
use crate::resource_names;
use crate::validation::RecordErrors;

/// Pixels from an edge at most, and of a side at most.
const PIXELS_MOST: i32 = 4_000;

/// A popup record (kind `popup`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Popup {
    /// Name in the console, and what screen readers say.
    pub name: String,
    /// What it says, as HTML.
    #[serde(default)]
    pub content: String,
    /// A picture, instead of words or above them.
    #[serde(default)]
    pub image: Option<Picture>,
    /// Where it leads; empty: nowhere.
    #[serde(default)]
    pub url: String,
    /// Pixels from the left edge.
    #[serde(default)]
    pub left: i32,
    /// Pixels from the upper edge.
    #[serde(default)]
    pub top: i32,
    /// Pixels it is wide.
    pub width: i32,
    /// Pixels it is high.
    pub height: i32,
    /// When it is shown.
    #[serde(default)]
    pub display: Display,
}

impl Resource for Popup {
    resource_names!("popup", "Popup");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut complaints = RecordErrors::default();
        complaints.title("name", &data.name, "팝업명을 두 글자 이상 입력해 주세요.");
        complaints.require(
            data.image.is_some() || !data.content.trim().is_empty(),
            "content",
            "required",
            "내용을 입력하거나 이미지를 등록해 주세요.",
        );
        complaints.at_most("content", &data.content, PAGE_MOST);
        if let Some(image) = &data.image {
            complaints.picture("image.url", &image.url);
        }
        for (field, pixels, least) in [
            ("left", data.left, 0),
            ("top", data.top, 0),
            ("width", data.width, 1),
            ("height", data.height, 1),
        ] {
            complaints.require(
                (least..=PIXELS_MOST).contains(&pixels),
                field,
                "out_of_range",
                "위치와 크기는 4000픽셀 이하로 입력해 주세요.",
            );
        }
        data.display.check(&mut complaints);
        complaints.finish()
    }
}
