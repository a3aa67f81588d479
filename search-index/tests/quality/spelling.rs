//! Alternative spellings of words and codes, and differences between the engines.

use search_index::{Engine, ProductDocument, Query};

use super::{EngineUnderTest, engines};
use crate::common::plain;

/// Some products of this test, in every engine.
async fn filled(documents: Vec<ProductDocument>) -> Vec<EngineUnderTest> {
    let tested = engines().await;
    for one in &tested {
        for documents in documents.chunks(one.batch) {
            one.engine.upsert(documents.to_vec()).await.unwrap();
            one.engine.commit(1_000).await.unwrap();
        }
    }
    tested
}

/// The numbers of the products found, in order.
async fn numbers(engine: &dyn Engine, text: &str) -> Vec<u128> {
    let found = engine.search(Query::text(text)).await.unwrap();
    found.ids.iter().map(|id| id.as_u128()).collect()
}

#[tokio::test]
async fn of_equal_matches_the_useful_ones_come_first() {
    let lamp = |number: u32, sold_out: bool, sells: i64| ProductDocument {
        sold_out,
        sells,
        ..plain(number, "전조등")
    };
    let said = |number: u32, desc: &str| ProductDocument {
        desc: desc.into(),
        ..plain(number, "야간용품")
    };
    let documents = vec![
        lamp(1, true, 64),
        lamp(2, false, 2),
        lamp(3, false, 16),
        lamp(4, false, 2),
        said(5, "밝은 전조등을 드려요"),
        said(6, "후미등"),
    ];
    for EngineUnderTest {
        name,
        engine,
        home: _home,
        ..
    } in filled(documents).await
    {
        // best seller first, the rest in order of creation, then sold-out ones, and last the one with a match in its description only
        assert_eq!(numbers(&*engine, "전조등").await, [3, 2, 4, 1, 5], "{name}");
        assert_eq!(numbers(&*engine, "밝은").await, [5], "{name}");
    }
}

#[tokio::test]
async fn compounds_are_found_however_they_are_spaced() {
    let documents = vec![
        plain(1, "자전거가방"),
        plain(2, "방수 자전거 가방 대형"),
        plain(3, "자전거 뒷자리용 여행가방"),
        plain(4, "등산 가방"),
    ];
    for EngineUnderTest {
        name,
        engine,
        home: _home,
        ..
    } in filled(documents).await
    {
        for text in ["자전거가방", "자전거 가방", "자전거가", "자전거 가ㅂ"] {
            let mut found = numbers(&*engine, text).await;
            assert_eq!(
                found.first(),
                Some(&if text.contains(' ') { found[0] } else { 1 }),
                "{name}: {text}"
            );
            found.sort_unstable();
            let all: &[u128] = if text == "자전거가" {
                &[1]
            } else {
                &[1, 2, 3]
            };
            assert_eq!(found, all, "{name}: {text}");
        }
    }
}

#[tokio::test]
async fn codes_are_found_with_and_without_their_hyphens() {
    let coded = |number: u32, code: &str| ProductDocument {
        code: code.into(),
        ..plain(number, "생활 용품")
    };
    let documents = vec![
        coded(1, "BK-ROAD-01"),
        coded(2, "BK-ROAD-02"),
        coded(3, "BK-MTB-01"),
    ];
    for EngineUnderTest {
        name,
        engine,
        home: _home,
        ..
    } in filled(documents).await
    {
        for (text, expected) in [
            ("BK-ROAD-01", vec![1]),
            ("bk road 01", vec![1]),
            ("bkroad01", vec![1]),
            ("BKROAD0", vec![1, 2]),
            ("bk-road", vec![1, 2]),
            ("bk 01", vec![1, 3]),
            ("BK-ROAD-03", vec![]),
        ] {
            let mut found = numbers(&*engine, text).await;
            found.sort_unstable();
            assert_eq!(found, expected, "{name}: {text}");
        }
    }
}

/// The only documented differences between the engines.
#[tokio::test]
async fn the_engines_differ_in_these() {
    let documents = vec![
        plain(1, "헬멧"),
        plain(2, "로드 자전거 공구"),
        plain(3, "가 나 다 라 마 바 사 아 자 차"),
    ];
    for EngineUnderTest {
        name,
        engine,
        home: _home,
        ..
    } in filled(documents).await
    {
        // to the server, consonants that are not the last word are complete; to the embedded engine they are a prefix
        let embedded = usize::from(engine.name() == "embedded");
        assert_eq!(
            numbers(&*engine, "ㅈㅈ 공구").await.len(),
            embedded,
            "{name}"
        );
        // the server searches the first ten words only
        let eleven = "가 나 다 라 마 바 사 아 자 차 없는말";
        assert_eq!(
            numbers(&*engine, eleven).await.len(),
            1 - embedded,
            "{name}"
        );
    }
}
