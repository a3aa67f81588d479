//! Banners: slides at fixed places, the band above everything, advertisements.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{Display, LINE_MOST, NAME_MOST};
use crate::catalogue::{Picture, is_colour};
use crate::record::{FieldError, Resource, UniqueCode};
use crate::resource_names;
use crate::validation::RecordErrors;

/// Slides of one banner at most.
const SLIDES_MOST: usize = 20;

/// Which screens a banner is for (spec V070).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Device {
    /// From 1024 px on.
    #[default]
    Pc,
    /// Below (spec section 9).
    Mobile,
}

impl Device {
    /// As on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pc => "PC",
            Self::Mobile => "MOBILE",
        }
    }
}

/// Where a link opens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum LinkTarget {
    /// In the same window.
    #[default]
    #[serde(rename = "_self")]
    SameWindow,
    /// In a new one.
    #[serde(rename = "_blank")]
    NewWindow,
}

/// What a slide says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct SlideMeta {
    /// Its headline.
    pub title: String,
    /// The line under it.
    pub description: String,
    /// A mark like `NEW`.
    pub tag: String,
}

/// One slide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Slide {
    /// Its id: clicks on it are counted.
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// Its picture.
    pub image: Picture,
    /// Where it leads; empty: nowhere.
    #[serde(default)]
    pub url: String,
    /// It leads off this site.
    #[serde(default)]
    pub is_outer_link: bool,
    /// Where it opens.
    #[serde(default)]
    pub target: LinkTarget,
    /// What it says.
    #[serde(default)]
    pub meta: SlideMeta,
}

/// A banner record (kind `banner`): the slides of one place on one kind of screen. Code and device together are unique.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Banner {
    /// The place: `MAIN_1`, `MAIN_2`, `RECIPE`.
    pub code: String,
    /// Name in the console.
    pub name: String,
    /// Which screens it is for.
    #[serde(default)]
    pub device: Device,
    /// Where the whole banner leads; empty: nowhere.
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
    resource_names!("banner", "Banner");
    const UNIQUE: Option<UniqueCode> = Some(UniqueCode {
        scope: "banner-code",
        fields: &["code", "device"],
    });
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut complaints = RecordErrors::default();
        complaints.code("code", &data.code);
        complaints.title("name", &data.name, "배너명을 두 글자 이상 입력해 주세요.");
        data.display.check(&mut complaints);
        complaints.no_more_than("slides", data.slides.len(), SLIDES_MOST);
        for (place, slide) in data.slides.iter().enumerate() {
            let at = format!("slides.{place}");
            complaints.picture(format!("{at}.image.url"), &slide.image.url);
            complaints.at_most(format!("{at}.meta.title"), &slide.meta.title, NAME_MOST);
            complaints.at_most(
                format!("{at}.meta.description"),
                &slide.meta.description,
                LINE_MOST,
            );
            complaints.at_most(format!("{at}.meta.tag"), &slide.meta.tag, NAME_MOST);
        }
        let ids = data.slides.iter().map(|slide| slide.id);
        complaints.unique("slides", "_id", ids, "같은 슬라이드가 중복되었습니다.");
        complaints.finish()
    }
}

/// A band banner record (kind `band-banner`): the line above everything, hideable per session (spec V078).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BandBanner {
    /// The place: `main` (spec V211).
    pub code: String,
    /// Name in the console.
    pub name: String,
    /// What it says.
    pub content: String,
    /// Where it leads; empty: nowhere.
    #[serde(default)]
    pub url: String,
    /// Its colour as `#rrggbb`; none: the shop's own.
    #[serde(default)]
    pub color: Option<String>,
    /// When it is shown.
    #[serde(default)]
    pub display: Display,
}

impl Resource for BandBanner {
    resource_names!("band-banner", "BandBanner");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut complaints = RecordErrors::default();
        complaints.code("code", &data.code);
        complaints.title("name", &data.name, "띠배너명을 두 글자 이상 입력해 주세요.");
        complaints.present("content", &data.content, "내용을 입력해 주세요.");
        complaints.at_most("content", &data.content, LINE_MOST);
        complaints.require(
            data.color.as_deref().is_none_or(is_colour),
            "color",
            "not_a_colour",
            "색상 코드를 #rrggbb 형식으로 입력해 주세요.",
        );
        data.display.check(&mut complaints);
        complaints.finish()
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
    /// Where it leads; empty: nowhere.
    #[serde(default)]
    pub url: String,
    /// Where it opens.
    #[serde(default)]
    pub target: LinkTarget,
    /// Order among others, higher first.
    #[serde(default)]
    pub index: i32,
    /// When it is shown.
    #[serde(default)]
    pub display: Display,
}

impl Resource for BannerAdvertisement {
    resource_names!("banner-advertisement", "BannerAdvertisement");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut complaints = RecordErrors::default();
        complaints.title("name", &data.name, "광고명을 두 글자 이상 입력해 주세요.");
        complaints.picture("image.url", &data.image.url);
        data.display.check(&mut complaints);
        complaints.finish()
    }
}
