//! A shop's database as text.

use sqlx::PgPool;

/// Every row outside the keys' schema as text, as pg_dump writes them; the content of byte columns is included.
///
/// VerifyOptions of the server itself: pg_dump refuses a server newer than its own, and a bare machine has none.
pub async fn dump(pool: &PgPool) -> String {
    let columns: Vec<(String, String)> = sqlx::query_as(
        "SELECT format('%I.%I', n.nspname, c.relname),
                string_agg(CASE t.typname WHEN 'bytea' THEN format('encode(%I, ''escape'')', a.attname)
                                          ELSE format('%I::text', a.attname) END, ', ')
         FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
              JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
              JOIN pg_type t ON t.oid = a.atttypid
         WHERE c.relkind IN ('r', 'p', 'm')
           AND n.nspname NOT IN ('keys', 'pg_catalog', 'information_schema', 'pg_toast')
         GROUP BY 1 ORDER BY 1",
    )
    .fetch_all(pool)
    .await
    .unwrap();
    let mut text = String::new();
    for (table, columns) in columns {
        let sql = format!(
            "SELECT coalesce(string_agg(concat_ws(E'\\t', {columns}), E'\\n'), '') FROM {table}"
        );
        let rows: String = sqlx::query_scalar(&sql).fetch_one(pool).await.unwrap();
        text.push_str(&rows);
        text.push('\n');
    }
    text
}
