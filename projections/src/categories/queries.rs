//! Reading the category tree.

use domain::catalogue::tree::{Branch, Category, CategoryTree};
use sqlx::PgPool;

use super::CategoryRow;
use crate::error::ReadError;
use crate::page::typed;

/// The whole tree with its version (0: no tree yet).
///
/// # Errors
/// [`ReadError`].
pub async fn category_tree(pool: &PgPool) -> Result<(CategoryTree, i64), ReadError> {
    let rows: Vec<CategoryRow> = typed(
        sqlx::query_scalar("SELECT to_jsonb(c) FROM categories c")
            .fetch_all(pool)
            .await?,
    )?;
    let version = rows.iter().map(|row| row.version).max().unwrap_or(0);
    let categories = rows.into_iter().map(Category::from).collect();
    Ok((CategoryTree { categories }, version))
}

/// The visible branches: all roots, or the one with `code`; at most `depth` levels below the top; hidden ones only on request.
///
/// # Errors
/// [`ReadError`].
pub async fn categories(
    pool: &PgPool,
    code: Option<&str>,
    depth: Option<usize>,
    hidden_too: bool,
) -> Result<Vec<Branch>, ReadError> {
    let (tree, _) = category_tree(pool).await?;
    let top = match code {
        None => tree.tree(),
        Some(code) => find(tree.tree(), code).into_iter().collect(),
    };
    Ok(cut(top, depth.unwrap_or(usize::MAX), hidden_too))
}

fn find(branches: Vec<Branch>, code: &str) -> Option<Branch> {
    branches.into_iter().find_map(|branch| {
        if branch.code == code {
            Some(branch)
        } else {
            find(branch.children, code)
        }
    })
}

fn cut(branches: Vec<Branch>, levels: usize, hidden_too: bool) -> Vec<Branch> {
    let Some(below) = levels.checked_sub(1) else {
        return Vec::new();
    };
    branches
        .into_iter()
        .filter(|branch| hidden_too || branch.shows)
        .map(|mut branch| {
            branch.children = cut(branch.children, below, hidden_too);
            branch
        })
        .collect()
}
