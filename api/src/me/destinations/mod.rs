//! The member's delivery addresses; sealed with the key of the profile, so they are erased when the account is closed.

pub mod add;
pub mod change;
pub mod list;
pub mod remove;
pub mod show;

use domain::Sealed;
use domain::forms::{self, FormErrors, Validate, phone_digits};
use domain::ids::MemberId;
use domain::personal::{Party, Purpose};
use projections::state::destinations::Destination;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::AppState;
use crate::http::AppResult;

/// A delivery address.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DestinationView {
    /// Id of the destination.
    #[serde(rename = "_id")]
    id: Uuid,
    /// Title chosen by the member.
    title: String,
    /// Name of the receiver.
    name: String,
    /// Phone, digits.
    phone: String,
    /// Postcode.
    postcode: String,
    /// Road address.
    address1: String,
    /// The rest of the address.
    address2: String,
    /// Whether it is preselected in order forms.
    is_default: bool,
}

/// One destination.
#[derive(Serialize, ToSchema)]
pub struct DestinationAnswer {
    /// The destination.
    destination: DestinationView,
}

/// A destination to save.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DestinationForm {
    /// Title chosen by the member.
    #[serde(default)]
    title: String,
    /// Name of the receiver.
    name: String,
    /// Phone.
    phone: String,
    /// Postcode.
    postcode: String,
    /// Road address.
    address1: String,
    /// The rest of the address.
    #[serde(default)]
    address2: String,
    /// Whether it is preselected in order forms.
    #[serde(default)]
    is_default: bool,
}

impl Validate for DestinationForm {
    fn check(&self, checks: &mut FormErrors) {
        checks
            .text("title", &self.title, forms::SHORT_TEXT)
            .text("name", &self.name, forms::NAME)
            .text("phone", &self.phone, forms::PHONE)
            .text("postcode", &self.postcode, forms::POSTCODE)
            .text("address1", &self.address1, forms::ADDRESS)
            .text("address2", &self.address2, forms::SHORT_TEXT);
    }
}

impl DestinationForm {
    async fn sealed(&self, app: &AppState, member: MemberId) -> AppResult<Sealed<Party>> {
        Ok(app
            .keys
            .seal(member.0, Purpose::Profile, &self.party())
            .await?)
    }

    fn party(&self) -> Party {
        Party {
            title: Some(self.title.clone()),
            name: self.name.trim().to_owned(),
            phone: phone_digits(&self.phone),
            email: None,
            postcode: Some(self.postcode.clone()),
            address1: Some(self.address1.clone()),
            address2: Some(self.address2.clone()),
            geolocation: None,
        }
    }

    fn view(&self, id: Uuid) -> DestinationView {
        DestinationView::of(id, self.is_default, self.party())
    }
}

impl DestinationView {
    fn of(id: Uuid, is_default: bool, party: Party) -> Self {
        Self {
            id,
            title: party.title.unwrap_or_default(),
            name: party.name,
            phone: party.phone,
            postcode: party.postcode.unwrap_or_default(),
            address1: party.address1.unwrap_or_default(),
            address2: party.address2.unwrap_or_default(),
            is_default,
        }
    }

    async fn opened(app: &AppState, kept: Destination) -> AppResult<Option<Self>> {
        let party = app.open(&kept.party).await?;
        Ok(party.map(|party| Self::of(kept.id, kept.is_default, party)))
    }
}
