//! A kind of record on the wire: what it declares, with what its calls say about themselves.

use application::resources::AdminResource;
use application::resources::schema::{Action, EVERYWHERE, Field, Filter};
use domain::ids::MemberId;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::RowScope;

/// The rows of any seller.
const SELLERS_OWN: RowScope = RowScope::Seller(MemberId(Uuid::nil()));

/// A field as staff and sellers have it: what neither may change is read only, what only staff may change is so for sellers.
fn held(resource: &AdminResource, field: &Field) -> Field {
    let whole = field.name.split('.').next().unwrap_or(field.name);
    let may = |rows| (resource.changeable)(rows).is_none_or(|fields| fields.contains(&whole));
    let mut field = *field;
    field.read_only |= !may(RowScope::All);
    // whose a record is, is not for its seller to say
    if resource.for_sellers && !field.read_only && (whole == "_seller" || !may(SELLERS_OWN)) {
        field.read_only_for = SELLERS;
    }
    field
}

/// A kind on the wire.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Descriptor {
    /// The kind.
    pub name: &'static str,
    /// Where its calls are.
    pub path: &'static str,
    /// One, on the wire.
    pub one: &'static str,
    /// Many, on the wire.
    pub many: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// Who has it: `console`, and `company` if sellers keep their own.
    pub scopes: &'static [&'static str],
    /// It is a book: read only.
    pub ledger: bool,
    /// It is a tree: its rows have `children`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub tree: bool,
    /// The fields a search looks into.
    pub search: &'static [&'static str],
    /// What it can be sorted by: `sort=field`, or `sort=-field` for the last first.
    pub sorts: &'static [&'static str],
    /// The usual order.
    pub default_sort: &'static str,
    /// What it can be narrowed by.
    pub filters: &'static [Filter],
    /// Its fields.
    pub fields: Vec<Field>,
    /// What can be done with it.
    pub actions: &'static [Action],
    /// Which of that is refused to sellers, though they have the kind.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub staff_only: &'static [Action],
}

/// Staff only.
pub const STAFF: &[&str] = &["console"];
/// Sellers only.
const SELLERS: &[&str] = &["company"];
/// Staff, and sellers for their own.
pub const STAFF_AND_SELLERS: &[&str] = &["console", "company"];

impl Descriptor {
    /// Of a kind of record.
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
