//! Records: what is sold and how, the front of the shop, levels, the site setting. One implementation for all.
//!
//! [`kinds`] says where each kind is and what is particular about it; [`document`] how the API tells of it; the other
//! files are one call each.

pub mod create;
pub mod document;
pub mod draft;
pub mod history;
pub mod kinds;
pub mod list;
pub mod remove;
pub mod restore;
pub mod revise;
pub mod show;
pub mod stored;

use axum::routing::{get, post};
use domain::catalogue::Product;
use domain::coupon::Coupon;
use domain::front::{
    BandBanner, Banner, BannerAdvertisement, Brand, Popup, ProductDisplay, Showroom, Terms,
};
use domain::shipping::{Island, ShippingGroup};
use domain::site::{Level, SiteSetting};
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use kinds::Kept;

/// The calls of every kind.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(of::<Product>())
        .merge(of::<ShippingGroup>())
        .merge(of::<Island>())
        .merge(of::<Coupon>())
        .merge(of::<SiteSetting>())
        .merge(of::<Level>())
        .merge(of::<Brand>())
        .merge(of::<ProductDisplay>())
        .merge(of::<Showroom>())
        .merge(of::<Banner>())
        .merge(of::<BandBanner>())
        .merge(of::<BannerAdvertisement>())
        .merge(of::<Popup>())
        .merge(of::<Terms>())
}

fn of<R: Kept>() -> OpenApiRouter<AppState> {
    let one = format!("{}/{{id}}", R::PATH);
    let (past, back) = (format!("{one}/history"), format!("{one}/restore"));
    let mut router = OpenApiRouter::new()
        .route(R::PATH, get(list::list::<R>).post(create::create::<R>))
        .route(
            &one,
            get(show::show::<R>)
                .put(revise::revise::<R>)
                .delete(remove::remove::<R>),
        )
        .route(&past, get(history::history::<R>))
        .route(&back, post(restore::restore::<R>));
    document::describe::<R>(router.get_openapi_mut());
    router
}
