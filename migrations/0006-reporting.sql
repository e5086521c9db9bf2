-- What reports print of a record that has changed since, and how each user likes each report.

-- A closed month prints the names that were valid when it was closed. When a record changes, its printed columns are
-- copied here with the instant until which they were valid; a month prints the first text valid after its closing, else
-- the current one. A closed month costs no row, a change costs one.
CREATE TABLE earlier_account (
  chart_id bigint NOT NULL,
  account_id bigint NOT NULL,
  valid_until timestamptz NOT NULL,
  short_code text NOT NULL,
  description text NOT NULL,
  normal_balance text NOT NULL,
  account_class text NOT NULL,
  cofi_code text,
  PRIMARY KEY (chart_id, account_id, valid_until)
);
COMMENT ON TABLE earlier_account IS 'What reports printed of an account until it was changed; charts are without tenant, and so is this';

CREATE TABLE earlier_record (
  company_id bigint NOT NULL REFERENCES company ON DELETE CASCADE,
  record text NOT NULL,
  record_id bigint NOT NULL,
  valid_until timestamptz NOT NULL,
  printed jsonb NOT NULL,
  PRIMARY KEY (company_id, record, record_id, valid_until)
);
COMMENT ON TABLE earlier_record IS 'What reports printed of a company, branch, fund or of a branch''s signatories until it was changed: columns of that table by name';
CALL enable_tenant_isolation('earlier_record');

-- The instant is that of the change itself: of two transactions, the one that waited for the row lock is the later.
CREATE FUNCTION keep_earlier_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO earlier_account (chart_id, account_id, valid_until, short_code, description, normal_balance, account_class, cofi_code)
  VALUES (OLD.chart_id, OLD.id, clock_timestamp(), OLD.short_code, OLD.description, OLD.normal_balance, OLD.account_class,
          OLD.cofi_code);
  RETURN NULL;
END $$;
CREATE TRIGGER keep_earlier AFTER UPDATE ON account FOR EACH ROW
  WHEN ((OLD.short_code, OLD.description, OLD.normal_balance, OLD.account_class, OLD.cofi_code)
        IS DISTINCT FROM (NEW.short_code, NEW.description, NEW.normal_balance, NEW.account_class, NEW.cofi_code))
  EXECUTE FUNCTION keep_earlier_account();

-- A column that was empty when a month was closed may be filled later: only non-empty columns of a changed record are
-- copied. Arguments: the columns of the company and of the key, then those that are printed.
CREATE FUNCTION keep_earlier_record() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  present jsonb := CASE TG_OP WHEN 'UPDATE' THEN to_jsonb(NEW) ELSE '{}' END;
  before jsonb;
BEGIN
  SELECT jsonb_object_agg(field.key, field.value) INTO before
    FROM jsonb_each(to_jsonb(OLD)) AS field
   WHERE field.key = ANY (TG_ARGV[2:]) AND field.value NOT IN ('null', '[]');
  IF EXISTS (SELECT 1 FROM jsonb_each(before) AS field WHERE present -> field.key IS DISTINCT FROM field.value) THEN
    INSERT INTO earlier_record (company_id, record, record_id, valid_until, printed)
    VALUES ((to_jsonb(OLD) ->> TG_ARGV[0])::bigint, TG_TABLE_NAME, (to_jsonb(OLD) ->> TG_ARGV[1])::bigint,
            clock_timestamp(), before);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_earlier AFTER UPDATE ON company FOR EACH ROW EXECUTE FUNCTION keep_earlier_record(
  'id', 'id', 'name', 'cnpj', 'zip_code', 'street', 'number', 'complement', 'district', 'city', 'state', 'nire',
  'nire_date');
CREATE TRIGGER keep_earlier AFTER UPDATE ON branch FOR EACH ROW EXECUTE FUNCTION keep_earlier_record(
  'company_id', 'id', 'code', 'name', 'cnpj', 'zip_code', 'street', 'number', 'complement', 'district', 'city', 'state',
  'nire', 'nire_date');
CREATE TRIGGER keep_earlier AFTER UPDATE ON company_options FOR EACH ROW EXECUTE FUNCTION keep_earlier_record(
  'company_id', 'branch_id', 'signatories');
CREATE TRIGGER keep_earlier AFTER UPDATE OR DELETE ON fund_settings FOR EACH ROW EXECUTE FUNCTION keep_earlier_record(
  'company_id', 'branch_id', 'name', 'cnpj', 'cvm_code', 'administrator');

-- No tenant: preferences are the user's own.
CREATE TABLE report_preference (
  user_id bigint NOT NULL REFERENCES app_user ON DELETE CASCADE,
  report text NOT NULL,
  preferences text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, report)
);
COMMENT ON TABLE report_preference IS 'Preferences of a user for a report, the JSON text as it came';
