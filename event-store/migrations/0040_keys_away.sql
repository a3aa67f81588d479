-- A backup of the shop leaves the keys of personal data out; they have a backup of their own. Until they are back they are away:
-- what they sealed reads as erased, and whoever gives something new is given a new key, beside which the old one comes back.
ALTER TABLE keys.data_key
    ADD COLUMN away    boolean NOT NULL DEFAULT false, -- a key of theirs is in the backup of the keys only
    ADD COLUMN earlier bytea[] NOT NULL DEFAULT '{}',  -- keys they had before, wrapped: they open, and seal nothing new
    DROP CONSTRAINT data_key_check,
    ADD CHECK (destroyed_at IS NULL OR (wrapped IS NULL AND NOT away AND earlier = '{}')),
    ADD CHECK (destroyed_at IS NOT NULL OR wrapped IS NOT NULL OR away);
