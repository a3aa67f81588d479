-- Working state: what needs no history. Personal data only sealed or as keyed hashes.

-- How members sign in. The name is reserved in the log's reservations; here is only its keyed hash.
CREATE TABLE credentials
(
    username_hash bytea PRIMARY KEY,
    member        uuid        NOT NULL UNIQUE,
    argon2        text        NOT NULL, -- PHC string
    failures      integer     NOT NULL DEFAULT 0, -- in a row
    locked_until  timestamptz,
    updated_at    timestamptz NOT NULL
);

-- Refresh tokens, by hash. Every use makes the next one of its family; an old one used again ends the family.
CREATE TABLE refresh_tokens
(
    hash       bytea PRIMARY KEY,
    family     uuid        NOT NULL,
    member     uuid        NOT NULL,
    issued_at  timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz,
    revoked_at timestamptz
);
CREATE INDEX refresh_tokens_family ON refresh_tokens (family);
CREATE INDEX refresh_tokens_member ON refresh_tokens (member);
CREATE INDEX refresh_tokens_expires ON refresh_tokens (expires_at);

-- Carts. One line a product and option; an option of null is one value, not many.
CREATE TABLE carts
(
    id             uuid PRIMARY KEY,
    member         uuid        NOT NULL,
    product        uuid        NOT NULL,
    option         uuid,
    quantity       integer     NOT NULL CHECK (quantity BETWEEN 1 AND 999),
    product_coupon uuid, -- the issued coupon chosen for the line
    fare_coupon    uuid, -- the issued coupon chosen for its delivery
    created_at     timestamptz NOT NULL,
    updated_at     timestamptz NOT NULL,
    UNIQUE NULLS NOT DISTINCT (member, product, option)
);

-- Where members have things sent. The address is sealed with the member's profile key.
CREATE TABLE destinations
(
    id         uuid PRIMARY KEY,
    member     uuid        NOT NULL,
    party      jsonb       NOT NULL,
    is_default boolean     NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);
CREATE INDEX destinations_member ON destinations (member, created_at);
CREATE UNIQUE INDEX destinations_one_default ON destinations (member) WHERE is_default;

-- Keyed hashes of the names and phones of an order, so that staff find an order by exactly typing one.
CREATE TABLE order_contacts
(
    order_id uuid  NOT NULL,
    hash     bytea NOT NULL,
    PRIMARY KEY (order_id, hash)
);
CREATE INDEX order_contacts_hash ON order_contacts (hash);
