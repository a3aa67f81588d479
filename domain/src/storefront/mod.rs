//! Storefront content besides the products: banners, popups, brands, displays, showrooms, stores and terms.
//!
//! All of them are records ([`crate::record`]); their visibility follows from [`Display`] and the injected clock.

mod banner;
mod brand;
pub mod category_detail;
pub mod exhibition;
pub mod main_link;
pub mod material;
mod merchandising;
mod popup;
mod promotion;
pub mod review_display;
pub mod shop_code;
pub mod shop_event;
mod store;
pub mod tag_event;
mod terms;
mod visibility;

pub use banner::{BandBanner, Banner, BannerAdvertisement, Device, LinkTarget, Slide, SlideMeta};
pub use brand::{Brand, Label, initial_of};
pub use merchandising::{DisplayCode, ProductDisplay, ShowItem, Showroom};
pub use popup::Popup;
pub use promotion::PromotionState;
pub use store::{MiniShop, Store};
pub use terms::{AgreedTerm, Terms};
pub use visibility::Display;

use crate::schema::Field;
use crate::validation::RecordErrors;

/// Maximum length of a code.
const CODE_MOST: usize = 50;
/// Maximum length of a name.
const NAME_MOST: usize = 100;
/// Maximum length of a line of text.
pub(crate) const LINE_MOST: usize = 1_000;
/// Maximum length of a page of HTML.
pub(crate) const PAGE_MOST: usize = 50_000;
/// Maximum number of products of a display or showroom.
const PRODUCTS_MOST: usize = 100;

/// A text with a picture in a list of a document ([`ShowItem`]).
pub const SHOW_ITEM: &[Field] = &[
    Field::text("title", "제목").required().letters(1_000),
    Field::longtext("content", "내용"),
    Field::image("image", "이미지"),
];

/// Checks shared by these documents.
impl RecordErrors {
    /// A display name within its length limits (spec V135).
    pub(crate) fn title(&mut self, field: &str, text: &str, prompt: &str) {
        self.name(field, text, prompt);
        self.at_most(field, text, NAME_MOST);
    }

    /// A code: letters, digits, `-` and `_`.
    pub(crate) fn code(&mut self, field: &str, code: &str) {
        let written = code
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_'));
        self.present(field, code, "코드를 입력해 주세요.");
        self.require(
            written,
            field,
            "not_a_code",
            "코드는 영문, 숫자, -, _로 입력해 주세요.",
        );
        self.at_most(field, code, CODE_MOST);
    }

    pub(crate) fn at_most(&mut self, field: impl Into<String>, text: &str, most: usize) {
        self.require(
            text.chars().count() <= most,
            field,
            "too_long",
            "입력할 수 있는 길이를 넘었습니다.",
        );
    }

    /// An optional line as short as a name.
    fn title_if_any(&mut self, field: &str, text: &str) {
        self.at_most(field, text, NAME_MOST);
    }

    /// A required picture. Whether its address is allowed is checked for all address fields of a record.
    fn picture(&mut self, field: impl Into<String>, address: &str) {
        self.present(field, address, "이미지를 등록해 주세요.");
    }

    pub(crate) fn no_more_than(&mut self, field: &str, count: usize, most: usize) {
        self.require(
            count <= most,
            field,
            "too_many",
            "등록할 수 있는 개수를 넘었습니다.",
        );
    }
}
