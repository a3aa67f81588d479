//! Ships purchases with the tracking numbers of a file, first as a preview. The file is sent once and worked through in batches, as an
//! import of records is (decision 68): each row is one command that is executed once, so a batch that was interrupted is sent again.

use std::collections::{BTreeMap, BTreeSet};

use domain::order::{Invoice, Order, OrderCommand};
use domain::unit_of_work::UnitOfWork;
use domain::validation::FieldError;
use futures::{StreamExt, stream};
use projections::orders::{self, NamedPurchase, courier_name, named_purchases, parcels_numbered};
use projections::state::import_parts;
use serde_json::json;
use uuid::Uuid;

use super::days::auto_deliver_days;
use super::invoice_files::{InvoicePart, InvoiceRow, gone, order_of, parts};
use crate::access::Editor;
use crate::app::App;
use crate::error::{AppError, AppResult, Outcome};
use crate::executor::{CommandContext, CommandOutcome, RequestOrigin};
use crate::resources::import::{ImportReport, ImportTable, RowAction, RowOutcome};
use crate::resources::parts::keep_answer;

/// Kind of the stored tables.
const KIND: &str = "invoice";
/// Name of the command of a whole batch.
const WHOLE: &str = "ship-from-file";
/// Orders shipped at the same time.
const AT_ONCE: usize = 16;

/// The outcome of a batch that was shipped before, whose result is an [`ImportReport`].
///
/// # Errors
/// `idempotency_key_reused`.
pub async fn stored(
    app: &App,
    editor: Editor,
    origin: &RequestOrigin,
) -> AppResult<Option<CommandOutcome>> {
    let whole = CommandContext::new(WHOLE, editor.actor(), origin);
    app.executor.stored_outcome(&whole).await
}

/// What shipping a batch of the table would do.
///
/// # Errors
/// `invalid` for a file that is not one, or is not stored any more.
pub async fn rehearse(
    app: &App,
    editor: Editor,
    table: ImportTable,
    courier: Option<&str>,
) -> AppResult<ImportReport> {
    let (table, part) = part_of(app, editor, table, courier).await?;
    // The rows were perhaps prepared just now.
    app.wait_until_current(&[orders::NAME]).await?;
    let plans = plans(app, editor, &part).await?;
    let mut report = empty(table, &part);
    for plan in plans {
        count(&mut report, plan);
    }
    Ok(report)
}

/// Ships a batch of the table; the result is an [`ImportReport`].
///
/// # Errors
/// As [`rehearse`]; `idempotency_key_reused`.
pub async fn ship(
    app: &App,
    editor: Editor,
    origin: &RequestOrigin,
    (table, courier): (ImportTable, Option<&str>),
) -> AppResult<CommandOutcome> {
    let (table, part) = part_of(app, editor, table, courier).await?;
    let mut by_order: BTreeMap<String, Vec<Plan>> = BTreeMap::new();
    for plan in plans(app, editor, &part).await? {
        by_order.entry(plan.order_no()).or_default().push(plan);
    }
    let days = auto_deliver_days(app).await?;
    let shipping = by_order.into_values().map(|plans| async move {
        let mut done = Vec::with_capacity(plans.len());
        // Rows of one order share its stream: at the same time they would conflict.
        for mut plan in plans {
            let row = plan.outcome.row;
            let origin = RequestOrigin {
                key: Some(format!("{table}/{row}")),
                body_hash: [0; 32],
                ..origin.clone()
            };
            let command = CommandContext::new("ship-purchase", editor.actor(), &origin);
            let at = ship_row(app, &command, &mut plan, days).await?;
            done.push((plan, at));
        }
        Ok::<_, AppError>(done)
    });
    let shipping: Vec<_> = shipping.collect();
    let shipped: Vec<AppResult<_>> = stream::iter(shipping)
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    let mut done = Vec::with_capacity(part.rows.len());
    for one in shipped {
        done.extend(one?);
    }
    done.sort_by_key(|(plan, _)| plan.outcome.row);
    let position = done.iter().filter_map(|(_, at)| *at).max();
    let mut report = empty(table, &part);
    for (mut plan, _) in done {
        plan.outcome.changes = None;
        count(&mut report, plan);
    }
    let whole = CommandContext::new(WHOLE, editor.actor(), origin);
    keep_answer(app, &whole, report, position).await
}

/// What a row does.
struct Plan {
    purchases: Vec<NamedPurchase>,
    invoice: Option<Invoice>,
    /// All of it was shipped so before.
    is_done: bool,
    outcome: RowOutcome,
}

impl Plan {
    fn order_no(&self) -> String {
        let first = self.purchases.first();
        first.map_or_else(String::new, |one| one.order_no.clone())
    }

    fn refuse(&mut self, error: FieldError) {
        self.outcome.action = RowAction::Error;
        self.outcome.errors.push(error);
    }
}

fn empty(table: Uuid, part: &InvoicePart) -> ImportReport {
    ImportReport {
        table,
        total: part.total,
        next: part.next,
        ..ImportReport::default()
    }
}

fn count(report: &mut ImportReport, plan: Plan) {
    report.summary.rows += 1;
    if plan.outcome.action == RowAction::Error {
        report.summary.errors += 1;
    } else if plan.is_done {
        report.summary.unchanged += 1;
        return;
    } else {
        report.summary.updates += 1;
    }
    report.rows.push(plan.outcome);
}

async fn part_of(
    app: &App,
    editor: Editor,
    table: ImportTable,
    courier: Option<&str>,
) -> AppResult<(Uuid, InvoicePart)> {
    let of = |id| import_parts::Table {
        id,
        owner: editor.member,
        kind: KIND,
    };
    match table {
        ImportTable::New(file) => {
            let parts = parts(file.lines, courier)?;
            let id = Uuid::now_v7();
            let mut rows = Vec::with_capacity(parts.len());
            let mut after = 0;
            for part in &parts {
                rows.push((after, serde_json::to_value(part)?));
                after = part.next.unwrap_or_default();
            }
            import_parts::keep(app.pool(), of(id), rows, app.clock.now()).await?;
            let first = parts.into_iter().next().ok_or_else(gone)?;
            Ok((id, first))
        }
        ImportTable::Kept { table, after } => {
            let found = import_parts::find(app.pool(), of(table), after).await?;
            Ok((table, serde_json::from_value(found.ok_or_else(gone)?)?))
        }
    }
}

/// The rows with the purchases they mean. A purchase of another seller is not found.
async fn plans(app: &App, editor: Editor, part: &InvoicePart) -> AppResult<Vec<Plan>> {
    let numbers = part.rows.iter().flat_map(|row| &row.numbers).cloned();
    let numbers: Vec<String> = numbers.collect();
    let found = named_purchases(app.pool(), &numbers, editor.rows.seller()).await?;
    let parcels = part.rows.iter().filter_map(|row| row.invoice.as_ref());
    let parcels: Vec<String> = parcels
        .filter(|invoice| !invoice.invoice_no.is_empty())
        .map(|invoice| invoice.invoice_no.clone())
        .collect();
    let used = parcels_numbered(app.pool(), &parcels).await?;
    Ok(part
        .rows
        .iter()
        .map(|row| plan(row, &found, &used))
        .collect())
}

fn plan(row: &InvoiceRow, found: &[NamedPurchase], used: &[(String, String, String)]) -> Plan {
    let mut plan = Plan {
        purchases: Vec::new(),
        invoice: row.invoice.clone(),
        is_done: false,
        outcome: RowOutcome {
            sheet: None,
            row: row.row,
            action: RowAction::Update,
            id: Some(row.numbers.join(", ")),
            name: None,
            changes: None,
            errors: Vec::new(),
        },
    };
    for error in &row.errors {
        plan.refuse(error.clone());
    }
    for number in &row.numbers {
        // An order number means all of its purchases that are ready, in one parcel.
        let named = found.iter().filter(|one| one.purchase_no == *number);
        let of_order = found.iter().filter(|one| one.order_no == *number);
        let mut meant: Vec<&NamedPurchase> = named.collect();
        if meant.is_empty() {
            let all: Vec<&NamedPurchase> = of_order.collect();
            let ready = all.iter().copied().filter(|one| one.is_ready());
            meant = ready.collect();
            if meant.is_empty() {
                meant = all;
            }
        }
        if meant.is_empty() {
            let message = "찾을 수 없는 구매번호입니다.";
            plan.refuse(FieldError::new("purchaseNo", "not_found", message));
        }
        plan.purchases.extend(meant.into_iter().cloned());
    }
    let orders: BTreeSet<&str> = row.numbers.iter().map(|number| order_of(number)).collect();
    if orders.len() > 1 {
        let message = "한 행에는 한 주문의 구매번호만 쓸 수 있습니다.";
        plan.refuse(FieldError::new("purchaseNo", "several_orders", message));
    }
    plan.outcome.name = plan.purchases.first().map(|first| {
        let more = plan.purchases.len() - 1;
        match more {
            0 => first.name.clone(),
            more => format!("{} 외 {more}건", first.name),
        }
    });
    let Some(invoice) = row.invoice.clone() else {
        return plan;
    };
    let is_so = |one: &NamedPurchase| {
        one.courier.as_deref() == Some(&invoice.courier)
            && one.invoice_no.as_deref() == Some(&invoice.invoice_no)
    };
    plan.is_done = !plan.purchases.is_empty() && plan.purchases.iter().all(is_so);
    let faults: Vec<FieldError> = plan
        .purchases
        .iter()
        .filter(|one| !is_so(one))
        .filter_map(fault_of)
        .collect();
    for fault in faults {
        plan.refuse(fault);
    }
    let order = plan.order_no();
    let is_used = used.iter().any(|(courier, number, other)| {
        *courier == invoice.courier && *number == invoice.invoice_no && *other != order
    });
    if is_used && !invoice.invoice_no.is_empty() {
        let message = "다른 주문에 이미 쓴 송장번호입니다.";
        plan.refuse(FieldError::new("invoiceNo", "invoice_used", message));
    }
    let courier = courier_name(&invoice.courier).unwrap_or_default();
    plan.outcome.changes = Some(json!({
        "courier": { "from": "", "to": courier },
        "invoiceNo": { "from": "", "to": invoice.invoice_no },
    }));
    plan
}

/// Why a purchase cannot be sent now, as far as the read model knows.
fn fault_of(purchase: &NamedPurchase) -> Option<FieldError> {
    let (code, message) = match () {
        () if purchase.is_ready() => return None,
        () if purchase.is_sent() => ALREADY_SENT,
        () if purchase.is_new() => (
            "not_prepared",
            "아직 준비 처리하지 않은 상품입니다. 준비 처리를 먼저 해 주세요.",
        ),
        () => ("not_allowed_now", "지금은 발송할 수 없는 상품입니다."),
    };
    Some(FieldError::new("purchaseNo", code, message))
}

const ALREADY_SENT: (&str, &str) = (
    "already_sent",
    "이미 다른 송장번호로 보낸 상품입니다. 배송 현황에서 수정해 주세요.",
);

/// Ships the purchases of a row in one parcel, all or none. Returns the position of the append.
async fn ship_row(
    app: &App,
    command: &CommandContext,
    plan: &mut Plan,
    auto_deliver_days: u32,
) -> AppResult<Option<i64>> {
    let Some(invoice) = plan.invoice.clone() else {
        return Ok(None);
    };
    // A row that was executed before has its outcome already, and the read model may show it by now.
    let stored = app.executor.stored_outcome(command).await?;
    if let Some(done) = stored {
        plan.outcome.action = RowAction::Update;
        plan.outcome.errors.clear();
        plan.is_done = false;
        return Ok(done.position);
    }
    if plan.outcome.action == RowAction::Error || plan.is_done {
        return Ok(None);
    }
    let Some(order) = plan.purchases.first().map(|one| one.order_id) else {
        return Ok(None);
    };
    let purchases = &plan.purchases;
    let decide = |work: &mut UnitOfWork| -> AppResult<()> {
        for purchase in purchases {
            let no = &purchase.purchase_no;
            let state = work.state::<Order>(order);
            let sent = state.purchase(no).and_then(|one| one.invoice.clone());
            match sent {
                Some(sent) if sent == invoice => continue,
                Some(_) => {
                    let (code, message) = ALREADY_SENT;
                    return Err(AppError::invalid_field("purchaseNo", code, message));
                }
                None => {}
            }
            let act = OrderCommand::Ship {
                purchase_no: no.clone(),
                courier: invoice.courier.clone(),
                invoice_no: invoice.invoice_no.clone(),
                auto_deliver_days,
            };
            work.decide::<Order>(order, act)?;
        }
        Ok(())
    };
    match app.executor.commit(command, decide).await {
        Ok(done) => Ok(done.position),
        // The same rows are sent again.
        Err(error) if error.code().outcome() != Outcome::Refused => Err(error),
        Err(error) => {
            let refused = match error.fields() {
                [] => vec![FieldError::new(
                    "purchaseNo",
                    error.code().as_str(),
                    error.message(),
                )],
                fields => fields.to_vec(),
            };
            for error in refused {
                plan.refuse(error);
            }
            Ok(None)
        }
    }
}
