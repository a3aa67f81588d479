//! Reasons why an order cannot be placed or canceled.

use crate::coupon::{CampaignError, IssuedCouponError};
use crate::ids::{IssuedCouponId, ProductId, StockId};
use crate::money::{Amount, MoneyError};
use crate::order::OrderError;
use crate::payment::PaymentError;
use crate::points::PointsError;
use crate::stock::StockError;
use crate::user_payment::UserPaymentError;

/// Reasons why an order cannot be placed or canceled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckoutError {
    /// The buyer's account is closed.
    #[error("the buyer's account is closed")]
    BuyerLeft,
    /// A seller's account is closed.
    #[error("the account of the seller of {name} is closed")]
    SellerLeft {
        /// The first product of that seller in the order.
        product: ProductId,
        /// Its name.
        name: String,
    },
    /// Not enough stock.
    #[error("{} sold out, {available} left", .names.join(", "))]
    SoldOut {
        /// The stock aggregate.
        stock: StockId,
        /// Names of the products of the order that need it.
        names: Vec<String>,
        /// Pieces available.
        available: u32,
    },
    /// A stock aggregate belongs to another product than the one ordered.
    #[error("{} would be taken from another product's stock", .names.join(", "))]
    OtherGoods {
        /// The stock aggregate.
        stock: StockId,
        /// Names of the products of the order that need it.
        names: Vec<String>,
    },
    /// The limit of a coupon's campaign is reached.
    #[error("coupon {name} is used up")]
    CouponUsedUp {
        /// The issued coupon.
        issued: IssuedCouponId,
        /// Its name.
        name: String,
    },
    /// A coupon cannot be used by this buyer at this time.
    #[error("coupon {name}: {why}")]
    Coupon {
        /// The issued coupon.
        issued: IssuedCouponId,
        /// Its name.
        name: String,
        /// The reason.
        why: IssuedCouponError,
    },
    /// The buyer has not enough points.
    #[error("only {available} points are left")]
    PointsShort {
        /// Points available in lots that have not expired.
        available: Amount,
    },
    /// The order rejects the command.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// A stock aggregate rejects the command for another reason.
    #[error(transparent)]
    Stock(#[from] StockError),
    /// A campaign rejects the command for another reason.
    #[error(transparent)]
    Campaign(#[from] CampaignError),
    /// The points aggregate rejects the command for another reason.
    #[error(transparent)]
    Points(#[from] PointsError),
    /// The order's payment rejects the command.
    #[error(transparent)]
    Payment(#[from] PaymentError),
    /// The user payment rejects the command.
    #[error(transparent)]
    UserPayment(#[from] UserPaymentError),
    /// An amount or quantity overflows.
    #[error(transparent)]
    Money(#[from] MoneyError),
}

impl CheckoutError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::BuyerLeft => "buyer_left",
            Self::SellerLeft { .. } => "seller_left",
            Self::SoldOut { .. } => "sold_out",
            Self::OtherGoods { .. } => "other_goods",
            Self::CouponUsedUp { .. } => "coupon_used_up",
            Self::Coupon { why, .. } => why.code(),
            Self::PointsShort { .. } => "points_short",
            Self::Order(error) => error.code(),
            Self::Stock(error) => error.code(),
            Self::Campaign(error) => error.code(),
            Self::Points(error) => error.code(),
            Self::Payment(error) => error.code(),
            Self::UserPayment(error) => error.code(),
            Self::Money(_) => "amount_overflow",
        }
    }
}
