-- Statistics right after a large import: until autovacuum comes, the planner takes the month for empty. Only the owner may
-- ANALYZE. Who holds the table for longer, an operator's VACUUM, is not waited for; autovacuum gives way after a second.
CREATE FUNCTION note_written_lines(lines bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  known CONSTANT bigint := (SELECT pg_class.reltuples FROM pg_class WHERE pg_class.oid = 'public.entry_line'::regclass);
BEGIN
  -- A tenth of a table makes autovacuum analyze it as well; 50,000 lines are a month that many plans will read.
  IF lines < least(50000, greatest(1000, known / 10)) THEN
    RETURN;
  END IF;
  ANALYZE document, entry_line;
EXCEPTION WHEN lock_not_available THEN
  NULL;
END $$;
