//! Which products are found, and in which order.

use std::collections::BTreeSet;

use search_index::{Query, Sort};

use super::{CASES, SUGGESTIONS, shops, table};

#[tokio::test]
async fn shoppers_find_what_they_mean_and_nothing_else() {
    let mut wrong = Vec::new();
    for shop in shops().await {
        for case in table(CASES) {
            let (text, finds, not) = (case[0], case[1], case[2]);
            let found: BTreeSet<_> = shop.keys(Query::text(text)).await.into_iter().collect();
            let wanted: BTreeSet<_> = finds.split_whitespace().collect();
            let unwanted: BTreeSet<_> = match not {
                "*" => found.difference(&wanted).copied().collect(),
                _ => not
                    .split_whitespace()
                    .filter(|key| found.contains(key))
                    .collect(),
            };
            let missing: BTreeSet<_> = wanted.difference(&found).copied().collect();
            if !missing.is_empty() || !unwanted.is_empty() {
                wrong.push(format!(
                    "{}: {text}: missing {missing:?}, unwanted {unwanted:?}",
                    shop.name
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[tokio::test]
async fn better_matches_come_first() {
    for shop in shops().await {
        for (text, better, worse) in [
            ("냉장고", "dios", "kimchi"), // a whole word before a part of one
            ("냉장고", "fridge", "kimchi"),
            ("킥보드", "kick", "ekick"),
            ("자전거", "kids", "mini"), // in the name before in a keyword
            ("로드 자전거", "road", "mtb"),
            ("자전거", "road", "kids"),
            ("헬멧", "helmet", "set"),    // shorter name first
            ("자물쇠", "lock", "lock2"),  // lower id first
            ("ㅈㅈㄱ", "kids", "citrus"), // a whole word before a prefix
        ] {
            let keys = shop.keys(Query::text(text)).await;
            let place = |wanted| keys.iter().position(|key| *key == wanted).unwrap();
            assert!(
                place(better) < place(worse),
                "{}: {text}: {keys:?}",
                shop.name
            );
        }
    }
}

#[tokio::test]
async fn every_product_that_shows_is_found_by_its_own_name() {
    for shop in shops().await {
        for (key, document) in shop.shown() {
            let keys = shop.keys(Query::text(&document.name)).await;
            assert!(keys.contains(&key), "{}: {}", shop.name, document.name);
        }
    }
}

#[tokio::test]
async fn hidden_products_are_never_found() {
    for shop in shops().await {
        let texts = table(CASES).map(|case| Some(case[0].to_owned()));
        let own = [
            "비공개",
            "시제품",
            "비공개 자전거 시제품",
            "ㅂㄱㄱ",
            "비공ㄱ",
        ]
        .map(|text| Some(text.into()));
        for text in texts.chain(own).chain([None]) {
            let typed = text.as_deref().unwrap_or_default();
            let suggested = shop.engine.suggest(typed, 100).await.unwrap();
            assert!(
                !suggested.iter().any(|text| text.contains("비공개")),
                "{}: {text:?}",
                shop.name
            );
            for sort in [Sort::Relevance, Sort::Latest, Sort::Name, Sort::PriceAsc] {
                let query = Query {
                    text: text.clone(),
                    sort,
                    ..Query::default()
                };
                assert!(
                    !shop.keys(query).await.contains(&"secret"),
                    "{}: {text:?}",
                    shop.name
                );
            }
        }
        let counted = shop
            .search(Query {
                facets: true,
                ..Query::default()
            })
            .await;
        let counted = counted.facets.unwrap();
        assert_eq!(counted.categories["BIKE"], 5, "{}", shop.name);
        assert_eq!(counted.brands["알톤"], 2, "{}", shop.name);
        let console = Query {
            include_hidden: true,
            ..Query::text("비공개")
        };
        assert_eq!(shop.keys(console).await, ["secret"], "{}", shop.name);
    }
}

#[tokio::test]
async fn what_one_is_about_to_type_is_suggested() {
    let mut wrong = Vec::new();
    for shop in shops().await {
        for case in table(SUGGESTIONS) {
            let suggested = shop.engine.suggest(case[0], 8).await.unwrap().join(", ");
            if suggested != case[1] {
                let name = shop.name;
                wrong.push(format!(
                    "{name}: {}: {suggested} (not {})",
                    case[0], case[1]
                ));
            }
        }
        for nothing in ["", " ", "\u{3000}", "..."] {
            let suggested = shop.engine.suggest(nothing, 8).await.unwrap();
            assert!(suggested.is_empty(), "{}: {suggested:?}", shop.name);
        }
        let first = shop.engine.suggest("자", 1).await.unwrap();
        assert_eq!(first, ["자물쇠"], "{}", shop.name);
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[tokio::test]
async fn blank_texts_ask_for_everything_and_wordless_ones_find_nothing() {
    for shop in shops().await {
        let all = shop.search(Query::default()).await.total;
        assert_eq!(all, u64::try_from(shop.shown().count()).unwrap());
        for blank in ["", " ", "\t\n", "\u{3000}"] {
            assert_eq!(
                shop.search(Query::text(blank)).await.total,
                all,
                "{}: {blank:?}",
                shop.name
            );
        }
        for wordless in ["!", "...", "🚲🚲", "\"\"", "\u{200b}", "*"] {
            assert_eq!(
                shop.search(Query::text(wordless)).await.total,
                0,
                "{}: {wordless:?}",
                shop.name
            );
        }
    }
}

#[tokio::test]
async fn no_query_is_an_error() {
    let long = |piece: &str| piece.repeat(10_000 / piece.len() + 1);
    let texts = [
        "' OR 1=1 --",
        "\"; DROP TABLE products; --",
        "name:자전거",
        "자전거 AND NOT 킥보드",
        "(자전거",
        "자전거~2^9",
        "[* TO *]",
        "/.*/",
        "shows = false",
        "{\"$ne\": null}",
        "\\",
        "\0",
        "\u{202e}거전자",
        "<script>alert(1)</script>",
        "%EC%9E%90",
        "ㅏㅏㅏ",
        "ㅋㅋㅋㅋㅋㅋㅋㅋ",
        "👨‍👩‍👧‍👦",
        "\u{1100}",
        "\u{11a8}\u{11a8}",
        "e\u{301}\u{301}\u{301}",
        "ﷺ",
        "İ",
        "ß",
    ];
    let long = [
        "a",
        "가",
        "가나다라마바사 ",
        "ㄱ",
        "!",
        "🚲",
        "자전거",
        "a b ",
        "\u{11a8}",
        "ﷺ",
        "냉장고냉장고냉장고냉장 ",
    ]
    .map(long);
    for shop in shops().await {
        for text in texts.iter().copied().chain(long.iter().map(String::as_str)) {
            let found = shop.search(Query::text(text)).await;
            assert!(
                found.took.as_millis() < 1_000,
                "{}: {:?} for {:.40}",
                shop.name,
                found.took,
                text
            );
        }
    }
}
