-- The functions behind the lines read the rows of a statement first and the tables afterwards, never both in one statement: where the
-- books are spread over servers (deploy/citus), a statement on a spread table does not see the rows. They also say which company they
-- ask for.

CREATE OR REPLACE FUNCTION note_account_use() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  place record;
BEGIN
  FOR place IN
    SELECT used.company_id, used.branch_id, array_agg(used.account_id ORDER BY used.account_id) AS accounts
      FROM (SELECT DISTINCT added.company_id, added.branch_id, added.account_id FROM added) AS used
     GROUP BY used.company_id, used.branch_id
     ORDER BY used.company_id, used.branch_id
  LOOP
    INSERT INTO public.account_use (company_id, branch_id, account_id)
    SELECT place.company_id, place.branch_id, account.id FROM unnest(place.accounts) AS account (id)
    ON CONFLICT DO NOTHING;
  END LOOP;
  RETURN NULL;
END $$;

-- Each month that the statement touched must be open, and is held so. The argument says that the rows are lines: 'added' or 'taken',
-- of which a month that is summed keeps the sums. Nearly every statement touches one month, min and max find this at half the cost
-- of DISTINCT.
CREATE OR REPLACE FUNCTION refuse_closed_month() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  first record;
  place record;
  sums public.line_sum[];
  sign CONSTANT integer := CASE TG_ARGV[0] WHEN 'taken' THEN -1 ELSE 1 END;
BEGIN
  SELECT min(touched.company_id) AS company_id, min(touched.branch_id) AS branch_id, min(touched.month) AS month,
         min(touched.company_id) = max(touched.company_id) AND min(touched.branch_id) = max(touched.branch_id)
         AND min(touched.month) = max(touched.month) AS only
    INTO first FROM touched;
  IF first.only IS NULL THEN
    RETURN NULL;
  ELSIF first.only
        AND NOT (public.hold_open_month(first.company_id, first.branch_id, first.month, TG_RELID) AND TG_NARGS > 0) THEN
    RETURN NULL;
  END IF;
  FOR place IN
    SELECT first.company_id, first.branch_id, first.month WHERE first.only
    UNION ALL
    (SELECT DISTINCT touched.company_id, touched.branch_id, touched.month FROM touched WHERE NOT first.only ORDER BY 1, 2, 3)
  LOOP
    CONTINUE WHEN NOT public.hold_open_month(place.company_id, place.branch_id, place.month, TG_RELID) OR TG_NARGS = 0;
    SELECT array_agg(moved.sums) INTO sums
      FROM (SELECT ROW(place.company_id, place.branch_id, place.month, touched.account_id, sign * count(*),
                       sign * coalesce(sum(touched.amount) FILTER (WHERE touched.side = 'D' AND NOT touched.closing), 0),
                       sign * coalesce(sum(touched.amount) FILTER (WHERE touched.side = 'C' AND NOT touched.closing), 0),
                       sign * coalesce(sum(touched.amount) FILTER (WHERE touched.side = 'D' AND touched.closing), 0),
                       sign * coalesce(sum(touched.amount) FILTER (WHERE touched.side = 'C' AND touched.closing), 0),
                       NULL)::public.line_sum AS sums
              FROM touched
             WHERE touched.company_id = place.company_id AND touched.branch_id = place.branch_id AND touched.month = place.month
             GROUP BY touched.account_id) AS moved;
    INSERT INTO public.line_sum (company_id, branch_id, month, account_id, lines, debit, credit, closing_debit, closing_credit)
    SELECT place.company_id, place.branch_id, place.month, moved.account_id, moved.lines, moved.debit, moved.credit,
           moved.closing_debit, moved.closing_credit
      FROM unnest(sums) AS moved
    ON CONFLICT DO NOTHING;
  END LOOP;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER open_month_insert AFTER INSERT ON entry_line REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_month('added');
CREATE OR REPLACE TRIGGER open_month_update_to AFTER UPDATE ON entry_line REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_month('added');
ALTER TABLE entry_line ENABLE ALWAYS TRIGGER open_month_insert, ENABLE ALWAYS TRIGGER open_month_update_to;

CREATE OR REPLACE FUNCTION refuse_batch_above_limit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  first record;
  place record;
  documents bigint[];
  most numeric;
  held record;
  total numeric;
BEGIN
  SELECT min(touched.company_id) AS company_id, min(touched.branch_id) AS branch_id,
         min(touched.company_id) = max(touched.company_id) AND min(touched.branch_id) = max(touched.branch_id) AS only
    INTO first FROM touched;
  IF first.only AND NOT EXISTS (
       SELECT FROM public.company_options
        WHERE company_options.company_id = first.company_id AND company_options.branch_id = first.branch_id
          AND company_options.batch_limit IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  FOR place IN
    SELECT first.company_id, first.branch_id WHERE first.only
    UNION ALL
    (SELECT DISTINCT touched.company_id, touched.branch_id FROM touched WHERE NOT first.only ORDER BY 1, 2)
  LOOP
    SELECT company_options.batch_limit INTO most FROM public.company_options
     WHERE company_options.company_id = place.company_id AND company_options.branch_id = place.branch_id;
    CONTINUE WHEN most IS NULL;
    CONTINUE WHEN EXISTS (
      SELECT FROM public.approval
       WHERE approval.company_id = place.company_id AND approval.branch_id = place.branch_id
         AND approval.kind = 'DRAFT' AND approval.state = 'APPROVED' AND approval.decided_in = pg_current_xact_id());
    SELECT array_agg(DISTINCT touched.document_id) INTO documents FROM touched
     WHERE touched.company_id = place.company_id AND touched.branch_id = place.branch_id AND NOT touched.closing;
    FOR held IN
      SELECT DISTINCT batch.id, batch.number, to_char(batch.month, 'YYYY-MM') AS month
        FROM public.document
        JOIN public.batch ON batch.company_id = document.company_id AND batch.id = document.batch_id
        JOIN public.month ON month.company_id = batch.company_id AND month.branch_id = batch.branch_id
         AND month.month = batch.month AND month.state = 'OPEN'
       WHERE document.company_id = place.company_id AND document.id = ANY (documents)
       ORDER BY batch.id
    LOOP
      -- Two who post into a batch at once see each other's lines: the sum is read by a statement after the lock.
      PERFORM FROM public.batch WHERE batch.company_id = place.company_id AND batch.id = held.id FOR NO KEY UPDATE;
      SELECT sum(entry_line.amount) INTO total
        FROM public.document
        JOIN public.entry_line ON entry_line.company_id = document.company_id AND entry_line.document_id = document.id
       WHERE document.company_id = place.company_id AND document.batch_id = held.id AND entry_line.side = 'D';
      IF total > most THEN
        RAISE EXCEPTION 'batch % of branch % would have debits of %, above its limit of %',
                        held.number, place.branch_id, total, most
          USING ERRCODE = 'PB003',
                DETAIL = jsonb_build_object('month', held.month, 'batch', held.number,
                                            'total', total::text, 'limit', most::text)::text;
      END IF;
    END LOOP;
  END LOOP;
  RETURN NULL;
END $$;

-- The transaction of a decision is that of the server which keeps the request.
CREATE FUNCTION note_deciding_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.decided_in := pg_current_xact_id();
  RETURN NEW;
END $$;
CREATE TRIGGER decided BEFORE UPDATE OF state ON approval FOR EACH ROW
  WHEN (NEW.state = 'APPROVED' AND OLD.state <> 'APPROVED') EXECUTE FUNCTION note_deciding_transaction();
