-- What each of the program's roles may do with each table: all of them, granted again whenever this file or the schema
-- has changed. test/contract/database-roles.test.ts holds the same list table by table and fails when one is missing.
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM partidas_app, partidas_reader, partidas_auth;

DO $$
DECLARE
  -- Revoked from all roles; the grants follow below.
  kept_apart CONSTANT text[] := ARRAY['app_user', 'user_identity', 'user_totp', 'used_id_token', 'signing_key', 'signin_failure',
                                      'console_session', 'service_account', 'service_secret',
                                      'idempotency_key', 'audit', 'migration', 'webhook_secret'];
  secret_columns CONSTANT text[] := ARRAY['password_hash', 'private_jwk'];
  open_columns text;
  name text;
BEGIN
  FOR name IN SELECT pg_class.relname FROM pg_class
               WHERE pg_class.relnamespace = 'public'::regnamespace AND pg_class.relkind IN ('r', 'p')
                 AND pg_class.relname <> ALL (kept_apart)
  LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON public.%I TO partidas_app', name);
    EXECUTE format('GRANT SELECT ON public.%I TO partidas_reader', name);
  END LOOP;
  -- Users without their hashes, keys without their private halves.
  FOREACH name IN ARRAY ARRAY['app_user', 'signing_key'] LOOP
    SELECT string_agg(quote_ident(pg_attribute.attname), ', ') INTO open_columns
      FROM pg_attribute
     WHERE pg_attribute.attrelid = to_regclass(name) AND pg_attribute.attnum > 0 AND NOT pg_attribute.attisdropped
       AND pg_attribute.attname <> ALL (secret_columns);
    EXECUTE format('GRANT SELECT (%s) ON public.%I TO partidas_app, partidas_reader', open_columns, name);
  END LOOP;
END $$;

-- What closed months print may be added, never changed.
REVOKE UPDATE, DELETE ON earlier_account, earlier_record FROM partidas_app;

-- What feeding systems said of their entries stays, so that an external id is used once.
REVOKE UPDATE, DELETE ON entry_source FROM partidas_app;

-- Imported files stay as they came, until they have been kept for long enough.
REVOKE UPDATE ON import_file, import_file_piece FROM partidas_app;

-- So does a printed report, until it goes with its job.
REVOKE UPDATE, DELETE ON report_file_piece FROM partidas_app;

-- A request for approval stays as it was asked; what becomes of it is written once.
REVOKE UPDATE, DELETE ON approval FROM partidas_app;
GRANT UPDATE (state, decided_by_id, decided_by, decided_at, reason, decided_in) ON approval TO partidas_app;

-- A delivery to a regulator stays what was written; what became of it is recorded.
REVOKE UPDATE, DELETE ON regulatory_delivery FROM partidas_app;
GRANT UPDATE (status, book_hash, receipt, updated_at) ON regulatory_delivery TO partidas_app, partidas_reader;

-- Issued books stay as they were issued; one whose month is opened again is marked.
REVOKE UPDATE, DELETE ON issued_book, issued_book_piece FROM partidas_app;
GRANT UPDATE (state, invalidated_at, invalidated_by, invalidation_reason) ON issued_book TO partidas_app;

-- Seals are appended by the owner's function alone.
REVOKE INSERT, UPDATE, DELETE ON seal FROM partidas_app;
-- What goes with them is added and stays.
REVOKE UPDATE, DELETE ON seal_key, seal_checkpoint, seal_timestamp FROM partidas_app;

-- The one row of the nightly verification stays.
REVOKE INSERT, DELETE ON verify_run FROM partidas_app;

-- The trail is chained by the owner's functions alone.
REVOKE INSERT, UPDATE, DELETE ON audit_link, audit_head, audit_chain FROM partidas_app;

-- Writers add to the sums of a month; whoever closes it removes them by the owner's function.
REVOKE UPDATE, DELETE ON line_sum FROM partidas_app;

-- The authentication service: users, their rights and secrets, and what identifies a user.
GRANT SELECT, INSERT, UPDATE, DELETE ON app_user, user_identity, user_permission, used_id_token, signing_key,
  signin_failure, user_totp, console_session, service_account, service_secret TO partidas_auth;
-- What decides on every request is read by all; secrets are the authentication service's own.
GRANT SELECT ON service_account TO partidas_app, partidas_reader;
GRANT SELECT ON company, branch, user_group, group_member, group_permission, routine, routine_access TO partidas_auth;
GRANT SELECT (company_id, status) ON job TO partidas_auth;

-- The trail may be added to, never changed; the authentication service shows it.
GRANT SELECT, INSERT ON audit TO partidas_app, partidas_auth;
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_key, webhook_secret TO partidas_app;
GRANT SELECT ON migration TO partidas_app, partidas_reader, partidas_auth;

-- What queries and reports write: the trail, a user's preferences, and the order of a report in the background.
GRANT INSERT ON audit, job TO partidas_reader;
GRANT INSERT, UPDATE ON report_preference, printed_report TO partidas_reader;
-- Issuing a book registers it and moves the number of the next one on; the right is also what locks the branch's options.
GRANT INSERT ON issued_book, issued_book_piece TO partidas_reader;
GRANT UPDATE (diary_book_number, ledger_book_number, updated_at) ON company_options TO partidas_reader;

-- The program may open a month and lock its row; everything else uses the owner's functions (0005). A row lock needs
-- the UPDATE right on some column: nothing depends on this one.
REVOKE INSERT, UPDATE, DELETE ON month FROM partidas_app;
GRANT INSERT (company_id, branch_id, month), UPDATE (opened_at) ON month TO partidas_app;
REVOKE INSERT, UPDATE, DELETE ON batch_archive, document_archive, entry_line_archive FROM partidas_app;

-- A confirmed quota stays as it was confirmed; what has moved since, and what replaced it, is written beside.
REVOKE UPDATE, DELETE ON daily_quota FROM partidas_app;
GRANT UPDATE (previous_value, day_variation, month_variation, year_variation, twelve_months_variation, equity_change,
              quantity_change, flow_change, reopened_at, replaced_at, replaced_by, replacement_reason)
  ON daily_quota TO partidas_app;
