//! `sqlx::migrate!` reads the folder at compile time; cargo has to know when a file was added.

fn main() {
    println!("cargo:rerun-if-changed=src/state/migrations");
}
