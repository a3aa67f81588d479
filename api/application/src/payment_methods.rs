//! The payment methods the shop offers.

use domain::payment::PaymentMethod;

/// The gateway's names of the methods offered.
pub const METHODS: [&str; 4] = ["card", "bank", "vbank", "cellphone"];

/// Message for a method that is not offered.
pub const NOT_OFFERED: &str = "사용할 수 없는 결제 수단입니다.";

/// Whether a payment method is offered.
pub fn is_offered(method: PaymentMethod) -> bool {
    METHODS.contains(&word(method))
}

/// The gateway's name of a payment method.
pub const fn word(method: PaymentMethod) -> &'static str {
    match method {
        PaymentMethod::Card => "card",
        PaymentMethod::Bank => "bank",
        PaymentMethod::Vbank => "vbank",
        PaymentMethod::Cellphone => "cellphone",
        PaymentMethod::Free => "free",
    }
}
