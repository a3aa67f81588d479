//! The back office: for staff, and for sellers with their own rows.

pub mod actor_names;
pub mod alarms;
pub mod analytics;
pub mod bulk_grants;
pub mod categories;
pub mod coupons;
pub mod deliveries;
pub mod explanations;
pub mod failed_reactions;
pub mod history;
pub mod imports;
pub mod inquiries;
pub mod invoices;
pub mod members;
pub mod message_texts;
pub mod messages;
pub mod orders;
pub mod period;
pub mod points;
pub mod purchases;
pub mod records;
pub mod refunds;
pub mod saved_views;
pub mod sellers;
pub mod statistics;
pub mod stories;
pub mod system;
pub mod user_coupons;
pub mod user_payments;

use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::http::routes;

/// All routes of the back office.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(purchases::routes())
        .merge(orders::routes())
        .merge(invoices::routes())
        .merge(deliveries::routes())
        .merge(refunds::routes())
        .merge(records::routes())
        .merge(imports::routes())
        .merge(inquiries::routes())
        .merge(saved_views::routes())
        .merge(categories::routes())
        .merge(statistics::routes())
        .merge(analytics::routes())
        .merge(failed_reactions::routes())
        .merge(sellers::routes())
        .merge(members::routes())
        .merge(messages::routes())
        .merge(message_texts::routes())
        .merge(alarms::routes())
        .merge(points::routes())
        .merge(bulk_grants::routes())
        .merge(user_coupons::routes())
        .merge(user_payments::routes())
        .merge(coupons::routes())
        .routes(routes!(stories::show))
        .routes(routes!(stories::chain))
        .routes(routes!(explanations::list))
        .routes(routes!(explanations::show))
        .merge(system::routes())
}
