//! Reads out who receives purchases, and where, to send them. It is recorded in the history of each order before it is handed over.

use std::collections::BTreeMap;

use domain::order::{DisclosurePurpose, Order, OrderCommand};
use domain::personal::Party;
use domain::shipping::ShippingMethod;
use futures::{StreamExt, stream};
use projections::orders::method_of;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::find::{FoundOrder, id_of, order_no_of};
use crate::access::RowScope;
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::CommandContext;
use crate::resources::parts::{BulkFailure, failed};

/// Orders read at the same time.
const AT_ONCE: usize = 16;

/// Goods of one order and seller, with what is needed to send them.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ParcelSheet {
    /// Number of the order.
    pub order_no: String,
    /// When it was placed.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: OffsetDateTime,
    /// Who gets it, and where.
    pub receiver: Party,
    /// Who ordered it.
    pub sender: Party,
    /// The buyer's message for the delivery.
    pub request_message: Option<String>,
    /// The way of delivery.
    pub method: ShippingMethod,
    /// Its name.
    pub method_text: &'static str,
    /// The goods.
    pub items: Vec<ParcelItem>,
}

impl ParcelSheet {
    /// Whether it can have a label: there is an address.
    fn has_address(&self) -> bool {
        let is_written =
            |text: &Option<String>| text.as_ref().is_some_and(|t| !t.trim().is_empty());
        is_written(&self.receiver.postcode) && is_written(&self.receiver.address1)
    }
}

/// One purchase in a parcel.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ParcelItem {
    /// Number of the purchase.
    pub purchase_no: String,
    /// Product name.
    pub name: String,
    /// Option value.
    pub option_name: Option<String>,
    /// Product code.
    pub code: String,
    /// Pieces.
    pub quantity: u32,
    /// Courier code, once sent.
    pub courier: Option<String>,
    /// Tracking number, once sent.
    pub invoice_no: Option<String>,
}

/// The parcels of purchases, and the purchases that have none.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Disclosure {
    /// Parcels, in the order of the purchases.
    pub parcels: Vec<ParcelSheet>,
    /// Purchases that are not sent: not found, not paid, given back, without an address, or erased.
    pub failed: Vec<BulkFailure>,
}

/// What the receivers are read out for, and the rows the reader may see.
#[derive(Clone, Copy, Debug)]
pub struct DisclosureRequest {
    /// The reader's rows.
    pub rows: RowScope,
    /// The purpose.
    pub purpose: DisclosurePurpose,
}

/// Records that the receivers of these purchases are read out, and returns them. `command` gives the command on an order of this number.
///
/// # Errors
/// Database errors; what cannot be read out is in the result.
pub async fn disclose(
    app: &App,
    request: DisclosureRequest,
    purchase_nos: &[String],
    command: impl Fn(&str) -> CommandContext,
) -> AppResult<Disclosure> {
    let mut orders: Vec<(String, Vec<String>)> = Vec::new();
    let mut places = BTreeMap::new();
    let mut found = Disclosure::default();
    for no in purchase_nos {
        let no = no.trim().to_uppercase();
        let Ok(order_no) = order_no_of(&no).map(str::to_owned) else {
            found.failed.push(failed(no, &AppError::not_found()));
            continue;
        };
        let place = *places.entry(order_no.clone()).or_insert(orders.len());
        match orders.get_mut(place) {
            Some((_, nos)) if !nos.contains(&no) => nos.push(no),
            Some(_) => {}
            None => orders.push((order_no, vec![no])),
        }
    }
    let reading = orders.into_iter().map(|(order_no, nos)| {
        let command = command(&order_no);
        async move { one_order(app, request, (order_no, nos), &command).await }
    });
    let reading: Vec<_> = reading.collect();
    let read: Vec<AppResult<Disclosure>> = stream::iter(reading).buffered(AT_ONCE).collect().await;
    for one in read {
        let one = one?;
        found.parcels.extend(one.parcels);
        found.failed.extend(one.failed);
    }
    Ok(found)
}

async fn one_order(
    app: &App,
    request: DisclosureRequest,
    (order_no, nos): (String, Vec<String>),
    command: &CommandContext,
) -> AppResult<Disclosure> {
    let mut read = Disclosure::default();
    let order = match id_of(app, &order_no).await {
        Ok(id) => FoundOrder::by_id(app, id).await?,
        Err(error) => {
            let not_found = nos.into_iter().map(|no| failed(no, &error));
            read.failed.extend(not_found);
            return Ok(read);
        }
    };
    let mut sheets: BTreeMap<_, ParcelSheet> = BTreeMap::new();
    for no in nos {
        match item(app, request.rows, &order, &no).await {
            Ok((seller, sheet, item)) => sheets.entry(seller).or_insert(sheet).items.push(item),
            Err(error) => read.failed.push(failed(no, &error)),
        }
    }
    let numbers = |sheet: &ParcelSheet| -> Vec<String> {
        sheet
            .items
            .iter()
            .map(|item| item.purchase_no.clone())
            .collect()
    };
    let wants_address = |sheet: &ParcelSheet| {
        request.purpose == DisclosurePurpose::Label && sheet.method != ShippingMethod::PickUp
    };
    let (whole, bare): (Vec<_>, Vec<_>) = sheets
        .into_values()
        .partition(|sheet| sheet.has_address() || !wants_address(sheet));
    for no in bare.iter().flat_map(numbers) {
        let message = "받는 주소가 없어 라벨을 만들 수 없습니다. 배송지를 먼저 수정해 주세요.";
        let error = AppError::invalid_field("receiver.address1", "no_address", message);
        read.failed.push(failed(no, &error));
    }
    let purchase_nos: Vec<String> = whole.iter().flat_map(numbers).collect();
    if purchase_nos.is_empty() {
        return Ok(read);
    }
    let act = OrderCommand::DiscloseReceiver {
        purchase_nos: purchase_nos.clone(),
        purpose: request.purpose,
    };
    match app.executor.execute::<Order>(command, order.id, act).await {
        Ok(_) => read.parcels = whole,
        Err(error) => {
            let refused = purchase_nos.into_iter().map(|no| failed(no, &error));
            read.failed.extend(refused);
        }
    }
    Ok(read)
}

/// A purchase, with the sheet of the parcel it is in, still empty, and what parcels are divided by: seller and way of delivery.
async fn item(
    app: &App,
    rows: RowScope,
    order: &FoundOrder,
    no: &str,
) -> AppResult<(
    (domain::ids::MemberId, &'static str),
    ParcelSheet,
    ParcelItem,
)> {
    let state = &order.order.state;
    let purchase = state.purchase(no).ok_or_else(AppError::not_found)?;
    rows.reaches(purchase.seller)?;
    let terms = state.purchase_terms(no).ok_or_else(AppError::not_found)?;
    let of_order = state.terms()?;
    let method = method_of(state, no).unwrap_or_default();
    let erased = || AppError::from(domain::order::OrderError::RecordsErased);
    let receiver = app.open(state.receiver()?).await?.ok_or_else(erased)?;
    let sender = app.open(&of_order.sender).await?.ok_or_else(erased)?;
    let request_message = match &of_order.request_message {
        Some(sealed) => app.open::<String>(sealed).await?,
        None => None,
    };
    let sheet = ParcelSheet {
        order_no: of_order.order_no.clone(),
        created_at: order.created_at,
        receiver,
        sender,
        request_message,
        method,
        method_text: method.title(),
        items: Vec::new(),
    };
    let invoice = purchase.invoice.as_ref();
    let item = ParcelItem {
        purchase_no: no.to_owned(),
        name: terms.name.clone(),
        option_name: terms.option_name.clone(),
        code: terms.code.clone(),
        quantity: terms.quantity,
        courier: invoice.map(|invoice| invoice.courier.clone()),
        invoice_no: invoice.map(|invoice| invoice.invoice_no.clone()),
    };
    Ok(((purchase.seller, method.code()), sheet, item))
}
