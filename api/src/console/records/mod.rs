//! Records: what is sold and how, the front of the shop, levels, the site setting. One implementation for all.
//!
//! [`kinds`] says where each kind is and what is particular about it; [`document`] how the API tells of it; the other
//! files are one call each.

pub mod bulk;
pub mod cells;
pub mod change;
pub mod create;
pub mod declared;
pub mod describe;
pub mod document;
pub mod draft;
pub mod export;
pub mod history;
pub mod html;
pub mod import;
pub mod kinds;
pub mod list;
pub mod references;
pub mod remove;
pub mod resources;
pub mod restore;
pub mod revise;
pub mod sheet;
pub mod show;
pub mod stored;
pub mod table;
pub mod wanted;

use std::collections::BTreeSet;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use domain::catalogue::Product;
use domain::coupon::Coupon;
use domain::front::{
    BandBanner, Banner, BannerAdvertisement, Brand, Popup, ProductDisplay, Showroom, Store, Terms,
};
use domain::inquire::Inquire;
use domain::review::Review;
use domain::shipping::{Island, ShippingGroup};
use domain::site::{Level, SiteSetting};
use futures::FutureExt;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::AppState;
use crate::console::sellers;
use crate::http::ApiResult;
use describe::{Action, Descriptor};
use kinds::Kept;

macro_rules! kinds {
    ($($kind:ty),+ $(,)?) => {
        /// The calls of every kind.
        pub fn routes() -> OpenApiRouter<AppState> {
            OpenApiRouter::new()
                .routes(routes!(resources::list))
                $(.merge(of::<$kind>()))+
        }

        /// Makes what lists of kinds with many records need; false while a read model has no tables.
        ///
        /// # Errors
        /// The database's.
        pub async fn index(app: &AppState) -> ApiResult<bool> {
            $(if !index_of::<$kind>(app).await? {
                return Ok(false);
            })+
            Ok(true)
        }

        /// Those of `keys`, ids or codes, that nothing of this kind has.
        async fn missing(app: &AppState, kind: &str, keys: BTreeSet<String>) -> ApiResult<Vec<String>> {
            if kind == sellers::KIND {
                return sellers::missing(app, keys).await;
            }
            $(if kind == <$kind as domain::record::Resource>::KIND {
                return references::missing_of::<$kind>(app, keys).await;
            })+
            references::missing_categories(app, keys).await
        }

        /// The kinds of streams they are kept in.
        pub fn kinds() -> Vec<&'static str> {
            vec![$(<$kind as domain::record::Resource>::KIND),+]
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
    Store,
    Banner,
    BandBanner,
    BannerAdvertisement,
    Popup,
    Terms,
    SiteSetting,
    Level,
    Review,
    Inquire,
);

async fn index_of<R: Kept>(app: &AppState) -> ApiResult<bool> {
    let said = R::DESCRIPTION;
    if !said.grows {
        return Ok(true);
    }
    let sorted = wanted::sorted_columns(&said);
    let narrowed = wanted::narrowed_columns(&said);
    Ok(projections::records::index(app.pool(), R::SOURCE, &sorted, &narrowed).await?)
}

/// The calls of one kind. Their futures are boxed here: the router wraps each call in a dozen types, and the compiler would look
/// through all a call awaits for every one of them, seventeen times over.
pub fn of<R: Kept>() -> OpenApiRouter<AppState> {
    let under = |what: &str| format!("{}/{what}", R::PATH);
    let can = |action| R::DESCRIPTION.actions.contains(&action);
    let all = get(|a, b, c, d, e| list::list::<R>(a, b, c, d, e).boxed());
    let all = match R::BY_MEMBERS {
        true => all.post(create::refused),
        false => all.post(|a, b, c| create::create::<R>(a, b, c).boxed()),
    };
    let mut router = OpenApiRouter::new()
        .route(R::PATH, all)
        .route(
            &under("{id}"),
            get(|a, b, c| show::show::<R>(a, b, c).boxed())
                .put(|a, b, c, d| revise::revise::<R>(a, b, c, d).boxed())
                .delete(|a, b, c, d| remove::remove::<R>(a, b, c, d).boxed()),
        )
        .route(
            &under("{id}/history"),
            get(|a, b, c| history::history::<R>(a, b, c).boxed()),
        )
        .route(
            &under("{id}/restore"),
            post(|a, b, c, d| restore::restore::<R>(a, b, c, d).boxed()),
        );
    if can(Action::Bulk) {
        router = router.route(
            &under("bulk"),
            post(|a, b, c| bulk::bulk::<R>(a, b, c).boxed()),
        );
    }
    if can(Action::Export) {
        router = router.route(
            &under("export"),
            get(|a, b, c, d| export::export::<R>(a, b, c, d).boxed()),
        );
    }
    if can(Action::Import) {
        let room = DefaultBodyLimit::max(import::BYTES_MOST + 64 * 1024);
        router = router.route(
            &under("import"),
            post(|a, b, c, d| import::import::<R>(a, b, c, d).boxed()).layer(room),
        );
    }
    document::describe::<R>(router.get_openapi_mut());
    router
}
