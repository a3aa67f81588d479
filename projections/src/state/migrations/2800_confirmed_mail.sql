-- Links that confirm an address are bound to it, by its keyed hash. Besides those of 2160, requests and links may be of the kind
-- CONFIRM_EMAIL.
ALTER TABLE account_links ADD COLUMN mail_hash bytea;
CREATE INDEX account_links_mail ON account_links (mail_hash) WHERE mail_hash IS NOT NULL;
