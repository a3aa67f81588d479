//! Loads the streams of an order's footprint together, under locks, and builds the appends to them.

use std::collections::BTreeMap;

use domain::checkout::{CheckoutDecision, CheckoutState, Footprint, footprint_of};
use domain::coupon::{Campaign, IssuedCoupon};
use domain::ids::OrderId;
use domain::order::Order;
use domain::points::{self, Points};
use domain::stock::Stock;
use event_store::{Expected, LockedStreams, StreamAppend, StreamId, Versioned};

use crate::app::AppState;
use crate::http::{AppError, AppResult, Code};

/// Attempts to read an order that changes concurrently.
const READINGS: u32 = 5;

/// An order with its footprint, constant while the locks are held.
pub struct Held {
    /// The order.
    pub order: Versioned<Order>,
    /// The footprint.
    pub streams: CheckoutState,
    versions: BTreeMap<StreamId, u64>,
    points: Option<String>,
}

/// Ids of the streams to lock for an order.
pub fn ids(order: OrderId, touched: &Footprint) -> Vec<StreamId> {
    let mut ids = vec![StreamId::of::<Order>(order)];
    ids.extend(touched.stock.iter().map(StreamId::of::<Stock>));
    ids.extend(touched.issued.iter().map(StreamId::of::<IssuedCoupon>));
    ids.extend(touched.campaigns.iter().map(StreamId::of::<Campaign>));
    ids.extend(
        touched
            .points
            .map(|member| StreamId::of::<Points>(points::stream_id(member))),
    );
    ids
}

impl Held {
    /// Reads the same without locks, for callers that write nothing.
    ///
    /// # Errors
    /// `not_found` for an unknown order; `version_conflict` if it keeps changing; a stream that cannot be read.
    pub async fn read(app: &AppState, order: OrderId) -> AppResult<Self> {
        for _ in 0..READINGS {
            let held = Self::read_once(app, order).await?;
            let now = app.store.load::<Order>(&order.to_string()).await?;
            // The footprint of an order changes together with it.
            if now.version == held.order.version {
                return Ok(held);
            }
        }
        Err(AppError::new(Code::VersionConflict))
    }

    async fn read_once(app: &AppState, order: OrderId) -> AppResult<Self> {
        let found = app.store.load::<Order>(&order.to_string()).await?;
        let touched = footprint_of(found.state.terms()?);
        let mut streams = CheckoutState::default();
        for id in touched.stock {
            let stock = app.store.load::<Stock>(&id.to_string()).await?.state;
            streams.stock.insert(id, stock);
        }
        for id in touched.issued {
            let issued = app.store.load::<IssuedCoupon>(&id.to_string()).await?.state;
            streams.issued.insert(id, issued);
        }
        for id in touched.campaigns {
            let campaign = app.store.load::<Campaign>(&id.to_string()).await?.state;
            streams.campaigns.insert(id, campaign);
        }
        if let Some(id) = touched.points.map(points::stream_id) {
            streams.points = app.store.load::<Points>(&id).await?.state;
        }
        Ok(Self {
            order: found,
            streams,
            versions: BTreeMap::new(),
            points: None,
        })
    }

    /// Loads them from the locked streams.
    ///
    /// # Errors
    /// A stream that is not locked or cannot be read.
    pub fn of(locked: &LockedStreams, order: OrderId, touched: &Footprint) -> AppResult<Self> {
        let mut held = Self {
            order: locked.state::<Order>(&order.to_string())?,
            streams: CheckoutState::default(),
            versions: BTreeMap::new(),
            points: touched.points.map(points::stream_id),
        };
        for id in &touched.stock {
            let stock = locked.state::<Stock>(&id.to_string())?;
            held.versions
                .insert(StreamId::of::<Stock>(id), stock.version);
            held.streams.stock.insert(*id, stock.state);
        }
        for id in &touched.issued {
            let issued = locked.state::<IssuedCoupon>(&id.to_string())?;
            held.versions
                .insert(StreamId::of::<IssuedCoupon>(id), issued.version);
            held.streams.issued.insert(*id, issued.state);
        }
        for id in &touched.campaigns {
            let campaign = locked.state::<Campaign>(&id.to_string())?;
            held.versions
                .insert(StreamId::of::<Campaign>(id), campaign.version);
            held.streams.campaigns.insert(*id, campaign.state);
        }
        if let Some(id) = &held.points {
            let points = locked.state::<Points>(id)?;
            held.versions
                .insert(StreamId::of::<Points>(id), points.version);
            held.streams.points = points.state;
        }
        Ok(held)
    }

    /// The appends of a decision, each at the version it was decided on.
    ///
    /// # Errors
    /// An event cannot be serialised as JSON.
    pub fn appends(
        &self,
        order: OrderId,
        decided: &CheckoutDecision,
    ) -> AppResult<Vec<StreamAppend>> {
        let at = |stream: StreamId| {
            Expected::Exact(self.versions.get(&stream).copied().unwrap_or_default())
        };
        let mut appends = Vec::new();
        if !decided.order.is_empty() {
            appends.push(StreamAppend::new::<Order>(
                order,
                Expected::Exact(self.order.version),
                &decided.order,
            )?);
        }
        for (id, events) in &decided.stock {
            appends.push(StreamAppend::new::<Stock>(
                id,
                at(StreamId::of::<Stock>(id)),
                events,
            )?);
        }
        for (id, events) in &decided.issued {
            appends.push(StreamAppend::new::<IssuedCoupon>(
                id,
                at(StreamId::of::<IssuedCoupon>(id)),
                events,
            )?);
        }
        for (id, events) in &decided.campaigns {
            appends.push(StreamAppend::new::<Campaign>(
                id,
                at(StreamId::of::<Campaign>(id)),
                events,
            )?);
        }
        if let Some(id) = self.points.as_ref().filter(|_| !decided.points.is_empty()) {
            appends.push(StreamAppend::new::<Points>(
                id,
                at(StreamId::of::<Points>(id)),
                &decided.points,
            )?);
        }
        Ok(appends)
    }
}
