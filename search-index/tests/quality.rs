//! How well an engine finds things: one set of tables for every engine.

mod common;
#[expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::float_arithmetic,
    reason = "tests"
)]
mod fake;
mod serving;

#[expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]
mod quality {
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::Arc;

    use domain::Amount;
    use search_index::{
        Embedded, Engine, Found, Meilisearch, PriceRange, ProductDocument, Query, Sort,
    };
    use tempfile::TempDir;
    use uuid::Uuid;

    use crate::common::plain;
    use crate::fake::{Fake, KEY};

    const GOODS: &str = include_str!("quality/goods.txt");
    const SUGGESTIONS: &str = include_str!("quality/suggestions.txt");
    const CASES: &str = include_str!("quality/cases.txt");

    /// The lines of a table: without comments, blank lines and its heading; the cells trimmed.
    fn table(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
        let lines = text
            .lines()
            .filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        lines
            .skip(1)
            .map(|line| line.split('|').map(str::trim).collect())
    }

    /// An engine that holds the goods.
    struct Shop {
        name: &'static str,
        engine: Arc<dyn Engine>,
        goods: BTreeMap<&'static str, ProductDocument>,
        _home: Home,
    }

    /// Where an engine lives; it goes when the test has ended.
    enum Home {
        Folder {
            _folder: TempDir,
        },
        Server {
            index: String,
            address: ServerAddress,
        },
    }

    impl Drop for Home {
        fn drop(&mut self) {
            if let Self::Server { index, address } = self {
                // connections belong to the runtime that made them, and the test's is waiting for this
                let index = std::mem::take(index);
                if address.key.as_deref() == Some(KEY) {
                    return; // the stand-in ends with the test
                }
                let engine = address.engine(&index);
                std::thread::spawn(|| {
                    let runtime = tokio::runtime::Runtime::new().unwrap();
                    runtime.block_on(async move { engine.delete().await.unwrap() });
                })
                .join()
                .unwrap();
            }
        }
    }

    /// An engine to test, and how many goods it gets a commit.
    struct Tested {
        name: &'static str,
        engine: Arc<dyn Engine>,
        batch: usize,
        home: Home,
    }

    /// Every engine there is, empty.
    async fn engines() -> Vec<Tested> {
        let folder = || Home::Folder {
            _folder: tempfile::tempdir().unwrap(),
        };
        let memory = || Arc::new(Embedded::in_memory().unwrap());
        let on_disk = tempfile::tempdir().unwrap();
        let disk = Arc::new(Embedded::open(on_disk.path()).await.unwrap());
        let index = format!("test-{}", Uuid::now_v7());
        let (server, address) = server(&index).await;
        vec![
            Tested {
                name: "memory",
                engine: memory(),
                batch: 1_000,
                home: folder(),
            },
            Tested {
                name: "disk",
                engine: disk,
                batch: 1_000,
                home: Home::Folder { _folder: on_disk },
            },
            // one commit each, so that the goods lie in many segments
            Tested {
                name: "many segments",
                engine: memory(),
                batch: 1,
                home: folder(),
            },
            Tested {
                name: "meilisearch",
                engine: Arc::new(server),
                batch: 1_000,
                home: Home::Server { index, address },
            },
        ]
    }

    /// The engine that is a server: the one at `MEILISEARCH_URL` (and `MEILISEARCH_KEY`), or else a stand-in.
    async fn server(index: &str) -> (Meilisearch, ServerAddress) {
        let variable = |name| std::env::var(name).ok().filter(|text| !text.is_empty());
        let address = match variable("MEILISEARCH_URL") {
            Some(url) => ServerAddress {
                url,
                key: variable("MEILISEARCH_KEY"),
            },
            None => ServerAddress {
                url: Fake::start().await.1,
                key: Some(KEY.to_owned()),
            },
        };
        (address.engine(index), address)
    }

    struct ServerAddress {
        url: String,
        key: Option<String>,
    }

    impl ServerAddress {
        fn engine(&self, index: &str) -> Meilisearch {
            Meilisearch::new(&self.url, self.key.as_deref(), index).unwrap()
        }
    }

    /// Every engine there is, with the goods in it.
    async fn shops() -> Vec<Shop> {
        let mut shops = Vec::new();
        for Tested {
            name,
            engine,
            batch,
            home,
        } in engines().await
        {
            let goods = goods();
            let mut documents: Vec<_> = goods.values().cloned().collect();
            documents.sort_by_key(|document| document.position);
            for documents in documents.chunks(batch) {
                engine.upsert(documents.to_vec()).await.unwrap();
                engine
                    .commit(documents.last().unwrap().position)
                    .await
                    .unwrap();
            }
            shops.push(Shop {
                name,
                engine,
                goods,
                _home: home,
            });
        }
        shops
    }

    fn goods() -> BTreeMap<&'static str, ProductDocument> {
        (1..)
            .zip(table(GOODS))
            .map(|(number, cells)| {
                let text = |at: usize| (!cells[at].is_empty()).then(|| cells[at].to_owned());
                let list = |at: usize, by: char| {
                    cells[at].split(by).map(str::trim).filter(|s| !s.is_empty())
                };
                let marks = cells[7];
                let price = Amount::new(cells[6].parse().unwrap());
                let document = ProductDocument {
                    keywords: list(2, ',').map(Into::into).collect(),
                    brand: text(3),
                    brand_code: text(3),
                    groups: list(7, ' ')
                        .filter(|mark| *mark == "new")
                        .map(str::to_uppercase)
                        .collect(),
                    free_in: list(7, ' ')
                        .filter_map(|mark| mark.strip_prefix("free-"))
                        .map(str::to_owned)
                        .collect(),
                    reviews: list(7, ' ')
                        .find_map(|mark| mark.strip_suffix("-reviews")?.parse().ok())
                        .unwrap_or(0),
                    seller_id: text(4).map(|name| seller(&name)),
                    seller_name: text(4),
                    categories: list(5, ' ').map(Into::into).collect(),
                    price: Amount::new(price.hundredths() * 2),
                    sale_price: price,
                    kind: if marks.contains("bundle") {
                        "PRODUCT_BUNDLE"
                    } else {
                        "NORMAL_PRODUCT"
                    }
                    .into(),
                    shows: !marks.contains("hidden"),
                    sold_out: marks.contains("sold-out"),
                    ..plain(number, cells[1])
                };
                (cells[0], document)
            })
            .collect()
    }

    fn seller(nickname: &str) -> Uuid {
        let sum: u32 = nickname.chars().map(u32::from).sum();
        Uuid::from_u128(u128::from(sum))
    }

    impl Shop {
        async fn search(&self, query: Query) -> Found {
            let query_shown = format!("{query:?}");
            let found = self.engine.search(query).await;
            found.unwrap_or_else(|error| panic!("{}: {query_shown}: {error}", self.name))
        }

        /// The keys of what a query finds, in order.
        async fn keys(&self, query: Query) -> Vec<&'static str> {
            let found = self
                .search(Query {
                    limit: 1_000,
                    ..query
                })
                .await;
            let keys: Vec<_> = found.ids.iter().map(|id| self.key(*id)).collect();
            assert_eq!(
                found.total,
                u64::try_from(keys.len()).unwrap(),
                "{}",
                self.name
            );
            keys
        }

        fn key(&self, id: Uuid) -> &'static str {
            self.goods
                .iter()
                .find(|(_, document)| document.id == id)
                .unwrap()
                .0
        }

        fn shown(&self) -> impl Iterator<Item = (&'static str, &ProductDocument)> {
            self.goods
                .iter()
                .filter(|(_, document)| document.shows)
                .map(|(key, document)| (*key, document))
        }
    }

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
                ("냉장고", "dios", "kimchi"), // a word of its own before a part of one
                ("냉장고", "fridge", "kimchi"),
                ("킥보드", "kick", "ekick"),
                ("자전거", "kids", "mini"), // in the name before in a keyword
                ("로드 자전거", "road", "mtb"),
                ("자전거", "road", "kids"),
                ("헬멧", "helmet", "set"),    // the shorter name
                ("자물쇠", "lock", "lock2"),  // the lower id
                ("ㅈㅈㄱ", "kids", "citrus"), // all of a word before its beginning
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
        for Tested {
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
                // five bicycles are spelt so, though one of them alone is of this kind: none is misspelt
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

    /// Some products of a test's own, in every engine.
    async fn filled(documents: Vec<ProductDocument>) -> Vec<Tested> {
        let tested = engines().await;
        for one in &tested {
            for documents in documents.chunks(one.batch) {
                one.engine.upsert(documents.to_vec()).await.unwrap();
                one.engine.commit(1_000).await.unwrap();
            }
        }
        tested
    }

    /// The numbers of what is found, in order.
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
        for Tested {
            name,
            engine,
            home: _home,
            ..
        } in filled(documents).await
        {
            // what sells best, the rest as made, what is sold out, and last what only says so in its description
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
        for Tested {
            name,
            engine,
            home: _home,
            ..
        } in filled(documents).await
        {
            for text in ["자전거가방", "자전거 가방", "자전거가", "자전거 가ㅂ"]
            {
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
        for Tested {
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

    /// What one engine does and the other does not, said here and nowhere else.
    #[tokio::test]
    async fn the_engines_differ_in_these() {
        let documents = vec![
            plain(1, "헬멧"),
            plain(2, "로드 자전거 공구"),
            plain(3, "가 나 다 라 마 바 사 아 자 차"),
        ];
        for Tested {
            name,
            engine,
            home: _home,
            ..
        } in filled(documents).await
        {
            // consonants that are not the last word are whole to a server, a beginning to the embedded engine
            let embedded = usize::from(engine.name() == "embedded");
            assert_eq!(
                numbers(&*engine, "ㅈㅈ 공구").await.len(),
                embedded,
                "{name}"
            );
            // a server looks at the first ten words
            let eleven = "가 나 다 라 마 바 사 아 자 차 없는말";
            assert_eq!(
                numbers(&*engine, eleven).await.len(),
                1 - embedded,
                "{name}"
            );
        }
    }
}
