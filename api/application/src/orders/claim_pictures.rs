//! Pictures of the goods of a return or exchange: only the buyer, the seller of the goods and staff see them.
//!
//! They are sealed with the key of the order's parties, like the buyer's texts, and have no public address. A picture is uploaded for an
//! order and assigned to one of its claims, which the order aggregate decides; pictures without a claim are removed after a day.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::ids::{ClaimPictureId, OrderId};
use domain::order::Order;
use domain::personal::SealLabel;
use domain::{Purpose, Sealed};
use projections::state::claim_pictures::{self, NewPicture};
use serde::{Deserialize, Serialize};
use time::Duration;
use uuid::Uuid;

use super::find::FoundOrder;
use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::files::kind::FileKind;
use crate::files::picture;
use crate::files::upload::{Upload, file_missing, refused, unusable_picture};

/// Maximum number of pictures of an order that have no claim yet.
const UNCLAIMED_MOST: i64 = 20;
/// Time in which a claim can refer to an uploaded picture.
const UNCLAIMED_LIFE: Duration = Duration::days(1);
/// Age at which a picture without a claim is removed: longer, so that no claim refers to a picture while it is removed.
const REMOVED_AFTER: Duration = Duration::hours(25);
/// Content type of all of them.
pub const CONTENT_TYPE: &str = "image/webp";

/// The sealed content of a picture.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contents {
    /// WebP, base64.
    pub bytes: String,
}

impl SealLabel for Contents {
    const LABEL: &'static str = "ClaimPicture";
}

/// Stores an uploaded picture for a claim on an order, re-encoded and sealed.
///
/// # Errors
/// `invalid` or `unsupported_media_type` with the part: no picture, or a broken one; `too_many_requests` with too many that have no claim;
/// as `OrderError` unless the purchase can be returned; `gone` if the key of the order's parties is destroyed.
pub async fn upload(
    app: &App,
    found: &FoundOrder,
    purchase_no: &str,
    upload: Upload,
) -> AppResult<ClaimPictureId> {
    let purchase = found.order.state.purchase(purchase_no);
    // A purchase that can be exchanged can be returned.
    purchase
        .ok_or_else(AppError::not_found)?
        .may_be_returned()?;
    let uploaded = upload.file.ok_or_else(file_missing)?;
    let part = uploaded.part;
    let FileKind::Picture(format) = uploaded.kind else {
        let message = "JPG, PNG, GIF, WebP 사진만 올릴 수 있습니다.";
        return Err(refused(
            Code::UnsupportedMediaType,
            &part,
            "unsupported_type",
            message,
        ));
    };
    let picture = picture::reencode(format, uploaded.bytes).await;
    let picture = picture.map_err(|error| unusable_picture(error, &part))?;
    let subject = found.order.state.terms()?.sender.subject;
    let contents = Contents {
        bytes: STANDARD.encode(&picture.full),
    };
    let sealed = app
        .keys
        .seal(subject, Purpose::Statutory, &contents)
        .await?;
    let picture = NewPicture {
        id: ClaimPictureId(Uuid::now_v7()),
        order: found.id,
        sealed: serde_json::to_value(&sealed)?,
        size: i64::try_from(picture.full.len()).map_err(AppError::internal)?,
        uploaded_at: app.clock.now(),
    };
    if claim_pictures::keep(app.pool(), &picture, UNCLAIMED_MOST).await? {
        return Ok(picture.id);
    }
    let message = "지금은 사진을 더 올릴 수 없습니다. 잠시 후 다시 시도해 주세요.";
    Err(refused(Code::TooManyRequests, &part, "quota", message))
}

/// Checks that these pictures were uploaded for the order in the last day. Whether another claim has them is the order's rule.
///
/// # Errors
/// `invalid` with the field `pictures`, also for pictures of other orders.
pub(super) async fn check(
    app: &App,
    found: &FoundOrder,
    pictures: &[ClaimPictureId],
) -> AppResult<()> {
    let mut named = pictures.to_vec();
    named.sort_unstable();
    named.dedup();
    let since = app.clock.now() - UNCLAIMED_LIFE;
    let known = claim_pictures::count(app.pool(), found.id, &named, since).await?;
    if usize::try_from(known).is_ok_and(|known| known == named.len()) {
        return Ok(());
    }
    let message = "올린 사진을 찾을 수 없습니다. 사진을 다시 올려 주세요.";
    Err(AppError::invalid_field("pictures", "not_found", message))
}

/// Marks the pictures of a requested claim, so that they are kept. If that fails, [`sweep`] finds them in the order.
pub(super) async fn claim(app: &App, pictures: &[ClaimPictureId]) {
    if pictures.is_empty() {
        return;
    }
    if let Err(error) = claim_pictures::claim(app.pool(), pictures).await {
        tracing::warn!(%error, "pictures of a claim are not marked");
    }
}

/// The WebP bytes of a picture of an order.
///
/// # Errors
/// `not_found`, also for pictures of other orders and after the key of the order's parties is destroyed.
pub async fn read(app: &App, order: OrderId, picture: ClaimPictureId) -> AppResult<Vec<u8>> {
    let sealed = claim_pictures::find(app.pool(), order, picture).await?;
    let sealed = sealed.ok_or_else(AppError::not_found)?;
    let sealed: Sealed<Contents> = serde_json::from_value(sealed)?;
    let contents = app.open(&sealed).await?.ok_or_else(AppError::not_found)?;
    STANDARD.decode(contents.bytes).map_err(AppError::internal)
}

/// Whether a claim on this purchase has the picture.
pub fn is_of_purchase(order: &Order, purchase_no: &str, picture: ClaimPictureId) -> bool {
    order.claims.iter().any(|claim| {
        claim.purchase_nos.iter().any(|no| no == purchase_no)
            && claim
                .collection
                .as_ref()
                .is_some_and(|goods| goods.pictures.contains(&picture))
    })
}

/// Removes pictures that no claim used in time, and returns their number. Pictures of a claim that are not marked, because the program
/// ended in between, are marked now.
///
/// # Errors
/// Database errors.
pub async fn sweep(app: &App) -> AppResult<usize> {
    let before = app.clock.now() - REMOVED_AFTER;
    let mut swept = 0;
    for (picture, order) in claim_pictures::unclaimed(app.pool(), before).await? {
        let state = app.store.load::<Order>(&order.to_string()).await?.state;
        let goods = state
            .claims
            .iter()
            .filter_map(|claim| claim.collection.as_ref());
        let is_claimed = goods
            .flat_map(|goods| &goods.pictures)
            .any(|one| *one == picture);
        if is_claimed {
            claim_pictures::claim(app.pool(), &[picture]).await?;
        } else {
            claim_pictures::remove(app.pool(), picture).await?;
            swept += 1;
        }
    }
    Ok(swept)
}
