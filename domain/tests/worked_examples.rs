//! The worked examples of the specification and those derived from it, run by the same runner as the example program.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::Path;
use std::process::Command;

#[path = "../examples/worked_examples/runner.rs"]
mod runner;

/// All rows of `text` hold, and `rows` is their number.
fn all_hold(text: &str, rows: usize) {
    let report = runner::run(text);
    assert!(
        report.differences.is_empty(),
        "{}",
        report.differences.join("\n")
    );
    assert_eq!(report.rows, rows);
}

#[test]
fn the_specifications_examples_hold() {
    all_hold(include_str!("../../docs/spec/worked-examples.tsv"), 25);
}

/// Peer scenarios, section 8 (derived from our own specification).
#[test]
fn derived_examples_hold() {
    all_hold(
        r#"id	topic	input	expected	explanation
O1	coupon	{"amount":12345,"coupon":{"unit":"PERCENT","value":10,"limit":null}}	{"discount":1235,"remaining":11110}	up
O2	coupon	{"amount":9990,"coupon":{"unit":"PERCENT","value":15,"limit":1000}}	{"discount":1000,"remaining":8990}	cap after rounding
O3	coupon-order	{"lines":[{"id":"a","amount":10000}],"fare":2500,"coupons":[{"stage":"total","unit":"PERCENT","value":10,"limit":null},{"stage":"product","line":"a","unit":"PERCENT","value":30,"limit":null},{"stage":"fare","unit":"AMOUNT","value":3000,"limit":null}]}	{"productDiscount":3000,"fareDiscount":2500,"totalDiscount":700,"payable":6300}	three stages
O4	tax	{"totalAmount":10005}	{"taxTotal":1001}	up
O5	fare-mixed	{"bundleFares":[2500,3000],"pieceFares":[2000,2000]}	{"fare":7000}	max plus sum
O6a	fare-price-range	{"salePrice":49999,"pricesRange":[{"price":0,"amount":3000},{"price":30000,"amount":2000},{"price":50000,"amount":0}]}	{"fare":2000}	largest not above
O6b	fare-price-range	{"salePrice":50000,"pricesRange":[{"price":0,"amount":3000},{"price":30000,"amount":2000},{"price":50000,"amount":0}]}	{"fare":0}	exactly the threshold
"#,
        7,
    );
}

/// Shapes and edge cases other files of the same format may contain.
#[test]
fn other_shapes_hold() {
    all_hold(
        r#"E01	coupon	{"amount":5000,"coupon":{"unit":"AMOUNT","value":3000,"limit":2000}}	{"discount":2000,"remaining":3000}	amount with a limit
E02	coupon	{"amount":5000,"coupon":{"unit":"PERCENT","value":0,"limit":null}}	{"discount":0,"remaining":5000}	nothing
E03	coupon	{"amount":5001,"coupon":{"unit":"PERCENT","value":100,"limit":null}}	{"discount":5001,"remaining":0}	everything
E04	coupon	{"amount":0,"coupon":{"unit":"PERCENT","value":7}}	{"discount":0,"remaining":0}	of nothing
E05	order-full	{"lines":[{"id":"a","amount":9000}],"fare":300,"islandFee":500,"serviceFee":150,"coupons":[{"stage":"fare","unit":"PERCENT","value":100,"limit":null},{"stage":"total","unit":"PERCENT","value":10,"limit":null}]}	{"productDiscount":0,"fareDiscount":300,"totalDiscount":965,"payable":8685,"taxTotal":869}	fare coupons reach the fare only, total coupons all fees
E06	order-full	{"lines":[{"id":"a","amount":1000},{"id":"b","amount":333}],"fare":0,"coupons":[{"stage":"fare","unit":"AMOUNT","value":500,"limit":null},{"stage":"product","line":"b","unit":"PERCENT","value":50,"limit":100},{"stage":"product","line":"b","unit":"AMOUNT","value":500,"limit":null}]}	{"productDiscount":333,"fareDiscount":0,"totalDiscount":0,"payable":1000,"taxTotal":100}	second coupon takes what is left
E07	fare-distance	{"from":{"lat":37.0,"lng":127.0},"to":{"lat":38.0,"lng":127.0},"travelRange":[{"distance":111.2,"amount":900},{"distance":0,"amount":300},{"distance":111.1,"amount":500}]}	{"fare":500}	unsorted, fractional thresholds, two points
E08	fare-full	{"salePrice":4999,"pricesRange":[{"price":3000,"amount":300},{"price":0,"amount":500}],"island":{"isActive":true,"amount__base":500,"amount__jeju":300},"area":"none","service":{"isActive":true,"amount":150},"quantity":2}	{"fare":300,"islandFee":0,"serviceFee":300,"total":600}	area none
E09	fare-full	{"bundleFares":[300,500],"pieceFares":[200],"island":{"isActive":true,"amount__base":500,"amount__jeju":300},"area":"island","service":{"isActive":false,"amount":150},"quantity":9}	{"fare":700,"islandFee":500,"serviceFee":0,"total":1200}	lists with fees
E10	fare-full	{"charge":"pay-on-delivery","fixedAmount":300,"island":{"isActive":true,"amount__base":500,"amount__jeju":300},"area":"jeju"}	{"fare":0,"islandFee":300,"serviceFee":0,"total":300}	collected by the courier
E11	ranking-diff	{"previous":[],"current":[{"_id":"a","count":5},{"_id":"b","count":5}]}	{"ranks":[["a",1,"new",null],["b",2,"new",null]]}	equal counts keep their order
E12	price-display	{"stored":[10,99]}	{"text":["$0.10","$0.99"]}	cents
E13	relative-time	{"elapsedSeconds":[604799,31536000]}	{"parts":[["day",6],["week",52]]}	365 days are still weeks
E14	fare-bundle	{"bundle":true,"fares":[]}	{"fare":0}	no goods
"#,
        14,
    );
}

#[test]
fn whatever_is_unknown_or_wrong_differs() {
    let rows = [
        r#"F1	coupons	{"amount":1}	{"discount":0}	unknown topic"#,
        r#"F2	tax	{"totalAmount":1,"rate":2}	{"taxTotal":1}	unknown key"#,
        r#"F3	tax	{"totalAmount":1}	{"taxTotal":1,"rate":2}	unknown key expected"#,
        r#"F4	tax	{"totalAmount":1}	{}	nothing expected"#,
        r#"F5	tax	{"totalAmount":12345}	{"taxTotal":1234}	rounded down"#,
        r#"F6	coupon	{"amount":1,"coupon":{"unit":"PERCENT","value":1,"limit":null,"min":3}}	{"discount":1}	unknown key inside"#,
        r#"F7	fare-island	{"charge":"fixed","fixedAmount":1,"island":{"isActive":true,"amount__base":1},"area":"moon"}	{"fare":1}	unknown area"#,
        r#"F8	haversine	{"from":{"lat":37.0,"lng":127.0},"to":{"lat":38.0,"lng":127.0},"radiusKm":6371,"withinKm":200}	{"km":111.2,"within":true,"toleranceKm":0.001}	not near enough"#,
        r#"F9	coupon-order	{"lines":[{"id":"a","amount":1}],"fare":0,"coupons":[{"stage":"product","line":"b","unit":"AMOUNT","value":1,"limit":null}]}	{"payable":0}	no such line"#,
        r#"F10	fare-bundle	{"fares":[1]}	{"fare":1}	bundle is missing"#,
        "F11	tax	nonsense	{}	not JSON",
        "F12	tax",
    ];
    let report = runner::run(&rows.join("\n"));
    assert_eq!((report.rows, report.differences.len()), (12, 12));
}

/// Whether the program (built by `cargo test -p domain`) succeeds with these files, and its output.
fn program(files: &[&Path]) -> (bool, String) {
    let tests = std::env::current_exe().unwrap();
    let built = tests.ancestors().nth(2).unwrap();
    let ended = Command::new(built.join("examples/worked_examples"))
        .args(files)
        .output()
        .unwrap();
    (
        ended.status.success(),
        String::from_utf8(ended.stdout).unwrap(),
    )
}

#[test]
fn the_program_prints_what_differs_and_fails_for_it() {
    const RIGHT: &str = r#"R1	tax	{"totalAmount":12345}	{"taxTotal":1235}	up"#;
    const WRONG: &str = r#"F1	tax	{"totalAmount":12345}	{"taxTotal":1234}	down"#;
    const TOPIC: &str = r#"F2	taxes	{"totalAmount":1}	{"taxTotal":1}	unknown topic"#;
    const KEY: &str = r#"F3	tax	{"totalAmount":1,"rate":2}	{"taxTotal":1}	unknown key"#;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let written = |name: &str, rows: &[&str]| {
        let file = folder.join(format!("{name}.tsv"));
        std::fs::write(&file, rows.join("\n")).unwrap();
        file
    };
    let right = written("right", &[RIGHT, RIGHT]);
    let specification = Path::new("../docs/spec/worked-examples.tsv");
    for (files, said) in [
        (vec![right.as_path()], "2 rows, 0 differ\n"),
        (vec![&right, specification], "27 rows, 0 differ\n"),
    ] {
        assert_eq!(program(&files), (true, said.to_owned()));
    }
    for (name, row, shown) in [
        ("wrong", WRONG, "F1 tax: input"),
        ("topic", TOPIC, "unknown topic"),
        ("key", KEY, "unknown field `rate`"),
    ] {
        let (well, said) = program(&[&right, &written(name, &[RIGHT, row])]);
        assert!(!well, "{said}");
        let lines: Vec<&str> = said.lines().collect();
        let [difference, sum] = lines.as_slice() else {
            panic!("{said}");
        };
        assert!(difference.contains(shown), "{said}");
        assert!(
            difference.contains(row.split('\t').nth(2).unwrap()),
            "{said}"
        );
        assert_eq!(*sum, "4 rows, 1 differ");
    }
    let missing = folder.join("missing.tsv");
    let (well, said) = program(&[&right, &missing]);
    assert!(
        !well && said.contains("missing.tsv: cannot be read"),
        "{said}"
    );
    assert_eq!(program(&[]), (false, "0 rows, 0 differ\n".to_owned()));
}
