//! Records: what is sold and how, the front of the shop, levels, the site setting. One implementation for all.
//!
//! [`kinds`] says where each kind is and what is particular about it; [`document`] how the API tells of it; the other
//! files are one call each.

pub mod addresses;
pub mod bulk;
pub mod cell_format;
pub mod create;
pub mod declared;
pub mod export;
pub mod export_file;
pub mod history;
pub mod import;
mod import_batches;
pub mod input;
pub mod kinds;
pub mod list;
pub mod list_query;
pub mod load;
pub mod openapi;
pub mod references;
pub mod remove;
pub mod resources;
pub mod restore;
pub mod revise;
pub mod row_mapping;
pub mod schema;
pub mod show;
pub mod spreadsheet;
pub mod write;

use std::collections::BTreeSet;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use domain::ids::MemberId;
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::console::{members, sellers};
use crate::http::AppResult;
use crate::http::routes;
use crate::http::routes::Call;
use kinds::AdminResource;
use schema::{Action, Descriptor};

macro_rules! kinds {
    (aggregates { $($name:ident: $state:ty,)+ } records { $($kind:ty,)+ }) => {
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
        pub async fn index(app: &AppState) -> AppResult<bool> {
            $(if !index_of::<$kind>(app).await? {
                return Ok(false);
            })+
            Ok(true)
        }

        /// Those of `keys`, ids or codes, that nothing of this kind has.
        async fn missing(app: &AppState, kind: &str, keys: BTreeSet<String>) -> AppResult<Vec<String>> {
            if kind == sellers::KIND {
                return sellers::missing(app, keys).await;
            }
            if kind == members::KIND {
                return members::missing(app, keys).await;
            }
            $(if kind == <$kind as domain::record::Resource>::KIND {
                return references::missing_of::<$kind>(app, keys).await;
            })+
            references::missing_categories(app, keys).await
        }

        /// Those of `keys`, ids of this kind, that another than this seller has; what has no seller is nobody else's.
        async fn others(
            app: &AppState,
            kind: &str,
            keys: BTreeSet<String>,
            seller: MemberId,
        ) -> AppResult<Vec<String>> {
            $(if kind == <$kind as domain::record::Resource>::KIND {
                return references::others_of::<$kind>(app, keys, seller).await;
            })+
            Ok(Vec::new())
        }

        /// What every kind says about itself.
        pub fn descriptors() -> Vec<Descriptor> {
            vec![$(Descriptor::of::<$kind>()),+]
        }
    };
}

domain::registered!(kinds);

async fn index_of<R: AdminResource>(app: &AppState) -> AppResult<bool> {
    let said = R::DESCRIPTION;
    if !said.grows {
        return Ok(true);
    }
    let sorted = list_query::sorted_columns(&said);
    let narrowed = list_query::narrowed_columns(&said);
    Ok(projections::record_lists::index(app.pool(), R::SOURCE, &sorted, &narrowed).await?)
}

/// The calls of one kind.
pub fn of<R: AdminResource>() -> OpenApiRouter<AppState> {
    let under = |what: &str| format!("{}/{what}", R::PATH);
    let can = |action| R::DESCRIPTION.actions.contains(&action);
    let all = get(Call::to(list::list::<R>));
    let all = match R::MEMBER_AUTHORED {
        true => all.post(Call::to(create::refused::<R>)),
        false => all.post(Call::to(create::create::<R>)),
    };
    let one = get(Call::to(show::show::<R>)).put(Call::to(revise::revise::<R>));
    let one = match can(Action::Delete) {
        true => one.delete(Call::to(remove::remove::<R>)),
        false => one.delete(Call::to(create::refused::<R>)),
    };
    let mut router = OpenApiRouter::new()
        .route(R::PATH, all)
        .route(&under("{id}"), one)
        .route(&under("{id}/history"), get(Call::to(history::history::<R>)))
        .route(
            &under("{id}/restore"),
            post(Call::to(restore::restore::<R>)),
        );
    if can(Action::Bulk) {
        router = router.route(&under("bulk"), post(Call::to(bulk::bulk::<R>)));
    }
    if can(Action::Export) {
        router = router.route(&under("export"), get(Call::to(export::export::<R>)));
    }
    if can(Action::Import) {
        let room = DefaultBodyLimit::max(import::BYTES_MOST + 64 * 1024);
        let import = post(Call::to(import::import::<R>));
        router = router.route(&under("import"), import.layer(room));
    }
    openapi::describe::<R>(router.get_openapi_mut());
    router
}
