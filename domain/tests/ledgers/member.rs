//! Members: no member can grant access to themselves.

use domain::member::{
    AccessLevel, Dealings, LeavingReason, LeavingWish, Member, MemberCommand, MemberError,
    MemberEvent, MemberType, Profile, Scope, statutory_until,
};
use domain::storefront::AgreedTerm;
use domain::{Actor, Purpose, Sealed};

use super::given::{Given, at_noon, given, id};

fn member(events: impl IntoIterator<Item = MemberEvent>) -> Given<Member> {
    given(events)
}

fn sealed(text: &str) -> Sealed<Profile> {
    Sealed::from_parts(id(8), Purpose::Profile, text.to_owned())
}

fn join(member_type: MemberType, level: AccessLevel, scopes: Vec<Scope>) -> MemberCommand {
    MemberCommand::Join {
        member_type,
        level,
        scopes,
        profile: sealed("a"),
        terms: vec![],
    }
}

fn joined(member_type: MemberType, level: AccessLevel, scopes: Vec<Scope>) -> MemberEvent {
    MemberEvent::MemberJoined {
        member_type,
        level,
        scopes,
        profile: sealed("a"),
        terms: vec![],
    }
}

fn a_person() -> MemberEvent {
    joined(MemberType::Person, AccessLevel::Person, vec![])
}

#[test]
fn people_and_companies_join_with_their_own_access_only() {
    use AccessLevel as L;
    use MemberType as T;
    let company = vec![Scope::Company];
    let console = vec![Scope::Console];
    for (member_type, level, scopes, allowed) in [
        (T::Person, L::Person, vec![], true),
        (T::Company, L::Company, company.clone(), true),
        (T::Person, L::Person, company.clone(), false),
        (T::Person, L::Admin, vec![], false),
        (T::Company, L::Company, console.clone(), false),
        (T::Operator, L::Admin, console.clone(), false),
    ] {
        let answer = member([])
            .by(Actor::Guest)
            .when(join(member_type, level, scopes.clone()));
        if allowed {
            answer.then([joined(member_type, level, scopes)]);
        } else {
            answer.then_refuses(MemberError::StaffOnly);
        }
    }
    member([])
        .when(join(T::Operator, L::Root, console.clone()))
        .then([joined(T::Operator, L::Root, console)]);
}

#[test]
fn only_staff_change_scopes() {
    let change = || MemberCommand::ChangeScopes {
        scopes: vec![Scope::Company, Scope::Console, Scope::Company],
        level: AccessLevel::Admin,
    };
    let changed = MemberEvent::ScopesChanged {
        scopes: vec![Scope::Console, Scope::Company],
        level: AccessLevel::Admin,
    };
    member([a_person()])
        .by(Actor::Member { id: id(8) })
        .when(change())
        .then_refuses(MemberError::StaffOnly);
    member([a_person()])
        .by(Actor::Operator { id: id(1) })
        .when(change())
        .then([changed.clone()]);
    member([a_person(), changed]).when(change()).then_nothing();
}

#[test]
fn the_access_level_follows_the_scopes_and_who_may_do_everything_keeps_it_as_staff() {
    let person = Member::default();
    let root = Member {
        level: AccessLevel::Root,
        ..Member::default()
    };
    let (console, company) = (vec![Scope::Console], vec![Scope::Company]);
    for (member, scopes, level) in [
        (&person, console.clone(), AccessLevel::Admin),
        (
            &person,
            vec![Scope::Company, Scope::Console],
            AccessLevel::Admin,
        ),
        (&person, company.clone(), AccessLevel::Company),
        (&person, vec![], AccessLevel::Person),
        (&root, console, AccessLevel::Root),
        (&root, company, AccessLevel::Company),
        (&root, vec![], AccessLevel::Person),
    ] {
        assert_eq!(member.level_with(&scopes), level, "{scopes:?}");
    }
}

#[test]
fn a_member_exists_once_and_before_anything_else() {
    member([a_person()])
        .when(join(MemberType::Person, AccessLevel::Person, vec![]))
        .then_refuses(MemberError::AlreadyJoined);
    let revise = |text| MemberCommand::ReviseProfile {
        profile: sealed(text),
        new_email: true,
    };
    let level = || MemberCommand::AssignLevel {
        code: "gold".to_owned(),
    };
    member([])
        .when(revise("b"))
        .then_refuses(MemberError::NotJoined);
    member([])
        .when(level())
        .then_refuses(MemberError::NotJoined);
    member([a_person()]).when(revise("a")).then_nothing();
    member([a_person()])
        .when(revise("b"))
        .then([MemberEvent::ProfileRevised {
            profile: sealed("b"),
        }]);
    let gold = MemberEvent::MembershipLevelAssigned {
        code: "gold".to_owned(),
    };
    member([a_person()]).when(level()).then([gold.clone()]);
    member([a_person(), gold]).when(level()).then_nothing();
}

#[test]
fn a_document_is_handed_in_once_and_by_members_only() {
    let copy = || MemberCommand::HandIn {
        document: id(12),
        content_type: "application/pdf".to_owned(),
        size: 48_213,
    };
    let handed_in = MemberEvent::DocumentHandedIn {
        document: id(12),
        content_type: "application/pdf".to_owned(),
        size: 48_213,
    };
    member([]).when(copy()).then_refuses(MemberError::NotJoined);
    member([a_person()]).when(copy()).then([handed_in.clone()]);
    member([a_person(), handed_in]).when(copy()).then_nothing();
}

#[test]
fn who_left_does_nothing_any_more_and_is_erased_when_the_law_is_done_with_them() {
    let last = time::macros::datetime!(2028-02-29 12:00 UTC);
    let until = statutory_until(last);
    assert_eq!(until, time::macros::datetime!(2033-03-01 12:00 UTC));
    let act = |wish, under_way, last| MemberCommand::Leave {
        reason: Some(LeavingReason::Privacy),
        wish,
        dealings: Dealings { under_way, last },
    };
    let leave = |last| act(LeavingWish::Theirs, 0, last);
    let left = |statutory_until| MemberEvent::MemberLeft {
        reason: Some(LeavingReason::Privacy),
        statutory_until,
    };
    member([])
        .when(leave(None))
        .then_refuses(MemberError::NotJoined);
    member([a_person()])
        .when(leave(Some(last)))
        .then([left(Some(until))]);
    // members may close their own account only if nothing is unfinished, and never as staff; an operator may close it at once
    member([a_person()])
        .when(act(LeavingWish::Theirs, 2, Some(last)))
        .then_refuses(MemberError::UnderWay { purchases: 2 });
    member([a_person()])
        .when(act(LeavingWish::Operators, 2, Some(last)))
        .then([left(Some(statutory_until(at_noon().now)))]);
    let operator = joined(
        MemberType::Operator,
        AccessLevel::Admin,
        vec![Scope::Console],
    );
    member([operator])
        .when(leave(None))
        .then_refuses(MemberError::StaffOnly);
    let gone = || member([a_person(), left(Some(until))]);
    gone()
        .when(leave(None))
        .then_refuses(MemberError::NotJoined);
    gone()
        .when(join(MemberType::Person, AccessLevel::Person, vec![]))
        .then_refuses(MemberError::AlreadyJoined);
    let erase = |last| MemberCommand::EraseStatutoryData { last };
    gone()
        .when(erase(None))
        .then_refuses(MemberError::StillKept);
    let past = member([a_person(), left(Some(last - time::Duration::days(4000)))]);
    past.when(erase(None))
        .then([MemberEvent::StatutoryDataErased {}]);
    // later events of a closed account count: a late deposit, its refund
    past.when(erase(Some(at_noon().now)))
        .then_refuses(MemberError::StillKept);
    past.when(erase(Some(last - time::Duration::days(6000))))
        .then([MemberEvent::StatutoryDataErased {}]);
    member([a_person(), left(None)])
        .when(erase(None))
        .then_nothing();
    member([a_person()])
        .when(erase(None))
        .then_refuses(MemberError::StillKept);
}

#[test]
fn an_address_is_confirmed_once_and_until_it_is_replaced() {
    let revise = |text, new_email| MemberCommand::ReviseProfile {
        profile: sealed(text),
        new_email,
    };
    let revised = |text| MemberEvent::ProfileRevised {
        profile: sealed(text),
    };
    let confirm = || MemberCommand::ConfirmEmail;
    let confirmed = || MemberEvent::EmailConfirmed {};
    let ended = || MemberEvent::EmailConfirmationEnded {};
    member([a_person()]).when(confirm()).then([confirmed()]);
    let sure = member([a_person(), confirmed()]);
    sure.when(confirm()).then_nothing();
    sure.when(revise("b", false)).then([revised("b")]);
    sure.when(revise("b", true)).then([revised("b"), ended()]);
    let again = member([a_person(), confirmed(), revised("b"), ended()]);
    again.when(revise("c", true)).then([revised("c")]);
    again.when(confirm()).then([confirmed()]);
    member([])
        .when(confirm())
        .then_refuses(MemberError::NotJoined);
}

#[test]
fn consents_are_given_and_withdrawn_once() {
    let term = AgreedTerm {
        code: "ads".to_owned(),
        version: 2,
    };
    let given = || MemberEvent::ConsentGiven { term: term.clone() };
    let withdrawn = || MemberEvent::ConsentWithdrawn {
        code: "ads".to_owned(),
    };
    let give = || MemberCommand::GiveConsent { term: term.clone() };
    let withdraw = || MemberCommand::WithdrawConsent {
        code: "ads".to_owned(),
    };
    member([a_person()]).when(give()).then([given()]);
    member([a_person(), given()]).when(give()).then_nothing();
    member([a_person()]).when(withdraw()).then_nothing();
    member([a_person(), given()])
        .when(withdraw())
        .then([withdrawn()]);
    member([a_person(), given(), withdrawn()])
        .when(withdraw())
        .then_nothing();
    member([a_person(), given(), withdrawn()])
        .when(give())
        .then([given()]);
    member([])
        .when(withdraw())
        .then_refuses(MemberError::NotJoined);
}
