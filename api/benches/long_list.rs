//! Response time of lists of a million products, over HTTP: `cargo bench -p api --bench long_list [-- ROWS]`.
//!
//! The rows are copies inserted directly into the read model's table of a separate shop ([`served`]). The baseline of each figure is the
//! plain query for the page's ids in the same run.

mod served;

use std::time::Instant;

use application::access::Session;
use application::clock::{Clock, SystemClock};
use domain::ids::MemberId;
use domain::member::{AccessLevel, MemberType, Scope};
use event_store::testing::{at, measured};
use served::{Anything, BenchServer};
use sqlx::PgPool;
use uuid::Uuid;

const ROUNDS: usize = 200;

/// The lists measured: name, query of the list, and the plain query as a baseline.
const LISTS: [(&str, &str, &str); 4] = [
    (
        "first page",
        "",
        "SELECT id FROM products WHERE NOT removed ORDER BY created_at DESC, id DESC LIMIT 20",
    ),
    (
        "one brand of a thousand",
        "&brand=brand7",
        "SELECT id FROM products WHERE NOT removed AND (data #>> '{brand}') COLLATE \"C\" = 'brand7' \
         ORDER BY created_at DESC, id DESC LIMIT 20",
    ),
    (
        "sorted by name",
        "&sort=name",
        "SELECT id FROM products WHERE NOT removed ORDER BY (data #>> '{name}') COLLATE \"C\", id LIMIT 20",
    ),
    (
        "page 10,000",
        "&skip=199980",
        "SELECT id FROM products WHERE NOT removed ORDER BY created_at DESC, id DESC LIMIT 20 OFFSET 199980",
    ),
];

#[tokio::main]
async fn main() -> Result<(), Anything> {
    let rows = std::env::args()
        .filter_map(|word| word.parse::<i64>().ok())
        .next()
        .unwrap_or(1_000_000);
    let shop = BenchServer::start().await?;
    let app = &shop.app;
    fill(app.pool(), rows).await?;
    // The worker creates the same indexes concurrently; the second one waits.
    application::resources::create_indexes(app)
        .await
        .map_err(|error| format!("{error:?}"))?;
    sqlx::query("VACUUM ANALYZE").execute(app.pool()).await?;
    let token = app
        .tokens
        .access(
            &Session {
                user: MemberId(Uuid::now_v7()),
                user_type: MemberType::Person,
                scope: vec![Scope::Console],
                level: AccessLevel::Root,
            },
            Uuid::now_v7(),
            SystemClock.now(),
        )
        .map_err(|error| format!("{error:?}"))?;
    println!("## A list of {rows} products, over HTTP\n");
    println!(
        "{ROUNDS} requests each, pages of 20. The bare query asks Postgres for the ids of the page and nothing else.\n"
    );
    println!("| list | p50 | p95 | bare query, p95 |");
    println!("|---|---|---|---|");
    for (name, query, bare) in LISTS {
        let url = format!("{}/api/console/shop/products?limit=20{query}", shop.url);
        let ours = measured::<Anything>(ROUNDS, async || {
            let answer = shop.client.get(&url).bearer_auth(&token).send().await?;
            let body: serde_json::Value = answer.json().await?;
            let shown = body.get("products").and_then(serde_json::Value::as_array);
            match shown.map(Vec::len) {
                Some(20) => Ok(()),
                other => Err(format!("{name} shows {other:?} products: {body}").into()),
            }
        })
        .await?;
        let limit = measured::<Anything>(ROUNDS, async || {
            sqlx::query(bare).fetch_all(app.pool()).await?;
            Ok(())
        })
        .await?;
        println!(
            "| {name} | {} | {} | {} |",
            at(&ours, 50),
            at(&ours, 95),
            at(&limit, 95)
        );
    }
    println!();
    shop.stop().await
}

/// Products like those of a real shop, one per second since the beginning of the year.
async fn fill(pool: &PgPool, rows: i64) -> Result<(), Anything> {
    let begun = Instant::now();
    let made = format!(
        "INSERT INTO products \
         SELECT gen_random_uuid(), 'CODE-' || n, '상품 ' || n, 'NORMAL_PRODUCT', gen_random_uuid(), 1000 + n % 90000, 1000 + n % 90000, \
                'brand' || n % 1000, ARRAY['bike'], false, NULL, true, false, 0, ARRAY['상', '품'], \
                jsonb_build_object('_seller', gen_random_uuid(), 'code', 'CODE-' || n, 'name', '상품 ' || n, 'type', 'NORMAL_PRODUCT', 'price', 1000 + n % 90000, \
                    'brand', 'brand' || n % 1000, 'categories', jsonb_build_array('bike'), 'shows', true, 'index', 0, \
                    'content', repeat('설명 ', 40), 'options', '[]'::jsonb), \
                1, '2026-01-01Z'::timestamptz + n * interval '1 second', '2026-01-01Z'::timestamptz + n * interval '1 second', n \
         FROM generate_series(1, {rows}) n"
    );
    sqlx::query(&made).execute(pool).await?;
    sqlx::query("INSERT INTO products_counts VALUES ('product', $1)")
        .bind(rows)
        .execute(pool)
        .await?;
    eprintln!("filled in {:.0?}", begun.elapsed());
    Ok(())
}
