//! The names of an order's amounts.

use std::fmt;
use std::str::FromStr;

use crate::ids::IssuedCouponId;

/// A frozen amount of an order, by the name the wire gives it: `payable`, `purchases.20261121-7KD2M9QX-1.paid`, `fares.0.fare`,
/// `coupons.{issued}.amount`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OrderAmount {
    /// Amount of the whole order.
    Total(TotalAmount),
    /// Amount of a purchase, by purchase number.
    Purchase(String, PurchaseAmount),
    /// Amount of a fare, by index.
    Fare(usize, FareAmount),
    /// Amount of a coupon used.
    Coupon(IssuedCouponId, CouponAmount),
}

macro_rules! amounts {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident $wire:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name { $($(#[$doc])* $variant),+ }

        impl $name {
            /// All amounts of this group.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its name on the wire.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $wire),+ }
            }

            fn named(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|amount| amount.name() == text)
            }
        }
    };
}

amounts!(
    /// Amounts of a whole order.
    TotalAmount {
        /// List prices.
        Goods "goods",
        /// Product discounts.
        ProductDiscount "productDiscount",
        /// Level discounts.
        LevelDiscount "levelDiscount",
        /// Product coupons.
        ProductCoupon "productCoupon",
        /// Fares with their fees.
        Fares "fares",
        /// Fare coupons.
        FareCoupon "fareCoupon",
        /// Total coupons.
        TotalCoupon "totalCoupon",
        /// Points used.
        Points "points",
        /// Amount to pay.
        Payable "payable",
    }
);

amounts!(
    /// Amounts of a purchase.
    PurchaseAmount {
        /// Unit price.
        UnitPrice "unitPrice",
        /// Unit price times quantity.
        Goods "goods",
        /// The product's discount.
        ProductDiscount "productDiscount",
        /// The level's discount.
        LevelDiscount "levelDiscount",
        /// Product coupons.
        ProductCoupon "productCoupon",
        /// Its share of total coupons.
        TotalCoupon "totalCoupon",
        /// Its share of the points.
        Points "points",
        /// Amount paid for it.
        Paid "paid",
    }
);

amounts!(
    /// Amounts of a fare.
    FareAmount {
        /// Fare and fees.
        Gross "gross",
        /// The fare itself.
        Fare "fare",
        /// Island surcharge.
        IslandFee "islandFee",
        /// Service fee.
        ServiceFee "serviceFee",
        /// Fare coupons.
        FareCoupon "fareCoupon",
        /// Its share of total coupons.
        TotalCoupon "totalCoupon",
        /// Its share of the points.
        Points "points",
        /// Amount paid for it.
        Paid "paid",
    }
);

amounts!(
    /// Amounts of a coupon used.
    CouponAmount {
        /// The discount.
        Amount "amount",
        /// The seller's part of the discount.
        SellerShare "sellerShare",
    }
);

impl fmt::Display for OrderAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Total(amount) => f.write_str(amount.name()),
            Self::Purchase(no, amount) => write!(f, "purchases.{no}.{}", amount.name()),
            Self::Fare(place, amount) => write!(f, "fares.{place}.{}", amount.name()),
            Self::Coupon(issued, amount) => write!(f, "coupons.{issued}.{}", amount.name()),
        }
    }
}

/// The name denotes no amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown amount name")]
pub struct NoSuchAmount;

impl FromStr for OrderAmount {
    type Err = NoSuchAmount;

    fn from_str(text: &str) -> Result<Self, NoSuchAmount> {
        let parts: Vec<&str> = text.split('.').collect();
        let found = match parts.as_slice() {
            [total] => TotalAmount::named(total).map(Self::Total),
            ["purchases", no, amount] => {
                PurchaseAmount::named(amount).map(|amount| Self::Purchase((*no).to_owned(), amount))
            }
            ["fares", place, amount] => place
                .parse()
                .ok()
                .zip(FareAmount::named(amount))
                .map(|(place, amount)| Self::Fare(place, amount)),
            ["coupons", issued, amount] => issued
                .parse()
                .ok()
                .zip(CouponAmount::named(amount))
                .map(|(issued, amount)| Self::Coupon(issued, amount)),
            _ => None,
        };
        found.ok_or(NoSuchAmount)
    }
}
