//! The OpenAPI document at `/api/openapi.json`, and an offline Swagger UI at `/api/docs`.

use crate::http::error::ErrorBody;
use crate::http::error::code_table;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::{Json, Router, routing};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::{Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;
use utoipa_swagger_ui::{Config, SwaggerUi};

use super::operation::{add_shared, refuse_too};
use crate::app::AppState;

/// Path of the document.
pub const DOCUMENT: &str = "/api/openapi.json";

/// Swagger UI writes style attributes and uses pictures embedded in its style sheet.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
);

#[derive(OpenApi)]
#[openapi(
    info(title = "Jangbu", description = "The shop's API."),
    components(schemas(ErrorBody)),
    modifiers(&Signing),
    tags(
        (name = "auth", description = "Signing in and out"),
        (name = "shop", description = "What anybody sees and buys"),
        (name = "center", description = "The customer centre"),
        (name = "me", description = "What a member has"),
        (name = "pay", description = "The payment service"),
        (name = "console", description = "The back office"),
        (name = "operations", description = "Whether the program lives")
    )
)]
struct Document;

struct Signing;

impl Modify for Signing {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_default();
        let mut add = |name: &str, scheme, what: &str| {
            let mut http = Http::new(scheme);
            http.description = Some(what.to_owned());
            components.add_security_scheme(name, SecurityScheme::Http(http));
        };
        add(
            "access",
            HttpAuthScheme::Bearer,
            "The access token, or a guest's token for one order.",
        );
        add(
            "refresh",
            HttpAuthScheme::Bearer,
            "The refresh token; good once.",
        );
        add("basic", HttpAuthScheme::Basic, "Username and password.");
        add_shared(components);
    }
}

/// The document without paths.
pub fn document() -> utoipa::openapi::OpenApi {
    let mut document = Document::openapi();
    document.info.description = Some(format!(
        "Amounts are whole hundredths of the shop's currency; times are RFC 3339; ids are UUIDs.\n\n\
         A command answers `X-Position`; a GET that sends it as `X-Wait-Position` sees the command's effect or answers `X-Stale: 1`.\n\
         `Idempotency-Key` makes a command happen once; a repeat answers `Idempotent-Replay: 1`.\n\n\
         Every refusal has the shape `ErrorBody`; a 5xx says nothing but its code.\n\n## Error codes\n\n{}",
        code_table()
    ));
    document
}

/// Adds error statuses to all of these operations.
pub fn refusing(
    mut calls: OpenApiRouter<AppState>,
    statuses: &[StatusCode],
) -> OpenApiRouter<AppState> {
    for item in calls.get_openapi_mut().paths.paths.values_mut() {
        let operations = [
            &mut item.get,
            &mut item.put,
            &mut item.post,
            &mut item.delete,
        ];
        for operation in operations.into_iter().flatten() {
            refuse_too(operation, statuses.iter().copied());
        }
    }
    calls
}

/// Routes of the document and of Swagger UI.
pub fn routes(document: utoipa::openapi::OpenApi) -> Router<AppState> {
    let browser = SwaggerUi::new("/api/docs").config(Config::new([DOCUMENT]).validator_url("none"));
    let pages: Router<AppState> = browser.into();
    pages
        .layer(middleware::from_fn(with_policy))
        .route(DOCUMENT, routing::get(async move || Json(document)))
}

async fn with_policy(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response
        .headers_mut()
        .insert(header::CONTENT_SECURITY_POLICY, POLICY);
    response
}
