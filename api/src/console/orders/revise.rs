//! PUT /api/console/shop/orders/{id}: changes the receiver and the staff note; every other field is frozen.

use axum::extract::State;
use domain::forms::{self, FormErrors, Validate};
use domain::order::Reader;
use domain::personal::Party;
use domain::record::Document;
use domain::shipping::Geolocation;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, AppResult, Code, Path, Staff, ValidJson};
use crate::shop::orders::detail::{OrderAnswer, after, detail};
use application::executor::CommandContext;
use application::orders::correct::{Correction, correct};
use application::orders::find::FoundOrder;
use application::orders::form::person;

/// Fields of an order that staff can change.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderChange {
    /// The complete receiver, while something is still to be sent; parcels that were sent keep their address. The surcharge area stays the
    /// one the shipping fees were paid for.
    receiver: Option<Party>,
    /// The staff note; empty removes it.
    remark: Option<String>,
    /// All other fields sent.
    #[serde(flatten)]
    #[schema(ignore)]
    others: Document,
}

impl Validate for OrderChange {
    fn check(&self, checks: &mut FormErrors) {
        let asked = self.receiver.is_some() || self.remark.is_some() || !self.others.is_empty();
        checks
            .when(
                asked,
                "receiver",
                "required",
                "수정할 배송지나 메모를 입력해 주세요.",
            )
            .optional("remark", self.remark.as_deref(), forms::MESSAGE);
        if let Some(receiver) = &self.receiver {
            person(checks, "receiver", Some(receiver), true);
            let is_on_earth = receiver.geolocation.is_none_or(Geolocation::is_on_earth);
            checks.when(
                is_on_earth,
                "receiver.geolocation",
                "not_on_earth",
                forms::POSITION_MESSAGE,
            );
        }
    }
}

/// Correct the receiver of what is still to be sent, and set the staff note.
#[utoipa::path(
    put, path = "/api/console/shop/orders/{id}", tag = "console", operation_id = "reviseConsoleOrder",
    params(("id" = String, Path)), request_body = OrderChange, security(("access" = [])),
    responses(
        (status = OK, body = OrderAnswer),
        (
            status = BAD_REQUEST,
            description = "invalid; other_area at receiver.postcode: another surcharge area than the order was placed for"
        ),
        (
            status = CONFLICT,
            description = "not_allowed_now: nothing is to be sent any more (nothing_to_send), the order is canceled \
                (order_canceled), or its personal data is erased (records_erased)"
        ),
        (status = METHOD_NOT_ALLOWED, description = "ledger_immutable: there is no command for this")
    )
)]
pub(crate) async fn revise(
    State(app): State<AppState>,
    who: Staff,
    Path(id): Path<String>,
    ValidJson { body, origin }: ValidJson<OrderChange>,
) -> ApiResult<ApiResponse<OrderAnswer>> {
    let found = FoundOrder::by_id_or_no(&app, &id).await?;
    changes_nothing_frozen(&app, &found, &body).await?;
    let name = match (&body.receiver, &body.remark) {
        (Some(_), None) => "correct-receiver",
        (None, Some(_)) => "write-staff-note",
        (Some(_), Some(_)) => "correct-order",
        (None, None) => return Err(AppError::new(Code::LedgerImmutable).into()),
    };
    let command = CommandContext::new(name, who.actor(), &origin);
    let correction = Correction {
        receiver: body.receiver,
        note: body.remark,
    };
    let done = correct(&app, &command, &found, &correction).await?;
    Ok(after(&app, &done, found.id, Reader::Staff).await?)
}

/// Unknown fields are ignored, and frozen fields may be sent back unchanged; a changed one is rejected.
async fn changes_nothing_frozen(
    app: &AppState,
    found: &FoundOrder,
    body: &OrderChange,
) -> AppResult<()> {
    if body.others.is_empty() {
        return Ok(());
    }
    let shown = serde_json::to_value(detail(app, found, Reader::Staff).await?)
        .map_err(AppError::internal)?;
    let mut others = body.others.iter();
    match others.any(|(field, value)| shown.get(field).is_some_and(|now| now != value)) {
        true => Err(AppError::new(Code::LedgerImmutable)),
        false => Ok(()),
    }
}
