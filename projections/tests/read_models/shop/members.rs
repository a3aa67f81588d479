//! Members join, change and close their accounts.

use domain::ids::{MemberId, OrderId};
use domain::member::{
    AccessLevel, Dealings, LeavingReason, LeavingWish, Member, MemberCommand, MemberType, Profile,
    Scope,
};
use domain::order::{Buyer, Order};
use domain::record::RecordCommand;
use domain::storefront::{AgreedTerm, Brand, Label};
use domain::{Purpose, Sealed};
use time::Duration;
use uuid::Uuid;

use super::{Shop, keys, sealed};

impl Shop {
    /// Two brands swap codes, each taking one the other gave up. Uses no random numbers, so that it does not change what the others do.
    pub(super) async fn rename(&mut self) {
        let turn = u128::from(self.deeds) / 25;
        let id = Uuid::from_u128(0xB4A2_0000 + turn % 2);
        let mut record = self.brands.remove(&id).unwrap_or_default();
        let brand = Brand {
            code: format!("brand-{}", turn % 5),
            name: "바람".to_owned(),
            name_en: None,
            initial: None,
            label: Label::default(),
            desc: String::new(),
            categories: Vec::new(),
            index: 0,
            shows: true,
        };
        let act = match record.document {
            None => RecordCommand::Create(Box::new(brand)),
            Some(_) => RecordCommand::Revise(Box::new(brand)),
        };
        self.record(id, &mut record, act).await;
        self.brands.insert(id, record);
    }

    pub async fn join(&mut self) {
        let id: MemberId = self.id();
        let mut member = Member::default();
        let (member_type, level, scopes) = match self.random.below(3) {
            0 => (
                MemberType::Company,
                AccessLevel::Company,
                vec![Scope::Company],
            ),
            1 => (
                MemberType::Operator,
                AccessLevel::Admin,
                vec![Scope::Console, Scope::Company],
            ),
            _ => (MemberType::Person, AccessLevel::Person, vec![]),
        };
        let act = MemberCommand::Join {
            member_type,
            level,
            scopes,
            profile: sealed::<Profile>(id.0, Purpose::Profile),
            terms: vec![],
        };
        self.act(id, &mut member, act).await;
        self.members.insert(id, member);
    }

    pub(super) async fn change_member(&mut self) {
        let Some(mut id) = self.random.pick(&keys(&self.members)) else {
            return;
        };
        // a long run includes the end of a retention period
        if self.deeds > 1_500 && !self.seen.contains("StatutoryDataErased") {
            let mut members = self.members.iter();
            id = members.find(|(_, one)| one.left).map_or(id, |(id, _)| *id);
        }
        let mut member = self.members.remove(&id).unwrap();
        let act = match self.random.below(13) {
            _ if member.left => MemberCommand::EraseStatutoryData { last: None },
            0..=3 => MemberCommand::ReviseProfile {
                profile: Sealed::from_parts(id.0, Purpose::Profile, format!("bmV3{}", self.ids)),
                new_email: true,
            },
            4..=5 => MemberCommand::ConfirmEmail,
            6..=7 => MemberCommand::AssignLevel {
                code: format!("level-{}", self.random.below(3)),
            },
            8..=10 if self.deeds.is_multiple_of(2) && member.agrees_to("ads") => {
                MemberCommand::WithdrawConsent {
                    code: "ads".to_owned(),
                }
            }
            8..=10 if self.deeds.is_multiple_of(2) => MemberCommand::GiveConsent {
                term: AgreedTerm {
                    code: "ads".to_owned(),
                    version: 1,
                },
            },
            8..=10 => MemberCommand::ChangeScopes {
                scopes: vec![Scope::Company],
                level: AccessLevel::Company,
            },
            11 => MemberCommand::HandIn {
                document: self.id(),
                content_type: "application/pdf".to_owned(),
                size: 48_213,
            },
            _ => MemberCommand::Leave {
                reason: Some(LeavingReason::Other),
                wish: LeavingWish::Operators,
                dealings: Dealings {
                    under_way: 0,
                    last: Some(self.now - Duration::days(6 * 366)),
                },
            },
        };
        self.act(id, &mut member, act).await;
        // some withdraw it at once: the others may have left before they would
        if self.deeds.is_multiple_of(4) && member.agrees_to("ads") {
            let code = "ads".to_owned();
            self.act(id, &mut member, MemberCommand::WithdrawConsent { code })
                .await;
        }
        self.members.insert(id, member);
    }

    pub(super) fn member_of(&self, order: OrderId) -> Option<MemberId> {
        match self.orders.get(&order).and_then(Order::buyer) {
            Some(Buyer::Member { id }) => Some(*id),
            _ => None,
        }
    }
}
