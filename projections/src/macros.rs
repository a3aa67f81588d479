//! The one shape all projections have.

/// Makes a module a projection: its `NAME`, its `create.sql` beside it and its `apply`.
///
/// `projection!(Stock, version 1, reads "stock");`
macro_rules! projection {
    ($type:ident, version $version:literal, reads $($kind:literal),+) => {
        #[event_store::async_trait]
        impl ::event_store::Projection for $type {
            fn name(&self) -> &'static str {
                NAME
            }

            fn version(&self) -> u32 {
                $version
            }

            fn create_sql(&self) -> &'static str {
                include_str!("create.sql")
            }

            fn kinds(&self) -> &'static [&'static str] {
                &[$($kind),+]
            }

            async fn apply(
                &self,
                tx: &mut ::sqlx::PgConnection,
                batch: &[::event_store::Recorded],
            ) -> Result<(), ::event_store::ProjectionError> {
                apply(tx, batch).await.map_err(Into::into)
            }
        }
    };
}

pub(crate) use projection;
