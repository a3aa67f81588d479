//! Macro that declares a projection.

/// Makes a module a projection: its `NAME`, its `create.sql` and its `apply`; whether each row comes from the events of one stream or of
/// many; and whether an event that cannot be applied stops the projection or parks its stream. Models that money and stock are counted by
/// stop.
///
/// Rows of one stream may be counted in a table beside them, see [`crate::counts`].
///
/// `projection!(Stock, version 1, reads "stock"; rows of one; stops);`
macro_rules! projection {
    (@one one) => {
        true
    };
    (@one many) => {
        false
    };
    (@poison stops) => {
        ::event_store::projection::OnPoison::Stop
    };
    (@poison parks) => {
        ::event_store::projection::OnPoison::Park
    };
    (
        $type:ident, version $version:literal, reads $($kind:literal),+;
        rows of $streams:ident $(, counted in $counts:literal)?; $poison:ident
    ) => {
        projection!(
            $type, version $version, reads in &[$($kind),+];
            rows of $streams $(, counted in $counts)?; $poison
        );
    };
    (
        $type:ident, version $version:literal, reads in $kinds:expr;
        rows of $streams:ident $(, counted in $counts:literal)?; $poison:ident
    ) => {
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
                $kinds
            }

            fn on_poison(&self) -> ::event_store::projection::OnPoison {
                projection!(@poison $poison)
            }

            fn rows_of_one_stream(&self) -> bool {
                projection!(@one $streams)
            }

            $(fn merge_sql(&self) -> &'static str {
                concat!(
                    "WITH parts AS (DELETE FROM ", $counts, " RETURNING kind, live) \
                     INSERT INTO ", $counts, " SELECT kind, sum(live) FROM parts GROUP BY kind"
                )
            })?

            async fn apply(
                &self,
                tx: &mut ::sqlx::PgConnection,
                batch: &[::event_store::StoredEvent],
            ) -> Result<(), ::event_store::ProjectionError> {
                apply(tx, batch).await.map_err(Into::into)
            }
        }
    };
}

pub(crate) use projection;
