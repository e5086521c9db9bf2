-- outside of a transaction
-- One calculation of all quotas of a company at a time.
DROP INDEX CONCURRENTLY IF EXISTS job_one_quota_run;
CREATE UNIQUE INDEX CONCURRENTLY job_one_quota_run ON job (company_id)
  WHERE kind = 'QUOTAS' AND status IN ('PENDING', 'RUNNING');
COMMENT ON INDEX job_one_quota_run IS 'A second calculation of the quotas of a company is rejected while one waits or runs';
