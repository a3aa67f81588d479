//! Reviews, inquiries and answers.

use domain::catalogue::Picture;
use domain::center::{Contact, ContactTopic, FormField, Inquiry};
use domain::inquire::Inquire;
use domain::member_record::{AnswerState, SealedAnswer};
use domain::record::{Record, RecordCommand};
use domain::review::Review;
use domain::{Actor, Purpose};
use uuid::Uuid;

use super::{Shop, keys, sealed};

impl Shop {
    /// Reviews, inquiries and payments of finished orders, with random numbers of their own, so that the rest of the run is not affected.
    pub(super) async fn talk(&mut self) {
        let ids = self.ids;
        self.ids = (ids & !0xFFFF_FFFF) | 0x8000_0000 | u128::from(self.deeds) << 4;
        std::mem::swap(&mut self.random, &mut self.talking);
        match self.random.below(5) {
            4 => {
                self.forget_guest().await;
                self.contact().await;
                self.inquiry().await;
            }
            0 => self.review().await,
            1 => self.inquire().await,
            2 => self.deposit_astray().await,
            _ => self.answer().await,
        }
        std::mem::swap(&mut self.random, &mut self.talking);
        self.ids = ids;
    }

    /// A guest writes to the shop, and the next time the contact is removed.
    async fn contact(&mut self) {
        if let Some((id, mut record)) = self.contact.take() {
            self.record(id, &mut record, RecordCommand::Remove).await;
            return;
        }
        for _ in 0..2 {
            let id = self.id();
            let contact = Contact {
                user: None,
                category: ContactTopic::Other,
                details: sealed(id, Purpose::Statutory),
                answered: SealedAnswer::default(),
            };
            let mut record = Record::default();
            let create = RecordCommand::Create(Box::new(contact));
            self.record(id, &mut record, create).await;
            self.contact = Some((id, record));
        }
    }

    /// A member sends a form, and the next time the inquiry is removed.
    async fn inquiry(&mut self) {
        if let Some((id, mut record)) = self.inquiry.take() {
            self.record(id, &mut record, RecordCommand::Remove).await;
            return;
        }
        let id: Uuid = self.id();
        let inquiry = Inquiry {
            user: self.random.pick(&keys(&self.members)),
            form: id.to_string(),
            form_version: 3,
            form_name: "입점 신청".to_owned(),
            fields: vec![FormField::default()],
            details: sealed(id, Purpose::Statutory),
            answered: SealedAnswer::default(),
        };
        let mut record = Record::default();
        let create = RecordCommand::Create(Box::new(inquiry));
        self.record(id, &mut record, create).await;
        self.inquiry = Some((id, record));
    }

    /// A member writes a review of a product, or removes it; staff may remove it.
    async fn review(&mut self) {
        let product = self.random.pick(&keys(&self.products)).unwrap();
        let user = self.random.pick(&keys(&self.members)).unwrap();
        let known = self.random.pick(&keys(&self.reviews));
        let id: Uuid = match known {
            Some(id) if self.random.one_in(2) => id,
            _ => self.id(),
        };
        let mut record = self.reviews.remove(&id).unwrap_or_default();
        let pictures = self.random.below(3);
        let review = Review {
            user,
            seller: user,
            product,
            purchase: format!("{}-1", id.simple()),
            name: "사과 한 상자".to_owned(),
            option_name: None,
            star: u8::try_from(1 + self.random.below(5)).unwrap(),
            subject: "아삭합니다".to_owned(),
            content: "또 사겠습니다.".to_owned(),
            images: vec![
                Picture {
                    url: "/files/a.webp".to_owned(),
                    alt: None
                };
                pictures
            ],
            reply: String::new(),
            is_best: self.random.one_in(4),
            shows: !self.random.one_in(5),
        };
        let act = match (&record.document, record.removed) {
            (None, _) => RecordCommand::Create(Box::new(review)),
            (Some(document), true) => RecordCommand::Restore(document.clone()),
            (Some(_), false) if self.random.one_in(3) => RecordCommand::Remove,
            (Some(document), false) => {
                let mut document = document.clone();
                document.insert("star".to_owned(), review.star.into());
                document.insert("shows".to_owned(), review.shows.into());
                RecordCommand::Patch(document)
            }
        };
        if self.random.one_in(2) {
            self.actor = Actor::Operator { id: user };
        }
        self.record(id, &mut record, act).await;
        self.actor = Actor::System;
        self.reviews.insert(id, record);
    }

    /// A member asks a question, or removes it.
    async fn inquire(&mut self) {
        let product = self.random.pick(&keys(&self.products)).unwrap();
        let user = self.random.pick(&keys(&self.members)).unwrap();
        let known = self.random.pick(&keys(&self.inquires));
        let id: Uuid = match known {
            Some(id) if self.random.one_in(3) => id,
            _ => self.id(),
        };
        let mut record = self.inquires.remove(&id).unwrap_or_default();
        let act = match (&record.document, record.removed) {
            (None, _) => RecordCommand::Create(Box::new(Inquire {
                user,
                seller: user,
                product,
                name: "사과 한 상자".to_owned(),
                question: sealed(user.0, Purpose::Profile),
                secret: self.random.one_in(2),
                reply: String::new(),
                state: AnswerState::AnswerAwaiting,
            })),
            (Some(document), true) => RecordCommand::Restore(document.clone()),
            (Some(_), false) => RecordCommand::Remove,
        };
        self.record(id, &mut record, act).await;
        self.inquires.insert(id, record);
    }

    /// The shop answers, or removes its answer.
    async fn answer(&mut self) {
        let reply = if self.random.one_in(4) {
            String::new()
        } else {
            format!("감사합니다 {}", self.ids)
        };
        if let Some(id) = self.random.pick(&keys(&self.reviews)) {
            let mut record = self.reviews.remove(&id).unwrap();
            let fields = serde_json::json!({"reply": reply});
            let fields = fields.as_object().unwrap().clone();
            self.record(id, &mut record, RecordCommand::Patch(fields))
                .await;
            self.reviews.insert(id, record);
        }
        if let Some(id) = self.random.pick(&keys(&self.inquires)) {
            let mut record = self.inquires.remove(&id).unwrap();
            let fields = serde_json::json!({"reply": reply, "state": AnswerState::of(&reply)});
            let fields = fields.as_object().unwrap().clone();
            self.record(id, &mut record, RecordCommand::Patch(fields))
                .await;
            self.inquires.insert(id, record);
        }
    }
}
