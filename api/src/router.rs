//! All routes of the program, grouped by user. Each endpoint is described in its own file.

use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware;
use axum::routing::get;
use axum::{Extension, Router};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::timeout::TimeoutLayer;
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::http::headers::{Https, secure};
use crate::http::limits::refuse;
use crate::http::routes;
use crate::http::standby::only_reads;
use crate::http::{docs, request_context, web};
use crate::limits::Limits;
use crate::{
    addresses, auth, console, files, me, operations, payment_window, plugins, shop, users,
};

/// Maximum duration of a request.
const PATIENCE: Duration = Duration::from_secs(30);

/// Error statuses of all endpoints: an internal failure, an unavailable or read-only database, a timeout.
const ANY_TIME: [StatusCode; 3] = [
    StatusCode::INTERNAL_SERVER_ERROR,
    StatusCode::SERVICE_UNAVAILABLE,
    StatusCode::GATEWAY_TIMEOUT,
];

/// Endpoints where a name, a password or the order number of another buyer could be guessed: with a strict rate limit.
fn guesses() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(users::join::join, users::list::list))
        .routes(routes!(users::existence::existence))
        .routes(routes!(users::show::show))
        .routes(routes!(users::find::find_id))
        .routes(routes!(users::find::show_id))
        .routes(routes!(users::find::find_password))
        .routes(routes!(users::find::set_password))
        .routes(routes!(me::withdraw::withdraw))
        .routes(routes!(me::verify::verify))
        .routes(routes!(me::email::request))
        .routes(routes!(me::email::confirm))
        .routes(routes!(shop::orders::lookup::lookup))
}

/// Signing in, renewing tokens and signing out. Signing in has its own limit: attempts from unknown devices are counted by client address.
fn session() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(auth::sign_in::sign_in, auth::sign_out::sign_out))
        .routes(routes!(auth::refresh::refresh))
}

/// Endpoints for members, with a bearer token. A guest's token gives access to one order.
fn my_page() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(me::info::show::show, me::info::revise::revise))
        .routes(routes!(me::carts::list::list, me::carts::add::add))
        .routes(routes!(
            me::carts::show::show,
            me::carts::change::change,
            me::carts::remove::remove
        ))
        .routes(routes!(me::coupons::list::list, me::coupons::draw::draw))
        .routes(routes!(me::coupons::redeem::redeem))
        .routes(routes!(me::coupons::choose::product))
        .routes(routes!(me::coupons::choose::shipping))
        .routes(routes!(me::points::list))
        .routes(routes!(me::likes::list::list, me::likes::toggle::toggle))
        .routes(routes!(me::likes::remove::remove))
        .routes(routes!(
            me::watches::list::list,
            me::watches::add::add,
            me::watches::clear::clear
        ))
        .routes(routes!(me::alarms::list::list))
        .routes(routes!(me::alarms::stream::stream))
        .routes(routes!(me::alarms::mark::mark, me::alarms::remove::remove))
        .routes(routes!(me::alarms::settings::set))
        .routes(routes!(me::advertising::set))
        .routes(routes!(
            me::destinations::list::list,
            me::destinations::add::add
        ))
        .routes(routes!(
            me::destinations::show::show,
            me::destinations::change::change,
            me::destinations::remove::remove
        ))
        .routes(routes!(me::orders::list::list))
        .routes(routes!(me::orders::show::show))
        .routes(routes!(me::orders::cancel::cancel_order))
        .routes(routes!(me::orders::cancel::preview_cancel))
        .routes(routes!(me::orders::to_cart::put_into_cart))
        .routes(routes!(me::orders::confirm::confirm))
        .routes(routes!(me::orders::refund_account::refund_account))
        .routes(routes!(me::purchases::list::list))
        .routes(routes!(me::purchases::cancel::cancel_purchases))
        .routes(routes!(me::purchases::returns::return_purchase))
        .routes(routes!(me::purchases::returns::preview))
        .routes(routes!(
            me::purchases::exchanges::offered,
            me::purchases::exchanges::exchange_purchase
        ))
        .routes(routes!(me::purchases::withdraw::withdraw))
        .routes(routes!(me::purchases::show::show))
        .routes(routes!(me::payments::list::list))
        .routes(routes!(me::payments::show::show))
        .routes(routes!(me::reviews::list::list, me::reviews::write::write))
        .routes(routes!(me::reviews::list::writable))
        .routes(routes!(
            me::reviews::show::show,
            me::reviews::change::change,
            me::reviews::remove::remove
        ))
        .routes(routes!(me::reviews::remove::restore))
        .routes(routes!(me::inquires::list, me::inquires::ask))
        .routes(routes!(
            me::inquires::show,
            me::inquires::change,
            me::inquires::remove
        ))
        .routes(routes!(me::inquires::restore))
        .routes(routes!(me::inquiries::list, me::inquiries::send))
        .routes(routes!(
            me::inquiries::show,
            me::inquiries::change,
            me::inquiries::remove
        ))
        .routes(routes!(
            shop::center::questions::list,
            shop::center::questions::ask
        ))
        .routes(routes!(
            shop::center::questions::show,
            shop::center::questions::change,
            shop::center::questions::remove
        ))
        .routes(routes!(shop::center::questions::restore))
}

/// Public endpoints, and ordering.
fn shopping() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(shop::setting::show))
        .routes(routes!(shop::categories::list))
        .routes(routes!(shop::products::list::list))
        .routes(routes!(shop::products::show::show))
        .routes(routes!(shop::islands::list))
        .routes(routes!(shop::shippings::list::list))
        .routes(routes!(shop::shippings::show::show))
        .routes(routes!(shop::search_terms::list, shop::search_terms::log))
        .routes(routes!(shop::search_terms::save))
        .routes(routes!(
            shop::search_terms::tags,
            shop::search_terms::log_tag
        ))
        .routes(routes!(shop::coupons::list))
        .routes(routes!(shop::coupons::show))
        .routes(routes!(shop::bests::list))
        .routes(routes!(shop::brands::list))
        .routes(routes!(shop::displays::list))
        .routes(routes!(shop::displays::categories))
        .routes(routes!(shop::showrooms::list))
        .routes(routes!(shop::showrooms::show))
        .routes(routes!(shop::promotions::events))
        .routes(routes!(shop::promotions::event))
        .routes(routes!(shop::promotions::exhibitions))
        .routes(routes!(shop::promotions::exhibition))
        .routes(routes!(shop::promotions::tag_events))
        .routes(routes!(shop::promotions::tag_event))
        .routes(routes!(shop::category_details::list))
        .routes(routes!(shop::category_details::show))
        .routes(routes!(shop::stores::list))
        .routes(routes!(shop::stores::show))
        .routes(routes!(shop::reviews::list::list))
        .routes(routes!(shop::reviews::show::show))
        .routes(routes!(
            shop::inquires::list::list,
            shop::inquires::ask::ask
        ))
        .routes(routes!(
            shop::inquires::show::show,
            shop::inquires::change::change,
            shop::inquires::remove::remove
        ))
        .routes(routes!(shop::window::banners::show))
        .routes(routes!(shop::window::band_banners::list))
        .routes(routes!(shop::window::advertisements::list))
        .routes(routes!(shop::window::popups::list))
        .routes(routes!(shop::window::terms::show))
        .routes(routes!(shop::window::logs::add))
        .routes(routes!(shop::center::faqs::list))
        .routes(routes!(shop::center::faqs::show))
        .routes(routes!(shop::center::notices::list))
        .routes(routes!(shop::center::notices::show))
        .routes(routes!(shop::center::contacts::send))
        .routes(routes!(shop::forms::send))
        .routes(routes!(shop::forms::show))
        // Mail programs of many members ask from few addresses, so it has no strict rate limit: a token cannot be guessed.
        .routes(routes!(
            users::unsubscribe::open,
            users::unsubscribe::withdraw
        ))
        .routes(routes!(addresses::search::search))
        .routes(routes!(shop::points::qualify))
        .routes(routes!(shop::orders::preview::preview))
        .routes(routes!(shop::orders::place::place))
        .routes(routes!(shop::orders::process::process))
        .routes(routes!(plugins::config::nicepayments))
        .routes(routes!(plugins::config::pay))
}

/// Payment, as used by the browser and by the gateway.
fn paying() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(plugins::generate::nicepayments))
        .routes(routes!(plugins::generate::pay))
        .routes(routes!(plugins::response::response))
        .routes(routes!(plugins::approval::approval))
        .routes(routes!(plugins::cancel::give_up))
}

/// The check against programs. It asks an outside service, so it has the strict rate limit.
fn checking() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(
        plugins::recaptcha::config,
        plugins::recaptcha::verify
    ))
}

/// Reports on texts and mail: rate-limited, since the worker asks for what is refused, and a relay tries again.
fn reports() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(plugins::report::report))
        .routes(routes!(plugins::bounce::bounce))
}

/// Notices of the payment gateway: they all come from one address, and must not be rate-limited.
fn notices() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(plugins::notice::notice))
}

/// Health and readiness.
fn operating() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(operations::health))
        .routes(routes!(operations::ready))
}

/// Uploads.
fn uploads() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(files::console::list, files::console::create))
        .routes(routes!(
            files::console::show,
            files::console::revise,
            files::console::remove
        ))
        .routes(routes!(files::console::history))
        .routes(routes!(files::console::photo))
        .routes(routes!(files::members::give))
        .routes(routes!(files::members::show))
        .routes(routes!(
            shop::reviews::images::list,
            shop::reviews::images::give
        ))
        .routes(routes!(me::reviews::images::give))
        .routes(routes!(me::reviews::images::remove))
        .routes(routes!(me::purchases::pictures::add))
        .routes(routes!(me::purchases::pictures::read))
        .routes(routes!(users::documents::list_all))
        .routes(routes!(users::documents::list_own))
        .routes(routes!(users::documents::read))
}

/// Upload of registration documents before there is an account, with a low limit per client.
fn joining() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(users::documents::hand_in))
}

/// Downloads of files. A page shows more pictures than the rate limit allows requests.
fn pictures() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(files::serve::read))
}

fn api(limits: Option<&Limits>) -> OpenApiRouter<AppState> {
    let guesses = match limits {
        Some(limits) => guesses()
            .merge(checking())
            .route_layer(limits.guesses.layer(refuse)),
        None => guesses().merge(checking()),
    };
    let uploads = match limits {
        Some(limits) => uploads()
            .merge(joining().route_layer(limits.guesses.layer(refuse)))
            .route_layer(DefaultBodyLimit::max(limits.upload_bytes)),
        None => uploads().merge(joining()),
    };
    let calls = guesses
        .merge(session())
        .merge(shopping())
        .merge(my_page())
        .merge(paying())
        .merge(reports())
        .merge(uploads)
        .merge(console::routes());
    let calls = docs::refusing(calls, &[StatusCode::TOO_MANY_REQUESTS]);
    let calls = match limits {
        Some(limits) => calls.route_layer(limits.general.layer(refuse)),
        None => calls,
    };
    let all = OpenApiRouter::with_openapi(docs::document())
        .merge(operating())
        .merge(pictures())
        .merge(notices())
        .merge(calls);
    docs::refusing(all, &ANY_TIME)
}

/// The OpenAPI document.
pub fn openapi() -> utoipa::openapi::OpenApi {
    api(None).into_openapi()
}

/// The complete service.
pub fn router(app: AppState) -> Router {
    let (calls, document) = api(Some(&app.limits)).split_for_parts();
    let (unlimited, _) = shopping().split_for_parts();
    let within = web::Pages::new(unlimited.with_state(app.clone()));
    // A reload or a step back requests the page that the payment window posted to.
    let pages = Router::new().route(payment_window::way_back::PATH, get(web::serve));
    surrounded(
        calls
            .merge(pages)
            .merge(docs::routes(document))
            .fallback(web::serve)
            .layer(Extension(within)),
        app,
    )
}

/// Endpoints with the middleware of all requests.
pub fn surrounded(calls: Router<AppState>, app: AppState) -> Router {
    let https = Https(app.settings.server.public_url.starts_with("https://"));
    // Fonts are compressed already; pictures are excluded by default.
    let worth_it = DefaultPredicate::new().and(NotForContentType::const_new("font/"));
    let around = ServiceBuilder::new()
        .layer(CompressionLayer::new().compress_when(worth_it))
        .layer(middleware::from_fn_with_state(https, secure))
        .layer(middleware::from_fn(request_context::around))
        .layer(middleware::from_fn_with_state(app.clone(), only_reads))
        .layer(CatchPanicLayer::custom(request_context::after_panic))
        .layer(TimeoutLayer::with_status_code(
            StatusCode::GATEWAY_TIMEOUT,
            PATIENCE,
        ))
        .layer(DefaultBodyLimit::max(app.settings.limits.body_bytes));
    calls.layer(around).with_state(app)
}
