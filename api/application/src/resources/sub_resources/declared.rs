//! The declared sub-resources.

use domain::catalogue::{ProductOption, Supply};
use domain::ids::{OptionId, ProductId};
use domain::shipping::{MethodTerms, ShippingOption, ShippingRegion};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Identity, SubResource};
use crate::resources::kinds::shipping::{CHARGES, METHODS};
use crate::resources::schema::Filter;
use crate::resources::{DocumentSchema, WireNames};

/// A part of a set.
#[derive(Serialize, ToSchema)]
pub struct BundledElement {
    /// The product inside the set.
    #[serde(rename = "_bundled")]
    pub bundled: ProductId,
    /// Its option, for products with options.
    #[serde(rename = "_option")]
    pub option: Option<OptionId>,
    /// Quantity of the part per set.
    pub quantity: u32,
}

/// A product the buyer may choose with another.
#[derive(Serialize, ToSchema)]
pub struct ChoiceeElement {
    /// The product.
    #[serde(rename = "_choicee")]
    pub choicee: ProductId,
}

/// A product related to another.
#[derive(Serialize, ToSchema)]
pub struct RelatedElement {
    /// The related product.
    #[serde(rename = "_related")]
    pub related: ProductId,
}

const fn names(path: &'static str, one: &'static str, many: &'static str) -> WireNames {
    WireNames { path, one, many }
}

/// A part of products.
const fn of_products(
    list: &'static str,
    wire: WireNames,
    schema_name: &'static str,
    identity: Identity,
    element: DocumentSchema,
) -> SubResource {
    SubResource {
        owner: "product",
        owner_field: "_product",
        list,
        wire,
        schema_name,
        identity,
        renamed: &[],
        search: &[],
        sorts: &[],
        filters: &[],
        element,
        counted: false,
    }
}

/// A part of shipping groups.
const fn of_shippings(
    list: &'static str,
    wire: WireNames,
    schema_name: &'static str,
    element: DocumentSchema,
) -> SubResource {
    SubResource {
        owner: "shipping",
        owner_field: "_shipping",
        search: &["name"],
        sorts: &["name"],
        ..of_products(list, wire, schema_name, Identity::Own, element)
    }
}

/// Every sub-resource.
pub const SUB_RESOURCES: &[SubResource] = &[
    SubResource {
        renamed: &[("_product", "_bundled")],
        sorts: &["quantity"],
        filters: &[Filter::reference("_product", "product")],
        ..of_products(
            "bundleds",
            names("/api/console/shop/products/bundleds", "bundled", "bundleds"),
            "ProductBundled",
            Identity::Named(&["_option", "_product"]),
            DocumentSchema::of::<BundledElement>(),
        )
    },
    SubResource {
        filters: &[Filter::reference("_choicee", "product")],
        ..of_products(
            "choicees",
            names("/api/console/shop/products/choicees", "choicee", "choicees"),
            "ProductChoicee",
            Identity::Text("_choicee"),
            DocumentSchema::of::<ChoiceeElement>(),
        )
    },
    SubResource {
        search: &["name", "value", "code"],
        sorts: &["name", "value", "price"],
        filters: &[Filter::boolean("enabled")],
        counted: true,
        ..of_products(
            "options",
            names("/api/console/shop/products/options", "option", "options"),
            "ProductOptionElement",
            Identity::Own,
            DocumentSchema::of::<ProductOption>(),
        )
    },
    SubResource {
        filters: &[Filter::reference("_related", "product")],
        ..of_products(
            "relateds",
            names("/api/console/shop/products/relateds", "related", "relateds"),
            "ProductRelated",
            Identity::Text("_related"),
            DocumentSchema::of::<RelatedElement>(),
        )
    },
    SubResource {
        search: &["name"],
        sorts: &["name", "quantity"],
        ..of_products(
            "supplies",
            names("/api/console/shop/products/supplies", "supply", "supplies"),
            "ProductSupply",
            Identity::Own,
            DocumentSchema::of::<Supply>(),
        )
    },
    SubResource {
        filters: &[Filter::one_of("method", METHODS)],
        ..of_shippings(
            "methods",
            names("/api/console/shop/shippings/methods", "method", "methods"),
            "ShippingMethodTerms",
            DocumentSchema::of::<MethodTerms>(),
        )
    },
    SubResource {
        filters: &[
            Filter::one_of("method", METHODS),
            Filter::one_of("chargeType", CHARGES),
        ],
        ..of_shippings(
            "options",
            names("/api/console/shop/shippings/options", "option", "options"),
            "ShippingOptionElement",
            DocumentSchema::of::<ShippingOption>(),
        )
    },
    of_shippings(
        "regions",
        names("/api/console/shop/shippings/regions", "region", "regions"),
        "ShippingRegionElement",
        DocumentSchema::of::<ShippingRegion>(),
    ),
];
