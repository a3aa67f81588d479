//! Limits the open connections per client address, so that one address cannot use up all of them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::limits::network_of;
use crate::metrics;
use crate::settings::Settings;

/// Counts the connections of each client address. Clones share the counts.
#[derive(Clone, Debug)]
pub struct Connections {
    /// `None` behind a proxy, whose address all connections have.
    most: Option<usize>,
    open: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// An open connection; counted until this is dropped.
#[derive(Debug)]
pub struct Connection {
    address: IpAddr,
    all: Connections,
}

impl Connections {
    /// A counter with the configured limit.
    pub fn new(settings: &Settings) -> Self {
        let limited = !settings.server.behind_proxy;
        Self {
            most: limited.then_some(settings.limits.connections),
            open: Arc::default(),
        }
    }

    /// Counts a connection from this address; `None` if the limit is reached.
    pub fn open(&self, address: IpAddr) -> Option<Connection> {
        let address = network_of(address);
        let mut open = self.lock();
        let count = open.entry(address).or_default();
        if self.most.is_some_and(|most| *count >= most) {
            metrics::connection_refused();
            return None;
        }
        *count += 1;
        drop(open);
        metrics::connections(1.0);
        Some(Connection {
            address,
            all: self.clone(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        metrics::connections(-1.0);
        if let Entry::Occupied(mut count) = self.all.lock().entry(self.address) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
    }
}
