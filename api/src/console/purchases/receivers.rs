//! POST /api/console/shop/purchases/receivers: who receives purchases and where, for labels and as a file. Each order records it.

use std::sync::Arc;

use application::executor::{CommandContext, RequestOrigin};
use application::orders::disclosures::{Disclosure, DisclosureRequest, ParcelSheet, disclose};
use application::resources::bulk::Matching;
use application::resources::list_query::refused;
use application::resources::parts::part;
use axum::extract::State;
use axum::response::Response;
use domain::forms::{FormErrors, Validate};
use domain::order::DisclosurePurpose;
use domain::record::Document;
use projections::orders::{self, console_purchase_nos, courier_name};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::filter::PurchaseListQuery;
use crate::app::AppState;
use crate::console::records::export_file::{Format, Table, written};
use crate::console::records::ledgers::parcel_columns;
use crate::console::records::row_mapping::labels;
use crate::http::{ApiResponse, ApiResult, AppResult, Freshness, StaffOrSeller, ValidJson};

/// Maximum number of purchases on a print page.
const PRINTED_MOST: usize = 500;
/// Maximum number of purchases in a file.
const FILED_MOST: usize = 5_000;

/// The purchases to print labels and packing slips for.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LabelsForm {
    /// Their numbers, up to 500.
    purchase_nos: Vec<String>,
}

impl Validate for LabelsForm {
    fn check(&self, checks: &mut FormErrors) {
        let fits = (1..=PRINTED_MOST).contains(&self.purchase_nos.len());
        let message = "한 번에 500개까지 인쇄할 수 있습니다.";
        checks.when(fits, "purchaseNos", "too_many", message);
    }
}

/// The purchases to export for a courier's program: some, or all of a list.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ParcelFileForm {
    /// Their numbers.
    #[serde(default)]
    purchase_nos: Vec<String>,
    /// Or search term and filters of the list.
    matching: Option<Matching>,
    /// `xlsx` (default) or `csv`.
    format: Option<String>,
}

impl Validate for ParcelFileForm {
    fn check(&self, checks: &mut FormErrors) {
        let is_one = self.purchase_nos.is_empty() == self.matching.is_some();
        let message = "내보낼 주문을 선택해 주세요.";
        checks.when(is_one, "purchaseNos", "required", message);
    }
}

/// Read out receivers for labels and packing slips. Without an address there is no label, except for pick-up.
#[utoipa::path(
    post, path = "/api/console/shop/purchases/receivers", tag = "console", operation_id = "readReceivers",
    request_body = LabelsForm, security(("access" = [])), responses((status = OK, body = Disclosure))
)]
pub(crate) async fn read(
    State(app): State<AppState>,
    who: StaffOrSeller,
    ValidJson { body, origin }: ValidJson<LabelsForm>,
) -> ApiResult<ApiResponse<Disclosure>> {
    let request = DisclosureRequest {
        rows: who.rows,
        purpose: DisclosurePurpose::Label,
    };
    let read = disclose(&app, request, &body.purchase_nos, command(&who, &origin)).await?;
    Ok(Freshness::LOG.answer(read))
}

/// Export receivers for the program of a courier: one row for each purchase, with its number, receiver, address, message and goods.
#[utoipa::path(
    post, path = "/api/console/shop/purchases/receivers/export", tag = "console", operation_id = "exportReceivers",
    request_body = ParcelFileForm, security(("access" = [])),
    responses(
        (status = OK, content((String = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"), (String = "text/csv"))),
        (status = BAD_REQUEST, description = "invalid; invalid_query; too_many: more rows than a file takes")
    )
)]
pub(crate) async fn export(
    State(app): State<AppState>,
    who: StaffOrSeller,
    ValidJson { body, origin }: ValidJson<ParcelFileForm>,
) -> ApiResult<Response> {
    let format = Format::of(body.format.as_deref())?;
    let nos = match body.matching {
        Some(matching) => {
            app.wait_until_current(&[orders::NAME]).await?;
            let (query, period) = PurchaseListQuery::matching(matching)?;
            let filter = query.filter(&app, who.rows, &period).await?;
            let asked = i64::try_from(FILED_MOST)
                .unwrap_or(i64::MAX)
                .saturating_add(1);
            console_purchase_nos(app.pool(), &filter, asked).await?
        }
        None => body.purchase_nos,
    };
    if nos.len() > FILED_MOST {
        let message = "한 번에 5,000행까지 내보낼 수 있습니다. 조건을 좁혀 주세요.";
        return Err(refused("matching", "too_many", message).into());
    }
    let request = DisclosureRequest {
        rows: who.rows,
        purpose: DisclosurePurpose::File,
    };
    let read = disclose(&app, request, &nos, command(&who, &origin)).await?;
    let rows = read.parcels.iter().flat_map(rows);
    let rows: Vec<Document> = rows.collect::<AppResult<_>>()?;
    let columns = parcel_columns();
    let table = Table {
        name: "parcels",
        headings: vec![labels(&columns)],
        columns,
        keys: (0..rows.len()).map(|place| place.to_string()).collect(),
    };
    let rows = Arc::new(rows);
    Ok(written(app, format, table, move |_, places: Vec<String>| {
        let rows = Arc::clone(&rows);
        async move {
            let row = |place: &String| rows.get(place.parse::<usize>().ok()?).cloned();
            Ok(places.iter().filter_map(row).collect())
        }
    })
    .await?)
}

/// The command on each order; executed once.
fn command<'a>(
    who: &'a StaffOrSeller,
    origin: &'a RequestOrigin,
) -> impl Fn(&str) -> CommandContext + 'a {
    |order_no| CommandContext::new("disclose-receiver", who.actor(), &part(origin, order_no))
}

/// The rows of a parcel: one for each purchase.
fn rows(sheet: &ParcelSheet) -> Vec<AppResult<Document>> {
    let row = |item: &_| {
        let mut row = serde_json::to_value(sheet)?;
        let mut item = serde_json::to_value(item)?;
        let courier = item.get("courier").and_then(Value::as_str);
        let courier = courier.and_then(courier_name);
        if let Some(fields) = item.as_object_mut() {
            fields.insert("courier".to_owned(), json!(courier));
        }
        match (row.as_object_mut(), item) {
            (Some(row), Value::Object(item)) => {
                row.remove("items");
                row.extend(item);
                Ok(row.clone())
            }
            _ => Ok(Document::new()),
        }
    };
    sheet.items.iter().map(row).collect()
}
