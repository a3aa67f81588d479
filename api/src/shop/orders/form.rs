//! The order form: what is bought, for whom, with which coupons and points.

use std::collections::BTreeSet;

use domain::Amount;
use domain::forms::{self, FormErrors, Validate};
use domain::ids::{CartId, IssuedCouponId, OptionId, ProductId};
use domain::order::PaymentMethod;
use domain::personal::{BankAccount, Party};
use domain::pricing::QUANTITY_MAX;
use domain::shipping::Geolocation;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::plugins::config;

/// Lines one order may hold.
const LINES_MOST: usize = 100;
/// Coupons one order may use.
const COUPONS_MOST: usize = 50;

/// What somebody wants to order. For a preview the people may be missing.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct OrderForm {
    /// Lines of the member's cart.
    #[serde(rename = "_carts")]
    pub cart_ids: Vec<CartId>,
    /// Lines of a guest, or bought at once.
    pub carts: Vec<LineForm>,
    /// The cart of a guest that `carts` are lines of: an id its browser made. A line of a cart is ordered once.
    #[serde(rename = "_cart")]
    pub guest_cart: Option<Uuid>,
    /// Coupons to use.
    pub coupons: Vec<CouponForm>,
    /// Points to use, hundredths.
    pub point: Amount,
    /// Who orders.
    pub sender: Option<Party>,
    /// Who gets it.
    pub receiver: Option<Party>,
    /// Whether a cash receipt is wanted.
    pub cash_receipt: CashReceiptForm,
    /// How it will be paid.
    pub payment_method: PaymentMethod,
    /// Where the money of a virtual account goes if it has to go back.
    pub account: Option<BankAccount>,
    /// Who pays into a virtual account; the sender unless it says otherwise.
    pub depositor: Option<String>,
    /// Wish for the courier.
    pub request_message: Option<String>,
    /// Codes of the terms agreed to; nobody orders without `purchase`, `privacy` and `privacy-third`.
    #[serde(rename = "_terms")]
    pub terms: Vec<String>,
    /// What the button showed, hundredths.
    pub payable: Option<Amount>,
}

/// One line.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LineForm {
    /// The product.
    #[serde(rename = "_product")]
    pub product: ProductId,
    /// The option.
    #[serde(rename = "_option", default)]
    pub option: Option<OptionId>,
    /// Pieces.
    pub quantity: u32,
}

impl LineForm {
    /// The option, where the product has any: its own id stands for it on some wires.
    pub fn chosen(&self) -> Option<OptionId> {
        self.option.filter(|option| option.0 != self.product.0)
    }
}

/// One coupon.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponForm {
    /// The one in the box.
    #[serde(rename = "_issued")]
    pub issued: IssuedCouponId,
    /// The number of a line of the preview: `1`, `2`, ...
    #[serde(default)]
    pub purchase_no: Option<String>,
}

/// A cash receipt for a private person.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CashReceiptForm {
    /// It is wanted.
    pub enabled: bool,
    /// For this phone number.
    pub phone: Option<String>,
}

/// The same form when it is sent off: now the people have to be there.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct PlacedForm(pub OrderForm);

impl Validate for OrderForm {
    fn check(&self, checks: &mut FormErrors) {
        let lines = self.cart_ids.len().saturating_add(self.carts.len());
        checks
            .when(
                lines > 0,
                "carts",
                "required",
                "주문할 상품을 선택해 주세요.",
            )
            .when(
                lines <= LINES_MOST,
                "carts",
                "too_many",
                "한 번에 100개 상품까지 주문할 수 있습니다.",
            )
            .when(
                self.cart_ids.iter().collect::<BTreeSet<_>>().len() == self.cart_ids.len(),
                "_carts",
                "repeated",
                "같은 장바구니 상품이 중복되었습니다.",
            )
            .when(
                self.coupons.len() <= COUPONS_MOST,
                "coupons",
                "too_many",
                "쿠폰은 50장까지 사용할 수 있습니다.",
            )
            .when(
                !self.point.is_negative(),
                "point",
                "negative",
                "적립금을 0 이상 입력해 주세요.",
            );
        let position = self.receiver.as_ref().and_then(|to| to.geolocation);
        checks.when(
            position.is_none_or(Geolocation::is_on_earth),
            "receiver.geolocation",
            "not_on_earth",
            forms::POSITION_MESSAGE,
        );
        for (place, line) in self.carts.iter().enumerate() {
            let fine = (1..=QUANTITY_MAX).contains(&line.quantity);
            checks.when(
                fine,
                &format!("carts.{place}.quantity"),
                "quantity",
                "수량을 확인해 주세요.",
            );
        }
    }
}

impl Validate for PlacedForm {
    fn check(&self, checks: &mut FormErrors) {
        let Self(form) = self;
        form.check(checks);
        person(checks, "sender", form.sender.as_ref(), false);
        person(checks, "receiver", form.receiver.as_ref(), true);
        checks
            .optional(
                "requestMessage",
                form.request_message.as_deref(),
                forms::MESSAGE,
            )
            .when(
                config::is_offered(form.payment_method),
                "paymentMethod",
                "method",
                config::NOT_OFFERED,
            )
            .terms("_terms", &form.terms, forms::TERMS_OF_ORDERING);
        if form.payment_method == PaymentMethod::Vbank {
            account(checks, "account", form.account.as_ref());
            checks.optional(
                "depositor",
                given(form.depositor.as_deref()),
                forms::DEPOSITOR,
            );
        }
        if form.cash_receipt.enabled {
            checks.required(
                "cashReceipt.phone",
                form.cash_receipt.phone.as_deref(),
                forms::PHONE,
            );
        }
    }
}

/// Somebody of an order. What they leave out may be missing; who gets goods leaves no address out.
fn person(checks: &mut FormErrors, who: &str, person: Option<&Party>, gets_goods: bool) {
    let nobody = Party::default();
    let person = person.unwrap_or(&nobody);
    let at = |field: &str| format!("{who}.{field}");
    checks
        .text(&at("name"), &person.name, forms::NAME)
        .text(&at("phone"), &person.phone, forms::PHONE)
        .optional(&at("email"), given(person.email.as_deref()), forms::EMAIL);
    for (field, text, rule) in [
        ("postcode", &person.postcode, forms::POSTCODE),
        ("address1", &person.address1, forms::ADDRESS),
    ] {
        let text = given(text.as_deref());
        if gets_goods || text.is_some() {
            checks.required(&at(field), text, rule);
        }
    }
    checks
        .optional(
            &at("address2"),
            person.address2.as_deref(),
            forms::SHORT_TEXT,
        )
        .optional(&at("title"), person.title.as_deref(), forms::SHORT_TEXT);
}

/// A bank account that has to be there.
pub fn account(checks: &mut FormErrors, field: &str, account: Option<&BankAccount>) {
    checks
        .required(
            &format!("{field}.code"),
            account.map(|account| account.code.as_str()),
            forms::BANK,
        )
        .required(
            &format!("{field}.accountNumber"),
            account.map(|account| account.account_number.as_str()),
            forms::ACCOUNT_NUMBER,
        )
        .required(
            &format!("{field}.accountHolder"),
            account.map(|account| account.account_holder.as_str()),
            forms::ACCOUNT_HOLDER,
        );
}

/// A bank account as it is kept: digits, no spaces around the name.
pub fn tidy_account(account: &BankAccount) -> BankAccount {
    BankAccount {
        code: account.code.clone(),
        account_number: forms::account_digits(&account.account_number),
        account_holder: account.account_holder.trim().to_owned(),
    }
}

/// An empty field of a form is one nobody filled in.
pub fn given(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.trim().is_empty())
}
