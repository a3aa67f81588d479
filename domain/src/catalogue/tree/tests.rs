use super::*;
use crate::event::Actor;
use time::OffsetDateTime;
use uuid::Uuid;

fn id(number: u128) -> CategoryId {
    CategoryId(Uuid::from_u128(number))
}

fn does(tree: &mut CategoryTree, command: CategoryTreeCommand) -> Result<usize, CategoryTreeError> {
    let context = Context {
        now: OffsetDateTime::UNIX_EPOCH,
        actor: Actor::System,
    };
    let events = tree.decide(command, &context)?;
    let count = events.len();
    for event in events {
        tree.evolve(event);
    }
    Ok(count)
}

fn add(number: u128, code: &str, parent: Option<u128>, url: Option<&str>) -> CategoryTreeCommand {
    CategoryTreeCommand::Add {
        category: id(number),
        code: code.to_owned(),
        parent: parent.map(id),
        index: 0,
        facts: CategoryFacts {
            name: format!("분류 {code}"),
            visual: Visual {
                url: url.map(str::to_owned),
            },
            brands: vec![],
            shows: true,
        },
    }
}

/// bikes > road > carbon, and juice as a sibling of bikes.
fn planted() -> CategoryTree {
    let mut tree = CategoryTree::default();
    for command in [
        add(1, "bikes", None, Some("/bikes.png")),
        add(2, "road", Some(1), None),
        add(3, "carbon", Some(2), Some("/carbon.png")),
        add(4, "juice", None, None),
    ] {
        does(&mut tree, command).unwrap();
    }
    tree
}

fn moving(category: u128, parent: Option<u128>) -> CategoryTreeCommand {
    CategoryTreeCommand::Move {
        category: id(category),
        parent: parent.map(id),
        index: 0,
    }
}

#[test]
fn inherits_pictures_and_nests() {
    let tree = planted();
    let top = tree.tree();
    let [bikes, juice] = top.as_slice() else {
        panic!("two at the top")
    };
    let road = bikes.children.first().unwrap();
    assert_eq!(road.visual.url.as_deref(), Some("/bikes.png"), "spec V089");
    assert_eq!(
        road.children.first().unwrap().visual.url.as_deref(),
        Some("/carbon.png")
    );
    assert_eq!(juice.visual.url, None);
    assert_eq!(tree.ancestors("carbon"), ["road", "bikes"]);
    assert_eq!(tree.with_descendants("bikes"), ["bikes", "road", "carbon"]);
}

#[test]
fn refuses_cycles_depth_and_double_codes() {
    for (command, refusal) in [
        (moving(1, Some(3)), CategoryTreeError::Cycle),
        (moving(1, Some(1)), CategoryTreeError::Cycle),
        (add(5, "deep", Some(3), None), CategoryTreeError::TooDeep),
        (moving(2, Some(9)), CategoryTreeError::ParentNotFound),
        (moving(1, Some(4)), CategoryTreeError::TooDeep),
        (
            add(5, "road", None, None),
            CategoryTreeError::CodeTaken("road".to_owned()),
        ),
    ] {
        assert_eq!(does(&mut planted(), command), Err(refusal));
    }
    assert_eq!(does(&mut planted(), moving(2, Some(4))), Ok(1));
}

#[test]
fn one_that_is_placed_stands_where_it_was_put_whatever_the_indexes_were() {
    // All share one index, as older moves could leave them: the codes decide.
    let row = || {
        let mut tree = CategoryTree::default();
        for (number, code) in [(1, "a"), (2, "b"), (3, "c"), (4, "d")] {
            does(&mut tree, add(number, code, None, None)).unwrap();
        }
        tree
    };
    let order = |tree: &CategoryTree| -> String {
        tree.tree().iter().map(|one| one.code.as_str()).collect()
    };
    for (category, before, expected) in [
        (3, Some(1), "cabd"),
        (1, Some(3), "bacd"),
        (1, None, "bcda"),
        (4, Some(2), "adbc"),
        (2, Some(3), "abcd"),
        (2, Some(2), "acdb"),
    ] {
        let mut tree = row();
        let command = CategoryTreeCommand::Place {
            category: id(category),
            parent: None,
            before: before.map(id),
        };
        let events = does(&mut tree, command.clone()).unwrap();
        assert_eq!(order(&tree), expected, "{category} before {before:?}");
        assert_eq!(events == 0, expected == "abcd");
        // A category placed before itself keeps its position.
        if before != Some(category) {
            assert_eq!(does(&mut tree, command), Ok(0));
        }
    }
    let mut tree = planted();
    let under = |parent| CategoryTreeCommand::Place {
        category: id(1),
        parent: Some(id(parent)),
        before: None,
    };
    assert_eq!(does(&mut tree, under(3)), Err(CategoryTreeError::Cycle));
    assert_eq!(does(&mut tree, under(4)), Err(CategoryTreeError::TooDeep));
}

#[test]
fn removing_takes_what_is_under_it() {
    let mut tree = planted();
    let removed = does(&mut tree, CategoryTreeCommand::Remove { category: id(1) });
    assert_eq!(removed, Ok(3));
    assert!(tree.by_code("carbon").is_none());
    assert!(tree.by_code("juice").is_some());
}
