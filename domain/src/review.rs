//! Reviews: what buyers say about what they bought. One a purchase, once the purchase is final.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::address::is_own_file;
use crate::catalogue::Picture;
use crate::forms::{CONTENT, NAME_MOST, SUBJECT};
use crate::ids::{MemberId, ProductId};
use crate::money::Amount;
use crate::order::{Buyer, Order, PurchaseStatus};
use crate::record::{FieldError, Resource};
use crate::resource_names;
use crate::validation::RecordErrors;

/// Letters of a review or of an answer at most.
pub const WORDS_MOST: usize = 2_000;
/// Pictures of one review at most.
pub const PICTURES_MOST: usize = 5;
/// Letters of a picture's address at most.
const ADDRESS_MOST: usize = 200;

/// A review record (kind `review`). Its id follows from the purchase, so that there is one a purchase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// Who wrote it.
    #[serde(rename = "_user")]
    pub user: MemberId,
    /// Who sold it.
    #[serde(rename = "_seller")]
    pub seller: MemberId,
    /// What it is about.
    #[serde(rename = "_product")]
    pub product: ProductId,
    /// The purchase it belongs to.
    #[serde(rename = "_purchase")]
    pub purchase: String,
    /// The product's name when it was bought.
    pub name: String,
    /// The option's name when it was bought.
    #[serde(default)]
    pub option_name: Option<String>,
    /// One to five.
    pub star: u8,
    /// The review in a line (spec V139).
    pub subject: String,
    /// The review (spec V140).
    pub content: String,
    /// Pictures the buyer took.
    #[serde(default)]
    pub images: Vec<Picture>,
    /// What the seller or staff answered; empty: nothing yet.
    #[serde(default)]
    pub reply: String,
    /// Staff picked it as one of the best.
    #[serde(default)]
    pub is_best: bool,
    /// Shoppers see it.
    #[serde(default = "yes")]
    pub shows: bool,
}

const fn yes() -> bool {
    true
}

/// What a buyer writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewWords {
    /// One to five.
    pub star: u8,
    /// In a line.
    pub subject: String,
    /// In full.
    pub content: String,
    /// Pictures.
    pub images: Vec<Picture>,
}

/// Why somebody may not review a purchase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotReviewable {
    /// There is no such purchase, or it is somebody else's.
    #[error("there is no such purchase of this member")]
    NotTheirs,
    /// The purchase is not final yet, or never will be.
    #[error("the purchase is not confirmed")]
    NotConfirmed,
}

impl Review {
    /// The review of a purchase of `order` by `member`.
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

    /// The same review in other words.
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

impl Resource for Review {
    resource_names!("review", "Review");
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut complaints = RecordErrors::default();
        complaints.require(
            (1..=5).contains(&data.star),
            "star",
            "out_of_range",
            "별점을 1점에서 5점 사이로 선택해 주세요.",
        );
        complaints.words(
            (&data.subject, "한 줄 평을 두 글자 이상 입력해 주세요."),
            (&data.content, "후기를 두 글자 이상 입력해 주세요."),
        );
        complaints.answer(&data.reply);
        complaints.require(
            data.images.len() <= PICTURES_MOST,
            "images",
            "too_many",
            "사진은 5장까지 올릴 수 있습니다.",
        );
        for (place, image) in data.images.iter().enumerate() {
            complaints.require(
                is_picture_of_ours(&image.url),
                format!("images.{place}.url"),
                "not_a_picture",
                "올린 사진만 첨부할 수 있습니다. 사진을 다시 올려 주세요.",
            );
            complaints.require(
                image
                    .alt
                    .as_ref()
                    .is_none_or(|alt| alt.chars().count() <= NAME_MOST),
                format!("images.{place}.alt"),
                "too_long",
                "사진 설명은 100자까지 입력할 수 있습니다.",
            );
        }
        complaints.finish()
    }
}

/// What reviews and inquiries check alike.
impl RecordErrors {
    /// A headline and a text (spec V139, V140), neither of them endless; with each what is said when it is too short, in the
    /// words of the form it stands in.
    pub(crate) fn words(&mut self, subject: (&str, &str), content: (&str, &str)) {
        self.require(SUBJECT.holds(subject.0), "subject", SUBJECT.code, subject.1);
        self.require(CONTENT.holds(content.0), "content", CONTENT.code, content.1);
        self.short_enough("content", content.0);
    }

    /// What the shop answered.
    pub(crate) fn answer(&mut self, reply: &str) {
        self.short_enough("reply", reply);
    }

    fn short_enough(&mut self, field: &str, text: &str) {
        self.require(
            text.chars().count() <= WORDS_MOST,
            field,
            "too_long",
            "2,000자 이내로 입력해 주세요.",
        );
    }
}

/// Pictures come from this site: one from elsewhere could be exchanged later, and would tell its owner who looks.
fn is_picture_of_ours(address: &str) -> bool {
    is_own_file(address) && address.len() <= ADDRESS_MOST
}

/// What writing a review earns; nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct ReviewPoints {
    /// Points for words alone, hundredths.
    pub text: Amount,
    /// Points for words with a picture, hundredths.
    pub photo: Amount,
}

impl ReviewPoints {
    /// What this review earns its writer.
    pub fn of(&self, review: &Review) -> Amount {
        if review.images.is_empty() {
            self.text
        } else {
            self.photo
        }
    }
}
