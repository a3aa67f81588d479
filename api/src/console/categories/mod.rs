//! The category tree: list, create, rename, move, remove, and restore.
//!
//! The tree is one stream, so its version guards every change, and a move cannot create a cycle.

pub mod create;
pub mod history;
pub mod list;
pub mod remove;
pub mod restore;
pub mod revise;
pub mod show;

use domain::catalogue::tree::{
    Branch, Category, CategoryFacts, CategoryTree, CategoryTreeCommand, STREAM_ID, Visual,
};
use domain::event::Decider;
use domain::forms::PICTURE;
use domain::ids::CategoryId;
use domain::record::Resource;
use domain::storefront::Brand;
use event_store::{Expected, StreamAppend, Versioned};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::http::routes;
use crate::http::{ApiResponse, AppError, AppResult, Code, Respond};
use application::executor::{AppendBatch, CommandContext, CommandOutcome};
use application::resources::references::all_there;

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list, create::create))
        .routes(routes!(show::show, revise::revise, remove::remove))
        .routes(routes!(history::history))
        .routes(routes!(restore::restore))
}

/// One category.
#[derive(Serialize, ToSchema)]
pub struct CategoryAnswer {
    /// The category with its subtree; null once it is removed.
    category: Option<Branch>,
    /// Version of the tree.
    version: u64,
}

/// Stored result, returned when the idempotency key is replayed.
#[derive(Serialize, Deserialize)]
struct CategoryResult {
    category: CategoryId,
}

/// The current tree.
async fn tree(app: &AppState) -> AppResult<Versioned<CategoryTree>> {
    Ok(app.store.load::<CategoryTree>(STREAM_ID).await?)
}

fn branch(tree: &CategoryTree, id: CategoryId) -> Option<Branch> {
    fn find(branches: Vec<Branch>, id: CategoryId) -> Option<Branch> {
        branches.into_iter().find_map(|branch| {
            if branch.id == id {
                Some(branch)
            } else {
                find(branch.children, id)
            }
        })
    }
    find(tree.tree(), id)
}

/// Changes the tree: `acts` returns the commands, which are executed in order.
///
/// # Errors
/// The rule violated; `version_conflict` if it is not at `started_from`.
async fn change(
    app: &AppState,
    command: &CommandContext,
    category: CategoryId,
    started_from: Option<u64>,
    acts: impl Fn(&CategoryTree) -> AppResult<Vec<CategoryTreeCommand>> + Send + Sync,
) -> AppResult<CommandOutcome> {
    let acts = &acts;
    app.executor
        .transact(command, |context| async move {
            let loaded = tree(app).await?;
            if let Some(sent) = started_from.filter(|sent| *sent != loaded.version) {
                let details = json!({ "sent": sent, "version": loaded.version });
                return Err(AppError::new(Code::VersionConflict).with_details(details));
            }
            let acts = acts(&loaded.state)?;
            brands_there(app, loaded.state.get(category), &acts).await?;
            pictured(loaded.state.get(category), &acts)?;
            let events = loaded.state.decide_all(acts, &context)?;
            let expected = Expected::Exact(loaded.version);
            let append = StreamAppend::new::<CategoryTree>(STREAM_ID, expected, &events)?;
            AppendBatch::of([append]).with_result(CategoryResult { category })
        })
        .await
}

/// Checks that the brands newly added to a category exist.
async fn brands_there(
    app: &AppState,
    before: Option<&Category>,
    acts: &[CategoryTreeCommand],
) -> AppResult<()> {
    let facts = acts.iter().filter_map(|act| match act {
        CategoryTreeCommand::Add { facts, .. } | CategoryTreeCommand::Revise { facts, .. } => {
            Some(facts)
        }
        _ => None,
    });
    let already = |brand: &&String| before.is_some_and(|one| one.facts.brands.contains(brand));
    let named = facts.flat_map(|facts| &facts.brands);
    let named = named.filter(|brand| !already(brand)).cloned().collect();
    all_there(app, "brands", Brand::KIND, named).await
}

/// Checks that a new picture of a category is a file of the shop or an https address.
fn pictured(before: Option<&Category>, acts: &[CategoryTreeCommand]) -> AppResult<()> {
    let before = before.and_then(|before| before.facts.visual.url.as_deref());
    for act in acts {
        if let CategoryTreeCommand::Add { facts, .. } | CategoryTreeCommand::Revise { facts, .. } =
            act
            && let Some(url) = facts.visual.url.as_deref()
            && Some(url) != before
            && !PICTURE.holds(url)
        {
            return Err(AppError::invalid_field(
                "visual.url",
                PICTURE.code,
                PICTURE.message,
            ));
        }
    }
    Ok(())
}

/// The category after a command.
async fn after(app: &AppState, done: &CommandOutcome) -> AppResult<CategoryAnswer> {
    let CategoryResult { category } = done.result()?;
    let tree = tree(app).await?;
    Ok(CategoryAnswer {
        category: branch(&tree.state, category),
        version: tree.version,
    })
}

async fn answer(app: &AppState, done: &CommandOutcome) -> AppResult<ApiResponse<CategoryAnswer>> {
    Ok(done.answer(after(app, done).await?))
}

/// Fields of a category; missing ones stay unchanged.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CategoryForm {
    /// Its code, for a new category; codes never change.
    code: Option<String>,
    /// Name (spec V135).
    name: Option<String>,
    /// Id or code of the parent; an empty text moves it to the top level; missing leaves it where it is.
    parent: Option<String>,
    /// Place among its siblings, lowest first.
    index: Option<i32>,
    /// The sibling to put it before, instead of an index; an empty text puts it last.
    before: Option<String>,
    /// Whether shoppers can see it.
    shows: Option<bool>,
    /// Picture.
    visual: Option<Visual>,
    /// Codes of the brands shown with it.
    brands: Option<Vec<String>>,
    /// Version of the tree the form started from.
    version: Option<u64>,
}

impl CategoryForm {
    /// The fields that result from `before`. A picture sent back as it was `shown`, even if inherited from the parent, is not stored as its
    /// own.
    fn facts(&self, before: CategoryFacts, shown: Option<&Visual>) -> CategoryFacts {
        let visual = self.visual.as_ref();
        let visual = visual.filter(|visual| Some(*visual) != shown).cloned();
        CategoryFacts {
            name: self.name.clone().unwrap_or(before.name),
            visual: visual.unwrap_or(before.visual),
            brands: self.brands.clone().unwrap_or(before.brands),
            shows: self.shows.unwrap_or(before.shows),
        }
    }

    /// The parent in the form, by id or code.
    fn parent(&self, tree: &CategoryTree) -> AppResult<Option<Option<CategoryId>>> {
        let unknown = || {
            AppError::invalid_field(
                "parent",
                "parent_not_found",
                "상위 카테고리를 선택해 주세요.",
            )
        };
        match self.parent.as_deref().map(str::trim) {
            None => Ok(None),
            Some("") => Ok(Some(None)),
            Some(text) => match text.parse() {
                Ok(id) => Ok(Some(Some(id))),
                Err(_) => tree
                    .by_code(text)
                    .map(|parent| Some(Some(parent.id)))
                    .ok_or_else(unknown),
            },
        }
    }
}

impl CategoryForm {
    /// The move of an existing category.
    fn move_of(&self, tree: &CategoryTree, category: &Category) -> AppResult<CategoryTreeCommand> {
        let parent = self.parent(tree)?.unwrap_or(category.parent);
        let Some(before) = self.before.as_deref().map(str::trim) else {
            return Ok(CategoryTreeCommand::Move {
                category: category.id,
                parent,
                index: self.index.unwrap_or(category.index),
            });
        };
        let sibling = before.parse().ok().filter(|id| {
            tree.get(*id)
                .is_some_and(|sibling| sibling.parent == parent && *id != category.id)
        });
        if sibling.is_none() && !before.is_empty() {
            return Err(AppError::invalid_field(
                "before",
                "not_a_sibling",
                "그 자리의 카테고리가 바뀌었습니다. 다시 시도해 주세요.",
            ));
        }
        Ok(CategoryTreeCommand::Place {
            category: category.id,
            parent,
            before: sibling,
        })
    }
}

impl domain::forms::Validate for CategoryForm {
    fn check(&self, checks: &mut domain::forms::FormErrors) {
        let picture = self
            .visual
            .as_ref()
            .and_then(|visual| visual.url.as_deref());
        checks
            .optional("name", self.name.as_deref(), domain::forms::NAME)
            .optional("code", self.code.as_deref(), domain::forms::SHORT_TEXT)
            .optional("visual.url", picture, domain::forms::WEB_ADDRESS);
    }
}
