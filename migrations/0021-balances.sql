-- What balances are kept: the days of closed months, and the sums of open months behind the newest.

-- The days of a closed month: one row for each account, its days side by side. A row for each day had 28 entries of an
-- index for what is written at once and read at once.

ALTER TABLE daily_balance RENAME TO daily_balance_before;
ALTER TABLE daily_balance_before RENAME CONSTRAINT daily_balance_pkey TO daily_balance_before_pkey;

CREATE TABLE daily_balance (
  company_id bigint NOT NULL,
  branch_id bigint NOT NULL,
  month date NOT NULL,
  account_id bigint NOT NULL,
  days date[] NOT NULL,
  debits numeric(20,2)[] NOT NULL CHECK (cardinality(debits) = cardinality(days)),
  credits numeric(20,2)[] NOT NULL CHECK (cardinality(credits) = cardinality(days)),
  closing_debits numeric(20,2)[] CHECK (cardinality(closing_debits) = cardinality(days)),
  closing_credits numeric(20,2)[] CHECK (cardinality(closing_credits) = cardinality(days)),
  balances numeric(20,2)[] NOT NULL CHECK (cardinality(balances) = cardinality(days)),
  PRIMARY KEY (company_id, branch_id, month, account_id)
);
COMMENT ON TABLE daily_balance IS 'Balances of closed months on the days on which an account moved, in the order of the days; other days carry the last one';
COMMENT ON COLUMN daily_balance.debits IS 'What was debited on each of the days, without closing entries';
COMMENT ON COLUMN daily_balance.credits IS 'What was credited on each of the days, without closing entries';
COMMENT ON COLUMN daily_balance.closing_debits IS 'Debits of closing entries on each of the days; may be NULL where the month has no closing entries';
COMMENT ON COLUMN daily_balance.closing_credits IS 'Credits of closing entries on each of the days; may be NULL where the month has no closing entries';
COMMENT ON COLUMN daily_balance.balances IS 'At the end of each of the days, debit-positive';
CALL enable_tenant_isolation('daily_balance');

INSERT INTO daily_balance (company_id, branch_id, month, account_id, days, debits, credits, closing_debits,
                           closing_credits, balances)
SELECT company_id, branch_id, month, account_id, array_agg(day ORDER BY day), array_agg(debit ORDER BY day),
       array_agg(credit ORDER BY day), array_agg(closing_debit ORDER BY day), array_agg(closing_credit ORDER BY day),
       array_agg(balance ORDER BY day)
  FROM daily_balance_before
 GROUP BY company_id, branch_id, month, account_id;
DROP TABLE daily_balance_before;

CREATE TRIGGER open_month_insert AFTER INSERT ON daily_balance REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_month();
CREATE TRIGGER open_month_update_from AFTER UPDATE ON daily_balance REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_month();
CREATE TRIGGER open_month_update_to AFTER UPDATE ON daily_balance REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_month();
CREATE TRIGGER open_month_delete AFTER DELETE ON daily_balance REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_month();

-- Sums of the lines of a month that is open behind a newer one: its lines are rarely written then, and summed with every
-- balance of the months after it. Each statement that changes lines of such a month adds what it changed as rows of its
-- own; no row is ever updated, so no writer waits for another. Months without sums cost their writers nothing.
ALTER TABLE month ADD COLUMN summed boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN month.summed IS 'The rows of line_sum add up to the lines of the month; whoever changes lines adds to them';

CREATE TABLE line_sum (
  company_id bigint NOT NULL,
  branch_id bigint NOT NULL,
  month date NOT NULL,
  account_id bigint NOT NULL,
  lines integer NOT NULL,
  debit numeric(20,2) NOT NULL,
  credit numeric(20,2) NOT NULL,
  closing_debit numeric(20,2) NOT NULL,
  closing_credit numeric(20,2) NOT NULL,
  net numeric(20,2) NOT NULL GENERATED ALWAYS AS (debit - credit + closing_debit - closing_credit) STORED
);
COMMENT ON TABLE line_sum IS 'Sums of the lines of open months by account: of all lines there were, and of what each statement added since or, negative, took away';
COMMENT ON COLUMN line_sum.lines IS 'How many lines; an account whose rows add up to none has no lines in the month';
COMMENT ON COLUMN line_sum.net IS 'Debit-positive';
CREATE INDEX line_sum_account ON line_sum (company_id, branch_id, month, account_id)
  INCLUDE (lines, debit, credit, closing_debit, closing_credit, net);
COMMENT ON INDEX line_sum_account IS 'Sums of a month in the order of its accounts, by index alone';
CALL enable_tenant_isolation('line_sum');

-- As before, and says whether the month is summed: read under the lock, so that nobody sums it meanwhile.
DROP FUNCTION hold_open_month(bigint, bigint, date, oid);
CREATE FUNCTION hold_open_month(company bigint, branch bigint, held date, changed oid) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  is_summed boolean;
BEGIN
  SELECT month.summed INTO is_summed FROM public.month
    WHERE month.company_id = company AND month.branch_id = branch AND month.month = held AND month.state = 'OPEN'
      FOR SHARE;
  IF NOT FOUND AND NOT pg_catalog.pg_has_role(
       (SELECT pg_class.relowner FROM pg_catalog.pg_class WHERE pg_class.oid = changed), 'USAGE') THEN
    RAISE EXCEPTION 'month % of branch % is not open: % is not changed', held, branch, changed::regclass
      USING ERRCODE = 'PB002';
  END IF;
  RETURN coalesce(is_summed, false);
END $$;

-- Nearly every statement touches one month, min and max find this at half the cost of DISTINCT. The argument 'taken' says
-- that the rows are what was there before the statement.
CREATE OR REPLACE FUNCTION refuse_closed_month() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  least record;
  is_summed boolean := false;
  sign CONSTANT integer := CASE WHEN TG_NARGS > 0 THEN -1 ELSE 1 END;
BEGIN
  SELECT min(touched.company_id) AS company, min(touched.branch_id) AS branch, min(touched.month) AS month,
         min(touched.company_id) = max(touched.company_id) AND min(touched.branch_id) = max(touched.branch_id)
         AND min(touched.month) = max(touched.month) AS only
    INTO least FROM touched;
  IF least.only THEN
    is_summed := public.hold_open_month(least.company, least.branch, least.month, TG_RELID);
  ELSIF least.company IS NOT NULL THEN
    SELECT bool_or(public.hold_open_month(place.company_id, place.branch_id, place.month, TG_RELID)) INTO is_summed
      FROM (SELECT DISTINCT touched.company_id, touched.branch_id, touched.month FROM touched ORDER BY 1, 2, 3) AS place;
  END IF;
  IF is_summed AND TG_RELID = 'public.entry_line'::regclass THEN
    INSERT INTO public.line_sum (company_id, branch_id, month, account_id, lines, debit, credit, closing_debit,
                                 closing_credit)
    SELECT touched.company_id, touched.branch_id, touched.month, touched.account_id, sign * count(*),
           sign * coalesce(sum(touched.amount) FILTER (WHERE touched.side = 'D' AND NOT touched.closing), 0),
           sign * coalesce(sum(touched.amount) FILTER (WHERE touched.side = 'C' AND NOT touched.closing), 0),
           sign * coalesce(sum(touched.amount) FILTER (WHERE touched.side = 'D' AND touched.closing), 0),
           sign * coalesce(sum(touched.amount) FILTER (WHERE touched.side = 'C' AND touched.closing), 0)
      FROM touched
      JOIN public.month ON month.company_id = touched.company_id AND month.branch_id = touched.branch_id
       AND month.month = touched.month AND month.summed
     GROUP BY touched.company_id, touched.branch_id, touched.month, touched.account_id;
  END IF;
  RETURN NULL;
END $$;

DROP TRIGGER open_month_update_from ON entry_line;
CREATE TRIGGER open_month_update_from AFTER UPDATE ON entry_line REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_month('taken');
DROP TRIGGER open_month_delete ON entry_line;
CREATE TRIGGER open_month_delete AFTER DELETE ON entry_line REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_month('taken');
-- Also for repairs by hand that leave the other triggers out: sums must be those of the lines.
ALTER TABLE entry_line
  ENABLE ALWAYS TRIGGER open_month_insert, ENABLE ALWAYS TRIGGER open_month_update_from,
  ENABLE ALWAYS TRIGGER open_month_update_to, ENABLE ALWAYS TRIGGER open_month_delete;

-- Sums the open months before one. A month in which somebody writes at this moment is left as it is, until the next is
-- opened: an opening never waits for writers. The lines are read after the lock, by a statement that sees all committed ones.
CREATE FUNCTION sum_open_months(company bigint, branch bigint, before date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  found date;
BEGIN
  PERFORM refuse_foreign_company(company);
  FOR found IN
    SELECT month.month FROM month
     WHERE month.company_id = company AND month.branch_id = branch AND month.month < before
       AND month.state = 'OPEN' AND NOT month.summed
     ORDER BY month.month
       FOR UPDATE SKIP LOCKED
  LOOP
    INSERT INTO line_sum (company_id, branch_id, month, account_id, lines, debit, credit, closing_debit, closing_credit)
    SELECT company, branch, found, entry_line.account_id, count(*),
           coalesce(sum(entry_line.amount) FILTER (WHERE entry_line.side = 'D' AND NOT entry_line.closing), 0),
           coalesce(sum(entry_line.amount) FILTER (WHERE entry_line.side = 'C' AND NOT entry_line.closing), 0),
           coalesce(sum(entry_line.amount) FILTER (WHERE entry_line.side = 'D' AND entry_line.closing), 0),
           coalesce(sum(entry_line.amount) FILTER (WHERE entry_line.side = 'C' AND entry_line.closing), 0)
      FROM entry_line
     WHERE entry_line.company_id = company AND entry_line.branch_id = branch AND entry_line.month = found
     GROUP BY entry_line.account_id;
    UPDATE month SET summed = true
     WHERE month.company_id = company AND month.branch_id = branch AND month.month = found;
  END LOOP;
END $$;

-- Closes a month after its last write. Its balances are stored; the sums of its lines are no longer needed.
CREATE OR REPLACE FUNCTION close_month(company bigint, branch bigint, closed date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM refuse_foreign_company(company);
  UPDATE month SET state = 'CLOSED', closed_at = now(), summed = false
   WHERE month.company_id = company AND month.branch_id = branch AND month.month = closed AND month.state = 'OPEN'
     AND NOT EXISTS (SELECT 1 FROM month AS before
                      WHERE before.company_id = company AND before.branch_id = branch AND before.month < closed
                        AND before.state = 'OPEN');
  IF NOT FOUND THEN
    RAISE EXCEPTION 'month % of branch % is not the first open one', closed, branch USING ERRCODE = 'PB002';
  END IF;
  DELETE FROM line_sum
   WHERE line_sum.company_id = company AND line_sum.branch_id = branch AND line_sum.month = closed;
END $$;
