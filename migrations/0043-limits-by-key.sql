-- outside of a transaction
-- A limit is found by the primary key now.
DROP INDEX CONCURRENTLY IF EXISTS company_options_batch_limit;
