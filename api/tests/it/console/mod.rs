//! `/api/console`.

mod causes;
mod explanations;
mod history;
mod orders;
mod projections;
mod purchases;
mod records;
mod statistics;
mod views;
