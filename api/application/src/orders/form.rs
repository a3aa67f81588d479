//! The order form: lines, parties, coupons and points.

use std::collections::BTreeSet;

use domain::Amount;
use domain::forms::{self, FormErrors, Validate};
use domain::ids::{CartId, IssuedCouponId, OptionId, ProductId};
use domain::payment::PaymentMethod;
use domain::personal::{BankAccount, Party};
use domain::pricing::QUANTITY_MAX;
use domain::shipping::Geolocation;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::payment_methods;

/// Maximum number of lines of an order.
const LINES_MOST: usize = 100;
/// Maximum number of coupons of an order.
const COUPONS_MOST: usize = 50;

/// An order form. A preview may omit the parties.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct OrderForm {
    /// Lines of the member's cart.
    #[serde(rename = "_carts")]
    pub cart_ids: Vec<CartId>,
    /// Lines of a guest, or of an immediate purchase.
    pub carts: Vec<LineForm>,
    /// The guest's cart that `carts` belong to: an id made by its browser. A cart line can be ordered once.
    #[serde(rename = "_cart")]
    pub guest_cart: Option<Uuid>,
    /// Coupons to use.
    pub coupons: Vec<CouponForm>,
    /// Points to use, hundredths.
    pub point: Amount,
    /// The sender.
    pub sender: Option<Party>,
    /// The receiver.
    pub receiver: Option<Party>,
    /// Cash receipt request.
    pub cash_receipt: CashReceiptForm,
    /// Payment method.
    pub payment_method: PaymentMethod,
    /// Refund account of a virtual-account payment.
    pub account: Option<BankAccount>,
    /// Depositor of a virtual-account payment; defaults to the sender.
    pub depositor: Option<String>,
    /// Delivery instructions.
    pub request_message: Option<String>,
    /// Codes of the terms agreed to; `purchase`, `privacy` and `privacy-third` are required.
    #[serde(rename = "_terms")]
    pub terms: Vec<String>,
    /// The amount shown on the button, hundredths.
    pub payable: Option<Amount>,
}

/// A line of the form.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LineForm {
    /// The product.
    #[serde(rename = "_product")]
    pub product: ProductId,
    /// The option.
    #[serde(rename = "_option", default)]
    pub option: Option<OptionId>,
    /// Quantity.
    pub quantity: u32,
}

impl LineForm {
    /// The option, for products with options: some clients send the product's own id otherwise.
    pub fn chosen(&self) -> Option<OptionId> {
        self.option.filter(|option| option.0 != self.product.0)
    }
}

/// A coupon of the form.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CouponForm {
    /// The issued coupon.
    #[serde(rename = "_issued")]
    pub issued: IssuedCouponId,
    /// Number of a line of the preview: `1`, `2`, ...
    #[serde(default)]
    pub purchase_no: Option<String>,
}

/// A cash receipt for a private person.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CashReceiptForm {
    /// Whether it is requested.
    pub enabled: bool,
    /// The phone number it is issued for.
    pub phone: Option<String>,
}

/// The form when it is submitted: the parties are required.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct PlacedForm(pub OrderForm);

impl Validate for OrderForm {
    fn check(&self, errors: &mut FormErrors) {
        let lines = self.cart_ids.len().saturating_add(self.carts.len());
        errors
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
        errors.when(
            position.is_none_or(Geolocation::is_on_earth),
            "receiver.geolocation",
            "not_on_earth",
            forms::POSITION_MESSAGE,
        );
        for (place, line) in self.carts.iter().enumerate() {
            let fine = (1..=QUANTITY_MAX).contains(&line.quantity);
            errors.when(
                fine,
                &format!("carts.{place}.quantity"),
                "quantity",
                "수량을 확인해 주세요.",
            );
        }
    }
}

impl Validate for PlacedForm {
    fn check(&self, errors: &mut FormErrors) {
        let Self(form) = self;
        form.check(errors);
        person(errors, "sender", form.sender.as_ref(), false);
        person(errors, "receiver", form.receiver.as_ref(), true);
        errors
            .optional(
                "requestMessage",
                form.request_message.as_deref(),
                forms::MESSAGE,
            )
            .when(
                payment_methods::is_offered(form.payment_method),
                "paymentMethod",
                "method",
                payment_methods::NOT_OFFERED,
            )
            .terms("_terms", &form.terms, forms::TERMS_OF_ORDERING);
        if form.payment_method == PaymentMethod::Vbank {
            account(errors, "account", form.account.as_ref());
            errors.optional(
                "depositor",
                given(form.depositor.as_deref()),
                forms::DEPOSITOR,
            );
        }
        if form.cash_receipt.enabled {
            errors.required(
                "cashReceipt.phone",
                form.cash_receipt.phone.as_deref(),
                forms::PHONE,
            );
        }
    }
}

/// Checks a party of an order. Most fields are optional; a receiver needs an address.
pub fn person(errors: &mut FormErrors, who: &str, person: Option<&Party>, gets_goods: bool) {
    let nobody = Party::default();
    let person = person.unwrap_or(&nobody);
    let at = |field: &str| format!("{who}.{field}");
    errors
        .text(&at("name"), &person.name, forms::NAME)
        .text(&at("phone"), &person.phone, forms::PHONE)
        .optional(&at("email"), given(person.email.as_deref()), forms::EMAIL);
    for (field, text, rule) in [
        ("postcode", &person.postcode, forms::POSTCODE),
        ("address1", &person.address1, forms::ADDRESS),
    ] {
        let text = given(text.as_deref());
        if gets_goods || text.is_some() {
            errors.required(&at(field), text, rule);
        }
    }
    errors
        .optional(
            &at("address2"),
            person.address2.as_deref(),
            forms::SHORT_TEXT,
        )
        .optional(&at("title"), person.title.as_deref(), forms::SHORT_TEXT);
}

/// A normalised party: phone numbers as digits (spec V137), blank fields omitted.
pub fn tidy(party: Option<&Party>) -> Party {
    let mut party = party.cloned().unwrap_or_default();
    for text in [&mut party.email, &mut party.postcode, &mut party.address1] {
        *text = given(text.as_deref()).map(str::to_owned);
    }
    party.phone = forms::phone_digits(&party.phone);
    party.name = party.name.trim().to_owned();
    party
}

/// Checks a required bank account.
pub fn account(errors: &mut FormErrors, field: &str, account: Option<&BankAccount>) {
    errors
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

/// A normalised bank account: digits only, trimmed name.
pub fn tidy_account(account: &BankAccount) -> BankAccount {
    BankAccount {
        code: account.code.clone(),
        account_number: forms::account_digits(&account.account_number),
        account_holder: account.account_holder.trim().to_owned(),
    }
}

/// The text, if it is not blank.
pub fn given(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.trim().is_empty())
}
