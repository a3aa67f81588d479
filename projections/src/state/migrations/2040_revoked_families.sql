-- Sign-ins that were ended, by the family of their refresh tokens: their access tokens are refused although these have not expired.
-- A row is of no use, and is dropped, when no access token of its sign-in can be valid any more.
CREATE TABLE revoked_families
(
    family     uuid PRIMARY KEY,
    revoked_at timestamptz NOT NULL
);
CREATE INDEX revoked_families_revoked ON revoked_families (revoked_at);
