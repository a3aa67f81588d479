//! Seasons: when which products ship free, as indexed and queried in the search engine.
//!
//! A season of a seller is the span between two moments at which one of its shipping groups starts or ends by its period: within a season,
//! the same group delivers a product. Documents list the seasons in which their product ships free, and a query lists the current seasons.
//! So results are right at any moment without reindexing when a period starts.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;

use domain::ids::{MemberId, ProductId};
use domain::shipping::ShippingGroup;
use sqlx::PgPool;
use time::OffsetDateTime;

use super::facets::slims;
use super::queries::ProductFilter;
use crate::categories::category_tree;
use crate::error::ReadError;
use crate::records::{TypedRecord, all};

/// The season without an end: of a seller whose groups have no periods. A product that ships free in all seasons lists only this one.
const ALWAYS: &str = "always";

/// A season of a seller.
struct Season {
    /// Name of the season.
    name: String,
    /// A moment within it.
    at: OffsetDateTime,
}

/// The seasons of each seller with a shipping group: the current one, then the later ones.
fn seasons(
    groups: &[TypedRecord<ShippingGroup>],
    now: OffsetDateTime,
) -> BTreeMap<MemberId, Vec<Season>> {
    let mut edges = BTreeMap::<MemberId, BTreeSet<OffsetDateTime>>::new();
    for group in groups.iter().map(|group| &group.data) {
        let period = [group.starts_at, group.ends_at].into_iter().flatten();
        edges.entry(group.seller).or_default().extend(period);
    }
    let of_seller = |(seller, edges): (MemberId, BTreeSet<OffsetDateTime>)| {
        let name = |began: Option<&OffsetDateTime>| match began {
            Some(began) => format!("{seller}/{}", began.unix_timestamp_nanos()),
            None if edges.is_empty() => ALWAYS.to_owned(),
            None => format!("{seller}/"),
        };
        let this = Season {
            name: name(edges.range(..=now).next_back()),
            at: now,
        };
        let to_come = edges.range((Bound::Excluded(now), Bound::Unbounded));
        let to_come = to_come.map(|edge| Season {
            name: name(Some(edge)),
            at: *edge,
        });
        (seller, std::iter::once(this).chain(to_come).collect())
    };
    edges.into_iter().map(of_seller).collect()
}

/// The names of the current seasons: what ships free in one of them ships free now.
///
/// # Errors
/// [`ReadError`].
pub async fn seasons_now(pool: &PgPool, now: OffsetDateTime) -> Result<Vec<String>, ReadError> {
    let seasons = seasons(&all::<ShippingGroup>(pool).await?, now);
    let this = seasons
        .into_values()
        .filter_map(|own| own.into_iter().next());
    let names = this.map(|season| season.name).chain([ALWAYS.to_owned()]);
    Ok(BTreeSet::from_iter(names).into_iter().collect())
}

/// The names of the seasons, from now on, in which each matching product ships free, one unit on the mainland.
///
/// # Errors
/// [`ReadError`].
pub async fn free_in(
    pool: &PgPool,
    filter: &ProductFilter,
    now: OffsetDateTime,
) -> Result<HashMap<ProductId, Vec<String>>, ReadError> {
    let groups = all::<ShippingGroup>(pool).await?;
    let tree = category_tree(pool).await?.0;
    let in_use = |seller: MemberId, at| {
        let used = |group: &&TypedRecord<ShippingGroup>| {
            group.data.seller == seller && group.data.is_used_at(at)
        };
        groups.iter().filter(used).cloned().collect::<Vec<_>>()
    };
    let delivering: BTreeMap<MemberId, Vec<_>> = seasons(&groups, now)
        .into_iter()
        .map(|(seller, seasons)| {
            let used = seasons.into_iter();
            let used = used.map(|season| (season.name, in_use(seller, season.at)));
            (seller, used.collect())
        })
        .collect();
    let rows = slims(pool, &tree, filter).await?;
    let named = rows.into_iter().map(|slim| {
        let seasons = delivering.get(&slim.seller).map_or(&[][..], Vec::as_slice);
        let free = seasons.iter();
        let free = free.filter(|(_, groups)| slim.travels_free(&tree, groups));
        let free: Vec<String> = free.map(|(name, _)| name.clone()).collect();
        match !free.is_empty() && free.len() == seasons.len() {
            true => (slim.id, vec![ALWAYS.to_owned()]),
            false => (slim.id, free),
        }
    });
    Ok(named.collect())
}
