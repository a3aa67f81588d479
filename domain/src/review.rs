//! Reviews of purchases by their buyers: one per purchase, once it is final.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::address::is_own_file;
use crate::catalogue::Picture;
use crate::forms::NAME_MOST;
use crate::ids::{MemberId, ProductId};
use crate::member_record::MemberRecord;
use crate::money::Amount;
use crate::order::{Buyer, Order, PurchaseStatus};
use crate::record::Resource;
use crate::resource_names;
use crate::validation::FieldError;
use crate::validation::RecordErrors;

/// Maximum number of pictures of a review.
pub const PICTURES_MOST: usize = 5;
/// Maximum length of a picture's address.
const ADDRESS_MOST: usize = 200;

/// A review record (kind `review`). Its id is derived from the purchase, which limits it to one per purchase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// The member who wrote it.
    #[serde(rename = "_user")]
    pub user: MemberId,
    /// The seller of the purchase.
    #[serde(rename = "_seller")]
    pub seller: MemberId,
    /// The product.
    #[serde(rename = "_product")]
    pub product: ProductId,
    /// The purchase.
    #[serde(rename = "_purchase")]
    pub purchase: String,
    /// The product's name when ordered.
    pub name: String,
    /// The option's name when ordered.
    #[serde(default)]
    pub option_name: Option<String>,
    /// Rating, one to five.
    pub star: u8,
    /// Subject line (spec V139).
    pub subject: String,
    /// The review (spec V140).
    pub content: String,
    /// Pictures by the buyer.
    #[serde(default)]
    pub images: Vec<Picture>,
    /// Reply of the seller or staff; empty while there is none.
    #[serde(default)]
    pub reply: String,
    /// Whether staff marked it as one of the best.
    #[serde(default)]
    pub is_best: bool,
    /// Whether shoppers see it.
    #[serde(default = "yes")]
    pub shows: bool,
}

const fn yes() -> bool {
    true
}

/// The buyer's part of a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewWords {
    /// Rating, one to five.
    pub star: u8,
    /// Subject line.
    pub subject: String,
    /// Full text.
    pub content: String,
    /// Pictures.
    pub images: Vec<Picture>,
}

/// Reasons why a member may not review a purchase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotReviewable {
    /// The purchase does not exist or belongs to another member.
    #[error("there is no such purchase of this member")]
    NotTheirs,
    /// The purchase is not final, or was canceled.
    #[error("the purchase is not confirmed")]
    NotConfirmed,
}

impl Review {
    /// Creates the review of a purchase of `order` by `member`.
    ///
    /// # Errors
    /// [`NotReviewable`].
    pub fn of_purchase(
        order: &Order,
        purchase_no: &str,
        member: MemberId,
        words: ReviewWords,
    ) -> Result<Self, NotReviewable> {
        if !matches!(order.buyer(), Some(Buyer::Member { id }) if *id == member) {
            return Err(NotReviewable::NotTheirs);
        }
        let (Some(bought), Some(terms)) = (
            order.purchase(purchase_no),
            order.purchase_terms(purchase_no),
        ) else {
            return Err(NotReviewable::NotTheirs);
        };
        if bought.purchase_status != PurchaseStatus::Complete {
            return Err(NotReviewable::NotConfirmed);
        }
        let blank = Self {
            user: member,
            seller: bought.seller,
            product: terms.product,
            purchase: bought.purchase_no.clone(),
            name: terms.name.clone(),
            option_name: terms.option_name.clone(),
            star: 0,
            subject: String::new(),
            content: String::new(),
            images: Vec::new(),
            reply: String::new(),
            is_best: false,
            shows: true,
        };
        Ok(blank.saying(words))
    }

    /// The review with new content.
    #[must_use]
    pub fn saying(self, words: ReviewWords) -> Self {
        Self {
            star: words.star,
            subject: words.subject,
            content: words.content,
            images: words.images,
            ..self
        }
    }
}

impl MemberRecord for Review {
    fn author(&self) -> Option<MemberId> {
        Some(self.user)
    }

    /// An answered one too: its reply has a time of its own.
    fn is_changeable(&self) -> bool {
        true
    }
}

impl Resource for Review {
    resource_names!("review", "Review", "상품 후기");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.require(
            (1..=5).contains(&data.star),
            "star",
            "out_of_range",
            "별점을 1점에서 5점 사이로 선택해 주세요.",
        );
        errors.words(
            (&data.subject, "한 줄 평을 두 글자 이상 입력해 주세요."),
            (&data.content, "후기를 두 글자 이상 입력해 주세요."),
        );
        errors.reply(&data.reply);
        errors.require(
            data.images.len() <= PICTURES_MOST,
            "images",
            "too_many",
            "사진은 5장까지 올릴 수 있습니다.",
        );
        for (place, image) in data.images.iter().enumerate() {
            errors.require(
                is_picture_of_ours(&image.url),
                format!("images.{place}.url"),
                "not_a_picture",
                "올린 사진만 첨부할 수 있습니다. 사진을 다시 올려 주세요.",
            );
            errors.require(
                image
                    .alt
                    .as_ref()
                    .is_none_or(|alt| alt.chars().count() <= NAME_MOST),
                format!("images.{place}.alt"),
                "too_long",
                "사진 설명은 100자까지 입력할 수 있습니다.",
            );
        }
        errors.finish()
    }
}

/// Whether the picture is served by this site: an external one could be replaced later, and would reveal the readers to its host.
fn is_picture_of_ours(address: &str) -> bool {
    is_own_file(address) && address.len() <= ADDRESS_MOST
}

/// Points for writing a review; zero by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct ReviewPoints {
    /// Points for a review without pictures, hundredths.
    pub text: Amount,
    /// Points for a review with a picture, hundredths.
    pub photo: Amount,
}

impl ReviewPoints {
    /// The points this review earns.
    pub fn of(&self, review: &Review) -> Amount {
        if review.images.is_empty() {
            self.text
        } else {
            self.photo
        }
    }
}
