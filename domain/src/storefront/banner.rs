//! Banners: slides at fixed places, the band banner above the page, advertisements.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Display, LINE_MOST, NAME_MOST};
use crate::catalogue::{Picture, is_colour};
use crate::record::{Resource, UniqueCode};
use crate::resource_names;
use crate::schema::{FieldChoice, choice};
use crate::validation::FieldError;
use crate::validation::RecordErrors;

/// Maximum number of slides of a banner.
const SLIDES_MOST: usize = 20;

/// Device class a banner is for (spec V070).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Device {
    /// 1024 px and wider.
    #[default]
    Pc,
    /// Narrower (spec section 9).
    Mobile,
}

impl Device {
    /// Name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pc => "PC",
            Self::Mobile => "MOBILE",
        }
    }
}

/// Window in which a link opens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum LinkTarget {
    /// The same window.
    #[default]
    #[serde(rename = "_self")]
    SameWindow,
    /// A new window.
    #[serde(rename = "_blank")]
    NewWindow,
}

impl LinkTarget {
    /// The targets, for forms.
    pub const CHOICES: &[FieldChoice] = &[choice("_self", "현재 창"), choice("_blank", "새 창")];
}

/// Texts of a slide.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct SlideMeta {
    /// Its headline.
    pub title: String,
    /// The line under it.
    pub description: String,
    /// A badge like `NEW`.
    pub tag: String,
}

/// One slide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Slide {
    /// Its id; clicks are counted by it.
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// Its picture.
    pub image: Picture,
    /// Link target; empty for none.
    #[serde(default)]
    pub url: String,
    /// Whether the link leaves this site.
    #[serde(default)]
    pub is_outer_link: bool,
    /// Window in which the link opens.
    #[serde(default)]
    pub target: LinkTarget,
    /// Its texts.
    #[serde(default)]
    pub meta: SlideMeta,
}

/// A banner record (kind `banner`): the slides of one place on one device class. Code and device together are unique.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Banner {
    /// Code of the place: `MAIN_1`, `MAIN_2`, `RECIPE`.
    pub code: String,
    /// Name in the console.
    pub name: String,
    /// Device class.
    #[serde(default)]
    pub device: Device,
    /// Link target of the whole banner; empty for none.
    #[serde(default)]
    pub url: String,
    /// When it is shown.
    #[serde(default)]
    pub display: Display,
    /// Its slides, in order.
    #[serde(default)]
    pub slides: Vec<Slide>,
}

impl Resource for Banner {
    resource_names!("banner", "Banner", "배너");
    const UNIQUE: Option<UniqueCode> = Some(UniqueCode {
        scope: "banner-code",
        fields: &["code", "device"],
        taken: "이 위치에는 이미 같은 기기의 배너가 있습니다.",
    });
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.code("code", &data.code);
        errors.title("name", &data.name, "배너명을 두 글자 이상 입력해 주세요.");
        data.display.check(&mut errors);
        errors.no_more_than("slides", data.slides.len(), SLIDES_MOST);
        for (place, slide) in data.slides.iter().enumerate() {
            let at = format!("slides.{place}");
            errors.picture(format!("{at}.image.url"), &slide.image.url);
            errors.at_most(format!("{at}.meta.title"), &slide.meta.title, NAME_MOST);
            errors.at_most(
                format!("{at}.meta.description"),
                &slide.meta.description,
                LINE_MOST,
            );
            errors.at_most(format!("{at}.meta.tag"), &slide.meta.tag, NAME_MOST);
        }
        let ids = data.slides.iter().map(|slide| slide.id);
        errors.unique("slides", "_id", ids, "같은 슬라이드가 중복되었습니다.");
        errors.finish()
    }
}

/// A band banner record (kind `band-banner`): the line above the page, which can be hidden per session (spec V078).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BandBanner {
    /// Code of the place: `main` (spec V211).
    pub code: String,
    /// Name in the console.
    pub name: String,
    /// Its text.
    pub content: String,
    /// Link target; empty for none.
    #[serde(default)]
    pub url: String,
    /// Its colour as `#rrggbb`; none for the shop's default.
    #[serde(default)]
    pub color: Option<String>,
    /// When it is shown.
    #[serde(default)]
    pub display: Display,
}

impl Resource for BandBanner {
    resource_names!("band-banner", "BandBanner", "띠배너");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.code("code", &data.code);
        errors.title("name", &data.name, "띠배너명을 두 글자 이상 입력해 주세요.");
        errors.present("content", &data.content, "내용을 입력해 주세요.");
        errors.at_most("content", &data.content, LINE_MOST);
        errors.require(
            data.color.as_deref().is_none_or(is_colour),
            "color",
            "not_a_colour",
            "색상 코드를 #rrggbb 형식으로 입력해 주세요.",
        );
        data.display.check(&mut errors);
        errors.finish()
    }
}

/// An advertisement record (kind `banner-advertisement`): a picture with a link; home shows four (spec V210).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BannerAdvertisement {
    /// Name in the console.
    pub name: String,
    /// Its picture.
    pub image: Picture,
    /// Link target; empty for none.
    #[serde(default)]
    pub url: String,
    /// Window in which the link opens.
    #[serde(default)]
    pub target: LinkTarget,
    /// Sort index, higher first.
    #[serde(default)]
    pub index: i32,
    /// When it is shown.
    #[serde(default)]
    pub display: Display,
}

impl Resource for BannerAdvertisement {
    resource_names!("banner-advertisement", "BannerAdvertisement", "광고 배너");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.title("name", &data.name, "광고명을 두 글자 이상 입력해 주세요.");
        errors.picture("image.url", &data.image.url);
        data.display.check(&mut errors);
        errors.finish()
    }
}
