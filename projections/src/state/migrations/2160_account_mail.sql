-- Members by the keyed hash of their e-mail address, which is sealed in the log; a policy keeps this table beside it.
CREATE TABLE member_mails
(
    member uuid PRIMARY KEY,
    hash   bytea NOT NULL
);
CREATE INDEX member_mails_hash ON member_mails (hash, member);

-- Mail about accounts that the worker has to write: asked for on the pages that find an id or a password, by keyed hashes of what was
-- typed, or after a change of the password. A row is deleted once its messages are in the log.
CREATE TABLE account_mail_requests
(
    id            uuid PRIMARY KEY,
    kind          text        NOT NULL, -- FIND_ID | FIND_PASSWORD | PASSWORD_CHANGED
    username_hash bytea,
    mail_hash     bytea,
    member        uuid,
    requested_at  timestamptz NOT NULL
);

-- Links in mail about accounts, by the hash of their token; valid once, for a limited time.
CREATE TABLE account_links
(
    hash       bytea PRIMARY KEY,
    member     uuid        NOT NULL,
    kind       text        NOT NULL, -- FIND_ID | FIND_PASSWORD
    expires_at timestamptz NOT NULL,
    used_at    timestamptz
);
CREATE INDEX account_links_member ON account_links (member);
