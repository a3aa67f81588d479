//! Records: only changed fields are stored, removal is a mark, and everything can be restored.

use cqrs_es::DomainEvent;
use domain::Decider;
use domain::catalogue::{Nutrition, Product, Variation};
use domain::record::{
    Document, Record, RecordCommand, RecordError, RecordEvent, RecordKind, Resource, diff, history,
};
use domain::shipping::{Area, Island};
use domain::unit_of_work::StreamState;
use serde_json::{Value, json};

use super::given::{Given, at_noon, given, id};
use super::shop::{BIKE, product};

fn island(name: &str) -> Island {
    Island {
        name: name.to_owned(),
        starts: "63000".to_owned(),
        ends: "63644".to_owned(),
        area: Area::Jeju,
    }
}

fn document(value: Value) -> Document {
    match value {
        Value::Object(document) => document,
        _ => panic!("not an object"),
    }
}

fn written(name: &str) -> Document {
    document(serde_json::to_value(island(name)).unwrap())
}

fn created(name: &str) -> RecordEvent<Island> {
    RecordEvent::created(written(name))
}

fn renamed(from: &str, to: &str) -> RecordEvent<Island> {
    RecordEvent::Revised {
        changes: diff(
            &document(json!({ "name": from })),
            &document(json!({ "name": to })),
        ),
    }
}

fn record(events: impl IntoIterator<Item = RecordEvent<Island>>) -> Given<Record<Island>> {
    given(events)
}

fn revise(name: &str) -> RecordCommand<Island> {
    RecordCommand::Revise(Box::new(island(name)))
}

#[test]
fn only_what_changed_is_recorded() {
    record([])
        .when(RecordCommand::Create(Box::new(island("제주"))))
        .then([created("제주")]);
    record([created("제주")])
        .when(RecordCommand::Create(Box::new(island("제주"))))
        .then_refuses(RecordError::AlreadyCreated);
    record([created("제주")])
        .when(revise("우도"))
        .then([renamed("제주", "우도")]);
    record([created("제주")])
        .when(revise("제주"))
        .then_nothing();
    record([created("제주")])
        .when(RecordCommand::Patch(document(json!({ "name": "우도" }))))
        .then([renamed("제주", "우도")]);
    record([])
        .when(revise("우도"))
        .then_refuses(RecordError::NotFound);
}

#[test]
fn a_field_that_is_not_there_is_null() {
    let (without, null) = (
        json!({ "name": "제주" }),
        json!({ "name": "제주", "endsAt": null }),
    );
    let set = json!({ "name": "제주", "endsAt": "2026-12-01" });
    let changed = |from: &Value, to: &Value| {
        let changes = diff(&document(from.clone()), &document(to.clone()));
        changes.into_keys().collect::<Vec<_>>()
    };
    let nothing: [&str; 0] = [];
    assert_eq!(changed(&without, &null), nothing);
    assert_eq!(changed(&without, &set), ["endsAt"]);
    assert_eq!(changed(&set, &null), ["endsAt"]);
}

#[test]
fn a_removed_record_is_gone_until_it_is_restored() {
    let removed = || RecordEvent::Removed {};
    record([created("제주")])
        .when(RecordCommand::Remove)
        .then([removed()]);
    record([created("제주"), removed()])
        .when(RecordCommand::Remove)
        .then_nothing();
    record([created("제주"), removed()])
        .when(revise("우도"))
        .then_refuses(RecordError::NotFound);
    record([created("제주"), removed()])
        .when(RecordCommand::Restore(written("제주")))
        .then([created("제주")]);
    record([created("제주"), renamed("제주", "우도")])
        .when(RecordCommand::Restore(written("제주")))
        .then([renamed("우도", "제주")]);
    record([])
        .when(RecordCommand::Restore(written("제주")))
        .then_refuses(RecordError::NotFound);
}

/// Types, versions and JSON of events.
type WireEvents = Vec<(String, String, Value)>;

/// The result of a command on a record, by its type and by its kind as a value.
fn both_ways(
    events: &[RecordEvent<Island>],
    typed: RecordCommand<Island>,
    of_documents: RecordCommand<Document>,
) -> [Result<WireEvents, RecordError>; 2] {
    let kind = RecordKind::of::<Island>();
    let (mut record, mut any) = (Record::<Island>::default(), Record::<()>::default());
    for event in events {
        record.evolve(event.clone());
        any.replay(&serde_json::to_string(event).unwrap()).unwrap();
    }
    assert_eq!(
        any.snapshot().unwrap(),
        serde_json::to_value(&record).unwrap()
    );
    let by_type = record.decide(typed, &at_noon());
    let by_type = by_type.map(|events| {
        let stored = |event: &RecordEvent<Island>| {
            let payload = serde_json::to_value(event).unwrap();
            (event.event_type(), event.event_version(), payload)
        };
        events.iter().map(stored).collect()
    });
    let by_value = kind.decide(&any, of_documents).map(|events| {
        let stored = |event: &RecordEvent| {
            let payload = serde_json::to_value(event).unwrap();
            let event_type = kind.event_type(event).to_owned();
            (event_type, kind.version.to_owned(), payload)
        };
        events.iter().map(stored).collect()
    });
    [by_type, by_value]
}

#[test]
fn a_kind_as_a_value_decides_as_its_type_does() {
    let (create, revise) = (
        |name: &str| RecordCommand::Create(Box::new(written(name))),
        |name: &str| RecordCommand::Revise(Box::new(written(name))),
    );
    let removed = || RecordEvent::Removed {};
    let before = || vec![created("제주"), renamed("제주", "우도")];
    let gone = || vec![created("제주"), removed()];
    let patch = || document(json!({ "area": "island" }));
    for (events, typed, of_documents, count) in [
        (
            vec![],
            RecordCommand::Create(Box::new(island("제주"))),
            create("제주"),
            Some(1),
        ),
        (
            vec![],
            RecordCommand::Create(Box::new(island("제"))),
            create("제"),
            None,
        ),
        (
            before(),
            RecordCommand::Create(Box::new(island("제주"))),
            create("제주"),
            None,
        ),
        (
            before(),
            RecordCommand::Revise(Box::new(island("제주"))),
            revise("제주"),
            Some(1),
        ),
        (
            before(),
            RecordCommand::Revise(Box::new(island("우도"))),
            revise("우도"),
            Some(0),
        ),
        (
            gone(),
            RecordCommand::Revise(Box::new(island("우도"))),
            revise("우도"),
            None,
        ),
        (
            before(),
            RecordCommand::Patch(patch()),
            RecordCommand::Patch(patch()),
            Some(1),
        ),
        (
            before(),
            RecordCommand::Remove,
            RecordCommand::Remove,
            Some(1),
        ),
        (
            gone(),
            RecordCommand::Restore(written("제주")),
            RecordCommand::Restore(written("제주")),
            Some(1),
        ),
    ] {
        let [by_type, by_value] = both_ways(&events, typed, of_documents);
        assert_eq!(by_type, by_value);
        assert_eq!(by_type.ok().map(|events| events.len()), count);
    }
    let incomplete = document(json!({ "name": "제주" }));
    let kind = RecordKind::of::<Island>();
    let malformed = kind.complete(incomplete);
    assert!(
        matches!(malformed, Err(RecordError::Malformed(_))),
        "{malformed:?}"
    );
}

#[test]
fn history_shows_the_document_after_each_event() {
    let past = [
        created("제주"),
        renamed("제주", "우도"),
        RecordEvent::Removed {},
        created("제주"),
    ];
    let names: Vec<(String, bool)> = history(past)
        .into_iter()
        .map(|(_, record)| {
            let document = record.document.unwrap();
            let name = document.get("name").and_then(Value::as_str).unwrap();
            (name.to_owned(), record.removed)
        })
        .collect();
    let shown: Vec<(&str, bool)> = names
        .iter()
        .map(|(name, removed)| (name.as_str(), *removed))
        .collect();
    assert_eq!(
        shown,
        [
            ("제주", false),
            ("우도", false),
            ("우도", true),
            ("제주", false)
        ]
    );
}

#[test]
fn fields_this_build_does_not_know_survive() {
    let mut from_the_future = written("제주");
    from_the_future.insert("ferry".to_owned(), json!("daily"));
    let mut record = Record::<Island>::default();
    record.evolve(RecordEvent::created(from_the_future));
    record.evolve(renamed("제주", "우도"));
    assert_eq!(record.data().unwrap(), island("우도"));
    assert_eq!(record.document.unwrap().get("ferry"), Some(&json!("daily")));
}

#[test]
fn a_wrong_document_is_refused_field_by_field() {
    let patch = |patch| RecordCommand::Patch(document(patch));
    let given_jeju = || record([created("제주")]);
    given_jeju()
        .when(patch(json!({ "starts": "6300", "area": "none" })))
        .then_refuses(RecordError::Invalid(
            Island::validate(&Island {
                starts: "6300".to_owned(),
                area: Area::None,
                ..island("제주")
            })
            .unwrap_err(),
        ));
    given_jeju()
        .when(patch(json!({ "starts": 63000 })))
        .then_refuses(RecordError::Malformed(
            "invalid type: integer `63000`, expected a string".to_owned(),
        ));
}

#[test]
fn an_amount_leaves_room_for_sums_of_many() {
    let mut dear = product(BIKE);
    dear.price = domain::Amount::new(1_000_000_000_000);
    assert_eq!(Product::validate(&dear), Ok(()));
    dear.price = domain::Amount::new(1_000_000_000_001);
    let errors = Product::validate(&dear).unwrap_err();
    assert_eq!(errors.len(), 1);
    assert_eq!(
        (errors[0].field.as_str(), errors[0].code.as_str()),
        ("price", "too_large")
    );
}

#[test]
fn a_product_is_checked_with_korean_prompts() {
    assert_eq!(Product::validate(&product(BIKE)), Ok(()));
    let option = |value: &str, hexa: Option<&str>| domain::catalogue::ProductOption {
        id: id(1),
        hexa: hexa.map(str::to_owned),
        name: "색상".to_owned(),
        value: value.to_owned(),
        price: domain::Amount::new(-1),
        enabled: true,
        code: Some("A".to_owned()),
        image: None,
    };
    let mut wrong = product(BIKE);
    wrong.name = " A ".to_owned();
    wrong.price = domain::Amount::new(-1);
    if let Some(discount) = &mut wrong.discount {
        discount.value = 101;
    }
    wrong.options = vec![
        option("레드", Some("#ff0000")),
        option("블루", Some("blue")),
    ];
    wrong.cost = Some(domain::Amount::new(-1));
    wrong.variation = Variation {
        enabled: true,
        code: Some("juice".to_owned()),
        ..Variation::default()
    };
    wrong.nutritions = vec![Nutrition {
        name: "나트륨".to_owned(),
        amount: " ".to_owned(),
        percent: Some(6),
    }];
    wrong.materials = vec![id(7), id(7)];
    let errors = Product::validate(&wrong).unwrap_err();
    let found: Vec<(&str, &str)> = errors
        .iter()
        .map(|complaint| (complaint.field.as_str(), complaint.code.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            ("name", "too_short"),
            ("price", "negative"),
            ("cost", "negative"),
            ("discount.value", "percent_out_of_range"),
            ("options.0.price", "negative"),
            ("options.1.price", "negative"),
            ("options.1.hexa", "not_a_colour"),
            ("options.1._id", "duplicate"),
            ("options.1.code", "duplicate"),
            ("variation.spec", "required"),
            ("nutritions.0.amount", "required"),
            ("materials.1", "duplicate"),
        ]
    );
    let is_korean = |text: &str| text.chars().any(|letter| ('가'..='힣').contains(&letter));
    assert!(
        errors.iter().all(|complaint| is_korean(&complaint.message)),
        "spec V149"
    );
}

#[test]
fn every_error_has_a_code() {
    assert_eq!(RecordError::Invalid(vec![]).code(), "invalid");
    assert_eq!(RecordError::NotFound.code(), "not_found");
}
