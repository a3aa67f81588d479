//! Order, filters, counts and pages of results.

use std::collections::BTreeMap;

use domain::Amount;
use search_index::{PriceRange, ProductDocument, Query, Sort};
use uuid::Uuid;

use super::{EngineUnderTest, engines, seller, shops};
use crate::common::plain;

#[tokio::test]
async fn sorts() {
    for shop in shops().await {
        let expect = |key: fn(&ProductDocument) -> (i128, String)| {
            let mut shown: Vec<_> = shop.shown().collect();
            shown.sort_by_key(|(_, document)| (key(document), document.id));
            Vec::from_iter(shown.into_iter().map(|(key, _)| key))
        };
        for (sort, expected) in [
            (
                Sort::Latest,
                expect(|d| (-i128::from(d.created_at), String::new())),
            ),
            (
                Sort::Relevance,
                expect(|d| (-i128::from(d.created_at), String::new())),
            ),
            (Sort::Name, expect(|d| (0, d.name.clone()))),
            (
                Sort::PriceAsc,
                expect(|d| (d.sale_price.hundredths().into(), String::new())),
            ),
            (
                Sort::PriceDesc,
                expect(|d| (-i128::from(d.sale_price.hundredths()), String::new())),
            ),
            (
                Sort::Review,
                expect(|d| {
                    let newest = i128::from(d.reviews * 1_000 + d.created_at);
                    (-newest, String::new())
                }),
            ),
        ] {
            let keys = shop
                .keys(Query {
                    sort,
                    ..Query::default()
                })
                .await;
            assert_eq!(keys, expected, "{}: {sort:?}", shop.name);
        }
        let cheap_first = Query {
            sort: Sort::PriceAsc,
            ..Query::text("자전거")
        };
        assert_eq!(
            shop.keys(cheap_first).await,
            ["kids", "mini", "road", "mtb", "ebike"],
            "{}",
            shop.name
        );
    }
}

#[tokio::test]
async fn names_are_sorted_by_code_point() {
    let names = [
        "a", "B", "Z", "가", "갸", "각", "나", "_", "é", "😀", "Ａ", "",
    ];
    for EngineUnderTest {
        engine,
        name: tested,
        ..
    } in engines().await
    {
        let documents = (1..)
            .zip(names)
            .map(|(number, name)| plain(number, name))
            .collect::<Vec<_>>();
        engine.upsert(documents.clone()).await.unwrap();
        engine.commit(1).await.unwrap();
        let found = engine
            .search(Query {
                sort: Sort::Name,
                ..Query::default()
            })
            .await
            .unwrap();
        let name = |id: &Uuid| {
            documents
                .iter()
                .find(|d| d.id == *id)
                .unwrap()
                .name
                .as_str()
        };
        let found: Vec<_> = found.ids.iter().map(name).collect();
        assert_eq!(
            found,
            [
                "", "B", "Z", "_", "a", "é", "가", "각", "갸", "나", "Ａ", "😀"
            ],
            "{tested}"
        );
    }
}

#[tokio::test]
async fn filters() {
    let price = |from, to| PriceRange {
        from: Some(Amount::new(from)),
        to: Some(Amount::new(to)),
    };
    let list = |values: &[&str]| {
        values
            .iter()
            .map(|value| (*value).to_owned())
            .collect::<Vec<_>>()
    };
    for shop in shops().await {
        for (query, expected) in [
            (
                Query {
                    categories: list(&["KICK"]),
                    ..Query::default()
                },
                "ekick kick",
            ),
            (
                Query {
                    categories: list(&["BIKE-MTB", "KICK-E"]),
                    ..Query::default()
                },
                "ekick mtb",
            ),
            (
                Query {
                    categories: list(&["NONE"]),
                    ..Query::default()
                },
                "",
            ),
            (
                Query {
                    categories: list(&["KICK"]),
                    ..Query::text("자전거")
                },
                "",
            ),
            (
                Query {
                    categories: list(&["BIKE"]),
                    ..Query::text("자전고")
                },
                "ebike kids mini mtb road",
            ),
            (
                Query {
                    sellers: vec![seller("과일가게")],
                    ..Query::default()
                },
                "apple carrot citrus orange",
            ),
            (
                Query {
                    sellers: vec![seller("바퀴상점")],
                    ..Query::text("자전거")
                },
                "kids mini",
            ),
            (
                Query {
                    types: list(&["PRODUCT_BUNDLE"]),
                    ..Query::default()
                },
                "set",
            ),
            (
                Query {
                    brands: list(&["알톤"]),
                    ..Query::default()
                },
                "ebike road",
            ),
            (
                Query {
                    brands: list(&["알톤", "삼천리"]),
                    categories: list(&["BIKE-ROAD", "BIKE-KIDS"]),
                    ..Query::text("자전거")
                },
                "kids road",
            ),
            (
                Query {
                    brands: list(&[""]),
                    ..Query::default()
                },
                "",
            ),
            (
                Query {
                    groups: list(&["NEW", "HOT"]),
                    ..Query::default()
                },
                "ebike kick road",
            ),
            (
                Query {
                    in_stock: true,
                    ..Query::text("자전거")
                },
                "ebike kids mtb road",
            ),
            (
                Query {
                    free_in: list(&["always", "spring"]),
                    ..Query::text("자전거")
                },
                "kids mini mtb road",
            ),
            (
                Query {
                    free_in: list(&["always", "autumn"]),
                    ..Query::text("자전거")
                },
                "kids mtb road",
            ),
            (
                Query {
                    free_in: list(&["always"]),
                    ..Query::text("자전거")
                },
                "kids road",
            ),
            (
                Query {
                    free_in: list(&["always"]),
                    in_stock: true,
                    groups: list(&["NEW"]),
                    brands: list(&["알톤"]),
                    categories: list(&["BIKE"]),
                    price: price(1, 50_000_000),
                    ..Query::text("자전거")
                },
                "road",
            ),
            // five bicycles are spelt like this, though only one of them is of this type: none counts as misspelt
            (
                Query {
                    categories: list(&["DESK"]),
                    ..Query::text("자전거")
                },
                "",
            ),
            (
                Query {
                    price: price(1_500_000, 1_900_000),
                    ..Query::default()
                },
                "citrus lock lock2",
            ),
            (
                Query {
                    price: price(1_900_000, 1_500_000),
                    ..Query::default()
                },
                "",
            ),
            (
                Query {
                    price: PriceRange {
                        from: None,
                        to: Some(Amount::new(520_000)),
                    },
                    ..Query::default()
                },
                "carrot",
            ),
            (
                Query {
                    price: PriceRange {
                        from: Some(Amount::new(210_000_000)),
                        to: None,
                    },
                    ..Query::default()
                },
                "dios scooter",
            ),
        ] {
            let shown = format!("{}: {query:?}", shop.name);
            let mut keys = shop.keys(query).await;
            keys.sort_unstable();
            assert_eq!(keys.join(" "), expected, "{shown}");
        }
    }
}

#[tokio::test]
async fn a_facet_says_what_choosing_it_would_find() {
    let narrowed = [
        Query::default(),
        Query {
            brands: vec!["알톤".into()],
            ..Query::default()
        },
        Query {
            categories: vec!["BIKE-E".into(), "GEAR".into()],
            price: PriceRange {
                from: None,
                to: Some(Amount::new(50_000_000)),
            },
            ..Query::default()
        },
        Query {
            brands: vec!["삼천리".into(), "알톤".into()],
            categories: vec!["BIKE-ROAD".into()],
            in_stock: true,
            free_in: vec!["always".into(), "spring".into()],
            ..Query::default()
        },
        Query {
            groups: vec!["NEW".into()],
            sellers: vec![seller("바퀴상점")],
            ..Query::default()
        },
    ];
    // all, many, few, misspelt, none
    let texts = [
        None,
        Some("자전거"),
        Some("주스"),
        Some("자전고"),
        Some("유모차"),
    ];
    for shop in shops().await {
        let total = async |query| shop.search(query).await.total;
        for (text, query) in texts
            .into_iter()
            .flat_map(|text| narrowed.iter().map(move |query| (text, query)))
        {
            let query = Query {
                text: text.map(str::to_owned),
                limit: 1_000,
                ..query.clone()
            };
            let shown = format!("{}: {query:?}", shop.name);
            let counted = Query {
                facets: true,
                limit: 1,
                ..query.clone()
            };
            let facets = shop.search(counted).await.facets.unwrap();
            for brand in shop.goods.values().filter_map(|one| one.brand_code.clone()) {
                let count = facets.brands.get(&brand).copied().unwrap_or(0);
                let chosen = Query {
                    brands: vec![brand.clone()],
                    ..query.clone()
                };
                assert_eq!(count, total(chosen).await, "{shown}: {brand}");
            }
            for category in shop.goods.values().flat_map(|one| one.categories.clone()) {
                let count = facets.categories.get(&category).copied().unwrap_or(0);
                let chosen = Query {
                    categories: vec![category.clone()],
                    ..query.clone()
                };
                assert_eq!(count, total(chosen).await, "{shown}: {category}");
            }
            let at_any_price = Query {
                price: PriceRange::default(),
                ..query
            };
            let keys = shop.keys(at_any_price).await;
            let prices = || keys.iter().map(|key| shop.goods[key].sale_price);
            let ends = PriceRange {
                from: prices().min(),
                to: prices().max(),
            };
            assert_eq!(facets.price, ends, "{shown}");
        }
        let quiet = shop.search(Query::text("주스")).await;
        assert_eq!(quiet.facets, None, "{}", shop.name);
        let juice = shop
            .search(Query {
                facets: true,
                limit: 1,
                ..Query::text("주스")
            })
            .await;
        let juice = juice.facets.unwrap();
        let three = |code: &str| BTreeMap::from([(code.to_owned(), 3)]);
        assert_eq!(
            (juice.brands, juice.categories),
            (three("상큼"), three("JUICE")),
            "{}",
            shop.name
        );
    }
}

#[tokio::test]
async fn pages_never_overlap_and_agree_on_the_total() {
    for shop in shops().await {
        let sorts = [
            Sort::Relevance,
            Sort::Latest,
            Sort::Name,
            Sort::PriceAsc,
            Sort::PriceDesc,
            Sort::Review,
        ];
        for (text, sort) in [None, Some("자전거"), Some("ㅈ")]
            .into_iter()
            .flat_map(|t| sorts.map(|s| (t, s)))
        {
            let query = Query {
                text: text.map(Into::into),
                sort,
                ..Query::default()
            };
            let whole = shop
                .search(Query {
                    limit: 1_000,
                    ..query.clone()
                })
                .await;
            for size in [1, 4, 12] {
                let mut paged = Vec::new();
                for skip in (0..whole.ids.len()).step_by(size) {
                    let page = shop
                        .search(Query {
                            skip,
                            limit: size,
                            ..query.clone()
                        })
                        .await;
                    assert_eq!(page.total, whole.total, "{}: {text:?}", shop.name);
                    paged.extend(page.ids);
                }
                assert_eq!(
                    paged, whole.ids,
                    "{}: {text:?} {sort:?} by {size}",
                    shop.name
                );
            }
            let beyond = shop
                .search(Query {
                    skip: usize::MAX,
                    limit: usize::MAX,
                    ..query.clone()
                })
                .await;
            assert_eq!(
                (beyond.total, beyond.ids),
                (whole.total, vec![]),
                "{}",
                shop.name
            );
            let count = shop.search(Query { limit: 0, ..query }).await;
            assert_eq!(
                (count.total, count.ids),
                (whole.total, vec![]),
                "{}",
                shop.name
            );
        }
    }
}
