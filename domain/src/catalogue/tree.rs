//! The category tree: a single stream, so that concurrent moves cannot create a cycle.
//!
//! At most [`MAX_DEPTH`] levels (spec V088); codes are unique and immutable, because products refer to them. Removing a category
//! removes its descendants; products keep the codes they have.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::decider;
use crate::domain_event;
use crate::event::{Context, Decider};
use crate::ids::CategoryId;

/// Id of the only stream.
pub const STREAM_ID: &str = "main";

/// Maximum depth of categories (spec V088).
pub const MAX_DEPTH: usize = 3;

/// Editable attributes of a category.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CategoryFacts {
    /// Name, more than one character (spec V135).
    pub name: String,
    /// Picture; inherited from the parent where absent (spec V089).
    pub visual: Visual,
    /// Codes of the brands shown with it.
    pub brands: Vec<String>,
    /// Whether shoppers see it.
    pub shows: bool,
}

/// A category's picture.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Visual {
    /// Its address.
    pub url: Option<String>,
}

/// Events of the category tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum CategoryTreeEvent {
    /// A category was added.
    CategoryAdded {
        /// The category.
        category: CategoryId,
        /// Its code, unique and immutable.
        code: String,
        /// The parent category; none at the top level.
        parent: Option<CategoryId>,
        /// Place among its siblings, lowest first.
        index: i32,
        /// Editable attributes.
        facts: CategoryFacts,
    },
    /// The attributes changed.
    CategoryRevised {
        /// The category.
        category: CategoryId,
        /// The new attributes.
        facts: CategoryFacts,
    },
    /// The parent or the position changed.
    CategoryMoved {
        /// The category.
        category: CategoryId,
        /// The parent category; none at the top level.
        parent: Option<CategoryId>,
        /// Place among its siblings, lowest first.
        index: i32,
    },
    /// The category was removed.
    CategoryRemoved {
        /// The category.
        category: CategoryId,
    },
}

impl CategoryTreeEvent {
    /// The category the event is about.
    pub const fn category(&self) -> CategoryId {
        match self {
            Self::CategoryAdded { category, .. }
            | Self::CategoryRevised { category, .. }
            | Self::CategoryMoved { category, .. }
            | Self::CategoryRemoved { category } => *category,
        }
    }
}

domain_event!(CategoryTreeEvent {
    CategoryAdded "1.0" "등록했습니다",
    CategoryRevised "1.0" "수정했습니다",
    CategoryMoved "1.0" "옮겼습니다",
    CategoryRemoved "1.0" "삭제했습니다",
});

/// Current state of the category tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CategoryTree {
    /// The categories, in the order they were added.
    pub categories: Vec<Category>,
}

/// One category.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Category {
    /// Its id.
    pub id: CategoryId,
    /// Its code.
    pub code: String,
    /// The parent category; none at the top level.
    pub parent: Option<CategoryId>,
    /// Place among its siblings.
    pub index: i32,
    /// Editable attributes.
    pub facts: CategoryFacts,
}

/// A category with its descendants, as shown to shoppers and staff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Branch {
    /// Its id.
    #[serde(rename = "_id")]
    pub id: CategoryId,
    /// Its code.
    pub code: String,
    /// Name.
    pub name: String,
    /// Picture; inherited from the nearest ancestor that has one (spec V089).
    pub visual: Visual,
    /// Codes of the brands shown with it.
    pub brands: Vec<String>,
    /// Whether shoppers see it.
    pub shows: bool,
    /// Place among its siblings.
    pub index: i32,
    /// Depth; 1 at the top level.
    pub depth: usize,
    /// Child categories, in order.
    #[schema(no_recursion)]
    pub children: Vec<Branch>,
}

/// Commands accepted by the category tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CategoryTreeCommand {
    /// Add a category.
    Add {
        /// Its id.
        category: CategoryId,
        /// Its code.
        code: String,
        /// The parent category; none at the top level.
        parent: Option<CategoryId>,
        /// Place among its siblings.
        index: i32,
        /// Editable attributes.
        facts: CategoryFacts,
    },
    /// Change the attributes.
    Revise {
        /// The category.
        category: CategoryId,
        /// The new attributes.
        facts: CategoryFacts,
    },
    /// Move it to another parent or position.
    Move {
        /// The category.
        category: CategoryId,
        /// The parent category; none at the top level.
        parent: Option<CategoryId>,
        /// Place among its siblings.
        index: i32,
    },
    /// Insert it before a given sibling: later siblings are renumbered, so that it stands exactly there.
    Place {
        /// The category.
        category: CategoryId,
        /// The parent category; none at the top level.
        parent: Option<CategoryId>,
        /// The sibling to insert before; last if none, or if there is no such sibling.
        before: Option<CategoryId>,
    },
    /// Remove it and its descendants.
    Remove {
        /// The category.
        category: CategoryId,
    },
}

/// Reasons why the category tree rejects a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CategoryTreeError {
    /// The category does not exist.
    #[error("there is no such category")]
    NotFound,
    /// The parent category does not exist.
    #[error("there is no such parent category")]
    ParentNotFound,
    /// A category with this id exists.
    #[error("the category exists already")]
    AlreadyAdded,
    /// Another category has this code.
    #[error("another category has the code {0}")]
    CodeTaken(String),
    /// The code is empty.
    #[error("a code is required")]
    CodeRequired,
    /// The name has fewer than two characters.
    #[error("a name of more than one character is required")]
    NameTooShort,
    /// The category would become its own ancestor.
    #[error("a category cannot be moved under itself")]
    Cycle,
    /// The tree would exceed [`MAX_DEPTH`].
    #[error("categories nest at most {MAX_DEPTH} levels")]
    TooDeep,
}

impl CategoryTreeError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "category_not_found",
            Self::ParentNotFound => "parent_not_found",
            Self::AlreadyAdded => "already_created",
            Self::CodeTaken(_) => "code_taken",
            Self::CodeRequired => "code_required",
            Self::NameTooShort => "name_too_short",
            Self::Cycle => "category_cycle",
            Self::TooDeep => "category_too_deep",
        }
    }
}

decider!(
    CategoryTree,
    "category-tree",
    CategoryTreeCommand,
    CategoryTreeEvent,
    CategoryTreeError
);

impl Decider for CategoryTree {
    type Input = CategoryTreeCommand;

    fn decide(
        &self,
        command: CategoryTreeCommand,
        _context: &Context,
    ) -> Result<Vec<CategoryTreeEvent>, CategoryTreeError> {
        match command {
            CategoryTreeCommand::Add {
                category,
                code,
                parent,
                index,
                facts,
            } => self.add(category, code, parent, index, facts),
            CategoryTreeCommand::Revise { category, facts } => {
                let before = self.get(category).ok_or(CategoryTreeError::NotFound)?;
                check_name(&facts)?;
                if before.facts == facts {
                    return Ok(vec![]);
                }
                Ok(vec![CategoryTreeEvent::CategoryRevised { category, facts }])
            }
            CategoryTreeCommand::Move {
                category,
                parent,
                index,
            } => self.relocate(category, parent, index),
            CategoryTreeCommand::Place {
                category,
                parent,
                before,
            } => self.place(category, parent, before),
            CategoryTreeCommand::Remove { category } => {
                self.get(category).ok_or(CategoryTreeError::NotFound)?;
                let mut under = self.under(category);
                under.reverse();
                Ok(under
                    .into_iter()
                    .chain([category])
                    .map(|category| CategoryTreeEvent::CategoryRemoved { category })
                    .collect())
            }
        }
    }
}

fn check_name(facts: &CategoryFacts) -> Result<(), CategoryTreeError> {
    if facts.name.trim().chars().count() > 1 {
        Ok(())
    } else {
        Err(CategoryTreeError::NameTooShort)
    }
}

impl CategoryTree {
    /// The category with this id.
    pub fn get(&self, id: CategoryId) -> Option<&Category> {
        self.categories.iter().find(|category| category.id == id)
    }

    /// The category with this code.
    pub fn by_code(&self, code: &str) -> Option<&Category> {
        self.categories
            .iter()
            .find(|category| category.code == code)
    }

    /// Codes of the ancestors of this category, nearest first, without its own.
    pub fn ancestors(&self, code: &str) -> Vec<&str> {
        self.by_code(code)
            .map(|category| self.path(category.id))
            .unwrap_or_default()
            .into_iter()
            .skip(1)
            .map(|category| category.code.as_str())
            .collect()
    }

    /// Codes of this category and its descendants: the products of all of them are listed on the category page.
    pub fn with_descendants(&self, code: &str) -> Vec<&str> {
        let Some(category) = self.by_code(code) else {
            return vec![];
        };
        [category.id]
            .into_iter()
            .chain(self.under(category.id))
            .filter_map(|id| self.get(id))
            .map(|category| category.code.as_str())
            .collect()
    }

    /// The whole tree, siblings by index, then by code.
    pub fn tree(&self) -> Vec<Branch> {
        self.branches(None, 1, None)
    }

    /// Direct children of `parent`, in order.
    fn siblings(&self, parent: Option<CategoryId>) -> Vec<&Category> {
        let mut here: Vec<&Category> = self
            .categories
            .iter()
            .filter(|category| category.parent == parent)
            .collect();
        here.sort_by_key(|category| (category.index, category.code.as_str()));
        here
    }

    fn branches(
        &self,
        parent: Option<CategoryId>,
        depth: usize,
        inherited: Option<&String>,
    ) -> Vec<Branch> {
        self.siblings(parent)
            .into_iter()
            .map(|category| {
                let url = category.facts.visual.url.as_ref().or(inherited);
                Branch {
                    id: category.id,
                    code: category.code.clone(),
                    name: category.facts.name.clone(),
                    visual: Visual { url: url.cloned() },
                    brands: category.facts.brands.clone(),
                    shows: category.facts.shows,
                    index: category.index,
                    depth,
                    children: self.branches(Some(category.id), depth.saturating_add(1), url),
                }
            })
            .collect()
    }

    fn add(
        &self,
        category: CategoryId,
        code: String,
        parent: Option<CategoryId>,
        index: i32,
        facts: CategoryFacts,
    ) -> Result<Vec<CategoryTreeEvent>, CategoryTreeError> {
        if self.get(category).is_some() {
            return Err(CategoryTreeError::AlreadyAdded);
        }
        if code.trim().is_empty() {
            return Err(CategoryTreeError::CodeRequired);
        }
        if self.by_code(&code).is_some() {
            return Err(CategoryTreeError::CodeTaken(code));
        }
        check_name(&facts)?;
        if self.depth_under(parent)? > MAX_DEPTH {
            return Err(CategoryTreeError::TooDeep);
        }
        Ok(vec![CategoryTreeEvent::CategoryAdded {
            category,
            code,
            parent,
            index,
            facts,
        }])
    }

    fn relocate(
        &self,
        category: CategoryId,
        parent: Option<CategoryId>,
        index: i32,
    ) -> Result<Vec<CategoryTreeEvent>, CategoryTreeError> {
        let before = self.movable(category, parent)?;
        if before.parent == parent && before.index == index {
            return Ok(vec![]);
        }
        Ok(vec![CategoryTreeEvent::CategoryMoved {
            category,
            parent,
            index,
        }])
    }

    fn place(
        &self,
        category: CategoryId,
        parent: Option<CategoryId>,
        before: Option<CategoryId>,
    ) -> Result<Vec<CategoryTreeEvent>, CategoryTreeError> {
        let moving = self.movable(category, parent)?;
        let now = self.siblings(parent);
        let others: Vec<&Category> = now
            .iter()
            .copied()
            .filter(|sibling| sibling.id != category)
            .collect();
        let ahead: Vec<&Category> = others
            .iter()
            .copied()
            .take_while(|sibling| Some(sibling.id) != before)
            .collect();
        let behind: Vec<&Category> = others.iter().copied().skip(ahead.len()).collect();
        let wanted = ahead.iter().chain([&moving]).chain(&behind);
        if now.iter().map(|one| one.id).eq(wanted.map(|one| one.id)) {
            return Ok(vec![]);
        }
        let index = match ahead.last() {
            Some(previous) => previous.index.saturating_add(1),
            None => behind.first().map_or(0, |next| next.index),
        };
        let moved = |category, index| CategoryTreeEvent::CategoryMoved {
            category,
            parent,
            index,
        };
        let mut events = vec![moved(category, index)];
        let mut taken = index;
        for sibling in behind {
            if sibling.index > taken {
                break;
            }
            taken = taken.saturating_add(1);
            events.push(moved(sibling.id, taken));
        }
        Ok(events)
    }

    /// The category, if it can be moved under `parent`.
    fn movable(
        &self,
        category: CategoryId,
        parent: Option<CategoryId>,
    ) -> Result<&Category, CategoryTreeError> {
        let found = self.get(category).ok_or(CategoryTreeError::NotFound)?;
        let depth = self.depth_under(parent)?;
        let above = parent.map(|parent| self.path(parent)).unwrap_or_default();
        if above.iter().any(|ancestor| ancestor.id == category) {
            return Err(CategoryTreeError::Cycle);
        }
        if depth.saturating_add(self.height(category)) > MAX_DEPTH {
            return Err(CategoryTreeError::TooDeep);
        }
        Ok(found)
    }

    /// Depth of a direct child of `parent`: 1 at the top level.
    fn depth_under(&self, parent: Option<CategoryId>) -> Result<usize, CategoryTreeError> {
        match parent {
            None => Ok(1),
            Some(parent) if self.get(parent).is_none() => Err(CategoryTreeError::ParentNotFound),
            Some(parent) => Ok(self.path(parent).len().saturating_add(1)),
        }
    }

    /// The category and its ancestors, itself first.
    fn path(&self, id: CategoryId) -> Vec<&Category> {
        std::iter::successors(self.get(id), |category| {
            category.parent.and_then(|parent| self.get(parent))
        })
        .take(self.categories.len())
        .collect()
    }

    /// All descendants of a category, parents before children.
    fn under(&self, id: CategoryId) -> Vec<CategoryId> {
        let children = self
            .categories
            .iter()
            .filter(|category| category.parent == Some(id));
        children
            .flat_map(|child| [child.id].into_iter().chain(self.under(child.id)))
            .collect()
    }

    /// Number of levels under a category: 0 for a leaf.
    fn height(&self, id: CategoryId) -> usize {
        self.categories
            .iter()
            .filter(|category| category.parent == Some(id))
            .map(|child| self.height(child.id).saturating_add(1))
            .max()
            .unwrap_or(0)
    }

    /// Applies `event` to the state.
    pub fn evolve(&mut self, event: CategoryTreeEvent) {
        match event {
            CategoryTreeEvent::CategoryAdded {
                category,
                code,
                parent,
                index,
                facts,
            } => self.categories.push(Category {
                id: category,
                code,
                parent,
                index,
                facts,
            }),
            CategoryTreeEvent::CategoryRevised { category, facts } => {
                if let Some(found) = self.find_mut(category) {
                    found.facts = facts;
                }
            }
            CategoryTreeEvent::CategoryMoved {
                category,
                parent,
                index,
            } => {
                if let Some(found) = self.find_mut(category) {
                    found.parent = parent;
                    found.index = index;
                }
            }
            CategoryTreeEvent::CategoryRemoved { category } => {
                self.categories.retain(|found| found.id != category);
            }
        }
    }

    fn find_mut(&mut self, id: CategoryId) -> Option<&mut Category> {
        self.categories
            .iter_mut()
            .find(|category| category.id == id)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod tests;
