-- Addresses that get no mail, by keyed hash: a server said that there is no such address. A policy keeps the table beside the log; a
-- position is that of the last event about the address, so that an older event that is read again changes nothing.
CREATE TABLE stopped_addresses
(
    hash     bytea PRIMARY KEY,
    message  uuid        NOT NULL, -- the message that bounced
    subject  uuid        NOT NULL, -- whose key the receiver is sealed with: the row is deleted when that key is destroyed
    position bigint      NOT NULL,
    stopped  boolean     NOT NULL, -- false: staff have lifted it
    since    timestamptz NOT NULL
);
CREATE INDEX stopped_addresses_subject ON stopped_addresses (subject);
CREATE INDEX stopped_addresses_since ON stopped_addresses (since DESC, message) WHERE stopped;
