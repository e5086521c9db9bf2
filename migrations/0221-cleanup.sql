-- What is removed a day, a month or a year later is found by an index, in small pieces.
CREATE INDEX lookup_cache_age ON lookup_cache (fetched_at);
COMMENT ON INDEX lookup_cache_age IS 'Removal of answers older than a day';
CREATE INDEX job_ended ON job (kind, finished_at) WHERE status IN ('DONE', 'ERROR');
COMMENT ON INDEX job_ended IS 'Removal of jobs that have ended';
CREATE INDEX job_of_month ON job (company_id, kind, month, (coalesce(branch_id, 0)), id)
  WHERE kind IN ('CONSOLIDATION', 'CONSOLIDATION_OF_ALL');
COMMENT ON INDEX job_of_month IS 'Whether a later consolidation of the month replaced a record that could be removed';
CREATE INDEX compliance_process_age ON compliance_process (executed_at);
COMMENT ON INDEX compliance_process_age IS 'Removal of processes that later ones replaced long ago';
