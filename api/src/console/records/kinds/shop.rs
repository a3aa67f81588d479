//! What selling needs beside the goods: shipping groups, islands, coupons, brands, and how goods are laid out.

use domain::coupon::{Campaign, CampaignCommand, Coupon};
use domain::event::Context;
use domain::ids::MemberId;
use domain::record::Document;
use domain::shipping::{Island, ShippingGroup};
use domain::storefront::{Brand, ProductDisplay, Showroom, Store};
use event_store::StreamAppend;
use projections::coupon_box::{self, still_held};
use serde_json::json;

use super::{Kept, kept};
use crate::app::AppState;
use crate::console::records::declared::{catalogue, coupons, delivery, front};
use crate::console::records::describe::Description;
use crate::console::records::draft::Count;
use crate::executor::decide;
use crate::http::consistency::know_by_now;
use crate::http::{ApiError, ApiResult, RowScope};

impl Kept for ShippingGroup {
    kept!(
        "shipping",
        "/api/console/shop/shippings",
        "shipping",
        "shippings"
    );
    const DESCRIPTION: Description = delivery::SHIPPING;
    const FOR_SELLERS: bool = true;

    fn seller(&self) -> Option<MemberId> {
        Some(self.seller)
    }
}

impl Kept for Island {
    kept!("island", "/api/console/shop/islands", "island", "islands");
    const DESCRIPTION: Description = delivery::ISLAND;
}

impl Kept for Coupon {
    kept!("coupon", "/api/console/shop/coupons", "coupon", "coupons");
    const DESCRIPTION: Description = coupons::COUPON;
    const FOR_SELLERS: bool = true;

    fn seller(&self) -> Option<MemberId> {
        self.seller
    }

    fn complete(_id: &str, by: MemberId, fields: &mut Document) -> ApiResult<Vec<Count>> {
        fields.entry("_issuer").or_insert_with(|| json!(by));
        Ok(Vec::new())
    }

    /// Members hold pieces of it, which its campaign counts when they are used.
    async fn needed(&self, app: &AppState, id: &str) -> ApiResult<Option<String>> {
        let coupon = id.parse().map_err(|_| ApiError::not_found())?;
        know_by_now(app, &[coupon_box::NAME]).await?;
        let held = still_held(app.pool(), coupon, app.clock.now()).await?;
        Ok((held > 0).then(|| {
            format!("회원이 아직 쓰지 않은 쿠폰이 {held}장 있습니다. 더 발급하지 않으려면 발급을 꺼 주세요.")
        }))
    }

    /// A limited coupon is counted by its campaign.
    async fn beside(
        &self,
        app: &AppState,
        id: &str,
        _counts: &[Count],
        context: &Context,
    ) -> ApiResult<Vec<StreamAppend>> {
        let (draws, uses) = (self.issue.limit.shop.count_sum, self.usage.limit.shop);
        let campaign = app.store.load::<Campaign>(id).await?;
        let limited = draws.is_some() || uses.count_sum.is_some() || uses.price_sum.is_some();
        if campaign.version == 0 && !limited {
            return Ok(Vec::new());
        }
        let act = CampaignCommand::Limit {
            draws,
            uses: uses.count_sum,
            amount: uses.price_sum,
        };
        Ok(vec![decide(id, &campaign, act, context)?])
    }
}

impl Kept for Brand {
    kept!("brand", "/api/console/shop/brands", "brand", "brands");
    const DESCRIPTION: Description = catalogue::BRAND;
    const SEEN_BY_SELLERS: bool = true;
    const NAMED_BY_CODE: bool = true;
}

impl Kept for ProductDisplay {
    kept!(
        "display",
        "/api/console/shop/displays",
        "display",
        "displays"
    );
    const DESCRIPTION: Description = front::DISPLAY;
}

impl Kept for Store {
    kept!("store", "/api/console/shop/stores", "store", "stores");
    const DESCRIPTION: Description = front::STORE;
    const FOR_SELLERS: bool = true;

    fn seller(&self) -> Option<MemberId> {
        Some(self.seller)
    }

    /// Which store comes first is for the shop to say.
    fn changeable(rows: RowScope) -> Option<&'static [&'static str]> {
        match rows {
            RowScope::All => None,
            RowScope::Seller(_) => Some(&[
                "name",
                "desc",
                "address1",
                "address2",
                "tel",
                "thumb",
                "banner",
                "geolocation",
                "mini",
                "shows",
            ]),
        }
    }
}

impl Kept for Showroom {
    kept!(
        "showroom",
        "/api/console/shop/showrooms",
        "showroom",
        "showrooms"
    );
    const DESCRIPTION: Description = front::SHOWROOM;
}
