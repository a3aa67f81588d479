//! Stores: physical shops of a seller, and the seller's page in this shop.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{LINE_MOST, NAME_MOST};
use crate::catalogue::Picture;
use crate::ids::MemberId;
use crate::record::Resource;
use crate::resource_names;
use crate::shipping::Geolocation;
use crate::validation::FieldError;
use crate::validation::RecordErrors;

/// Maximum number of tags of a store.
const TAGS_MOST: usize = 10;

/// The seller's mini-shop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MiniShop {
    /// Tags on its card, in order.
    #[serde(default)]
    pub tag: Vec<String>,
}

/// A store record (kind `store`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Store {
    /// The seller.
    #[serde(rename = "_seller")]
    pub seller: MemberId,
    /// Its name.
    pub name: String,
    /// Name of the company that runs it.
    #[serde(default)]
    pub company_name: String,
    /// Description.
    #[serde(default)]
    pub desc: String,
    /// Address.
    pub address1: String,
    /// The rest of the address.
    #[serde(default)]
    pub address2: String,
    /// Telephone number, as displayed.
    #[serde(default)]
    pub tel: String,
    /// Its picture in lists.
    pub thumb: Picture,
    /// The picture at the top of the seller's page.
    #[serde(default)]
    pub main_banner: Option<Picture>,
    /// The wide picture of its card; none for that at the top of the seller's page, else the shop's default.
    #[serde(default)]
    pub banner: Option<Picture>,
    /// Position on the map; without one it is never listed as nearby.
    #[serde(default)]
    pub geolocation: Option<Geolocation>,
    /// Its mini-shop.
    #[serde(default)]
    pub mini: MiniShop,
    /// Whether the shop recommends it.
    #[serde(default)]
    pub is_recommended: bool,
    /// Whether shoppers see it.
    #[serde(default)]
    pub shows: bool,
    /// Sort index, higher first.
    #[serde(default)]
    pub index: i32,
}

impl Resource for Store {
    resource_names!("store", "Store", "매장");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.title("name", &data.name, "매장명을 두 글자 이상 입력해 주세요.");
        errors.present("address1", &data.address1, "주소를 입력해 주세요.");
        errors.picture("thumb.url", &data.thumb.url);
        for (field, picture) in [
            ("banner.url", &data.banner),
            ("mainBanner.url", &data.main_banner),
        ] {
            if let Some(picture) = picture {
                errors.picture(field, &picture.url);
            }
        }
        errors.at_most("desc", &data.desc, LINE_MOST);
        for (field, text) in [
            ("companyName", &data.company_name),
            ("address1", &data.address1),
            ("address2", &data.address2),
            ("tel", &data.tel),
        ] {
            errors.at_most(field, text, NAME_MOST);
        }
        errors.require(
            data.geolocation.is_none_or(Geolocation::is_on_earth),
            "geolocation",
            "not_a_place",
            "위도와 경도를 다시 입력해 주세요.",
        );
        errors.no_more_than("mini.tag", data.mini.tag.len(), TAGS_MOST);
        for (place, tag) in data.mini.tag.iter().enumerate() {
            errors.at_most(format!("mini.tag.{place}"), tag, NAME_MOST);
        }
        errors.finish()
    }
}
