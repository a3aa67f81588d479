//! `/api/console`.

mod causes;
mod explanations;
mod history;
mod orders;
mod projections;
mod purchases;
mod records;
mod refunds;
mod statistics;
mod views;
