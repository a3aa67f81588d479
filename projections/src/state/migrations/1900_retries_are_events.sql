-- That somebody had a refused deadline tried again is an event now (DeadlineRetried); the program before wrote it here.
COMMENT ON TABLE deadline_retries IS 'retries of before they were events; nothing writes or reads it any more';
