-- Spreads the books over the nodes of a Citus cluster, by company. Run by the owner on the coordinator after every migration and
-- after shards have moved: psql -v ON_ERROR_STOP=1 -f distribute.sql. What is spread already stays as it is, so that it may run again.

BEGIN;
SET LOCAL citus.propagate_set_commands = 'none'; -- these are for this connection
SET LOCAL client_min_messages = warning;
SET LOCAL citus.multi_shard_modify_mode = 'sequential';
-- The triggers of the books look at rows of one company only, which are all on one node.
SET LOCAL citus.enable_unsafe_triggers = on;

-- Each table of the schema is of one kind (test/contract/distribution.test.ts):
--   distributed  rows of a company, together on one node; company_id is in every key
--   reference    a copy on every node: what books of all companies point to, read often and written seldom
--   local        on the coordinator alone: sign-in, users, jobs, events, the trail
CREATE TEMPORARY TABLE table_kind AS
SELECT unnest(string_to_array(regexp_replace(names, '\s+', ' ', 'g'), ' ')) AS name, kind
  FROM (VALUES
    ('distributed', 'account_use approval base_balance batch batch_archive calendar_day closure_settings company_options
      company_registration compliance_process control_balance daily_balance daily_quota document document_archive
      earlier_record entry_line entry_line_archive entry_reversal entry_source entry_template entry_template_data
      entry_template_month fee_accrual fund_fee fund_settings import_file import_file_piece import_record issued_book issued_book_piece line_sum
      month month_reopening monthly_balance printed_report quota_configuration quota_movement regulatory_delivery
      regulatory_profile seal
      seal_checkpoint seal_timestamp statement_fact tax_quota verify_result'),
    ('reference', 'account account_group account_mask branch chart company earlier_account fund_type reference_account
      reference_chart regulatory_document standard_narration statement statement_line statement_selector'),
    ('local', 'app_user audit audit_chain audit_head audit_link business_system compliance_rule
      compliance_rule_document compliance_rule_script console_session event event_outbox event_stream group_member
      group_permission idempotency_key job job_progress lookup_cache migration report_file_piece report_preference routine
      routine_access seal_key service_account service_secret severity signin_failure signing_key used_id_token user_group
      user_identity user_permission user_totp verify_run webhook webhook_delivery webhook_queue webhook_secret')
  ) AS listed (kind, names);

-- Citus takes no policy with a sub-select, of local tables neither, as far as keys lead to reference tables. Elsewhere the sub-select is read once a statement and not once a row.
DO $$
DECLARE
  guarded record;
BEGIN
  FOR guarded IN
    SELECT pg_policies.tablename AS name, pg_policies.policyname AS policy,
           CASE pg_policies.tablename WHEN 'company' THEN 'id' ELSE 'company_id' END AS company
      FROM pg_policies
      JOIN table_kind ON table_kind.name = pg_policies.tablename
     WHERE pg_policies.schemaname = 'public'
       AND pg_policies.qual LIKE '%SELECT visible_companies()%'
  LOOP
    EXECUTE format(
      $policy$ALTER POLICY %1$I ON %2$I
                USING (current_setting('app.companies', true) = '*' OR %3$I IS NULL
                       OR %3$I = ANY (string_to_array(nullif(current_setting('app.companies', true), '*'), ',')::bigint[]))$policy$,
      guarded.policy, guarded.name, guarded.company);
  END LOOP;
END $$;

DO $$
DECLARE
  unlisted text;
  spread record;
  key record;
BEGIN
  SELECT string_agg(pg_class.relname, ', ') INTO unlisted
    FROM pg_class
   WHERE pg_class.relkind IN ('r', 'p') AND pg_class.relnamespace = 'public'::regnamespace
     AND NOT EXISTS (SELECT FROM table_kind WHERE table_kind.name = pg_class.relname)
     AND NOT EXISTS (SELECT FROM pg_dist_shard
                      WHERE pg_class.relname = pg_dist_shard.logicalrelid::regclass::text || '_' || pg_dist_shard.shardid);
  IF unlisted IS NOT NULL THEN
    RAISE EXCEPTION 'of no kind: %', unlisted USING HINT = 'distribute.sql must be of the same version as the program';
  END IF;

  CREATE TEMPORARY TABLE to_spread ON COMMIT DROP AS
  SELECT table_kind.name, table_kind.kind FROM table_kind
   WHERE table_kind.kind <> 'local'
     AND NOT EXISTS (SELECT FROM pg_dist_partition
                      WHERE pg_dist_partition.logicalrelid = to_regclass(table_kind.name)
                        AND pg_dist_partition.partmethod = CASE table_kind.kind WHEN 'distributed' THEN 'h' ELSE 'n' END
                        AND (table_kind.kind = 'distributed' OR pg_dist_partition.repmodel = 't'));

  -- Keys between tables of two kinds stand in the way while one of them is spread; their names, for the table becomes another.
  CREATE TEMPORARY TABLE key_of_spread ON COMMIT DROP AS
  SELECT pg_constraint.conrelid::regclass::text AS name, pg_constraint.conname,
         pg_get_constraintdef(pg_constraint.oid) AS definition
    FROM pg_constraint
   WHERE pg_constraint.contype = 'f' AND pg_constraint.connamespace = 'public'::regnamespace
     AND (pg_constraint.conrelid::regclass::text IN (SELECT to_spread.name FROM to_spread)
          OR pg_constraint.confrelid::regclass::text IN (SELECT to_spread.name FROM to_spread))
     AND pg_constraint.conrelid::regclass::text IN (SELECT table_kind.name FROM table_kind);
  FOR key IN SELECT * FROM key_of_spread LOOP
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', key.name, key.conname);
  END LOOP;

  FOR spread IN SELECT to_spread.name FROM to_spread WHERE to_spread.kind = 'reference' ORDER BY to_spread.name LOOP
    PERFORM create_reference_table(spread.name);
  END LOOP;
  -- A shard that moves is followed change by change: by the primary key, else by whole rows.
  FOR spread IN
    SELECT to_spread.name FROM to_spread
     WHERE to_spread.kind = 'distributed'
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = to_regclass(to_spread.name) AND contype = 'p')
  LOOP
    EXECUTE format('ALTER TABLE %I REPLICA IDENTITY FULL', spread.name);
  END LOOP;

  -- month is the first of those that lie together.
  FOR spread IN
    SELECT to_spread.name FROM to_spread WHERE to_spread.kind = 'distributed' ORDER BY to_spread.name <> 'month', to_spread.name
  LOOP
    PERFORM create_distributed_table(spread.name, 'company_id',
                                     colocate_with => CASE spread.name WHEN 'month' THEN 'none' ELSE 'month' END);
  END LOOP;

  FOR key IN SELECT * FROM key_of_spread LOOP
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I %s', key.name, key.conname, key.definition);
  END LOOP;
END $$;

-- A function in SQL that reads a table takes no parameters of a statement there. The same in PL/pgSQL does; elsewhere the planner
-- looks into the one in SQL.
CREATE OR REPLACE FUNCTION standard_narrations(company_id bigint, branch_id bigint, codes text[])
RETURNS TABLE (code text, description text) LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = public, pg_temp AS $$
BEGIN
  RETURN QUERY
  SELECT DISTINCT ON (named.code) named.code, named.description
    FROM standard_narration AS named
   WHERE coalesce(named.company_id, 0) IN (0, standard_narrations.company_id)
     AND coalesce(named.branch_id, 0) IN (0, standard_narrations.branch_id)
     AND named.code = ANY (standard_narrations.codes)
   ORDER BY named.code, named.branch_id NULLS LAST, named.company_id NULLS LAST;
END $$;

-- A change of a reference table is made on every node, and its triggers fire on each; what was printed before is kept once. The table
-- of a node is named after the shard.
CREATE OR REPLACE FUNCTION keep_earlier_account() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_catalog, pg_temp AS $$
BEGIN
  IF citus_is_coordinator() THEN
    INSERT INTO earlier_account (chart_id, account_id, valid_until, short_code, description, normal_balance, account_class, cofi_code)
    VALUES (OLD.chart_id, OLD.id, clock_timestamp(), OLD.short_code, OLD.description, OLD.normal_balance, OLD.account_class,
            OLD.cofi_code);
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION keep_earlier_record() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_catalog, pg_temp AS $$
DECLARE
  changed CONSTANT text := regexp_replace(TG_TABLE_NAME, '_\d+$', '');
  present jsonb := CASE TG_OP WHEN 'UPDATE' THEN to_jsonb(NEW) ELSE '{}' END;
  before jsonb;
BEGIN
  IF changed IN ('company', 'branch') AND NOT citus_is_coordinator() THEN
    RETURN NULL;
  END IF;
  SELECT jsonb_object_agg(field.key, field.value) INTO before
    FROM jsonb_each(to_jsonb(OLD)) AS field
   WHERE field.key = ANY (TG_ARGV[2:]) AND field.value NOT IN ('null', '[]');
  IF EXISTS (SELECT 1 FROM jsonb_each(before) AS field WHERE present -> field.key IS DISTINCT FROM field.value) THEN
    INSERT INTO earlier_record (company_id, record, record_id, valid_until, printed)
    VALUES ((to_jsonb(OLD) ->> TG_ARGV[0])::bigint, changed, (to_jsonb(OLD) ->> TG_ARGV[1])::bigint,
            clock_timestamp(), before);
  END IF;
  RETURN NULL;
END $$;

-- Each node counts the lines of its shards by itself.
CREATE OR REPLACE FUNCTION note_written_lines(lines bigint) RETURNS void LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
END $$;

-- What the triggers and functions of the books call is on every node. A function of the owner over the books of one company is sent
-- as a whole to the node that has them: there it works as the owner, which a transaction of a login may not do from here.
DO $$
DECLARE
  routine record;
BEGIN
  FOR routine IN
    SELECT pg_proc.oid::regprocedure AS signature,
           pg_proc.prosecdef AND pg_proc.proargnames[1] = 'company' AS is_sent
      FROM pg_proc
     WHERE pg_proc.pronamespace = 'public'::regnamespace AND pg_proc.prokind = 'f'
       AND NOT EXISTS (SELECT FROM pg_depend
                        WHERE pg_depend.classid = 'pg_proc'::regclass AND pg_depend.objid = pg_proc.oid AND pg_depend.deptype = 'e')
       -- What is of local tables stays with them.
       AND NOT EXISTS (SELECT FROM pg_depend
                         LEFT JOIN pg_type ON pg_type.oid = pg_depend.refobjid AND pg_depend.refclassid = 'pg_type'::regclass
                         JOIN table_kind ON to_regclass(table_kind.name) IN (pg_depend.refobjid, pg_type.typrelid)
                        WHERE pg_depend.classid = 'pg_proc'::regclass AND pg_depend.objid = pg_proc.oid
                          AND table_kind.kind = 'local')
     ORDER BY pg_proc.oid
  LOOP
    IF routine.is_sent THEN
      PERFORM create_distributed_function(routine.signature, '$1', colocate_with => 'month', force_delegation => true);
    ELSE
      PERFORM create_distributed_function(routine.signature);
    END IF;
  END LOOP;
END $$;
COMMIT;

-- Rights to single columns are not carried to the nodes by themselves, neither here nor when a shard moves. A row that the
-- coordinator has let through is written there with the defaults of all other columns.
DO $$
DECLARE
  given record;
BEGIN
  FOR given IN
    SELECT table_kind.name, acl.privilege_type AS privilege, acl.grantee::regrole AS role,
           string_agg(quote_ident(pg_attribute.attname), ', ' ORDER BY pg_attribute.attnum) AS columns
      FROM table_kind
      JOIN pg_attribute ON pg_attribute.attrelid = to_regclass(table_kind.name)
     CROSS JOIN LATERAL aclexplode(pg_attribute.attacl) AS acl
     WHERE table_kind.kind <> 'local'
     GROUP BY table_kind.name, acl.privilege_type, acl.grantee
  LOOP
    PERFORM run_command_on_placements(
      given.name,
      CASE given.privilege WHEN 'INSERT' THEN format('GRANT INSERT ON %%s TO %s', given.role)
                           ELSE format('GRANT %s (%s) ON %%s TO %s', given.privilege, given.columns, given.role) END);
  END LOOP;
END $$;

-- Numbers go on behind those that the tables had before they were spread, and are drawn with the rights of who inserts.
DO $$
DECLARE
  numbered record;
  highest bigint;
BEGIN
  FOR numbered IN
    SELECT table_kind.name, pg_attribute.attname AS number, pg_get_serial_sequence(table_kind.name, pg_attribute.attname) AS sequence
      FROM table_kind
      JOIN pg_attribute ON pg_attribute.attrelid = to_regclass(table_kind.name) AND pg_attribute.attidentity <> ''
  LOOP
    EXECUTE format('SELECT max(%I) FROM %I', numbered.number, numbered.name) INTO highest;
    PERFORM setval(numbered.sequence, highest)
      FROM pg_sequences
     WHERE to_regclass(format('%I.%I', schemaname, sequencename)) = numbered.sequence::regclass
       AND highest > coalesce(last_value, 0);
    EXECUTE format('GRANT USAGE ON SEQUENCE %s TO partidas_app, partidas_auth', numbered.sequence);
  END LOOP;
END $$;
DROP TABLE table_kind;
