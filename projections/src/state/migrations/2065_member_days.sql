-- The days of members on which coupons are issued, found by the keyed hash of kind, month and day. The days themselves are sealed in the
-- log; a policy keeps this table beside it, and the rows go with the member.
CREATE TABLE member_days
(
    member uuid        NOT NULL,
    kind   text        NOT NULL, -- BIRTHDAY | FOUNDING_DATE | JOIN_DATE
    hash   bytea       NOT NULL,
    since  timestamptz NOT NULL, -- when the member named this day
    PRIMARY KEY (member, kind)
);
CREATE INDEX member_days_hash ON member_days (hash, member);
