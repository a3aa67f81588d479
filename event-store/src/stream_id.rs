//! The identity of a stream.

use std::fmt;

use cqrs_es::Aggregate;
use domain::unit_of_work::StreamRef;

/// Identifies a stream: the events of one aggregate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId {
    /// The aggregate's type, `Aggregate::TYPE`.
    pub kind: String,
    /// The aggregate's id.
    pub id: String,
}

impl StreamId {
    /// The stream `id` of kind `kind`.
    pub fn new(kind: impl Into<String>, id: impl fmt::Display) -> Self {
        Self {
            kind: kind.into(),
            id: id.to_string(),
        }
    }

    /// The stream of the aggregate `A` called `id`.
    pub fn of<A: Aggregate>(id: impl fmt::Display) -> Self {
        Self::new(A::TYPE, id)
    }
}

impl From<&StreamRef> for StreamId {
    fn from(stream: &StreamRef) -> Self {
        Self::new(stream.kind, &stream.id)
    }
}

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.kind, self.id)
    }
}
