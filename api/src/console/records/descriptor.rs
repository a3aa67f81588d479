//! A kind of record on the wire: its schema and its endpoints.

use application::resources::AdminResource;
use application::resources::schema::{Action, EVERYWHERE, Field, Filter};
use domain::ids::MemberId;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::RowScope;

/// The rows of any seller.
const SELLERS_OWN: RowScope = RowScope::Seller(MemberId(Uuid::nil()));

/// A field with its permissions: read-only if no caller may change it, read-only for sellers if only staff may change it.
fn held(resource: &AdminResource, field: &Field) -> Field {
    let whole = field.name.split('.').next().unwrap_or(field.name);
    let may = |rows| (resource.changeable)(rows).is_none_or(|fields| fields.contains(&whole));
    let mut field = *field;
    field.read_only |= !may(RowScope::All);
    // A seller cannot change the owner of a record.
    if resource.for_sellers && !field.read_only && (whole == "_seller" || !may(SELLERS_OWN)) {
        field.read_only_for = SELLERS;
    }
    field
}

/// Description of a kind of record.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Descriptor {
    /// Name of the kind.
    pub name: &'static str,
    /// Path of its endpoints.
    pub path: &'static str,
    /// Singular on the wire.
    pub one: &'static str,
    /// Plural on the wire.
    pub many: &'static str,
    /// Title for users.
    pub title: &'static str,
    /// Scopes with access: `console`, and `company` if sellers manage their own.
    pub scopes: &'static [&'static str],
    /// Whether it is read-only because it is derived from the log.
    pub ledger: bool,
    /// Whether it is a tree: its rows have `children`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub tree: bool,
    /// The fields that a search covers.
    pub search: &'static [&'static str],
    /// The fields it can be sorted by: `sort=field`, or `sort=-field` for descending order.
    pub sorts: &'static [&'static str],
    /// The default sort order.
    pub default_sort: &'static str,
    /// The filters of its list.
    pub filters: &'static [Filter],
    /// Its fields.
    pub fields: Vec<Field>,
    /// The supported actions.
    pub actions: &'static [Action],
    /// The actions that only staff may execute, if sellers have access to the kind.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub staff_only: &'static [Action],
}

/// Staff only.
pub const STAFF: &[&str] = &["console"];
/// Sellers only.
const SELLERS: &[&str] = &["company"];
/// Staff, and sellers for their own rows.
pub const STAFF_AND_SELLERS: &[&str] = &["console", "company"];

impl Descriptor {
    /// The descriptor of a kind of record.
    pub fn of(resource: &AdminResource) -> Self {
        let said = &resource.schema;
        Self {
            name: resource.record.kind,
            path: resource.wire.path,
            one: resource.wire.one,
            many: resource.wire.many,
            title: resource.record.title,
            scopes: if resource.for_sellers {
                STAFF_AND_SELLERS
            } else {
                STAFF
            },
            ledger: false,
            tree: false,
            search: said.search,
            sorts: said.sorts,
            default_sort: said.default_sort,
            filters: said.filters,
            fields: said
                .fields
                .iter()
                .chain(EVERYWHERE)
                .map(|field| held(resource, field))
                .collect(),
            actions: said.actions,
            staff_only: match resource.may_remove(SELLERS_OWN) {
                Err(_) if resource.for_sellers => &[Action::Delete],
                _ => &[],
            },
        }
    }
}
