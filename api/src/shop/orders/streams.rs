//! The streams one order touches, locked and loaded together, and what is appended to them.

use std::collections::BTreeMap;

use domain::checkout::{CheckoutDecision, CheckoutState, Footprint, footprint_of};
use domain::coupon::{Campaign, IssuedCoupon};
use domain::ids::OrderId;
use domain::order::Order;
use domain::points::{self, Points};
use domain::stock::Stock;
use event_store::{Expected, LockedStreams, StreamAppend, StreamId, Versioned};

use crate::app::AppState;
use crate::http::{ApiError, ApiResult, Code};

/// An order is read again this often if it changed meanwhile.
const READINGS: u32 = 5;

/// An order and what it touches, as they are and will stay while the lock is held.
pub struct Held {
    /// The order.
    pub order: Versioned<Order>,
    /// The rest.
    pub streams: CheckoutState,
    versions: BTreeMap<StreamId, u64>,
    points: Option<String>,
}

/// What has to be locked for an order.
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
    /// The same as they are now, for whoever writes nothing: they may change at any moment.
    ///
    /// # Errors
    /// `not_found` if there is no such order; `version_conflict` if it never stands still; a stream that cannot be read.
    pub async fn read(app: &AppState, order: OrderId) -> ApiResult<Self> {
        for _ in 0..READINGS {
            let held = Self::read_once(app, order).await?;
            let now = app.store.load::<Order>(&order.to_string()).await?;
            // what an order holds elsewhere changes together with it
            if now.version == held.order.version {
                return Ok(held);
            }
        }
        Err(ApiError::new(Code::VersionConflict))
    }

    async fn read_once(app: &AppState, order: OrderId) -> ApiResult<Self> {
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

    /// Loads them under the lock.
    ///
    /// # Errors
    /// A stream that was not locked or cannot be read.
    pub fn of(locked: &LockedStreams, order: OrderId, touched: &Footprint) -> ApiResult<Self> {
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

    /// What a decision writes, each stream at the version it was decided on.
    ///
    /// # Errors
    /// An event that is no JSON.
    pub fn appends(
        &self,
        order: OrderId,
        decided: &CheckoutDecision,
    ) -> ApiResult<Vec<StreamAppend>> {
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
