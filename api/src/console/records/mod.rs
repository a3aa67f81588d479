//! Records: what is sold and how, the front of the shop, levels, the site setting. One implementation for all.
//!
//! [`kinds`] says where each kind is and what is particular about it; [`document`] how the API tells of it; the other
//! files are one call each.

pub mod create;
pub mod declared;
pub mod describe;
pub mod document;
pub mod draft;
pub mod history;
pub mod html;
pub mod kinds;
pub mod list;
pub mod remove;
pub mod resources;
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
use utoipa_axum::routes;

use crate::app::AppState;
use describe::Descriptor;
use kinds::Kept;

macro_rules! kinds {
    ($($kind:ty),+ $(,)?) => {
        /// The calls of every kind.
        pub fn routes() -> OpenApiRouter<AppState> {
            OpenApiRouter::new()
                .routes(routes!(resources::list))
                $(.merge(of::<$kind>()))+
        }

        /// What every kind says about itself.
        pub fn descriptors() -> Vec<Descriptor> {
            vec![$(Descriptor::of::<$kind>()),+]
        }
    };
}

kinds!(
    Product,
    ShippingGroup,
    Island,
    Coupon,
    Brand,
    ProductDisplay,
    Showroom,
    Banner,
    BandBanner,
    BannerAdvertisement,
    Popup,
    Terms,
    SiteSetting,
    Level,
);

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
