//! Response time of filtering, sorting and counting a search with very many matches, over HTTP: `cargo bench -p api --bench narrowed_search
//! [-- ROWS]`.
//!
//! The rows are copies inserted directly into the read models' tables of a separate shop ([`served`]) and fed to its engine.

mod served;

use std::cell::Cell;
use std::time::Instant;

use event_store::testing::{at, measured};
use search_index::{Engine, ProductDocument};
use served::{Anything, BenchServer};
use sqlx::PgPool;

const ROUNDS: usize = 50;

/// The searches measured: name, and query besides the text.
const SEARCHES: [(&str, &str); 8] = [
    ("alone", ""),
    ("category, by price", "&category=C3&sort=PRICE_ASC"),
    (
        "category, by price, with facets",
        "&category=C3&sort=PRICE_ASC&facets=true",
    ),
    ("with facets", "&facets=true"),
    ("brand", "&brand=brand7"),
    ("in stock", "&inStock=true"),
    ("travels for nothing", "&freeShipping=true"),
    ("most reviewed first", "&sort=REVIEW"),
];

#[tokio::main]
async fn main() -> Result<(), Anything> {
    let rows = std::env::args()
        .find_map(|word| word.parse::<i64>().ok())
        .unwrap_or(100_000);
    let shop = BenchServer::start().await?;
    fill(shop.app.pool(), &*shop.app.search, rows).await?;
    println!("## Narrowing a search among {rows} products, over HTTP\n");
    println!(
        "{ROUNDS} requests each, pages of 20, of a word in two products of three and one in a tenth of them.\n"
    );
    println!("| narrowed by | found | p50 | p95 | found | p50 | p95 |");
    println!("|---|---|---|---|---|---|---|");
    for (name, narrowed) in SEARCHES {
        let mut line = format!("| {name} ");
        for text in ["자전거", "접이식"] {
            let url = format!(
                "{}/api/v1/shop/products?limit=20&searchValue={text}{narrowed}",
                shop.url
            );
            let found = Cell::new(0);
            let times = measured::<Anything>(ROUNDS, async || {
                let answer = shop.client.get(&url).send().await?;
                let body: serde_json::Value = answer.json().await?;
                let total = body.pointer("/summary/totalCount");
                let total = total.and_then(serde_json::Value::as_i64);
                found.set(total.ok_or_else(|| format!("{name}: {body}"))?);
                Ok(())
            })
            .await?;
            line += &format!(
                "| {} | {} | {} ",
                found.get(),
                at(&times, 50),
                at(&times, 95)
            );
        }
        println!("{line}|");
    }
    println!();
    shop.stop().await
}

/// Products of ten categories, a hundred brands and fifty sellers; one of ten is sold out, one of twenty hidden.
async fn fill(pool: &PgPool, engine: &dyn Engine, rows: i64) -> Result<(), Anything> {
    let begun = Instant::now();
    let made = format!(
        "INSERT INTO products \
         SELECT md5('p' || n)::uuid, 'CODE-' || n, word || ' ' || n, 'NORMAL_PRODUCT', md5('s' || n % 50)::uuid, \
                price, price, 'brand' || n % 100, ARRAY['C' || n % 10], false, NULL, n % 20 > 0, false, 0, ARRAY[]::text[], \
                jsonb_build_object('_seller', md5('s' || n % 50)::uuid, 'code', 'CODE-' || n, 'name', word || ' ' || n, \
                    'type', 'NORMAL_PRODUCT', 'price', price, 'brand', 'brand' || n % 100, \
                    'categories', jsonb_build_array('C' || n % 10), 'shows', n % 20 > 0, 'index', 0, \
                    'content', repeat('설명 ', 40), 'options', '[]'::jsonb), \
                1, '2026-01-01Z'::timestamptz + n * interval '1 second', '2026-01-01Z'::timestamptz + n * interval '1 second', n \
         FROM (SELECT n, 1000 + n * 7919 % 90000 AS price, \
                   CASE WHEN n % 3 < 2 THEN '자전거' ELSE '킥보드' END || CASE WHEN n % 10 = 3 THEN ' 접이식' ELSE '' END AS word \
               FROM generate_series(1, {rows}) n) made"
    );
    sqlx::query(&made).execute(pool).await?;
    sqlx::query(
        "INSERT INTO stock SELECT id, id, 9, 0, 0, CASE WHEN position % 10 = 1 THEN 0 ELSE 9 END, 0, 1, position FROM products",
    )
    .execute(pool)
    .await?;
    sqlx::query(
        "INSERT INTO categories \
         SELECT md5('c' || n)::uuid, 'C' || n, '갈래 ' || n, NULL, 1, n, \
                jsonb_build_object('name', '갈래 ' || n, 'visual', '{}'::jsonb, 'brands', '[]'::jsonb, 'shows', true), \
                ARRAY['C' || n], 1, 1 \
         FROM generate_series(0, 9) n",
    )
    .execute(pool)
    .await?;
    sqlx::query("VACUUM ANALYZE").execute(pool).await?;
    let documents: Vec<serde_json::Value> = sqlx::query_scalar(
        "SELECT jsonb_build_object('id', id, 'code', code, 'name', name, 'keywords', '[]'::jsonb, 'desc', '', \
             'brand', brand, 'brandCode', brand, 'sellerId', seller, 'sellerName', '상점', 'categories', to_jsonb(categories), \
             'groups', '[]'::jsonb, 'price', price, 'salePrice', sale_price, 'type', kind, 'shows', shows, \
             'soldOut', position % 10 = 1, 'freeIn', array_remove(ARRAY[CASE WHEN position % 4 = 1 THEN 'always' END], NULL), \
             'reviews', position % 7, 'sells', 0, \
             'createdAt', position, '_position', position) FROM products",
    )
    .fetch_all(pool)
    .await?;
    let documents: Vec<ProductDocument> = documents
        .into_iter()
        .map(serde_json::from_value)
        .collect::<Result<_, _>>()?;
    for some in documents.chunks(5_000) {
        engine.upsert(some.to_vec()).await?;
    }
    engine.commit(0).await?;
    eprintln!("filled in {:.0?}", begun.elapsed());
    Ok(())
}
