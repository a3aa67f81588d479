//! Carts: one line for each product and option.

use std::collections::BTreeMap;

use domain::ids::{CartId, IssuedCouponId, MemberId, OptionId, ProductId};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;
use uuid::Uuid;

use crate::error::ReadError;
use crate::page::typed;

/// Maximum quantity of a line.
pub const QUANTITY_MAX: u32 = 999;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CartLine {
    /// The line.
    pub id: CartId,
    /// Owner.
    pub member: MemberId,
    /// The product.
    pub product: ProductId,
    /// The option.
    pub option: Option<OptionId>,
    /// Quantity.
    pub quantity: u32,
    /// The coupon chosen for the line.
    pub product_coupon: Option<IssuedCouponId>,
    /// The coupon chosen for its fare.
    pub fare_coupon: Option<IssuedCouponId>,
    /// When it was added.
    #[serde(with = "crate::timestamp")]
    pub created_at: OffsetDateTime,
    /// When it last changed.
    #[serde(with = "crate::timestamp")]
    pub updated_at: OffsetDateTime,
}

/// A line to add to a cart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CartAdd {
    /// The id of the line, if a new one is created.
    pub id: CartId,
    /// The product.
    pub product: ProductId,
    /// The option; none for a product without options.
    pub option: Option<OptionId>,
    /// Quantity.
    pub quantity: u32,
}

/// Why a line was not changed.
#[derive(Debug, thiserror::Error)]
pub enum CartError {
    /// The quantity would be zero, or more than [`QUANTITY_MAX`].
    #[error("a line holds 1 to {QUANTITY_MAX} pieces")]
    Quantity,
    /// Database error.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl From<sqlx::Error> for CartError {
    fn from(error: sqlx::Error) -> Self {
        Self::Read(error.into())
    }
}

/// The stored form of an option: on the wire, the product's own id may stand for no option.
fn stored(product: ProductId, option: Option<OptionId>) -> Option<Uuid> {
    option.map(|option| option.0).filter(|id| *id != product.0)
}

/// Adds to the quantity of the member's line of the product and option, creating it if needed. Concurrent adds all count.
///
/// # Errors
/// [`CartError`].
pub async fn add(
    pool: &PgPool,
    member: MemberId,
    add: CartAdd,
    now: OffsetDateTime,
) -> Result<CartLine, CartError> {
    let quantity = i32::try_from(add.quantity).map_err(|_| CartError::Quantity)?;
    let most = i32::try_from(QUANTITY_MAX).map_err(|_| CartError::Quantity)?;
    if !(1..=most).contains(&quantity) {
        return Err(CartError::Quantity);
    }
    let row = sqlx::query_scalar(
        "INSERT INTO carts AS c (id, member, product, option, quantity, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $6) \
         ON CONFLICT (member, product, option) DO UPDATE \
             SET quantity = c.quantity + excluded.quantity, updated_at = excluded.updated_at \
             WHERE c.quantity + excluded.quantity <= $7 \
         RETURNING to_jsonb(c)",
    )
    .bind(add.id.0)
    .bind(member.0)
    .bind(add.product.0)
    .bind(stored(add.product, add.option))
    .bind(quantity)
    .bind(now)
    .bind(most)
    .fetch_optional(pool)
    .await?
    .ok_or(CartError::Quantity)?;
    Ok(serde_json::from_value(row).map_err(ReadError::from)?)
}

/// Sets the quantity of a member's line; none if it is not theirs.
///
/// # Errors
/// [`CartError`].
pub async fn set_quantity(
    pool: &PgPool,
    member: MemberId,
    id: CartId,
    quantity: u32,
    now: OffsetDateTime,
) -> Result<Option<CartLine>, CartError> {
    if !(1..=QUANTITY_MAX).contains(&quantity) {
        return Err(CartError::Quantity);
    }
    let row = sqlx::query_scalar(
        "UPDATE carts c SET quantity = $3, updated_at = $4 WHERE id = $1 AND member = $2 RETURNING to_jsonb(c)",
    )
    .bind(id.0)
    .bind(member.0)
    .bind(i64::from(quantity))
    .bind(now)
    .fetch_all(pool)
    .await?;
    Ok(typed(row)?.pop())
}

/// Which coupon of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CouponPlace {
    /// For the line.
    Product,
    /// For its fare.
    Fare,
}

/// Sets the coupon of a line (none: removes it). A coupon is on one line at most: it is removed from the others. False if the line is not
/// the member's.
///
/// # Errors
/// [`ReadError`].
pub async fn choose_coupon(
    pool: &PgPool,
    member: MemberId,
    line: Option<CartId>,
    place: CouponPlace,
    coupon: IssuedCouponId,
    now: OffsetDateTime,
) -> Result<bool, ReadError> {
    let column = match place {
        CouponPlace::Product => "product_coupon",
        CouponPlace::Fare => "fare_coupon",
    };
    let mut transaction = event_store::begin(pool).await?;
    lock_lines(&mut transaction, member).await?;
    let leave = format!(
        "UPDATE carts SET {column} = NULL, updated_at = $3 WHERE member = $1 AND {column} = $2"
    );
    sqlx::query(&leave)
        .bind(member.0)
        .bind(coupon.0)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
    if let Some(line) = line {
        let take = format!(
            "UPDATE carts SET {column} = $3, updated_at = $4 WHERE id = $1 AND member = $2"
        );
        let changed = sqlx::query(&take)
            .bind(line.0)
            .bind(member.0)
            .bind(coupon.0)
            .bind(now)
            .execute(&mut *transaction)
            .await?
            .rows_affected();
        if changed == 0 {
            return Ok(false);
        }
    }
    transaction.commit().await?;
    Ok(true)
}

/// Removes a line; false if it is not the member's.
///
/// # Errors
/// [`ReadError`].
pub async fn remove(pool: &PgPool, member: MemberId, id: CartId) -> Result<bool, ReadError> {
    let removed = sqlx::query("DELETE FROM carts WHERE member = $1 AND id = $2")
        .bind(member.0)
        .bind(id.0)
        .execute(pool)
        .await?
        .rows_affected();
    Ok(removed > 0)
}

/// An ordered line and its quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineTaken {
    /// The line.
    pub id: CartId,
    /// Ordered quantity.
    pub quantity: u32,
}

/// Why ordered lines could not be removed; the transaction has to be rolled back.
#[derive(Debug, thiserror::Error)]
pub enum TakeError {
    /// Some of them are no longer in the cart.
    #[error("{0:?} are not in the cart")]
    Missing(Vec<CartId>),
    /// One has less than the ordered quantity.
    #[error("{0:?} holds fewer pieces than are ordered")]
    Fewer(CartId),
    /// Database error.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl From<sqlx::Error> for TakeError {
    fn from(error: sqlx::Error) -> Self {
        Self::Read(error.into())
    }
}

/// Removes ordered lines from a member's cart, in the transaction that places the order. A quantity that was added since they were read
/// goes into a new line, so a line's id is ordered once.
///
/// # Errors
/// [`TakeError`].
pub async fn take(
    connection: &mut PgConnection,
    member: MemberId,
    taken: &[LineTaken],
    now: OffsetDateTime,
) -> Result<(), TakeError> {
    let ids: Vec<Uuid> = taken.iter().map(|line| line.id.0).collect();
    let rows = sqlx::query_scalar(
        "SELECT to_jsonb(c) FROM carts c WHERE member = $1 AND id = ANY($2) ORDER BY id FOR UPDATE",
    )
    .bind(member.0)
    .bind(&ids)
    .fetch_all(&mut *connection)
    .await?;
    let rows: Vec<CartLine> = typed(rows)?;
    let mut missing = Vec::new();
    let mut left = Vec::new();
    for line in taken {
        let Some(row) = rows.iter().find(|row| row.id == line.id) else {
            missing.push(line.id);
            continue;
        };
        match row.quantity.checked_sub(line.quantity) {
            None => return Err(TakeError::Fewer(line.id)),
            Some(0) => {}
            Some(rest) => left.push((row, rest)),
        }
    }
    if !missing.is_empty() {
        return Err(TakeError::Missing(missing));
    }
    sqlx::query("DELETE FROM carts WHERE id = ANY($1)")
        .bind(&ids)
        .execute(&mut *connection)
        .await?;
    for (row, rest) in left {
        sqlx::query(
            "INSERT INTO carts (id, member, product, option, quantity, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(Uuid::now_v7())
        .bind(member.0)
        .bind(row.product.0)
        .bind(row.option.map(|option| option.0))
        .bind(i64::from(rest))
        .bind(row.created_at)
        .bind(now)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Removes ordered quantities from a member's cart, in the transaction that places the order: of each product and option as many as the
/// cart has. Returns the lines they were in.
///
/// # Errors
/// [`TakeError::Read`].
pub async fn take_pieces(
    connection: &mut PgConnection,
    member: MemberId,
    pieces: impl IntoIterator<Item = (ProductId, Option<OptionId>, u32)>,
    now: OffsetDateTime,
) -> Result<Vec<CartId>, TakeError> {
    let mut ordered: BTreeMap<(Uuid, Option<Uuid>), u32> = BTreeMap::new();
    for (product, option, quantity) in pieces {
        let sum = ordered
            .entry((product.0, stored(product, option)))
            .or_default();
        *sum = sum.saturating_add(quantity);
    }
    let rows = sqlx::query_scalar(
        "SELECT to_jsonb(c) FROM carts c WHERE member = $1 ORDER BY id FOR UPDATE",
    )
    .bind(member.0)
    .fetch_all(&mut *connection)
    .await?;
    let rows: Vec<CartLine> = typed(rows)?;
    let taken: Vec<LineTaken> = rows
        .iter()
        .filter_map(|row| {
            let wanted = ordered.get(&(row.product.0, stored(row.product, row.option)))?;
            Some(LineTaken {
                id: row.id,
                quantity: row.quantity.min(*wanted),
            })
        })
        .collect();
    take(connection, member, &taken, now).await?;
    Ok(taken.into_iter().map(|line| line.id).collect())
}

/// Puts the goods of an order back into a member's cart, in the transaction that cancels the order; returns the lines. An existing line
/// gets the quantity too, up to [`QUANTITY_MAX`].
///
/// # Errors
/// [`ReadError`].
pub async fn put_back(
    connection: &mut PgConnection,
    member: MemberId,
    pieces: impl IntoIterator<Item = (ProductId, Option<OptionId>, u32)>,
    now: OffsetDateTime,
) -> Result<Vec<CartId>, ReadError> {
    let most = i64::from(QUANTITY_MAX);
    let mut summed: BTreeMap<(Uuid, Option<Uuid>), i64> = BTreeMap::new();
    for (product, option, quantity) in pieces {
        let sum = summed
            .entry((product.0, stored(product, option)))
            .or_default();
        *sum = sum.saturating_add(i64::from(quantity)).min(most);
    }
    lock_lines(connection, member).await?;
    let mut lines = Vec::with_capacity(summed.len());
    for ((product, option), quantity) in summed {
        let id: Uuid = sqlx::query_scalar(
            "INSERT INTO carts AS c (id, member, product, option, quantity, created_at, updated_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $6) \
             ON CONFLICT (member, product, option) DO UPDATE \
                 SET quantity = least(c.quantity + excluded.quantity, $7), updated_at = excluded.updated_at \
             RETURNING id",
        )
        .bind(Uuid::now_v7())
        .bind(member.0)
        .bind(product)
        .bind(option)
        .bind(quantity)
        .bind(now)
        .bind(most)
        .fetch_one(&mut *connection)
        .await?;
        lines.push(CartId(id));
    }
    Ok(lines)
}

/// Locks a member's lines, always in the same order: concurrent transactions wait instead of deadlocking.
async fn lock_lines(connection: &mut PgConnection, member: MemberId) -> Result<(), ReadError> {
    sqlx::query("SELECT FROM carts WHERE member = $1 ORDER BY id FOR UPDATE")
        .bind(member.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// How many lines a member has.
///
/// # Errors
/// [`ReadError`].
pub async fn count(pool: &PgPool, member: MemberId) -> Result<i64, ReadError> {
    let count = sqlx::query_scalar("SELECT count(*) FROM carts WHERE member = $1").bind(member.0);
    Ok(count.fetch_one(pool).await?)
}

/// A member's lines, oldest first.
///
/// # Errors
/// [`ReadError`].
pub async fn lines(pool: &PgPool, member: MemberId) -> Result<Vec<CartLine>, ReadError> {
    typed(
        sqlx::query_scalar(
            "SELECT to_jsonb(c) FROM carts c WHERE member = $1 ORDER BY created_at, id",
        )
        .bind(member.0)
        .fetch_all(pool)
        .await?,
    )
}
