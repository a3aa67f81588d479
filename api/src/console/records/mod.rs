//! Records: what is sold and how, the front of the shop, levels, the site setting.
//!
//! What can be done with them is in [`application::resources`], one implementation for all kinds. Here are the calls ([`calls`]),
//! how the API tells of them ([`openapi`]), and the files people send and get; the other files are one call each.

mod bulk;
mod calls;
mod create;
mod descriptor;
mod export;
pub mod export_file;
mod history;
mod import;
pub mod ledgers;
mod list;
pub mod openapi;
mod remove;
pub mod resources;
mod restore;
mod revise;
pub mod row_mapping;
mod show;
pub mod spreadsheet;

use application::resources::ALL;
use domain::record::Document;
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;

pub use self::calls::of;
pub use self::descriptor::{Descriptor, STAFF, STAFF_AND_SELLERS};
use crate::app::AppState;
use crate::http::routes;

/// The calls of every kind.
pub fn routes() -> OpenApiRouter<AppState> {
    let listed = OpenApiRouter::new().routes(routes!(resources::list));
    ALL.iter()
        .fold(listed, |router, resource| router.merge(of(resource)))
}

/// What every kind says about itself.
pub fn descriptors() -> Vec<Descriptor> {
    ALL.iter()
        .map(|resource| Descriptor::of(resource))
        .collect()
}

/// One thing under its name.
fn named(name: &str, thing: impl Into<Value>) -> Document {
    Document::from_iter([(name.to_owned(), thing.into())])
}
