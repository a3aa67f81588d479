//! OpenAPI metadata derived from a handler's signature: the token it takes, the headers it reads and returns, and the error statuses of its
//! arguments. Taken from the types, so that the document is complete. What depends on the handler's body is in its `utoipa::path`.
//!
//! An argument type describes itself beside its extractor ([`OperationInput`]), a response type beside its definition
//! ([`OperationOutput`]).

use crate::http::error::status_of;
use crate::http::{ApiResult, Code};
use std::collections::{BTreeMap, BTreeSet};

use axum::body::Bytes;
use axum::extract::{RawQuery, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::{Redirect, Response};
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{
    self, Components, ContentBuilder, Object, Ref, RefOr, Required, ResponseBuilder,
};

use super::query::{LIMIT_MOST, LIMIT_USUAL, SKIP_MOST};

/// Metadata of a signature.
#[derive(Clone, Debug, Default)]
pub struct Signature {
    token: Option<Token>,
    refuses: BTreeSet<StatusCode>,
    pages: bool,
    waits: bool,
    has_key: bool,
    has_position: bool,
}

/// The token of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Needed,
    Optional,
}

impl Signature {
    /// A token is required.
    pub fn needs_token(&mut self) {
        self.token = Some(Token::Needed);
        self.refuses(StatusCode::UNAUTHORIZED);
    }

    /// A token is optional.
    pub fn takes_token(&mut self) {
        self.token = Some(Token::Optional);
        self.refuses(StatusCode::UNAUTHORIZED);
    }

    /// It may return this status.
    pub fn refuses(&mut self, status: StatusCode) {
        self.refuses.insert(status);
    }

    /// It reads `skip` and `limit`.
    pub fn pages(&mut self) {
        self.pages = true;
        self.refuses(StatusCode::BAD_REQUEST);
    }

    /// Whether it reads `skip` and `limit`.
    pub fn is_paged(&self) -> bool {
        self.pages
    }

    /// It reads `X-Wait-Position`.
    pub fn waits(&mut self) {
        self.waits = true;
        self.refuses(StatusCode::BAD_REQUEST);
    }

    /// It reads `Idempotency-Key`.
    pub fn has_key(&mut self) {
        self.has_key = true;
        self.refuses(StatusCode::BAD_REQUEST);
    }

    /// It reads a body.
    pub fn reads_body(&mut self) {
        for status in [
            StatusCode::BAD_REQUEST,
            StatusCode::PAYLOAD_TOO_LARGE,
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ] {
            self.refuses(status);
        }
    }

    /// Its response may have a position.
    pub fn has_position(&mut self) {
        self.has_position = true;
    }

    /// Whether it appends to the log: only these commands store the key, and only these can have version conflicts.
    fn appends(&self) -> bool {
        self.has_key && self.has_position
    }

    /// Writes the metadata into the document.
    pub fn tell(mut self, operation: &mut Operation) {
        if self.appends() {
            self.refuses(StatusCode::CONFLICT);
            self.refuses(StatusCode::UNPROCESSABLE_ENTITY);
        }
        if let Some(token) = self.token {
            let mut ways = vec![SecurityRequirement::new::<_, _, String>("access", [])];
            if token == Token::Optional {
                ways.insert(0, SecurityRequirement::default());
            }
            operation.security = Some(ways);
        }
        let asked = PARAMETERS.iter().filter(|shared| match shared.purpose {
            Purpose::Page => self.pages,
            Purpose::Wait => self.waits,
            Purpose::Key => self.appends(),
        });
        for shared in asked {
            let parameters = operation.parameters.get_or_insert_default();
            parameters.retain(|known| !shared.is(known));
            parameters.push(RefOr::Ref(Ref::new(format!(
                "#/components/parameters/{}",
                shared.component
            ))));
        }
        let answered = [
            (POSITION, self.has_position && (self.waits || self.has_key)),
            (STALE, self.has_position && self.waits),
            (REPLAY, self.appends()),
        ];
        for (status, response) in &mut operation.responses.responses {
            let RefOr::T(response) = response else {
                continue;
            };
            if status.starts_with(['4', '5']) {
                refusing(status, response);
                continue;
            }
            for (header, _) in answered.iter().filter(|(_, told)| *told) {
                add_header(response, header);
            }
        }
        refuse_too(operation, self.refuses);
    }
}

/// An argument of a handler, with its metadata.
pub trait OperationInput {
    /// Adds its metadata.
    fn describe(signature: &mut Signature);
}

/// A response of a handler, with its metadata besides the body.
pub trait OperationOutput {
    /// Adds its metadata.
    fn describe(signature: &mut Signature);
}

/// A handler with the metadata of its signature; `T` is the tuple of its arguments, as in axum.
pub trait OperationHandler<T> {
    /// The signature.
    fn signature() -> Signature;
}

impl<F, Answering, Output> OperationHandler<((),)> for F
where
    F: FnOnce() -> Answering,
    Answering: Future<Output = Output>,
    Output: OperationOutput,
{
    fn signature() -> Signature {
        let mut signature = Signature::default();
        Output::describe(&mut signature);
        signature
    }
}

macro_rules! handlers {
    ($(($($argument:ident),+))+) => {$(
        impl<F, Answering, Output, Marker, $($argument),+> OperationHandler<(Marker, $($argument,)+)> for F
        where
            F: FnOnce($($argument),+) -> Answering,
            Answering: Future<Output = Output>,
            Output: OperationOutput,
            $($argument: OperationInput,)+
        {
            fn signature() -> Signature {
                let mut signature = Signature::default();
                $($argument::describe(&mut signature);)+
                Output::describe(&mut signature);
                signature
            }
        }
    )+};
}

handlers! {
    (A)
    (A, B)
    (A, B, C)
    (A, B, C, D)
    (A, B, C, D, E)
    (A, B, C, D, E, G)
    (A, B, C, D, E, G, H)
}

/// Implements the traits for types without metadata.
macro_rules! says_nothing {
    ($trait:ident: $($type:ty),+ $(,)?) => {
        $(impl $trait for $type {
            fn describe(_: &mut Signature) {}
        })+
    };
}

pub(crate) use says_nothing;

says_nothing!(OperationInput: HeaderMap, Parts, RawQuery);
says_nothing!(OperationOutput: Response, Redirect, StatusCode);

impl<S> OperationInput for State<S> {
    fn describe(_: &mut Signature) {}
}

impl OperationInput for Bytes {
    fn describe(signature: &mut Signature) {
        signature.refuses(StatusCode::BAD_REQUEST);
        signature.refuses(StatusCode::PAYLOAD_TOO_LARGE);
    }
}

/// A multipart form; its handler reads the request metadata itself.
impl OperationInput for Request {
    fn describe(signature: &mut Signature) {
        signature.reads_body();
        signature.has_key();
    }
}

impl<T: OperationOutput> OperationOutput for ApiResult<T> {
    fn describe(signature: &mut Signature) {
        T::describe(signature);
    }
}

/// Headers besides the body.
impl<T: OperationOutput, const N: usize> OperationOutput for ([(HeaderName, String); N], T) {
    fn describe(signature: &mut Signature) {
        T::describe(signature);
    }
}

impl<T: OperationOutput> OperationOutput for (StatusCode, T) {
    fn describe(signature: &mut Signature) {
        T::describe(signature);
    }
}

/// A parameter shared by many operations.
struct SharedParameter {
    component: &'static str,
    name: &'static str,
    within: ParameterIn,
    purpose: Purpose,
    what: &'static str,
}

/// Purpose of a shared parameter.
enum Purpose {
    Page,
    Wait,
    Key,
}

impl SharedParameter {
    fn is(&self, known: &RefOr<Parameter>) -> bool {
        match known {
            RefOr::T(parameter) => {
                parameter.name == self.name && parameter.parameter_in == self.within
            }
            RefOr::Ref(_) => false,
        }
    }

    fn parameter(&self) -> Parameter {
        let number = |least: i64, most: Option<i64>, usual: Option<i64>| {
            ObjectBuilder::new()
                .schema_type(Type::Integer)
                .minimum(Some(least))
                .maximum(most)
                .default(usual.map(Into::into))
        };
        let schema = match (&self.purpose, self.name) {
            (Purpose::Page, "skip") => number(0, Some(SKIP_MOST), Some(0)),
            (Purpose::Page, _) => number(1, Some(LIMIT_MOST), Some(LIMIT_USUAL)),
            (Purpose::Wait, _) => number(0, None, None),
            (Purpose::Key, _) => ObjectBuilder::new()
                .schema_type(Type::String)
                .min_length(Some(1))
                .max_length(Some(255)),
        };
        ParameterBuilder::new()
            .name(self.name)
            .parameter_in(self.within.clone())
            .required(Required::False)
            .description(Some(self.what))
            .schema(Some(schema))
            .build()
    }
}

const PARAMETERS: [SharedParameter; 6] = [
    SharedParameter {
        component: "SkipHeader",
        name: "skip",
        within: ParameterIn::Header,
        purpose: Purpose::Page,
        what: "Rows left out at the start.",
    },
    SharedParameter {
        component: "LimitHeader",
        name: "limit",
        within: ParameterIn::Header,
        purpose: Purpose::Page,
        what: "Rows answered at most.",
    },
    SharedParameter {
        component: "SkipQuery",
        name: "skip",
        within: ParameterIn::Query,
        purpose: Purpose::Page,
        what: "As the header, which it outweighs.",
    },
    SharedParameter {
        component: "LimitQuery",
        name: "limit",
        within: ParameterIn::Query,
        purpose: Purpose::Page,
        what: "As the header, which it outweighs.",
    },
    SharedParameter {
        component: "WaitPosition",
        name: "X-Wait-Position",
        within: ParameterIn::Header,
        purpose: Purpose::Wait,
        what: "The `X-Position` of one's newest command: the answer is at least that new, or says `X-Stale: 1`.",
    },
    SharedParameter {
        component: "IdempotencyKey",
        name: "Idempotency-Key",
        within: ParameterIn::Header,
        purpose: Purpose::Key,
        what: "Makes the command happen once: the same key with the same body gets the same answer for seven days.",
    },
];

type AnswerHeader = (&'static str, &'static str, Type, &'static str);

/// Name, component, type and description of a response header.
const POSITION: AnswerHeader = (
    "X-Position",
    "Position",
    Type::Integer,
    "Of a command: the log after it. Of a read that waited: how far the read models have come.",
);
const STALE: AnswerHeader = (
    "X-Stale",
    "Stale",
    Type::String,
    "`1`: the read models had not come to `X-Wait-Position` within 1.5 seconds.",
);
const REPLAY: AnswerHeader = (
    "Idempotent-Replay",
    "Replay",
    Type::String,
    "`1`: an earlier request of the same `Idempotency-Key` did it.",
);
const RETRY_AFTER: AnswerHeader = (
    "Retry-After",
    "RetryAfter",
    Type::Integer,
    "Seconds after which it is worth asking again.",
);

fn add_header(response: &mut openapi::Response, (name, component, ..): &AnswerHeader) {
    let header = Ref::new(format!("#/components/headers/{component}"));
    response
        .headers
        .insert((*name).to_owned(), RefOr::Ref(header));
}

/// Adds `Retry-After` to errors that may be temporary, and the common body to those without their own.
fn refusing(status: &str, response: &mut openapi::Response) {
    if ["429", "503"].contains(&status) {
        add_header(response, &RETRY_AFTER);
    }
    if response.content.is_empty() {
        let body = ContentBuilder::new()
            .schema(Some(Ref::from_schema_name("ErrorBody")))
            .build();
        response
            .content
            .insert("application/json".to_owned(), RefOr::T(body));
    }
}

/// Adds further statuses of an operation.
pub(super) fn refuse_too(
    operation: &mut Operation,
    statuses: impl IntoIterator<Item = StatusCode>,
) {
    for status in statuses {
        operation
            .responses
            .responses
            .entry(status.as_str().to_owned())
            .or_insert_with(|| RefOr::Ref(Ref::from_response_name(name_of(status))));
    }
}

/// The name of a status, `UnprocessableEntity` for 422.
fn name_of(status: StatusCode) -> String {
    let reason = status.canonical_reason().unwrap_or("Unknown");
    reason.split(' ').collect()
}

/// Adds the shared components.
pub(super) fn add_shared(components: &mut Components) {
    components
        .parameters
        .extend(PARAMETERS.iter().map(|shared| {
            let parameter = RefOr::T(shared.parameter());
            (shared.component.to_owned(), parameter)
        }));
    let headers = [POSITION, STALE, REPLAY, RETRY_AFTER].map(|(_, component, kind, what)| {
        let header = HeaderBuilder::new()
            .schema(Some(Object::with_type(kind)))
            .description(Some(what))
            .build();
        (component.to_owned(), RefOr::T(header))
    });
    components.headers.extend(headers);
    let mut by_status: BTreeMap<StatusCode, Vec<&str>> = BTreeMap::new();
    for code in Code::ALL {
        by_status
            .entry(status_of(*code))
            .or_default()
            .push(code.as_str());
    }
    for (status, codes) in by_status {
        let mut response = ResponseBuilder::new().description(codes.join(", ")).build();
        refusing(status.as_str(), &mut response);
        components
            .responses
            .insert(name_of(status), RefOr::T(response));
    }
}
