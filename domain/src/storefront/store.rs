//! Stores: where people see and try what a seller sells, and what stands for a seller in the shop.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{LINE_MOST, NAME_MOST};
use crate::catalogue::Picture;
use crate::ids::MemberId;
use crate::record::{FieldError, Resource};
use crate::resource_names;
use crate::shipping::Geolocation;
use crate::validation::RecordErrors;

/// Tags of one store at most.
const TAGS_MOST: usize = 10;

/// What a seller says about their mini-shop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MiniShop {
    /// Words on its card, in order.
    #[serde(default)]
    pub tag: Vec<String>,
}

/// A store record (kind `store`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Store {
    /// Whose it is.
    #[serde(rename = "_seller")]
    pub seller: MemberId,
    /// Its name.
    pub name: String,
    /// What it is about.
    #[serde(default)]
    pub desc: String,
    /// Address.
    pub address1: String,
    /// The rest of the address.
    #[serde(default)]
    pub address2: String,
    /// Telephone, as it is shown.
    #[serde(default)]
    pub tel: String,
    /// Its picture in lists.
    pub thumb: Picture,
    /// Its wide picture; none: the shop's own.
    #[serde(default)]
    pub banner: Option<Picture>,
    /// Where it is on the map; none: it is near to nobody.
    #[serde(default)]
    pub geolocation: Option<Geolocation>,
    /// Its mini-shop.
    #[serde(default)]
    pub mini: MiniShop,
    /// It is one of those the shop puts first.
    #[serde(default)]
    pub is_recommended: bool,
    /// Shoppers see it.
    #[serde(default)]
    pub shows: bool,
    /// Order among others, higher first.
    #[serde(default)]
    pub index: i32,
}

impl Resource for Store {
    resource_names!("store", "Store");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut complaints = RecordErrors::default();
        complaints.title("name", &data.name, "매장명을 두 글자 이상 입력해 주세요.");
        complaints.present("address1", &data.address1, "주소를 입력해 주세요.");
        complaints.picture("thumb.url", &data.thumb.url);
        if let Some(banner) = &data.banner {
            complaints.picture("banner.url", &banner.url);
        }
        complaints.at_most("desc", &data.desc, LINE_MOST);
        for (field, text) in [
            ("address1", &data.address1),
            ("address2", &data.address2),
            ("tel", &data.tel),
        ] {
            complaints.at_most(field, text, NAME_MOST);
        }
        complaints.require(
            data.geolocation.is_none_or(Geolocation::is_on_earth),
            "geolocation",
            "not_a_place",
            "위도와 경도를 다시 입력해 주세요.",
        );
        complaints.no_more_than("mini.tag", data.mini.tag.len(), TAGS_MOST);
        for (place, tag) in data.mini.tag.iter().enumerate() {
            complaints.at_most(format!("mini.tag.{place}"), tag, NAME_MOST);
        }
        complaints.finish()
    }
}
