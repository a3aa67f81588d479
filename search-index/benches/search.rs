//! Speed of indexing and searching of the embedded engine: `cargo bench -p search-index [-- PRODUCTS]`.
//!
//! Uses 100,000 generated products unless the command line says otherwise, in a temporary folder. Prints Markdown.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use domain::Amount;
use search_index::{EmbeddedEngine, Engine, PriceRange, ProductDocument, Query, Sort};
use uuid::Uuid;

/// Number of runs of each query.
const ROUNDS: usize = 50;

const MAKERS: [&str; 12] = [
    "삼천리",
    "알톤",
    "샤오미",
    "나인봇",
    "첼로",
    "스마트",
    "LG",
    "삼성",
    "위니아",
    "상큼",
    "자이언트",
    "메리다",
];
const KINDS: [&str; 16] = [
    "로드",
    "산악",
    "접이식",
    "전동",
    "어린이",
    "성인용",
    "초경량",
    "출퇴근",
    "휴대용",
    "방수",
    "카본",
    "알루미늄",
    "프리미엄",
    "유기농",
    "착즙",
    "스포츠",
];
const THINGS: [&str; 20] = [
    "자전거",
    "산악자전거",
    "전기자전거",
    "미니벨로",
    "킥보드",
    "전동킥보드",
    "스쿠터",
    "헬멧",
    "자물쇠",
    "오렌지주스",
    "사과주스",
    "당근주스",
    "냉장고",
    "김치냉장고",
    "텀블러",
    "장갑",
    "안장",
    "페달",
    "타이어",
    "블루투스스피커",
];

fn product(number: u32) -> ProductDocument {
    let pick = |words: &[&'static str], divisor: u32| {
        let at = usize::try_from(number / divisor).unwrap_or(0) % words.len();
        words.get(at).copied().unwrap_or_default()
    };
    let length = |words: &[&str]| u32::try_from(words.len()).unwrap_or(1);
    let thing = pick(&THINGS, 1);
    let kind = pick(&KINDS, length(&THINGS));
    let maker = pick(&MAKERS, length(&THINGS) * length(&KINDS));
    let price = Amount::new(i64::from(number % 9_973) * 100_000);
    ProductDocument {
        id: Uuid::from_u128(number.into()),
        code: format!("P-{number:06}"),
        name: format!("{maker} {kind} {thing} {}호 M{number}", number % 1_000),
        keywords: vec![format!("{kind}{thing}"), "추천".into()],
        desc: format!("{maker}가 만든 {kind} {thing}, 매일 쓰기 좋은 구성"),
        brand: Some(maker.into()),
        brand_code: Some(maker.into()),
        seller_id: Some(Uuid::from_u128(u128::from(number % 500))),
        seller_name: Some(format!("상점{}", number % 500)),
        categories: vec![
            format!("C{}", number % 40),
            format!("C{}-{}", number % 40, number % 200),
        ],
        groups: vec![],
        price,
        sale_price: price,
        kind: "NORMAL_PRODUCT".into(),
        shows: !number.is_multiple_of(50),
        sold_out: number.is_multiple_of(30),
        free_in: vec!["always".into(); usize::from(number.is_multiple_of(4))],
        reviews: i64::from(number % 7),
        sells: i64::from(1_u32 << (number % 9)),
        created_at: number.into(),
        position: number.into(),
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let products: u32 = std::env::args()
        .find_map(|word| word.parse().ok())
        .unwrap_or(100_000);
    let folder = tempfile::tempdir()?;
    let engine = EmbeddedEngine::open(folder.path()).await?;

    let started = Instant::now();
    let mut number = 0;
    while number < products {
        let batch: Vec<_> = (number..products.min(number + 1_000))
            .map(product)
            .collect();
        number += 1_000;
        engine.upsert(batch).await?;
    }
    engine.commit(products.into()).await?;
    println!("## Searching {products} products, embedded engine\n");
    println!(
        "Indexed in {:.1?}, {} KB on disk.",
        started.elapsed(),
        kilobytes(folder.path())?
    );

    let started = Instant::now();
    engine.upsert(vec![product(0)]).await?;
    engine.commit(i64::from(products) + 1).await?;
    println!(
        "One change is committed and visible in {:.1?}.\n",
        started.elapsed()
    );

    let plain = |text: &str| Query {
        facets: true,
        ..Query::text(text)
    };
    let mut queries: Vec<(String, Query)> = [
        "자전거",
        "산악 자전거",
        "삼성 냉장고",
        "삼성냉장고",
        "냉ㅈ",
        "냉자",
        "ㅈㅈㄱ",
        "냉장거",
        "블루투수스피커",
        "엘지 냉장고",
        "코트",
        "ㅈ",
        "m12345",
        "로드자전거헬멧자물쇠",
        "없는물건이에요",
    ]
    .map(|text| (text.into(), plain(text)))
    .into();
    queries.push(("(everything, newest)".into(), Query::default()));
    let priced = PriceRange {
        from: Some(Amount::new(10_000_000)),
        to: Some(Amount::new(400_000_000)),
    };
    let cheap = Query {
        price: priced,
        sort: Sort::PriceAsc,
        categories: vec!["C1".into()],
        ..plain("자전거")
    };
    queries.push(("자전거, category, price range, by price".into(), cheap));
    queries.push((
        "자전거, by name".into(),
        Query {
            sort: Sort::Name,
            ..plain("자전거")
        },
    ));
    queries.push((
        "10,000 characters".into(),
        Query::text("가나다라마바사 ".repeat(1_250)),
    ));

    let mut all = Vec::new();
    println!("| query | found | p50 | p99 | longest |");
    println!("|---|---|---|---|---|");
    for (name, query) in queries {
        let mut times = Vec::new();
        let mut total = 0;
        for _ in 0..ROUNDS {
            let asked = Instant::now();
            total = engine.search(query.clone()).await?.total;
            times.push(asked.elapsed());
        }
        let [p50, p99, max] = summary(&mut times);
        println!("| {name} | {total} | {p50:.1?} | {p99:.1?} | {max:.1?} |");
        all.extend(times);
    }
    let [p50, p99, max] = summary(&mut all);
    println!("| all | | {p50:.1?} | {p99:.1?} | {max:.1?} |\n");
    Ok(())
}

/// The median, the 99th percentile and the maximum of some times.
fn summary(times: &mut [Duration]) -> [Duration; 3] {
    times.sort_unstable();
    let last = times.len().saturating_sub(1);
    let at = |place: usize| times.get(place).copied().unwrap_or_default();
    [at(times.len() / 2), at(last * 99 / 100), at(last)]
}

/// The size of a folder in kilobytes.
fn kilobytes(folder: &Path) -> std::io::Result<u64> {
    let mut sum = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let size = entry.metadata()?.len() / 1_024;
        sum += if entry.file_type()?.is_dir() {
            kilobytes(&entry.path())?
        } else {
            size
        };
    }
    Ok(sum)
}
