//! The member's cart: working state, so it has no history and no position.

pub mod add;
pub mod change;
pub mod list;
pub mod remove;
pub mod show;

use application::members::profiles::SellerNames;
use domain::Amount;
use domain::catalogue::Product;
use domain::ids::{CartId, MemberId, OptionId, ProductId};
use domain::pricing::Quote;
use projections::products::ProductDetail;
use projections::products::{ProductCard, ProductOptionView};
use projections::state::carts::{CartError, CartLine};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{AppError, AppResult};
use application::orders::basket::Basket;
use application::orders::form::LineForm;

/// A cart line.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CartView {
    /// Id of the line.
    #[serde(rename = "_id")]
    id: CartId,
    /// Id of the product.
    #[serde(rename = "_product")]
    product_id: ProductId,
    /// Id of the option.
    #[serde(rename = "_option")]
    option_id: Option<OptionId>,
    /// Quantity.
    quantity: u32,
    /// The product; none if it is removed.
    product: Option<ProductCard>,
    /// The option.
    option: Option<ProductOptionView>,
    /// Unit price, hundredths.
    sale_price: Amount,
    /// Whether it cannot be bought at present.
    sold_out: bool,
    /// Available quantity.
    stock: i64,
    /// The coupon chosen for it.
    #[serde(rename = "_productCoupon", skip_serializing_if = "Option::is_none")]
    product_coupon: Option<domain::ids::IssuedCouponId>,
    /// The coupon chosen for its shipping fee.
    #[serde(rename = "_fareCoupon", skip_serializing_if = "Option::is_none")]
    fare_coupon: Option<domain::ids::IssuedCouponId>,
}

/// One cart line.
#[derive(Serialize, ToSchema)]
pub struct CartAnswer {
    /// The line.
    cart: Option<CartView>,
}

impl CartView {
    fn of(line: CartLine, detail: Option<ProductDetail>) -> Self {
        let option = detail.as_ref().and_then(|detail| {
            detail
                .options
                .iter()
                .find(|option| Some(option.id) == line.option)
                .cloned()
        });
        let card = detail.map(|detail| detail.card);
        let stock = option
            .as_ref()
            .map(|option| option.stock)
            .or(card.as_ref().map(|card| card.stock))
            .unwrap_or(0);
        let closed = option.as_ref().is_some_and(|option| option.sold_out);
        Self {
            id: line.id,
            product_id: line.product,
            option_id: line.option,
            quantity: line.quantity,
            sale_price: option
                .as_ref()
                .map(|option| option.sale_price)
                .or(card.as_ref().map(|card| card.sale_price))
                .unwrap_or_default(),
            sold_out: card.is_none() || closed || stock < i64::from(line.quantity),
            stock,
            product: card,
            option,
            product_coupon: line.product_coupon,
            fare_coupon: line.fare_coupon,
        }
    }
}

/// The lines as returned by the API.
async fn views(app: &AppState, lines: Vec<CartLine>) -> AppResult<Vec<CartView>> {
    let ids: Vec<ProductId> = lines.iter().map(|line| line.product).collect();
    let details = app.cards().await?.details(&ids).await?;
    let mut views: Vec<CartView> = lines
        .into_iter()
        .map(|line| {
            let detail = details.iter().find(|one| one.card.id == line.product);
            CartView::of(line, detail.cloned())
        })
        .collect();
    let sellers = views
        .iter()
        .filter_map(|view| view.product.as_ref())
        .map(|card| card.seller.id);
    let names = SellerNames::of(app, sellers).await?;
    for card in views.iter_mut().filter_map(|view| view.product.as_mut()) {
        names.name(&mut card.seller);
    }
    Ok(views)
}

async fn answer(app: &AppState, line: CartLine) -> AppResult<CartAnswer> {
    let cart = views(app, vec![line]).await?.pop();
    Ok(CartAnswer { cart })
}

/// The price of all lines together; none if one of them cannot be bought.
async fn quote(app: &AppState, member: MemberId, lines: &[CartLine]) -> AppResult<Option<Quote>> {
    let asked: Vec<_> = lines
        .iter()
        .map(|line| {
            let form = LineForm {
                product: line.product,
                option: line.option,
                quantity: line.quantity,
            };
            (Some(line.id), form)
        })
        .collect();
    if asked.is_empty() {
        return Ok(None);
    }
    match Basket::holding(app, Some(member), &asked, None).await {
        Ok(basket) => Ok(basket.quote().ok()),
        Err(refusal) if !refusal.is_failure() => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// Checks that the product is on sale and has the option.
async fn on_sale(app: &AppState, line: &LineForm) -> AppResult<()> {
    let rules = app.pricing_rules.rules(&app.store, &[line.product]).await?;
    let product = rules
        .products
        .get(&line.product)
        .filter(|product| product.data.shows && rules.is_sound(&product.data))
        .ok_or_else(AppError::not_found)?;
    fits(&product.data, line)
}

fn fits(product: &Product, line: &LineForm) -> AppResult<()> {
    let option = line.option.filter(|option| option.0 != line.product.0);
    let fine = match (product.options_conf.enabled, option) {
        _ if product.is_choice() => !product.parts_sold(option).is_empty(),
        (true, Some(id)) => product.option(id).is_some(),
        (true, None) => false,
        (false, option) => option.is_none(),
    };
    if fine {
        Ok(())
    } else {
        Err(AppError::invalid_field(
            "_option",
            "option_required",
            "옵션을 선택해 주세요.",
        ))
    }
}

fn refused(error: CartError) -> AppError {
    match error {
        CartError::Quantity => {
            AppError::invalid_field("quantity", "quantity", "수량은 1~999개로 입력해 주세요.")
        }
        CartError::Read(error) => error.into(),
    }
}
