-- Wrong passwords in a row, by keyed hashes of what is counted: a name tried from devices nobody knows, a device that signed in
-- before, a member who confirms something. A name is counted whether or not somebody has it.
--
-- credentials.failures and credentials.locked_until, which counted by account, stay for programs of before.
CREATE TABLE password_tries
(
    counted      bytea PRIMARY KEY,
    tries        integer     NOT NULL,
    closed_until timestamptz,
    tried_at     timestamptz NOT NULL
);
CREATE INDEX password_tries_tried ON password_tries (tried_at);

-- Devices that signed in: SHA-256 of a token that only that device has, good for one account.
CREATE TABLE known_devices
(
    hash    bytea PRIMARY KEY,
    member  uuid        NOT NULL,
    seen_at timestamptz NOT NULL
);
CREATE INDEX known_devices_member ON known_devices (member);
CREATE INDEX known_devices_seen ON known_devices (seen_at);
