//! A recipe: an example of a new kind of record on this side. It exists only here and is tested by `new_kind`.

use application::resources::schema::{Field, Filter, ResourceSchema};
use application::resources::{AdminResource, ConsoleRecord, admin_resource};
use domain::validation::{FieldError, RecordErrors};
use domain::{record::Resource, resource_names};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Recipe {
    name: String,
    _product: String,
    #[serde(default)]
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Step {
    text: String,
    minutes: u32,
}

impl Resource for Recipe {
    resource_names!("recipe", "Recipe", "레시피");
    type Data = Self;

    fn validate(recipe: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.name(
            "name",
            &recipe.name,
            "레시피명을 두 글자 이상 입력해 주세요.",
        );
        errors.finish()
    }
}

impl ConsoleRecord for Recipe {
    const RESOURCE: AdminResource = {
        let mut resource =
            admin_resource!(Recipe: "recipe" at "/api/console/recipes", "recipe", "recipes");
        resource.reads = &["recipe"];
        resource.schema = ResourceSchema {
            filters: &[
                Filter::reference("_product", "product"),
                Filter::period("createdAt"),
            ],
            ..ResourceSchema::of(&[
                Field::text("name", "레시피명").required(),
                Field::reference("_product", "상품", "product").required(),
                Field::list(
                    "steps",
                    "순서",
                    &[
                        Field::text("text", "할 일").required(),
                        Field::integer("minutes", "걸리는 시간(분)")
                            .required()
                            .least(0),
                    ],
                ),
            ])
        };
        resource
    };
}
