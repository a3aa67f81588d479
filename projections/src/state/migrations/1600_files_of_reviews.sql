-- A picture given for a review is its author's own, whoever they are: it goes with them. What sellers and staff give to be
-- shown stays.
ALTER TABLE files ADD COLUMN of_review boolean NOT NULL DEFAULT false;
UPDATE files SET of_review = true WHERE owners ? '_review';
