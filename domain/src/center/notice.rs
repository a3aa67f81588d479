//! Announcements of the shop.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::record::Resource;
use crate::resource_names;
use crate::storefront::{Display, PAGE_MOST};
use crate::validation::{FieldError, RecordErrors};

/// Maximum number of attached files.
const FILES_MOST: usize = 10;

/// What an announcement is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum NoticeCategory {
    /// The shop in general.
    #[default]
    General,
    /// Events and benefits.
    Event,
    /// Parcels.
    Delivery,
    /// Maintenance and changes of the service.
    Service,
}

/// A file to download.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Attachment {
    /// Name shown to readers.
    #[serde(default)]
    pub name: String,
    /// Its address.
    pub url: String,
}

/// An announcement (kind `notice`; `notifications` on the wire, as the specification calls them).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Notice {
    /// Its headline.
    pub name: String,
    /// What it is about.
    #[serde(default)]
    pub category: NoticeCategory,
    /// The text, as HTML.
    pub content: String,
    /// Files to download.
    #[serde(default)]
    pub files: Vec<Attachment>,
    /// Whether it stands above the others.
    #[serde(default)]
    pub pinned: bool,
    /// When it is shown.
    #[serde(default)]
    pub display: Display,
}

impl Resource for Notice {
    resource_names!("notice", "Notice", "공지사항");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.title("name", &data.name, "제목을 두 글자 이상 입력해 주세요.");
        errors.present("content", &data.content, "내용을 입력해 주세요.");
        errors.at_most("content", &data.content, PAGE_MOST);
        errors.no_more_than("files", data.files.len(), FILES_MOST);
        for (index, file) in data.files.iter().enumerate() {
            errors.present(
                format!("files.{index}.url"),
                &file.url,
                "첨부파일을 올려 주세요.",
            );
        }
        data.display.check(&mut errors);
        errors.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice() -> Notice {
        Notice {
            name: "설 연휴 배송 안내".to_owned(),
            category: NoticeCategory::Delivery,
            content: "<p>쉽니다</p>".to_owned(),
            files: Vec::new(),
            pinned: true,
            display: Display::always(),
        }
    }

    #[test]
    fn a_notice_needs_a_headline_a_text_and_addresses_of_its_files() {
        assert_eq!(Notice::validate(&notice()), Ok(()));
        let wrong = Notice {
            name: "설".to_owned(),
            content: " ".to_owned(),
            files: vec![Attachment::default()],
            display: Display {
                has_period: true,
                ..Display::always()
            },
            ..notice()
        };
        let errors = Notice::validate(&wrong).err().unwrap_or_default();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        let expected = ["name", "content", "files.0.url", "display.startedAt"];
        assert_eq!(fields, expected);
    }
}
