//! Raffles of events: opened, entered and drawn.

use domain::Purpose;
use domain::ids::ShopEventId;
use domain::raffle::{
    Raffle, RaffleCommand, RaffleHash, RaffleSeed, RaffleTerms, draw_winners, enter,
};
use domain::record::{Record, RecordCommand};
use domain::storefront::shop_event::ShopEvent;
use serde_json::json;
use time::Duration;

use super::{Shop, keys, sealed};

/// A raffle is drawn and the next one opened every so many deeds.
pub(super) const DRAWN_EVERY: u32 = 45;

impl Shop {
    /// Draws the newest raffle, and opens another that all members enter. Uses no random numbers, so that it does not change what the
    /// others do.
    pub(super) async fn raffle_off(&mut self) {
        if let Some((event, seed)) = self.open_raffle.take() {
            let held = self.raffle_entries.values();
            let held = held.filter_map(|entry| entry.entered);
            let held = held.filter(|ticket| ticket.raffle == event);
            let entrants = held.map(|ticket| (ticket.number, ticket.member)).collect();
            let end = self.raffles.get(&event).and_then(|raffle| raffle.terms);
            self.now = self.now.max(end.unwrap().ends_at);
            self.decide(|work| draw_winners(work, event, seed, &entrants))
                .await;
        }
        let turn = self.deeds / DRAWN_EVERY;
        let event = ShopEventId(self.id());
        let end = self.now + Duration::minutes(30);
        let page = json!({ "name": format!("추첨 {turn}"), "thumb": { "url": "/pictures/a.webp" }, "shows": true,
            "endsAt": end.format(&time::format_description::well_known::Rfc3339).unwrap(),
            "raffle": { "winners": 1 } });
        let page: ShopEvent = serde_json::from_value(page).unwrap();
        let mut record = Record::<ShopEvent>::default();
        self.record(event, &mut record, RecordCommand::Create(Box::new(page)))
            .await;
        self.shop_events.insert(event, record);
        let seed = RaffleSeed(RaffleHash([u8::try_from(turn % 251).unwrap(); 32]));
        let mut raffle = Raffle::default();
        for winners in [1, 2] {
            let terms = RaffleTerms {
                winners,
                ends_at: end,
                prize: None,
            };
            let set = RaffleCommand::Set {
                terms: Some(terms),
                commitment: seed.commitment(),
                seed: sealed(event.0, Purpose::Statutory),
            };
            self.act(event, &mut raffle, set).await;
        }
        self.raffles.insert(event, raffle);
        for (place, member) in (0_u8..).zip(keys(&self.members)) {
            for _ in 0..2 {
                self.decide(|work| enter(work, event, member, RaffleHash([place; 32])))
                    .await;
            }
        }
        self.open_raffle = Some((event, seed));
    }
}
