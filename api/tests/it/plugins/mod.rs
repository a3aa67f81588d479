//! `/api/plugins`: payments.

mod approval;
mod attacks;
mod deposits;
mod generate;
mod notice;
mod refunds;
mod response;
mod transactions;
