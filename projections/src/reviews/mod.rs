//! Reviews of products, and their totals: the number of reviews of each product, by stars.

mod queries;

use std::collections::BTreeMap;

use domain::ids::{MemberId, ProductId};
use domain::review::Review;
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::counts;
use crate::error::ReadError;
use crate::event_decode::{at, by_staff, of, stream_id, streams, version};
use crate::macros::projection;
use crate::record_event::{RecordChange, change};
use crate::row_store::{ChangedRows, Row};

pub use queries::*;

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "reviews";

/// The projection.
pub struct Reviews;

/// One review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewRow {
    /// The review.
    pub id: uuid::Uuid,
    /// The product it is about.
    pub product: ProductId,
    /// Seller of the product.
    pub seller: MemberId,
    /// Author.
    pub author: MemberId,
    /// The purchase it belongs to.
    pub purchase_no: String,
    /// Stars, 1 to 5.
    pub star: i32,
    /// Number of pictures.
    pub pictures: i32,
    /// Picked by staff.
    pub best: bool,
    /// Visible to shoppers.
    pub shows: bool,
    /// Marked as removed.
    pub removed: bool,
    /// Removed by staff: its author may not write it again.
    pub barred: bool,
    /// When the current answer was given.
    #[serde(with = "crate::timestamp::option")]
    pub replied_at: Option<OffsetDateTime>,
    /// The whole record.
    pub data: Map<String, Value>,
    /// Version of the record.
    pub version: i64,
    /// When it was written.
    #[serde(with = "crate::timestamp")]
    pub created_at: OffsetDateTime,
    /// When it last changed.
    #[serde(with = "crate::timestamp")]
    pub updated_at: OffsetDateTime,
    /// Position of its last event.
    pub position: i64,
}

impl Row for ReviewRow {
    const TABLE: &'static str = "p_reviews_v2";
    const KEY: &'static [&'static str] = &["id"];
}

/// Totals of a product's reviews that are visible to shoppers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProductStars {
    /// The product.
    pub product: ProductId,
    /// Number of reviews.
    pub count: i64,
    /// Number of reviews with a picture.
    pub pictured: i64,
    /// Reviews with one star.
    pub star1: i64,
    /// With two stars.
    pub star2: i64,
    /// With three stars.
    pub star3: i64,
    /// With four stars.
    pub star4: i64,
    /// With five stars.
    pub star5: i64,
}

impl Row for ProductStars {
    const TABLE: &'static str = "p_reviews_v2_products";
    const KEY: &'static [&'static str] = &["product"];
}

impl ProductStars {
    /// Totals of a product without reviews.
    pub const fn none(product: ProductId) -> Self {
        Self {
            product,
            count: 0,
            pictured: 0,
            star1: 0,
            star2: 0,
            star3: 0,
            star4: 0,
            star5: 0,
        }
    }

    /// Counts from one star to five.
    pub const fn by_star(&self) -> [i64; 5] {
        [self.star1, self.star2, self.star3, self.star4, self.star5]
    }

    /// The average in hundredths of a star, rounded to the nearest; 0 without reviews.
    pub fn average(&self) -> i64 {
        let sum: i64 = (1_i64..)
            .zip(self.by_star())
            .map(|(star, count)| star.saturating_mul(count))
            .sum();
        sum.saturating_mul(200)
            .saturating_add(self.count)
            .checked_div(self.count.saturating_mul(2))
            .unwrap_or(0)
    }

    fn add(&mut self, review: &ReviewRow, by: i64) {
        if !review.shows || review.removed {
            return;
        }
        self.count += by;
        if review.pictures > 0 {
            self.pictured += by;
        }
        match review.star {
            1 => self.star1 += by,
            2 => self.star2 += by,
            3 => self.star3 += by,
            4 => self.star4 += by,
            _ => self.star5 += by,
        }
    }
}

impl ReviewRow {
    /// The record, deserialized.
    ///
    /// # Errors
    /// [`ReadError::Shape`] if it does not have the shape this build knows.
    pub fn review(&self) -> Result<Review, ReadError> {
        Ok(serde_json::from_value(Value::Object(self.data.clone()))?)
    }

    fn new(recorded: &StoredEvent, data: Map<String, Value>) -> Result<Self, ReadError> {
        let review: Review = serde_json::from_value(Value::Object(data.clone()))?;
        let mut row = Self {
            id: stream_id(recorded)?,
            product: review.product,
            seller: review.seller,
            author: review.user,
            purchase_no: review.purchase.clone(),
            star: 0,
            pictures: 0,
            best: false,
            shows: false,
            removed: false,
            barred: false,
            replied_at: None,
            data,
            version: 0,
            created_at: at(recorded),
            updated_at: at(recorded),
            position: 0,
        };
        row.spread(&review);
        Ok(row)
    }

    /// Copies the filterable and sortable fields from the record.
    fn spread(&mut self, review: &Review) {
        self.star = i32::from(review.star);
        self.pictures = i32::try_from(review.images.len()).unwrap_or(i32::MAX);
        self.best = review.is_best;
        self.shows = review.shows;
    }

    fn reply(&self) -> &str {
        self.data
            .get("reply")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }
}

/// Applies an event to a review; none: the event is its first.
fn after(before: Option<ReviewRow>, recorded: &StoredEvent) -> Result<ReviewRow, ReadError> {
    let known = |row: Option<ReviewRow>| {
        row.ok_or_else(|| ReadError::Unknown(format!("review {}", recorded.stream.id)))
    };
    let answer = before.as_ref().map(|row| row.reply().to_owned());
    let mut row = match change(recorded)? {
        RecordChange::Created(data) => {
            let mut row = ReviewRow::new(recorded, data)?;
            if let Some(before) = before {
                row.created_at = before.created_at;
                row.replied_at = before.replied_at;
            }
            row
        }
        RecordChange::Revised(fields) => {
            let mut row = known(before)?;
            row.data.extend(fields);
            let review = row.review()?;
            row.spread(&review);
            row
        }
        RecordChange::Removed => ReviewRow {
            removed: true,
            barred: by_staff(recorded),
            ..known(before)?
        },
    };
    if row.reply() != answer.unwrap_or_default() {
        row.replied_at = (!row.reply().is_empty()).then(|| at(recorded));
    }
    row.version = version(recorded);
    row.updated_at = at(recorded);
    row.position = recorded.position;
    Ok(row)
}

/// A review folded from its events; none without events. Commands decide on this state.
///
/// # Errors
/// [`ReadError`].
pub fn of_events(events: &[StoredEvent]) -> Result<Option<ReviewRow>, ReadError> {
    let mut row = None;
    for recorded in events {
        row = Some(after(row, recorded)?);
    }
    Ok(row)
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    let mut rows = ChangedRows::<ReviewRow>::load(
        connection,
        ("id", "uuid"),
        streams(batch, "review"),
        |row| row.id.to_string(),
    )
    .await?;
    let before: Vec<ReviewRow> = rows.values().cloned().collect();
    for recorded in of(batch, "review") {
        let key = &recorded.stream.id;
        let row = after(rows.known(key).ok().cloned(), recorded)?;
        rows.put(key.clone(), row);
    }
    count(connection, &before, &rows).await?;
    let live = |row: &ReviewRow| ("review", row.removed);
    let (before, now) = (before.iter().map(live), rows.values().map(live));
    counts::keep(
        connection,
        "p_reviews_v2_counts",
        &counts::of(before),
        counts::of(now),
    )
    .await?;
    rows.save(connection).await
}

/// Subtracts the previous rows of the changed reviews from their products' totals and adds the new ones.
async fn count(
    connection: &mut PgConnection,
    before: &[ReviewRow],
    now: &ChangedRows<ReviewRow>,
) -> Result<(), ReadError> {
    let products: BTreeMap<String, ProductId> = now
        .values()
        .map(|row| (row.product.to_string(), row.product))
        .collect();
    let mut sums = ChangedRows::<ProductStars>::load(
        connection,
        ("product", "uuid"),
        products.keys().cloned(),
        |row| row.product.to_string(),
    )
    .await?;
    for (rows, by) in [
        (before.iter().collect::<Vec<_>>(), -1),
        (now.values().collect(), 1),
    ] {
        for row in rows {
            sums.entry(&row.product.to_string(), || ProductStars::none(row.product))
                .add(row, by);
        }
    }
    sums.save(connection).await
}

projection!(Reviews, version 2, reads "review"; rows of many; stops);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_average_is_rounded_to_the_nearest_hundredth_of_a_star() {
        let stars = |star1, star2, star3, star4, star5| ProductStars {
            count: star1 + star2 + star3 + star4 + star5,
            star1,
            star2,
            star3,
            star4,
            star5,
            ..ProductStars::none(ProductId(uuid::Uuid::nil()))
        };
        for (given, average) in [
            (stars(0, 0, 0, 0, 0), 0),
            (stars(0, 0, 0, 0, 3), 500),
            (stars(0, 0, 0, 1, 2), 467),
            (stars(1, 0, 0, 0, 2), 367),
            (stars(2, 0, 0, 0, 1), 233),
        ] {
            assert_eq!(given.average(), average, "{given:?}");
        }
    }
}
