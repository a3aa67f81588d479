//! A call's way into the router and into the API's document.
//!
//! axum wraps each handler in a dozen types of its own, and the compiler looks through all of them for every handler. The
//! calls go in as one type instead, whatever they ask of a request (decision 22).

use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use axum::routing::MethodRouter;
use futures::future::BoxFuture;
use utoipa::__dev::{SchemaReferences, Tags};
use utoipa::openapi::path::{HttpMethod, Operation, Paths};
use utoipa_axum::PathItemExt;
use utoipa_axum::router::UtoipaMethodRouter;

use super::operation::OperationHandler;

/// What answers a call, whatever it asks of the request.
pub struct Call<S>(Arc<dyn Fn(Request, S) -> BoxFuture<'static, Response> + Send + Sync>);

impl<S> Clone for Call<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: 'static> Call<S> {
    /// A function as axum takes it.
    pub fn to<H, T>(handler: H) -> Self
    where
        H: Handler<T, S, Future = BoxFuture<'static, Response>> + Sync,
    {
        Self(Arc::new(move |request, state| {
            handler.clone().call(request, state)
        }))
    }
}

impl<S: 'static> Handler<(), S> for Call<S> {
    type Future = BoxFuture<'static, Response>;

    fn call(self, request: Request, state: S) -> Self::Future {
        (self.0)(request, state)
    }
}

/// Calls at the same address, one for each method, with what the document says of them.
pub struct Routes<S>(UtoipaMethodRouter<S>);

impl<S: Clone + Send + Sync + 'static> Routes<S> {
    /// None yet.
    pub fn none() -> Self {
        Self((Vec::new(), Paths::new(), MethodRouter::new()))
    }

    /// And this one; `D` is what `utoipa::path` made of it.
    pub fn and<D, H, T>(mut self, _: D, handler: H) -> Self
    where
        D: utoipa::Path + Tags<'static> + SchemaReferences,
        H: Handler<T, S, Future = BoxFuture<'static, Response>> + OperationHandler<T> + Sync,
    {
        D::schemas(&mut self.0.0);
        let mut operation = D::operation();
        operation
            .tags
            .get_or_insert_default()
            .extend(D::tags().into_iter().map(str::to_owned));
        H::signature().tell(&mut operation);
        self.at(&D::path(), D::methods(), operation, Call::to(handler))
    }

    fn at(self, path: &str, methods: Vec<HttpMethod>, operation: Operation, call: Call<S>) -> Self {
        let (schemas, mut paths, router) = self.0;
        let router = methods.iter().fold(router, |router, method| {
            router.on::<_, ()>(method.to_method_filter(), call.clone())
        });
        paths.add_path_operation(path, methods, operation);
        Self((schemas, paths, router))
    }

    /// As the router takes them.
    pub fn done(self) -> UtoipaMethodRouter<S> {
        self.0
    }
}

/// Calls that `utoipa::path` describes, at one address: `routes!(list::list, create::create)`.
macro_rules! routes {
    (@described [$($before:tt)*] $name:ident) => {
        ::utoipa_axum::paste! { $($before)* [<__path_ $name>] }
    };
    (@described [$($before:tt)*] $module:ident :: $($rest:tt)+) => {
        $crate::http::routes!(@described [$($before)* $module ::] $($rest)+)
    };
    ($($($part:ident)::+),+ $(,)?) => {
        $crate::http::routes::Routes::none()
            $(.and($crate::http::routes!(@described [] $($part)::+), $($part)::+))+
            .done()
    };
}
pub(crate) use routes;
