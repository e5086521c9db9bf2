-- Companies take turns at the workers, so that four hundred jobs of one do not delay the only one of another.
DROP INDEX job_waiting;
CREATE INDEX job_turn ON job (kind, company_id, id) WHERE status IN ('PENDING', 'RUNNING');
COMMENT ON INDEX job_turn IS 'The companies that have jobs of a kind waiting, by one probe a company, and the oldest job of each';
CREATE INDEX job_running ON job (company_id) WHERE status = 'RUNNING';
COMMENT ON INDEX job_running IS 'How many jobs of a company run';
CREATE INDEX job_served ON job (company_id, started_at) WHERE started_at IS NOT NULL;
COMMENT ON INDEX job_served IS 'When a company had its last turn';
CREATE INDEX job_of_user ON job (requested_by, kind) WHERE status IN ('PENDING', 'RUNNING');
COMMENT ON INDEX job_of_user IS 'How many jobs a user has under way';
