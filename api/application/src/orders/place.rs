//! Places orders: everything is looked up and priced first; then one atomic append takes the stock, uses the coupons, spends the points
//! and places the order.

use std::collections::BTreeMap;
use std::net::IpAddr;

use domain::checkout;
use domain::forms::phone_digits;
use domain::ids::{MemberId, OrderId, ProductId, StockId};
use domain::order::number::{order_no, purchase_no};
use domain::order::{Buyer, Order, OrderStatus, OrderTerms};
use domain::payment::PaymentMethod;
use domain::personal::{DepositTerms, Party, Purpose};
use domain::pricing::Quote;
use domain::unit_of_work::UnitOfWork;
use domain::{Amount, Sealed};
use projections::state::ordered_lines::OrderRef;
use serde::{Deserialize, Serialize};
use serde_json::json;
use time::{Duration, OffsetDateTime};
use utoipa::ToSchema;
use uuid::Uuid;

use super::basket::Basket;
use super::cart_rows::PlacedRows;
use super::contacts;
use super::form::{OrderForm, given, tidy, tidy_account};
use super::guests::GuestCount;
use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{CommandContext, CommandOutcome};
use crate::reservations::ORDER_NO;
use crate::terms::agreed;

/// A placed order.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlacedOrder {
    /// Its id.
    #[serde(rename = "_id")]
    pub id: OrderId,
    /// Order number.
    pub order_no: String,
    /// `ORDER_NONPAYMENT`, or `ORDER_PAYMENT` if there is nothing to pay.
    pub status: OrderStatus,
    /// Amount to pay, hundredths.
    pub payable: Amount,
    /// Payment deadline.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    pub pay_by: OffsetDateTime,
    /// Payment method.
    pub payment_method: PaymentMethod,
}

/// Places an order of a member, or of a guest at `address`; the result is the [`PlacedOrder`].
///
/// # Errors
/// `price_changed` with the new quote, `cart_ordered`, `cart_changed`, `sold_out`, `unpaid_limit`, ...: the first rule violated.
pub async fn place(
    app: &App,
    command: &CommandContext,
    (member, address): (Option<MemberId>, IpAddr),
    form: &OrderForm,
) -> AppResult<CommandOutcome> {
    let basket = Basket::of(app, member, form).await?;
    let quote = basket.quote()?;
    basket.check_points()?;
    if let Some(shown) = form.payable.filter(|shown| *shown != quote.totals.payable) {
        let details = json!({ "shown": shown, "quote": quote });
        return Err(AppError::new(Code::PriceChanged).with_details(details));
    }
    let id = OrderId(Uuid::now_v7());
    let terms = freeze(app, id, member, form, &basket, quote).await?;
    let count = GuestCount::of(app, id, &terms, address);
    if let Some(count) = &count {
        count.check(app).await?;
    }
    let order = OrderRef {
        id,
        order_no: terms.order_no.clone(),
    };
    let rows = PlacedRows::new(order, member, form, &basket, count, app.clock.now());
    let done = append(app, command, id, &terms, (&basket.goods(), &rows)).await?;
    let people: Vec<&Party> = form.sender.iter().chain(&form.receiver).collect();
    contacts::remember(app, id, &people).await;
    Ok(done)
}

/// Whether the form has the phone number of the guest's order, so that a repeated command may get access to it.
///
/// # Errors
/// Database errors.
pub async fn is_contact(app: &App, id: OrderId, form: &OrderForm) -> AppResult<bool> {
    let order = app.store.load::<Order>(&id.to_string()).await?.state;
    let phone = form.sender.as_ref().map(|sender| &sender.phone);
    Ok(match (order.buyer(), phone) {
        (Some(Buyer::Guest { contact_hash }), Some(phone)) => {
            *contact_hash == contacts::contact_hash(&app.keys, phone)
        }
        _ => false,
    })
}

/// Places the order in one append.
async fn append(
    app: &App,
    command: &CommandContext,
    id: OrderId,
    terms: &OrderTerms,
    (goods, rows): (&BTreeMap<StockId, ProductId>, &PlacedRows),
) -> AppResult<CommandOutcome> {
    let reserved = app.keys.lookup_hash(ORDER_NO, &terms.order_no);
    let place = |work: &mut UnitOfWork, _: Option<&()>| {
        checkout::place(work, id, terms.clone(), goods)?;
        work.reserve(ORDER_NO, reserved, id);
        Ok(PlacedOrder {
            id,
            order_no: terms.order_no.clone(),
            status: work.state::<Order>(id).status(),
            payable: terms.totals.payable,
            pay_by: terms.pay_by,
            payment_method: terms.payment_method,
        })
    };
    app.executor
        .commit_with_step(command, rows, rows.locks(), place)
        .await
}

/// The terms of the order, with its parties sealed under the statutory key.
async fn freeze(
    app: &App,
    id: OrderId,
    member: Option<MemberId>,
    form: &OrderForm,
    basket: &Basket,
    quote: Quote,
) -> AppResult<OrderTerms> {
    let now = app.clock.now();
    let number = order_no(now, rand::random());
    let sender = tidy(form.sender.as_ref());
    let receiver = tidy(form.receiver.as_ref());
    let receipt = form.cash_receipt.phone.as_deref();
    let receipt = receipt.filter(|_| form.cash_receipt.enabled);
    let receipt = receipt.map(phone_digits);
    let subject = member.map_or(id.0, |member| member.0);
    let numbered = numbered(quote, &number);
    let minutes = basket
        .unpaid_minutes
        .map(|minutes| Duration::minutes(minutes.into()));
    let usual = Duration::try_from(app.settings.orders.unpaid_deadline).unwrap_or(Duration::HOUR);
    Ok(OrderTerms {
        buyer: match member {
            Some(id) => Buyer::Member { id },
            None => Buyer::Guest {
                contact_hash: contacts::contact_hash(&app.keys, &sender.phone),
            },
        },
        sender: seal(app, subject, &sender).await?,
        receiver: seal(app, subject, &receiver).await?,
        request_message: seal_text(app, subject, form.request_message.as_deref()).await?,
        cash_receipt: seal_text(app, subject, receipt.as_deref()).await?,
        area: basket.area,
        area_unknown: basket.area_unknown,
        payment_method: match numbered.totals.payable.is_zero() {
            true => PaymentMethod::Free,
            false => form.payment_method,
        },
        purchases: numbered.purchases,
        fares: numbered.fares,
        coupons: numbered.coupons,
        points: Vec::new(),
        step: basket.step,
        totals: numbered.totals,
        terms: agreed(app, &form.terms).await?,
        deposit: seal_deposit(app, subject, form, &sender).await?,
        pay_by: now + minutes.unwrap_or(usual),
        rules: basket.versions.clone(),
        order_no: number,
    })
}

/// The quote's lines renumbered for the order: `1` becomes `orderNo-1`.
pub fn numbered(mut quote: Quote, order_no: &str) -> Quote {
    let number = |no: &mut String| {
        if let Ok(place) = no.parse() {
            *no = purchase_no(order_no, place);
        }
    };
    quote
        .purchases
        .iter_mut()
        .for_each(|purchase| number(&mut purchase.purchase_no));
    quote
        .fares
        .iter_mut()
        .flat_map(|fare| &mut fare.purchase_nos)
        .for_each(number);
    quote
        .coupons
        .iter_mut()
        .filter_map(|used| used.purchase_no.as_mut())
        .for_each(number);
    quote
}

async fn seal(app: &App, subject: Uuid, party: &Party) -> AppResult<Sealed<Party>> {
    Ok(app.keys.seal(subject, Purpose::Statutory, party).await?)
}

async fn seal_text(
    app: &App,
    subject: Uuid,
    text: Option<&str>,
) -> AppResult<Option<Sealed<String>>> {
    match text.map(str::trim).filter(|text| !text.is_empty()) {
        Some(text) => Ok(Some(
            app.keys
                .seal(subject, Purpose::Statutory, &text.to_owned())
                .await?,
        )),
        None => Ok(None),
    }
}

/// Depositor and refund account, for payments by virtual account.
async fn seal_deposit(
    app: &App,
    subject: Uuid,
    form: &OrderForm,
    sender: &Party,
) -> AppResult<Option<Sealed<DepositTerms>>> {
    let Some(account) = form
        .account
        .as_ref()
        .filter(|_| form.payment_method == PaymentMethod::Vbank)
    else {
        return Ok(None);
    };
    let depositor = given(form.depositor.as_deref()).unwrap_or(&sender.name);
    let deposit = DepositTerms {
        depositor: depositor.trim().to_owned(),
        account: tidy_account(account),
    };
    Ok(Some(
        app.keys.seal(subject, Purpose::Statutory, &deposit).await?,
    ))
}
