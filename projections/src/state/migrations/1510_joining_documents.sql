-- Documents companies hand in while they join. What is in them is sealed here, never a file with an address.
CREATE TABLE documents
(
    id           uuid PRIMARY KEY,
    owner        uuid,                 -- the member who claimed it; null while they are still joining
    sealed       jsonb       NOT NULL, -- name and bytes, with the owner's key, before that with the document's own
    content_type text        NOT NULL,
    size         bigint      NOT NULL,
    uploaded_at  timestamptz NOT NULL
);
CREATE INDEX documents_owner ON documents (owner, uploaded_at DESC, id) WHERE owner IS NOT NULL;
CREATE INDEX documents_unclaimed ON documents (uploaded_at) WHERE owner IS NULL;
