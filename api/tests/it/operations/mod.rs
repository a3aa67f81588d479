//! Running a shop: backups, standbys, numbers, and bad days.

mod analyst;
mod backups;
mod drill;
mod master_key;
mod metrics;
mod read_only;
mod standby;
