//! Operation of a shop: backups, standbys, metrics, and failures.

mod analyst;
mod backups;
mod drill;
mod master_key;
mod metrics;
mod read_only;
mod standby;
