//! Selection of the shipping group of a product.

use domain::catalogue::Product;
use domain::ids::{MemberId, ProductId, ShippingId};
use domain::shipping::ShippingGroup;
use sqlx::PgPool;
use time::OffsetDateTime;

use crate::error::ReadError;
use crate::records::{TypedRecord, all};

/// The shipping groups in use at a moment.
///
/// # Errors
/// [`ReadError`].
pub async fn shipping_groups(
    pool: &PgPool,
    now: OffsetDateTime,
) -> Result<Vec<TypedRecord<ShippingGroup>>, ReadError> {
    let mut groups = all::<ShippingGroup>(pool).await?;
    groups.retain(|group| group.data.is_used_at(now));
    Ok(groups)
}

/// What the selection depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goods<'a> {
    /// The product.
    pub(crate) id: ProductId,
    /// Seller of the product.
    pub(crate) seller: MemberId,
    /// The group set in its record.
    pub(crate) named: Option<ShippingId>,
    /// Its category codes with all ancestors.
    pub(crate) categories: &'a [String],
    /// The code of its brand.
    pub(crate) brand: Option<&'a str>,
}

/// The group of its seller that delivers a product, of those in use: the one set in the record, else the one for this product, for one of
/// its categories (`categories`: its codes with all ancestors), for its brand, the default, or any without restrictions. Groups of other
/// sellers are ignored; among several, the smallest id wins.
pub fn shipping_group<'a>(
    id: ProductId,
    product: &Product,
    categories: &[String],
    groups: &'a [TypedRecord<ShippingGroup>],
) -> Option<&'a TypedRecord<ShippingGroup>> {
    group_of(Goods::of(id, product, categories), groups.iter())
}

impl<'a> Goods<'a> {
    pub(crate) fn of(id: ProductId, product: &'a Product, categories: &'a [String]) -> Self {
        Self {
            id,
            seller: product.seller,
            named: product.shipping,
            categories,
            brand: product.brand.as_deref(),
        }
    }
}

/// The same for a product that was not loaded in full.
pub(crate) fn group_of<'a>(
    goods: Goods<'_>,
    groups: impl Iterator<Item = &'a TypedRecord<ShippingGroup>> + Clone,
) -> Option<&'a TypedRecord<ShippingGroup>> {
    let find = |fits: &dyn Fn(&TypedRecord<ShippingGroup>) -> bool| {
        groups
            .clone()
            .filter(|group| fits(group))
            .min_by(|one, other| one.id.cmp(&other.id))
    };
    let named = goods.named.map(|named| named.to_string());
    let sellers = |group: &TypedRecord<ShippingGroup>| group.data.seller == goods.seller;
    named
        .and_then(|named| find(&|group| sellers(group) && group.id == named))
        .or_else(|| find(&|group| sellers(group) && group.data.is_for_product(goods.id)))
        .or_else(|| find(&|group| sellers(group) && group.data.is_for_categories(goods.categories)))
        .or_else(|| {
            let brand = goods.brand?;
            find(&|group| sellers(group) && group.data.is_for_brand(brand))
        })
        .or_else(|| find(&|group| sellers(group) && group.data.is_default))
        .or_else(|| find(&|group| sellers(group) && group.data.is_for_all()))
}
