-- Closing: balances of closed months, protection of closed months, closing entries, and quotas.

CREATE TABLE monthly_balance (
  company_id bigint NOT NULL,
  branch_id bigint NOT NULL,
  month date NOT NULL,
  account_id bigint NOT NULL,
  opening numeric(20,2) NOT NULL,
  debit numeric(20,2) NOT NULL,
  credit numeric(20,2) NOT NULL,
  closing numeric(20,2) NOT NULL,
  balance numeric(20,2) NOT NULL CHECK (opening + debit - credit + closing = balance),
  PRIMARY KEY (company_id, branch_id, month, account_id)
);
COMMENT ON TABLE monthly_balance IS 'Balances of closed months, debit-positive, of posting and summary accounts; accounts without balance and movement have no row';
CALL enable_tenant_isolation('monthly_balance');

CREATE TABLE daily_balance (
  company_id bigint NOT NULL,
  branch_id bigint NOT NULL,
  month date NOT NULL,
  account_id bigint NOT NULL,
  day date NOT NULL,
  debit numeric(20,2) NOT NULL,
  credit numeric(20,2) NOT NULL,
  closing numeric(20,2) NOT NULL,
  balance numeric(20,2) NOT NULL,
  PRIMARY KEY (company_id, branch_id, month, account_id, day)
);
COMMENT ON TABLE daily_balance IS 'Balances of closed months for the days on which an account moved; other days carry the last one';
CALL enable_tenant_isolation('daily_balance');

-- Only the owner of the tables may change lines, documents, batches and balances of a month that is not open; SQL that
-- runs as the program is rejected. Closing, reopening and archiving use the functions below, which belong to the owner
-- and do one thing each. The program itself may only insert a month's row.

-- Each month that the statement touched must be open. It gets the writer's FOR SHARE lock, so it cannot be closed
-- before the transaction ends. Names are qualified because a temporary table could shadow the real one.
CREATE FUNCTION hold_open_month(company bigint, branch bigint, held date, changed oid) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM public.month
    WHERE month.company_id = company AND month.branch_id = branch AND month.month = held AND month.state = 'OPEN'
      FOR SHARE;
  IF NOT FOUND AND NOT pg_catalog.pg_has_role(
       (SELECT pg_class.relowner FROM pg_catalog.pg_class WHERE pg_class.oid = changed), 'USAGE') THEN
    RAISE EXCEPTION 'month % of branch % is not open: % is not changed', held, branch, changed::regclass
      USING ERRCODE = 'PB002';
  END IF;
END $$;

-- Nearly every statement touches one month, min and max find this at half the cost of DISTINCT.
CREATE FUNCTION refuse_closed_month() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  least record;
BEGIN
  SELECT min(touched.company_id) AS company, min(touched.branch_id) AS branch, min(touched.month) AS month,
         min(touched.company_id) = max(touched.company_id) AND min(touched.branch_id) = max(touched.branch_id)
         AND min(touched.month) = max(touched.month) AS only
    INTO least FROM touched;
  IF least.only THEN
    PERFORM public.hold_open_month(least.company, least.branch, least.month, TG_RELID);
  ELSIF least.company IS NOT NULL THEN
    PERFORM public.hold_open_month(place.company_id, place.branch_id, place.month, TG_RELID)
       FROM (SELECT DISTINCT touched.company_id, touched.branch_id, touched.month FROM touched ORDER BY 1, 2, 3) AS place;
  END IF;
  RETURN NULL;
END $$;

DO $$
DECLARE
  kept text;
BEGIN
  FOREACH kept IN ARRAY ARRAY['batch', 'document', 'entry_line', 'monthly_balance', 'daily_balance'] LOOP
    EXECUTE format('CREATE TRIGGER open_month_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS touched
                      FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_month()', kept);
    EXECUTE format('CREATE TRIGGER open_month_update_from AFTER UPDATE ON %I REFERENCING OLD TABLE AS touched
                      FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_month()', kept);
    EXECUTE format('CREATE TRIGGER open_month_update_to AFTER UPDATE ON %I REFERENCING NEW TABLE AS touched
                      FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_month()', kept);
    EXECUTE format('CREATE TRIGGER open_month_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS touched
                      FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_month()', kept);
  END LOOP;
END $$;

-- Closes a month after its last write.
CREATE FUNCTION close_month(company bigint, branch bigint, closed date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM refuse_foreign_company(company);
  UPDATE month SET state = 'CLOSED', closed_at = now()
   WHERE month.company_id = company AND month.branch_id = branch AND month.month = closed AND month.state = 'OPEN'
     AND NOT EXISTS (SELECT 1 FROM month AS before
                      WHERE before.company_id = company AND before.branch_id = branch AND before.month < closed
                        AND before.state = 'OPEN');
  IF NOT FOUND THEN
    RAISE EXCEPTION 'month % of branch % is not the first open one', closed, branch USING ERRCODE = 'PB002';
  END IF;
END $$;

-- Opens the last closed month before its balances are deleted.
CREATE FUNCTION reopen_month(company bigint, branch bigint, reopened date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM refuse_foreign_company(company);
  UPDATE month SET state = 'OPEN', closed_at = NULL
   WHERE month.company_id = company AND month.branch_id = branch AND month.month = reopened
     AND month.state = 'CLOSED' AND NOT month.archived
     AND NOT EXISTS (SELECT 1 FROM month AS later
                      WHERE later.company_id = company AND later.branch_id = branch AND later.month > reopened
                        AND later.state = 'CLOSED');
  IF NOT FOUND THEN
    RAISE EXCEPTION 'month % of branch % is not the last closed one', reopened, branch USING ERRCODE = 'PB002';
  END IF;
END $$;

CREATE TABLE closure_settings (
  company_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  branch_id bigint NOT NULL,
  closing_months integer[] NOT NULL,
  revenue_groups text[] NOT NULL,
  expense_groups text[] NOT NULL,
  credit_result_account_id bigint NOT NULL REFERENCES account,
  debit_result_account_id bigint NOT NULL REFERENCES account,
  profit_account_id bigint NOT NULL REFERENCES account,
  loss_account_id bigint NOT NULL REFERENCES account,
  batch_number text NOT NULL DEFAULT 'ENC',
  narration_code text,
  narration text,
  excluded_accounts jsonb NOT NULL DEFAULT '[]',
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, branch_id),
  FOREIGN KEY (company_id, branch_id) REFERENCES branch (company_id, id)
);
COMMENT ON TABLE closure_settings IS 'How a branch closes its results';
CALL enable_tenant_isolation('closure_settings');

CREATE TABLE quota_configuration (
  company_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  branch_id bigint NOT NULL,
  net_equity_account_id bigint NOT NULL REFERENCES account,
  include_open_result boolean NOT NULL DEFAULT false,
  number_of_quotas numeric(30,12),
  quota_quantity_account_id bigint REFERENCES account,
  quota_decimals integer NOT NULL DEFAULT 8 CHECK (quota_decimals BETWEEN 0 AND 12),
  rounding_mode text NOT NULL DEFAULT 'TRUNC' CHECK (rounding_mode IN ('TRUNC', 'HALF_UP', 'HALF_EVEN')),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, id),
  UNIQUE (company_id, branch_id),
  CHECK (number_of_quotas IS NOT NULL OR quota_quantity_account_id IS NOT NULL),
  FOREIGN KEY (company_id, branch_id) REFERENCES branch (company_id, id)
);
COMMENT ON TABLE quota_configuration IS 'How the quota of a fund is calculated';
CALL enable_tenant_isolation('quota_configuration');

CREATE TABLE quota_movement (
  company_id bigint NOT NULL,
  id bigint GENERATED BY DEFAULT AS IDENTITY,
  branch_id bigint NOT NULL,
  day date NOT NULL,
  kind text NOT NULL CHECK (kind IN ('INITIAL', 'SUBSCRIPTION', 'REDEMPTION', 'COME_COTAS', 'AMORTIZATION', 'ADJUSTMENT')),
  quotas numeric(30,12) NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  PRIMARY KEY (company_id, id),
  FOREIGN KEY (company_id, branch_id) REFERENCES branch (company_id, id)
);
COMMENT ON TABLE quota_movement IS 'Quotas that came into circulation or left it, signed; the number on a day is the sum up to it';
CREATE INDEX quota_movement_day ON quota_movement (company_id, branch_id, day) INCLUDE (quotas);
COMMENT ON INDEX quota_movement_day IS 'Number of quotas on a day';
CALL enable_tenant_isolation('quota_movement');

-- A quota records whose equity it divides and whether that equity has changed since.
CREATE TABLE tax_quota (
  company_id bigint NOT NULL,
  branch_id bigint NOT NULL,
  day date NOT NULL,
  reference_day date NOT NULL,
  net_equity_account_id bigint REFERENCES account,
  include_open_result boolean NOT NULL DEFAULT false,
  quota_value numeric(38,12) NOT NULL,
  net_equity numeric(20,2) NOT NULL,
  number_of_quotas numeric(30,12) NOT NULL,
  quota_decimals integer NOT NULL,
  stale_since timestamptz,
  confirmed_at timestamptz NOT NULL DEFAULT now(),
  confirmed_by text NOT NULL,
  PRIMARY KEY (company_id, branch_id, day),
  FOREIGN KEY (company_id, branch_id) REFERENCES branch (company_id, id)
);
COMMENT ON TABLE tax_quota IS 'Confirmed quotas, one a day';
COMMENT ON COLUMN tax_quota.reference_day IS 'The day whose equity was divided; the quota is shown for no other day';
COMMENT ON COLUMN tax_quota.stale_since IS 'When its month was reopened, or closed with another equity; null while the quota agrees with the books';
CREATE INDEX tax_quota_reference ON tax_quota (company_id, branch_id, reference_day);
COMMENT ON INDEX tax_quota_reference IS 'Quotas based on a month, when it is reopened or closed';
CALL enable_tenant_isolation('tax_quota');
