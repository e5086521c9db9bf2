-- The program's role and the second wall: what a connection may see is set once per connection, and every
-- tenant table carries a policy that compares its company with it. The role owns nothing.
DO $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE pg_roles.rolname = 'partidas_app') THEN
    CREATE ROLE partidas_app NOLOGIN;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL; -- another database of the same server made it at the same moment
END $$;

DO $$
BEGIN
  -- From PostgreSQL 16 on, who creates a role is its member without being allowed to act as it.
  IF NOT pg_has_role(current_user, 'partidas_app',
                     CASE WHEN current_setting('server_version_num')::integer < 160000 THEN 'MEMBER' ELSE 'SET' END) THEN
    EXECUTE format('GRANT partidas_app TO %I', current_user);
  END IF;
  GRANT USAGE ON SCHEMA public TO partidas_app;
END $$;

-- Companies that this connection may touch; NULL means all of them (set by the program only for its own work
-- and for administrators). Without a setting nothing is visible.
CREATE FUNCTION visible_companies() RETURNS bigint[]
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE WHEN current_setting('app.companies', true) = '*' THEN NULL
            ELSE coalesce(string_to_array(current_setting('app.companies', true), ',')::bigint[], '{}') END;

CREATE FUNCTION sees_everything() RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(current_setting('app.companies', true) = '*', false);

-- Does the caller's permission reach this branch: through its whole company, or by the branch itself? Lists of
-- many tenants filter with it; a NULL branch is a record of the company as a whole. The nullif is for the planner, which
-- reads the setting for its estimates whatever the OR would have let it skip.
CREATE FUNCTION reaches(company_id bigint, branch_id bigint) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN sees_everything()
    OR company_id = ANY (string_to_array(current_setting('app.whole_companies', true), ',')::bigint[])
    OR (branch_id IS NULL AND company_id = ANY (string_to_array(nullif(current_setting('app.companies', true), '*'), ',')::bigint[]))
    OR branch_id = ANY (string_to_array(current_setting('app.branches', true), ',')::bigint[]);

-- The sub-selects make the settings be read once per statement, not once per row.
CREATE PROCEDURE guard_tenant_table(guarded regclass, company_column text DEFAULT 'company_id')
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', guarded);
  EXECUTE format(
    'CREATE POLICY tenant ON %1$s TO partidas_app
       USING ((SELECT sees_everything()) OR %2$I IS NULL OR %2$I = ANY ((SELECT visible_companies())::bigint[]))',
    guarded, company_column);
END $$;

ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO partidas_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO partidas_app;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT EXECUTE ON ROUTINES TO partidas_app;

-- Codes in natural order under COLLATE "C": numbers by value, all others behind them as text. The length at the
-- end keeps 1 and 01 apart.
CREATE FUNCTION natural_key(code text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN (CASE WHEN code ~ '^[0-9]{1,20}$' THEN '0' || lpad(code, 20, '0') || chr(64 + length(code))
             ELSE '1' || code END) COLLATE "C";
