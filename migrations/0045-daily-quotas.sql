-- Funds, every day: a quota of each day with what it was computed from, the movements of quotas with their amounts, and what has
-- moved under a confirmed quota since.

ALTER TABLE quota_configuration
  ADD COLUMN quantity_decimals integer NOT NULL DEFAULT 8 CHECK (quantity_decimals BETWEEN 0 AND 12),
  ADD COLUMN redemption_days integer NOT NULL DEFAULT 0 CHECK (redemption_days BETWEEN 0 AND 365),
  ADD COLUMN subscription_template text,
  ADD COLUMN redemption_template text,
  ADD COLUMN come_cotas_template text,
  ADD COLUMN amortization_template text;
COMMENT ON COLUMN quota_configuration.quantity_decimals IS 'Decimals of the quotas that an amount becomes';
COMMENT ON COLUMN quota_configuration.redemption_days IS 'Business days from the request of a redemption to the day whose quota it gets';
COMMENT ON COLUMN quota_configuration.subscription_template IS 'Entry template that posts the amount of a subscription; NULL: somebody else posts it';
COMMENT ON COLUMN quota_configuration.redemption_template IS 'Entry template that posts the amount of a redemption; NULL: somebody else posts it';
COMMENT ON COLUMN quota_configuration.come_cotas_template IS 'Entry template that posts the amount of a come-cotas; NULL: somebody else posts it';
COMMENT ON COLUMN quota_configuration.amortization_template IS 'Entry template that posts the amount of an amortization; NULL: somebody else posts it';
ALTER TABLE quota_configuration ADD CONSTRAINT quota_configuration_subscription_template_fkey
  FOREIGN KEY (company_id, branch_id, subscription_template) REFERENCES entry_template (company_id, branch_id, code) NOT VALID;
ALTER TABLE quota_configuration ADD CONSTRAINT quota_configuration_redemption_template_fkey
  FOREIGN KEY (company_id, branch_id, redemption_template) REFERENCES entry_template (company_id, branch_id, code) NOT VALID;
ALTER TABLE quota_configuration ADD CONSTRAINT quota_configuration_come_cotas_template_fkey
  FOREIGN KEY (company_id, branch_id, come_cotas_template) REFERENCES entry_template (company_id, branch_id, code) NOT VALID;
ALTER TABLE quota_configuration ADD CONSTRAINT quota_configuration_amortization_template_fkey
  FOREIGN KEY (company_id, branch_id, amortization_template) REFERENCES entry_template (company_id, branch_id, code) NOT VALID;

-- The number of quotas of a movement that is given by its amount is known with the quota of its day.
ALTER TABLE quota_movement
  ADD COLUMN amount numeric(20,2) CHECK (amount > 0),
  ADD COLUMN holders integer CHECK (holders >= 0),
  ADD COLUMN requested_day date,
  ADD COLUMN quotas_from_amount boolean NOT NULL DEFAULT false,
  ADD COLUMN document_id bigint,
  ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now(),
  ALTER COLUMN quotas DROP NOT NULL;
COMMENT ON COLUMN quota_movement.day IS 'The day whose quota it gets, and from which on its quotas count';
COMMENT ON COLUMN quota_movement.quotas IS 'Signed; NULL: given by its amount, and the quota of its day is not confirmed yet';
COMMENT ON COLUMN quota_movement.amount IS 'Without sign; NULL: it moves no money';
COMMENT ON COLUMN quota_movement.holders IS 'How many holders the fund has from that day on; NULL: as before';
COMMENT ON COLUMN quota_movement.requested_day IS 'The day that was given; NULL: the same day';
COMMENT ON COLUMN quota_movement.quotas_from_amount IS 'It was given by its amount: its quotas are computed anew when its day is reprocessed';
COMMENT ON COLUMN quota_movement.document_id IS 'The document that posts its amount; NULL: none does';

CREATE TABLE daily_quota (
  company_id bigint NOT NULL,
  branch_id bigint NOT NULL,
  day date NOT NULL,
  revision integer NOT NULL DEFAULT 1 CHECK (revision > 0),
  quota_value numeric(38,12) NOT NULL,
  quota_decimals integer NOT NULL,
  net_equity numeric(20,2) NOT NULL CHECK (net_equity > 0),
  number_of_quotas numeric(30,12) NOT NULL CHECK (number_of_quotas > 0),
  inflow numeric(20,2) NOT NULL,
  outflow numeric(20,2) NOT NULL,
  holders integer,
  previous_value numeric(38,12),
  day_variation numeric(40,8),
  month_variation numeric(40,8),
  year_variation numeric(40,8),
  twelve_months_variation numeric(40,8),
  net_equity_account_id bigint NOT NULL REFERENCES account,
  include_open_result boolean NOT NULL,
  quota_quantity_account_id bigint REFERENCES account,
  equity_change numeric(20,2) NOT NULL DEFAULT 0,
  quantity_change numeric(30,12) NOT NULL DEFAULT 0,
  flow_change numeric(20,2) NOT NULL DEFAULT 0,
  reopened_at timestamptz,
  stale boolean NOT NULL GENERATED ALWAYS AS
    (equity_change <> 0 OR quantity_change <> 0 OR flow_change <> 0 OR reopened_at IS NOT NULL) STORED,
  confirmed_at timestamptz NOT NULL,
  confirmed_by text NOT NULL,
  replaced_at timestamptz,
  replaced_by text,
  replacement_reason text,
  PRIMARY KEY (company_id, branch_id, day, revision),
  FOREIGN KEY (company_id, branch_id) REFERENCES branch (company_id, id),
  CHECK ((replaced_at IS NULL) = (replaced_by IS NULL) AND (replaced_at IS NULL) = (replacement_reason IS NULL))
);
COMMENT ON TABLE daily_quota IS 'Confirmed quotas of the equity of a day, open month or not, with what they were computed from; a reprocessed one stays and a further revision follows';
COMMENT ON COLUMN daily_quota.day IS 'The day whose equity and number of quotas were divided';
COMMENT ON COLUMN daily_quota.inflow IS 'Amounts of the subscriptions of the day';
COMMENT ON COLUMN daily_quota.outflow IS 'Amounts of the redemptions, amortizations and come-cotas of the day';
COMMENT ON COLUMN daily_quota.holders IS 'Holders on that day as the last movement that says so; NULL: none does';
COMMENT ON COLUMN daily_quota.previous_value IS 'The confirmed quota before it; NULL: none';
COMMENT ON COLUMN daily_quota.day_variation IS 'Per cent since the quota before, truncated';
COMMENT ON COLUMN daily_quota.month_variation IS 'Per cent since the last quota of the months before';
COMMENT ON COLUMN daily_quota.year_variation IS 'Per cent since the last quota of the fund''s years before';
COMMENT ON COLUMN daily_quota.twelve_months_variation IS 'Per cent since the last quota up to the same day of the year before';
COMMENT ON COLUMN daily_quota.equity_change IS 'What entries have changed of the equity of that day since; 0: it agrees';
COMMENT ON COLUMN daily_quota.quantity_change IS 'What movements have changed of the number of quotas of that day since; 0: it agrees';
COMMENT ON COLUMN daily_quota.flow_change IS 'What movements have changed of the amounts of that day since; 0: they agree';
COMMENT ON COLUMN daily_quota.reopened_at IS 'When its month, or one before it, was opened again; NULL once that is closed';
COMMENT ON COLUMN daily_quota.replaced_at IS 'When it was reprocessed; NULL: it is the quota of its day';
CREATE UNIQUE INDEX daily_quota_of_day ON daily_quota (company_id, branch_id, day) WHERE replaced_at IS NULL;
COMMENT ON INDEX daily_quota_of_day IS 'One quota of a day that counts; what an entry of an earlier day changes';
CREATE INDEX daily_quota_stale ON daily_quota (company_id, branch_id, day) WHERE stale AND replaced_at IS NULL;
COMMENT ON INDEX daily_quota_stale IS 'Stale quotas of the closing checklist';
CALL enable_tenant_isolation('daily_quota');

-- What is posted or removed on a day up to that of a confirmed quota changes the equity that it divided. Months that are not open
-- are left out: archiving moves their lines without changing a balance. The rows of the statement are read before the tables (0042).
CREATE FUNCTION note_quota_equity() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  place record;
  accounts bigint[];
  months date[];
  days date[];
  nets numeric[];
  open_months date[];
  sign CONSTANT integer := CASE WHEN TG_NARGS > 0 THEN -1 ELSE 1 END;
BEGIN
  FOR place IN
    SELECT touched.company_id, touched.branch_id, min(touched.day) AS day
      FROM touched GROUP BY touched.company_id, touched.branch_id ORDER BY 1, 2
  LOOP
    CONTINUE WHEN NOT EXISTS (
      SELECT FROM public.daily_quota
       WHERE daily_quota.company_id = place.company_id AND daily_quota.branch_id = place.branch_id
         AND daily_quota.day >= place.day AND daily_quota.replaced_at IS NULL);
    SELECT array_agg(line.account_id), array_agg(line.month), array_agg(line.day), array_agg(line.net)
      INTO accounts, months, days, nets
      FROM (SELECT touched.account_id, touched.month, touched.day,
                   sum(CASE touched.side WHEN 'D' THEN touched.amount ELSE -touched.amount END) AS net
              FROM touched
             WHERE touched.company_id = place.company_id AND touched.branch_id = place.branch_id
             GROUP BY touched.account_id, touched.month, touched.day) AS line;
    SELECT array_agg(month.month) INTO open_months
      FROM public.month
     WHERE month.company_id = place.company_id AND month.branch_id = place.branch_id AND month.month = ANY (months)
       AND month.state = 'OPEN';
    CONTINUE WHEN open_months IS NULL;
    UPDATE public.daily_quota
       SET equity_change = daily_quota.equity_change - sign * moved.equity,
           quantity_change = daily_quota.quantity_change - sign * moved.quantity
      FROM (
        SELECT known.day, known.revision,
               coalesce(sum(line.net) FILTER (
                 WHERE account.id = known.net_equity_account_id OR known.net_equity_account_id = ANY (account.ancestors)
                    OR (known.include_open_result AND account.account_class = '04')), 0) AS equity,
               coalesce(sum(line.net) FILTER (
                 WHERE account.id = known.quota_quantity_account_id
                    OR known.quota_quantity_account_id = ANY (account.ancestors)), 0) AS quantity
          FROM public.daily_quota AS known
          JOIN unnest(accounts, months, days, nets) AS line (account_id, month, day, net)
            ON line.day <= known.day AND line.month = ANY (open_months)
          JOIN public.account ON account.id = line.account_id
         WHERE known.company_id = place.company_id AND known.branch_id = place.branch_id
           AND known.day >= place.day AND known.replaced_at IS NULL
         GROUP BY known.day, known.revision) AS moved
     WHERE daily_quota.company_id = place.company_id AND daily_quota.branch_id = place.branch_id
       AND daily_quota.day = moved.day AND daily_quota.revision = moved.revision
       AND (moved.equity <> 0 OR moved.quantity <> 0);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER quota_equity_insert AFTER INSERT ON entry_line REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_quota_equity();
CREATE TRIGGER quota_equity_update_from AFTER UPDATE ON entry_line REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_quota_equity('taken');
CREATE TRIGGER quota_equity_update_to AFTER UPDATE ON entry_line REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_quota_equity();
CREATE TRIGGER quota_equity_delete AFTER DELETE ON entry_line REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_quota_equity('taken');

-- The same of movements: their quotas count from their day on, their amounts are of their day alone.
CREATE FUNCTION note_quota_movement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM public.change_quotas_since(OLD.company_id, OLD.branch_id, OLD.day, -coalesce(OLD.quotas, 0),
                                       -public.quota_flow(OLD.kind, OLD.amount));
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM public.change_quotas_since(NEW.company_id, NEW.branch_id, NEW.day, coalesce(NEW.quotas, 0),
                                       public.quota_flow(NEW.kind, NEW.amount));
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION change_quotas_since(company bigint, branch bigint, since date, quotas numeric, flow numeric) RETURNS void
LANGUAGE sql
BEGIN ATOMIC
  UPDATE public.daily_quota
     SET quantity_change = daily_quota.quantity_change
                           + CASE WHEN daily_quota.quota_quantity_account_id IS NULL THEN quotas ELSE 0 END,
         flow_change = daily_quota.flow_change + CASE WHEN daily_quota.day = since THEN flow ELSE 0 END
   WHERE daily_quota.company_id = company AND daily_quota.branch_id = branch AND daily_quota.day >= since
     AND daily_quota.replaced_at IS NULL AND (quotas <> 0 OR (flow <> 0 AND daily_quota.day = since));
END;
-- What comes into the fund is positive.
CREATE FUNCTION quota_flow(kind text, amount numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN kind IN ('INITIAL', 'SUBSCRIPTION') THEN coalesce(amount, 0) ELSE -coalesce(amount, 0) END;
CREATE TRIGGER quota_movement_changed AFTER INSERT OR UPDATE OR DELETE ON quota_movement
  FOR EACH ROW EXECUTE FUNCTION note_quota_movement();

-- Reprocessing quotas may wait for a second person.
ALTER TABLE company_options DROP CONSTRAINT company_options_four_eyes_check;
ALTER TABLE company_options ADD CONSTRAINT company_options_four_eyes_check
  CHECK (four_eyes <@ ARRAY['MONTH_CLOSE', 'REOPENING', 'ARCHIVING', 'QUOTA', 'QUOTA_REPROCESSING']) NOT VALID;
ALTER TABLE company_options VALIDATE CONSTRAINT company_options_four_eyes_check;
ALTER TABLE approval DROP CONSTRAINT approval_kind_check;
ALTER TABLE approval ADD CONSTRAINT approval_kind_check
  CHECK (kind IN ('MONTH_CLOSE', 'REOPENING', 'ARCHIVING', 'QUOTA', 'QUOTA_REPROCESSING', 'OPTIONS', 'DRAFT')) NOT VALID;
ALTER TABLE approval VALIDATE CONSTRAINT approval_kind_check;
