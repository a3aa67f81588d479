//! Seasons: what travels for nothing when, as a search engine is told and asked.
//!
//! A season of a seller is the span between two moments at which one of its shipping groups begins or ends by its period: within
//! one, the same group delivers a product. Documents name the seasons in which their product travels for nothing, and a question
//! names those that are now. So the answer is right at any moment, though nobody tells the engine that a period began.

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

/// The season without an end: of a seller whose groups have no periods, and what is free in all seasons says so by it.
const ALWAYS: &str = "always";

/// A season of a seller.
struct Season {
    /// What it is called.
    name: String,
    /// A moment in it.
    at: OffsetDateTime,
}

/// The seasons of each seller who has a shipping group: the one that is now, then those to come.
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

/// The names of the seasons that are now: what travels for nothing in one of them does so now.
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

/// The names of the seasons, from now on, in which each of the products that match travels for nothing, one piece on the mainland.
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
    let rows = slims(pool, filter).await?;
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
