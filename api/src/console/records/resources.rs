//! GET /api/console/resources: the kinds that can be managed, from which the console builds its screens.

use serde::Serialize;
use utoipa::ToSchema;

use super::descriptor::Descriptor;
use super::ledgers;
use crate::console::{members, sellers};
use crate::http::{ApiResult, Json, RowScope, StaffOrSeller};

/// The kinds that can be managed.
#[derive(Serialize, ToSchema)]
pub struct Resources {
    /// Their descriptors.
    pub resources: Vec<Descriptor>,
}

/// All kinds, records first.
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

/// The kinds that the caller can manage.
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
