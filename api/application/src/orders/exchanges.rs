//! Exchanges of delivered purchases, and the further steps of claims whose goods come back.

use domain::Amount;
use domain::catalogue::Product;
use domain::checkout;
use domain::ids::{ClaimId, ClaimPictureId, OptionId, OrderId, StockId};
use domain::order::{
    CanceledBy, ClaimPieces, ExchangeRequest, Fault, OrderCommand, PurchaseTerms, Replacement,
};
use domain::personal::Party;
use domain::record::Record;
use domain::stock::Stock;
use domain::unit_of_work::UnitOfWork;
use serde_json::json;
use uuid::Uuid;

use super::claim_pictures;
use super::claims::{reason_of_buyer, seal_pickup, with_reason};
use super::find::FoundOrder;
use super::parcels;
use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{CommandContext, CommandOutcome};

/// Goods a purchase may be exchanged for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The option; none where the product has none.
    pub option: Option<OptionId>,
    /// Name of the option.
    pub name: Option<String>,
    /// Whether these are the goods of the purchase.
    pub ordered: bool,
    /// Pieces in stock.
    pub available: u32,
}

/// An exchange request from a form.
#[derive(Clone, Debug)]
pub struct ExchangeForm {
    /// What to exchange.
    pub pieces: ClaimPieces,
    /// The replacement option; none for the same goods.
    pub option: Option<OptionId>,
    /// The party that requests it.
    pub by: CanceledBy,
    /// The reason, one of the choices or free text.
    pub reason: String,
    /// The party at fault.
    pub fault: Fault,
    /// Address for pickup and for the replacement; none for the address the goods were sent to.
    pub pickup: Option<Party>,
    /// Pictures of the goods.
    pub pictures: Vec<ClaimPictureId>,
    /// The fee shown to the user, hundredths; none if nothing was shown.
    pub fee: Option<Amount>,
}

/// The goods a purchase can be exchanged for: the same goods, and other options of the product on sale at the same price. A set is
/// exchanged for the same set.
///
/// # Errors
/// `not_found`; database errors.
pub async fn choices(app: &App, found: &FoundOrder, purchase_no: &str) -> AppResult<Vec<Choice>> {
    let line = line_of(found, purchase_no)?;
    let mut choices = vec![Choice {
        option: line.option,
        name: line.option_name.clone(),
        ordered: true,
        available: available(app, line).await?,
    }];
    let product = app
        .store
        .load::<Record<Product>>(&line.product.to_string())
        .await?
        .state;
    for other in others(product.data().ok().as_ref(), line) {
        let stock = app
            .store
            .load::<Stock>(&stock_of(other.0).to_string())
            .await?
            .state;
        choices.push(Choice {
            option: Some(other.0),
            name: Some(other.1),
            ordered: false,
            available: stock.available,
        });
    }
    Ok(choices)
}

/// The fee for a buyer at fault for the exchange of a purchase, hundredths.
///
/// # Errors
/// Database errors.
pub async fn fee(app: &App, found: &FoundOrder, purchase_no: &str) -> AppResult<Amount> {
    let order = &found.order.state;
    let parcels = parcels::for_return(app, order).await?;
    Ok(order.fee_of_exchange(purchase_no, &parcels)?)
}

/// Requests the exchange of a delivered purchase.
///
/// # Errors
/// The rule violated; `invalid` with the field `_option`; `price_changed` if the fee differs from the one shown.
pub async fn request_exchange(
    app: &App,
    command: &CommandContext,
    found: &FoundOrder,
    form: ExchangeForm,
) -> AppResult<CommandOutcome> {
    let parcels = parcels::for_return(app, &found.order.state).await?;
    let order = &found.order.state;
    let line = line_of(found, &form.pieces.purchase_no)?;
    let now = order.fee_of_exchange(&line.purchase_no, &parcels)?;
    if form.fault == Fault::Buyer && form.fee.is_some_and(|shown| shown != now) {
        return Err(AppError::new(Code::PriceChanged)
            .with_details(json!({ "shown": form.fee, "now": now })));
    }
    claim_pictures::check(app, found, &form.pictures).await?;
    let pictures = form.pictures.clone();
    let quantity = form.pieces.quantity.unwrap_or(line.quantity);
    let request = ExchangeRequest {
        claim: ClaimId(Uuid::now_v7()),
        replacement: replacement(app, line, (form.option, quantity)).await?,
        pieces: form.pieces,
        by: form.by,
        reason: reason_of_buyer(app, found, &form.reason).await?,
        fault: form.fault,
        pickup: seal_pickup(app, found, form.pickup.as_ref()).await?,
        pictures: form.pictures,
        parcels,
    };
    let command = with_reason(command, &request.reason);
    let act = OrderCommand::RequestExchange(Box::new(request));
    let done = handle(app, &command, found.id, act).await?;
    claim_pictures::claim(app, &pictures).await;
    Ok(done)
}

/// Decides a command on a claim, with the stock it moves.
///
/// # Errors
/// The rule violated.
pub async fn handle(
    app: &App,
    command: &CommandContext,
    order: OrderId,
    act: OrderCommand,
) -> AppResult<CommandOutcome> {
    let decide = |work: &mut UnitOfWork| Ok(checkout::decide_claim(work, order, act.clone())?);
    app.executor.commit(command, decide).await
}

/// The requested goods, if they are offered and in stock.
async fn replacement(
    app: &App,
    line: &PurchaseTerms,
    (wanted, quantity): (Option<OptionId>, u32),
) -> AppResult<Replacement> {
    let option = match wanted {
        Some(option) if Some(option) != line.option => option,
        _ if available(app, line).await? < quantity => return Err(sold_out()),
        _ => return Ok(Replacement::Same),
    };
    let product = app
        .store
        .load::<Record<Product>>(&line.product.to_string())
        .await?
        .state;
    let mut others = others(product.data().ok().as_ref(), line).into_iter();
    let Some((_, name)) = others.find(|(other, _)| *other == option) else {
        let message = "교환할 수 있는 옵션을 선택해 주세요.";
        return Err(AppError::invalid_field("_option", "not_offered", message));
    };
    let stock = stock_of(option);
    if app
        .store
        .load::<Stock>(&stock.to_string())
        .await?
        .state
        .available
        < quantity
    {
        return Err(sold_out());
    }
    Ok(Replacement::Other {
        option,
        name,
        stock,
    })
}

fn sold_out() -> AppError {
    let message = "선택하신 옵션은 재고가 부족합니다. 다른 옵션이나 수량을 선택해 주세요.";
    AppError::invalid_field("_option", "sold_out", message)
}

fn line_of<'a>(found: &'a FoundOrder, purchase_no: &str) -> AppResult<&'a PurchaseTerms> {
    let line = found.order.state.purchase_terms(purchase_no);
    line.ok_or_else(AppError::not_found)
}

/// An option's stock has the id of the option.
const fn stock_of(option: OptionId) -> StockId {
    StockId(option.0)
}

/// Pieces of the same goods in stock.
async fn available(app: &App, line: &PurchaseTerms) -> AppResult<u32> {
    let mut least = u32::MAX;
    for taken in &line.stock {
        let stock = app
            .store
            .load::<Stock>(&taken.stock.to_string())
            .await?
            .state;
        let each = taken.quantity.checked_div(line.quantity).unwrap_or(1);
        least = least.min(stock.available.checked_div(each).unwrap_or_default());
    }
    Ok(least)
}

/// Other options of the product that cost what the ordered one costs.
fn others(product: Option<&Product>, line: &PurchaseTerms) -> Vec<(OptionId, String)> {
    let Some((product, ordered)) = product.zip(line.option) else {
        return Vec::new();
    };
    let Some(price) = product.option(ordered).map(|option| option.price) else {
        return Vec::new();
    };
    if product.is_set() {
        return Vec::new();
    }
    product
        .options
        .iter()
        .filter(|option| option.enabled && option.id != ordered && option.price == price)
        .map(|option| (option.id, option.value.clone()))
        .collect()
}
