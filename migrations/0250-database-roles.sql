-- Beside the role that writes the books: one that reads them for queries and reports, and one for the authentication
-- service, which alone sees password hashes and private keys. The program's logins are members of one of them each and
-- of nothing else; what each may do stands in grants/grants.sql.
DO $$
DECLARE
  role text;
BEGIN
  FOREACH role IN ARRAY ARRAY['partidas_reader', 'partidas_auth'] LOOP
    BEGIN
      IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE pg_roles.rolname = role) THEN
        EXECUTE format('CREATE ROLE %I NOLOGIN', role);
      END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL; -- another database of the same server made it at the same moment
    END;
    EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', role);
  END LOOP;
END $$;

CREATE OR REPLACE PROCEDURE guard_tenant_table(guarded regclass, company_column text DEFAULT 'company_id')
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', guarded);
  EXECUTE format(
    'CREATE POLICY tenant ON %1$s TO partidas_app, partidas_reader, partidas_auth
       USING ((SELECT sees_everything()) OR %2$I IS NULL OR %2$I = ANY ((SELECT visible_companies())::bigint[]))',
    guarded, company_column);
  EXECUTE format('GRANT SELECT ON %s TO partidas_reader', guarded);
END $$;

DO $$
DECLARE
  guarded record;
BEGIN
  FOR guarded IN
    SELECT pg_policy.polrelid::regclass AS name, pg_policy.polname AS policy FROM pg_policy
     WHERE pg_policy.polroles = ARRAY['partidas_app'::regrole::oid]
  LOOP
    EXECUTE format('ALTER POLICY %I ON %s TO partidas_app, partidas_reader, partidas_auth', guarded.policy, guarded.name);
  END LOOP;
END $$;

-- Whoever prints a report in the background leaves it to the workers, and nothing else.
CREATE POLICY only_reports ON job AS RESTRICTIVE FOR INSERT TO partidas_reader WITH CHECK (kind = 'REPORT');
