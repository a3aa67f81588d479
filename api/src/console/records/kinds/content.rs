//! The front of the shop: banners, popups, terms.

use domain::ids::MemberId;
use domain::record::Document;
use domain::storefront::{BandBanner, Banner, BannerAdvertisement, Popup, Terms};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{AdminResource, admin_resource};
use crate::console::records::declared::front;
use crate::console::records::input::Count;
use crate::console::records::schema::ResourceSchema;
use crate::http::AppResult;

impl AdminResource for Banner {
    admin_resource!("banner", "/api/console/banners", "banner", "banners");
    const DESCRIPTION: ResourceSchema = front::BANNER;

    fn normalize(_id: &str, _by: MemberId, fields: &mut Document) -> AppResult<Vec<Count>> {
        let slides = fields.get_mut("slides").and_then(Value::as_array_mut);
        for slide in slides
            .into_iter()
            .flatten()
            .filter_map(Value::as_object_mut)
        {
            if slide.get("_id").is_none_or(Value::is_null) {
                slide.insert("_id".to_owned(), json!(Uuid::now_v7()));
            }
        }
        Ok(Vec::new())
    }
}

impl AdminResource for BandBanner {
    admin_resource!(
        "band-banner",
        "/api/console/bandBanners",
        "bandBanner",
        "bandBanners"
    );
    const DESCRIPTION: ResourceSchema = front::BAND_BANNER;
}

impl AdminResource for BannerAdvertisement {
    admin_resource!(
        "banner-advertisement",
        "/api/console/bannerAdvertisements",
        "bannerAdvertisement",
        "bannerAdvertisements"
    );
    const DESCRIPTION: ResourceSchema = front::BANNER_ADVERTISEMENT;
}

impl AdminResource for Popup {
    admin_resource!("popup", "/api/console/popups", "popup", "popups");
    const DESCRIPTION: ResourceSchema = front::POPUP;
}

impl AdminResource for Terms {
    admin_resource!("terms", "/api/console/terms", "terms", "terms");
    const DESCRIPTION: ResourceSchema = front::TERMS;
}
