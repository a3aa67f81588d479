//! Records: what is sold and how, the front of the shop, levels, the site setting. One implementation for all.
//!
//! [`kinds`] says where each kind is and what is particular about it; the other files are one call each.

pub mod create;
pub mod declared;
pub mod describe;
pub mod draft;
pub mod history;
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
use utoipa::openapi::path::{HttpMethod, OperationBuilder, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Required, ResponseBuilder};
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
    let document = router.get_openapi_mut();
    let mut schemas = vec![(R::name().into_owned(), R::schema())];
    R::schemas(&mut schemas);
    document
        .components
        .get_or_insert_default()
        .schemas
        .extend(schemas);
    let calls = [
        (R::PATH, HttpMethod::Get, "list", false),
        (R::PATH, HttpMethod::Post, "create", true),
        (&one, HttpMethod::Get, "show", false),
        (&one, HttpMethod::Put, "revise", true),
        (&one, HttpMethod::Delete, "remove", false),
        (&past, HttpMethod::Get, "history", false),
        (&back, HttpMethod::Post, "restore", false),
    ];
    for (path, method, verb, with_body) in calls {
        let mut operation = OperationBuilder::new()
            .tag("console")
            .operation_id(Some(format!("{verb}{}", R::NAME)))
            .security(SecurityRequirement::new::<_, _, String>("access", []))
            .response("200", ResponseBuilder::new().description(""));
        if path.contains("{id}") {
            let id = ParameterBuilder::new()
                .name("id")
                .parameter_in(ParameterIn::Path)
                .required(Required::True);
            operation = operation.parameter(id);
        }
        if with_body {
            let schema = RefOr::Ref(Ref::from_schema_name(R::name()));
            let content = ContentBuilder::new().schema(Some(schema)).build();
            operation = operation.request_body(Some(
                RequestBodyBuilder::new()
                    .content("application/json", content)
                    .build(),
            ));
        }
        document
            .paths
            .add_path_operation(path, vec![method], operation);
    }
    router
}
