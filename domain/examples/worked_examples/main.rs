//! Runs files of worked examples against the rules of the shop: `cargo run -p domain --example worked_examples -- FILE...`
//!
//! Prints each row that differs, and last `N rows, M differ`; fails where any row differs. See docs/spec/domain-facts.md, section 7.

use std::process::ExitCode;

mod runner;

fn main() -> ExitCode {
    let mut rows = 0;
    let mut differ = 0;
    let files: Vec<String> = std::env::args().skip(1).collect();
    for file in &files {
        match std::fs::read_to_string(file) {
            Ok(text) => {
                let report = runner::run(&text);
                for difference in &report.differences {
                    println!("{file}: {difference}");
                }
                rows += report.rows;
                differ += report.differences.len();
            }
            Err(error) => {
                println!("{file}: cannot be read: {error}");
                differ += 1;
            }
        }
    }
    println!("{rows} rows, {differ} differ");
    // without files nothing was checked
    if differ == 0 && !files.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
