//! Exchanges of delivered purchases, and the further steps of claims whose goods come back.

use domain::Amount;
use domain::catalogue::Product;
use domain::checkout;
use domain::ids::{ClaimId, ClaimPictureId, OptionId, OrderId, StockId};
use domain::order::{
    CanceledBy, ClaimPieces, ExchangeRequest, Fault, Order, OrderCommand, PriceDifference,
    PurchaseTerms, Replacement,
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
use crate::pricing_rules::record_at;

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
    /// Its price less that of the goods, per piece, hundredths.
    pub difference: Amount,
    /// What the buyer pays for the difference of the pieces before the replacement is sent, hundredths.
    pub price: Amount,
    /// What goes back to the buyer for the pieces, once the replacement is sent.
    pub back: PriceDifference,
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
    /// The difference shown to the user, per piece, hundredths; none if nothing was shown.
    pub difference: Option<Amount>,
}

/// The goods that pieces of a purchase can be exchanged for: the same goods, and other options of the product on sale.
/// A set is exchanged for the same set.
///
/// # Errors
/// `not_found`; `pieces_out_of_range`; database errors.
pub async fn choices(
    app: &App,
    found: &FoundOrder,
    pieces: &ClaimPieces,
) -> AppResult<Vec<Choice>> {
    let order = &found.order.state;
    let line = line_of(found, &pieces.purchase_no)?;
    let mut choices = vec![Choice {
        option: line.option,
        name: line.option_name.clone(),
        ordered: true,
        available: available(app, line).await?,
        difference: Amount::ZERO,
        price: Amount::ZERO,
        back: order.price_difference(pieces, Amount::ZERO)?,
    }];
    let others = others(app, order, line).await?;
    let quantity = pieces.quantity.unwrap_or(line.quantity);
    for other in others {
        choices.push(Choice {
            option: Some(other.option),
            name: Some(other.name),
            ordered: false,
            available: in_stock(app, other.option).await?,
            difference: other.difference,
            price: other.difference.max(Amount::ZERO).times(quantity)?,
            back: order.price_difference(pieces, other.difference)?,
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
/// The rule violated; `invalid` with the field `_option`; `price_changed` if the fee or the difference differs from the one shown.
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
    let quantity = form.pieces.quantity.unwrap_or(line.quantity);
    let replacement = replacement(app, order, line, (form.option, quantity)).await?;
    let difference = match replacement {
        Replacement::Same => Amount::ZERO,
        Replacement::Other { difference, .. } => difference,
    };
    if form.difference.is_some_and(|shown| shown != difference) {
        return Err(AppError::new(Code::PriceChanged)
            .with_details(json!({ "shown": form.difference, "now": difference })));
    }
    claim_pictures::check(app, found, &form.pictures).await?;
    let pictures = form.pictures.clone();
    let request = ExchangeRequest {
        claim: ClaimId(Uuid::now_v7()),
        replacement,
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
    order: &Order,
    line: &PurchaseTerms,
    (wanted, quantity): (Option<OptionId>, u32),
) -> AppResult<Replacement> {
    let option = match wanted {
        Some(option) if Some(option) != line.option => option,
        _ if available(app, line).await? < quantity => return Err(sold_out()),
        _ => return Ok(Replacement::Same),
    };
    let mut others = others(app, order, line).await?.into_iter();
    let Some(other) = others.find(|other| other.option == option) else {
        let message = "교환할 수 있는 옵션을 선택해 주세요.";
        return Err(AppError::invalid_field("_option", "not_offered", message));
    };
    if in_stock(app, option).await? < quantity {
        return Err(sold_out());
    }
    Ok(Replacement::Other {
        option,
        name: other.name,
        stock: stock_of(option),
        difference: other.difference,
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

/// Pieces of an option in stock.
async fn in_stock(app: &App, option: OptionId) -> AppResult<u32> {
    let stock = stock_of(option).to_string();
    Ok(app.store.load::<Stock>(&stock).await?.state.available)
}

/// Another option of a product on sale.
struct OtherOption {
    option: OptionId,
    name: String,
    /// Its price less that of the goods, per piece, hundredths.
    difference: Amount,
}

/// The other options of the product on sale. Their prices of today are compared with the price of the goods when they were ordered, and as
/// exchanges changed it since.
async fn others(app: &App, order: &Order, line: &PurchaseTerms) -> AppResult<Vec<OtherOption>> {
    let id = line.product.to_string();
    let now = app.store.load::<Record<Product>>(&id).await?.state;
    let then = record_at::<Product>(&app.store, &id, line.product_version).await?;
    let (Ok(now), Some(then)) = (now.data(), then) else {
        return Ok(Vec::new());
    };
    let purchase = order.purchase(&line.purchase_no);
    let ordered = purchase.and_then(|purchase| purchase.ordered.as_ref());
    let ordered = ordered.map_or(line.option, |goods| goods.option);
    let (Some(ordered), false) = (ordered, now.is_set()) else {
        return Ok(Vec::new());
    };
    let Some(ordered) = then.data.option(ordered) else {
        return Ok(Vec::new());
    };
    let exchanged = purchase.map_or(Amount::ZERO, |purchase| purchase.difference);
    let price = ordered.price.plus(exchanged)?;
    let others = now.options.iter();
    let others = others.filter(|option| option.enabled && Some(option.id) != line.option);
    others
        .map(|option| {
            Ok(OtherOption {
                option: option.id,
                name: option.value.clone(),
                difference: option.price.minus(price)?,
            })
        })
        .collect()
}
