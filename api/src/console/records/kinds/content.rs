//! The front of the shop: banners, popups, terms.

use domain::ids::MemberId;
use domain::record::Document;
use domain::storefront::{BandBanner, Banner, BannerAdvertisement, Popup, Terms};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Kept, kept};
use crate::console::records::declared::front;
use crate::console::records::describe::Description;
use crate::console::records::draft::Count;
use crate::http::ApiResult;

impl Kept for Banner {
    kept!("banner", "/api/console/banners", "banner", "banners");
    const DESCRIPTION: Description = front::BANNER;

    fn complete(_id: &str, _by: MemberId, fields: &mut Document) -> ApiResult<Vec<Count>> {
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

impl Kept for BandBanner {
    kept!(
        "band-banner",
        "/api/console/bandBanners",
        "bandBanner",
        "bandBanners"
    );
    const DESCRIPTION: Description = front::BAND_BANNER;
}

impl Kept for BannerAdvertisement {
    kept!(
        "banner-advertisement",
        "/api/console/bannerAdvertisements",
        "bannerAdvertisement",
        "bannerAdvertisements"
    );
    const DESCRIPTION: Description = front::BANNER_ADVERTISEMENT;
}

impl Kept for Popup {
    kept!("popup", "/api/console/popups", "popup", "popups");
    const DESCRIPTION: Description = front::POPUP;
}

impl Kept for Terms {
    kept!("terms", "/api/console/terms", "terms", "terms");
    const DESCRIPTION: Description = front::TERMS;
}
