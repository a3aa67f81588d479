//! The program as its users meet it: over HTTP, on a real Postgres, with a clock that can be moved.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod addresses;
mod auth;
mod background;
mod backups;
mod bad_input;
mod causes;
mod choosing;
mod confirming;
mod connections;
mod console_kit;
mod console_orders;
mod console_projections;
mod console_purchases;
mod console_records;
mod console_seed;
mod console_statistics;
mod console_support;
mod contract;
mod documents;
mod drill;
mod explaining;
mod files;
mod foreign_goods;
mod forgetting;
mod guards;
mod headers;
mod idempotency;
mod joining;
mod my_alarms;
mod my_shelf;
mod new_kind;
mod operating;
mod payment_attacks;
mod policies;
mod positions;
mod program;
mod recipe;
mod refusals;
mod seals;
mod served;
mod shop_carts;
mod shop_claims;
mod shop_deposits;
mod shop_guests;
mod shop_journey;
mod shop_lists;
mod shop_payment;
mod shop_policies;
mod shop_races;
mod shop_rules;
mod shop_search;
mod shop_support;
mod shop_window;
mod sign_in_limits;
mod snapshots;
mod staffing;
mod standby;
mod stored_names;
mod strangers;
mod support;
mod time_travel;
mod upgrade;
mod voices;
mod writing;
