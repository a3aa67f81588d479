-- Replacing a file is an event (FileReplaced). A row says which version of the file's ledger it is of; none: it was never replaced,
-- or before that was an event.
ALTER TABLE files ADD COLUMN version bigint;
