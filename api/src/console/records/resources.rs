//! GET /api/console/resources: what there is to manage, for the console to build its screens from.

use serde::Serialize;
use utoipa::ToSchema;

use super::descriptor::Descriptor;
use super::ledgers;
use crate::console::{members, sellers};
use crate::http::{ApiResult, Json, RowScope, StaffOrSeller};

/// Everything that can be managed.
#[derive(Serialize, ToSchema)]
pub struct Resources {
    /// One of each kind.
    pub resources: Vec<Descriptor>,
}

/// All of them, records first.
pub fn all() -> Resources {
    let mut resources = super::descriptors();
    resources.extend([
        ledgers::category(),
        ledgers::purchase(),
        ledgers::delivery(),
        sellers::descriptor(),
        members::descriptor(),
    ]);
    Resources { resources }
}

/// What whoever asks can manage.
#[utoipa::path(
    get, path = "/api/console/resources", tag = "console", operation_id = "listResources",
    security(("access" = [])), responses((status = OK, body = Resources))
)]
pub(crate) async fn list(who: StaffOrSeller) -> ApiResult<Json<Resources>> {
    let scope = match who.rows {
        RowScope::All => "console",
        RowScope::Seller(_) => "company",
    };
    let mut known = all();
    known
        .resources
        .retain(|resource| resource.scopes.contains(&scope));
    Ok(Json(known))
}
