//! Events of the shop, and their raffles.

use domain::ids::ShopEventId;
use domain::raffle::{Raffle, RaffleTerms};
use domain::record::Document;
use domain::storefront::shop_event::ShopEvent;
use event_store::StreamAppend;
use futures::FutureExt;
use projections::raffles::{self, RaffleRow};
use projections::records::{self, RecordRow};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::super::{
    AdminResource, ConsoleRecord, DocumentSchema, RecordWrite, admin_resource, document_of,
};
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::decide;
use crate::json::typed;
use crate::raffles::terms_command;

impl ConsoleRecord for ShopEvent {
    const RESOURCE: AdminResource = AdminResource {
        schema: Self::SCHEMA,
        reads: &[records::NAME, raffles::NAME],
        output: Some(DocumentSchema::of::<RaffleFigures>()),
        enrich_one: |app, id, _| figures(app, id).boxed(),
        enrich_list: |app, rows| with_figures(app, rows).boxed(),
        removal_blocker: |app, id, _| entries_waiting(app, id).boxed(),
        side_effects: |app, write| raffle_terms(app, write).boxed(),
        ..admin_resource!(ShopEvent: "shop-event" at "/api/console/shop/events", "event", "events")
    };
}

/// What is shown of the raffle of an event besides its document.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RaffleFigures {
    /// Number of entries; none without a raffle.
    pub raffle_entries: Option<u32>,
    /// The winning numbers in the order of their ranks; none before the draw.
    pub raffle_numbers: Option<String>,
}

impl RaffleFigures {
    fn of(raffle: Option<&RaffleRow>) -> Self {
        let draw = raffle.and_then(|raffle| raffle.draw.as_ref());
        let numbers = draw.map(|draw| draw.winners.iter().map(u32::to_string));
        Self {
            raffle_entries: raffle.map(|raffle| raffle.entries),
            raffle_numbers: numbers.map(|numbers| numbers.collect::<Vec<_>>().join(", ")),
        }
    }
}

async fn figures(app: &App, id: &str) -> AppResult<Document> {
    let ids: Vec<ShopEventId> = id.parse().into_iter().collect();
    let raffle = raffles::raffles(app.pool(), &ids).await?.pop();
    document_of(&RaffleFigures::of(raffle.as_ref()))
}

/// Rows with the figures of their raffles.
async fn with_figures(app: &App, mut rows: Vec<RecordRow>) -> AppResult<Vec<RecordRow>> {
    let ids: Vec<ShopEventId> = rows.iter().filter_map(|row| row.id.parse().ok()).collect();
    let raffles = raffles::raffles(app.pool(), &ids).await?;
    for row in &mut rows {
        let mut all = raffles.iter();
        let raffle = all.find(|raffle| raffle.id.to_string() == row.id);
        row.data.extend(document_of(&RaffleFigures::of(raffle))?);
    }
    Ok(rows)
}

/// Removal is blocked while members have entered and winners are not drawn.
async fn entries_waiting(app: &App, id: &str) -> AppResult<Option<String>> {
    let raffle = app.store.load::<Raffle>(id).await?.state;
    let waits = raffle.entries > 0 && !raffle.drawn;
    Ok(waits.then(|| {
        format!(
            "추첨에 응모한 회원이 {}명 있습니다. 추첨이 끝난 뒤에 삭제해 주세요.",
            raffle.entries
        )
    }))
}

/// Opens the raffle of the event, or changes its terms.
async fn raffle_terms(app: &App, write: RecordWrite<'_>) -> AppResult<Vec<StreamAppend>> {
    let event: ShopEvent = typed(Value::Object(Document::clone(write.after)))?;
    let raffle = app.store.load::<Raffle>(write.id).await?;
    let terms = RaffleTerms::of(&event);
    if terms == raffle.state.terms {
        return Ok(Vec::new());
    }
    let id = write.id.parse().map_err(AppError::internal)?;
    let command = terms_command(app, id, terms).await?;
    Ok(vec![decide(write.id, &raffle, command, write.context)?])
}
