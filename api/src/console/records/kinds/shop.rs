//! What selling needs beside the goods: shipping groups, islands, coupons, brands, and how goods are laid out.

use domain::coupon::{Campaign, Coupon};
use domain::event::Context;
use domain::ids::MemberId;
use domain::record::Document;
use domain::shipping::{Island, ShippingGroup};
use domain::storefront::{Brand, ProductDisplay, Showroom, Store};
use event_store::StreamAppend;
use projections::member_coupons::{self, still_held};
use serde_json::json;

use super::{AdminResource, admin_resource};
use crate::app::AppState;
use crate::console::records::declared::{catalogue, coupons, delivery, front};
use crate::console::records::input::Count;
use crate::console::records::schema::ResourceSchema;
use crate::http::{AppError, AppResult, RowScope};
use application::executor::decide;

impl AdminResource for ShippingGroup {
    admin_resource!(
        "shipping",
        "/api/console/shop/shippings",
        "shipping",
        "shippings"
    );
    const DESCRIPTION: ResourceSchema = delivery::SHIPPING;
    const FOR_SELLERS: bool = true;

    fn seller(&self) -> Option<MemberId> {
        Some(self.seller)
    }
}

impl AdminResource for Island {
    admin_resource!("island", "/api/console/shop/islands", "island", "islands");
    const DESCRIPTION: ResourceSchema = delivery::ISLAND;
}

impl AdminResource for Coupon {
    admin_resource!("coupon", "/api/console/shop/coupons", "coupon", "coupons");
    const DESCRIPTION: ResourceSchema = coupons::COUPON;
    const FOR_SELLERS: bool = true;

    fn seller(&self) -> Option<MemberId> {
        self.seller
    }

    fn normalize(_id: &str, by: MemberId, fields: &mut Document) -> AppResult<Vec<Count>> {
        fields.entry("_issuer").or_insert_with(|| json!(by));
        Ok(Vec::new())
    }

    /// Members hold pieces of it, which its campaign counts when they are used.
    async fn removal_blocker(&self, app: &AppState, id: &str) -> AppResult<Option<String>> {
        let coupon = id.parse().map_err(|_| AppError::not_found())?;
        app.wait_until_current(&[member_coupons::NAME]).await?;
        let held = still_held(app.pool(), coupon, app.clock.now()).await?;
        Ok((held > 0).then(|| {
            format!("회원이 아직 쓰지 않은 쿠폰이 {held}장 있습니다. 더 발급하지 않으려면 발급을 꺼 주세요.")
        }))
    }

    /// A limited coupon is counted by its campaign.
    async fn side_effects(
        &self,
        app: &AppState,
        id: &str,
        _counts: &[Count],
        context: &Context,
    ) -> AppResult<Vec<StreamAppend>> {
        let campaign = app.store.load::<Campaign>(id).await?;
        let (draws, uses) = (self.issue.limit.shop, self.usage.limit.shop);
        let limited =
            [draws, uses].map(|limit| limit.count_sum.is_some() || limit.price_sum.is_some());
        if campaign.version == 0 && !limited.contains(&true) {
            return Ok(Vec::new());
        }
        let act = self.campaign_limits();
        Ok(vec![decide(id, &campaign, act, context)?])
    }
}

impl AdminResource for Brand {
    admin_resource!("brand", "/api/console/shop/brands", "brand", "brands");
    const DESCRIPTION: ResourceSchema = catalogue::BRAND;
    const READABLE_BY_SELLERS: bool = true;
    const NAMED_BY_CODE: bool = true;
}

impl AdminResource for ProductDisplay {
    admin_resource!(
        "display",
        "/api/console/shop/displays",
        "display",
        "displays"
    );
    const DESCRIPTION: ResourceSchema = front::DISPLAY;
}

impl AdminResource for Store {
    admin_resource!("store", "/api/console/shop/stores", "store", "stores");
    const DESCRIPTION: ResourceSchema = front::STORE;
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

impl AdminResource for Showroom {
    admin_resource!(
        "showroom",
        "/api/console/shop/showrooms",
        "showroom",
        "showrooms"
    );
    const DESCRIPTION: ResourceSchema = front::SHOWROOM;
}
