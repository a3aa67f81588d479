//! Records: products and their sale, content of the shop, levels, the site setting.
//!
//! Their use cases are in [`application::resources`], one implementation for all kinds. This module has the endpoints ([`calls`]), their
//! OpenAPI description ([`openapi`]), and imported and exported files; the other files are one endpoint each.

mod bulk;
mod calls;
mod create;
mod descriptor;
pub mod elements;
mod export;
pub mod export_file;
mod history;
pub(in crate::console) mod import;
pub mod import_form;
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
use application::resources::sub_resources::declared::SUB_RESOURCES;
use domain::record::Document;
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;

pub use self::calls::of;
pub use self::descriptor::{Descriptor, STAFF, STAFF_AND_SELLERS};
use crate::app::AppState;
use crate::http::routes;

/// The routes of all kinds.
pub fn routes() -> OpenApiRouter<AppState> {
    let listed = OpenApiRouter::new().routes(routes!(resources::list));
    let records = ALL
        .iter()
        .fold(listed, |router, resource| router.merge(of(resource)));
    SUB_RESOURCES
        .iter()
        .fold(records, |router, part| router.merge(elements::of(part)))
}

/// The descriptors of all kinds.
pub fn descriptors() -> Vec<Descriptor> {
    ALL.iter()
        .map(|resource| Descriptor::of(resource))
        .collect()
}

/// An object with one value under its name.
fn named(name: &str, thing: impl Into<Value>) -> Document {
    Document::from_iter([(name.to_owned(), thing.into())])
}
