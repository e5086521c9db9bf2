-- Lines, documents, batches and stored balances of a month that is not open are changed by nobody but the owner of the
-- tables: whatever SQL runs as the program is refused. Consolidating, reopening and purging pass through the functions
-- below, which belong to the owner and do one thing each. What is left to the program of a month's row is opening it.

-- Each month that the statement touched must be open, and is held like any poster holds it: nobody freezes it before the
-- statement's transaction ends. Names are written out, for a temporary table could stand in front of the real one.
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

-- Nearly every statement touches one month, which extremes tell at half the cost of looking for different ones.
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

-- The functions pass row-level security by, so they look at the scope themselves.
CREATE FUNCTION refuse_foreign_company(company bigint) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT (sees_everything() OR coalesce(company = ANY (visible_companies()), false)) THEN
    RAISE EXCEPTION 'company % is out of the scope', company USING ERRCODE = 'insufficient_privilege';
  END IF;
END $$;

-- Closes a month behind its last write.
CREATE FUNCTION freeze_month(company bigint, branch bigint, frozen date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM refuse_foreign_company(company);
  UPDATE month SET state = 'CONSOLIDATED', consolidated_at = now()
   WHERE month.company_id = company AND month.branch_id = branch AND month.month = frozen AND month.state = 'OPEN'
     AND NOT EXISTS (SELECT 1 FROM month AS before
                      WHERE before.company_id = company AND before.branch_id = branch AND before.month < frozen
                        AND before.state = 'OPEN');
  IF NOT FOUND THEN
    RAISE EXCEPTION 'month % of branch % is not the first open one', frozen, branch USING ERRCODE = 'PB002';
  END IF;
END $$;

-- Opens the last consolidated month ahead of what drops its balances.
CREATE FUNCTION reopen_month(company bigint, branch bigint, reopened date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM refuse_foreign_company(company);
  UPDATE month SET state = 'OPEN', consolidated_at = NULL
   WHERE month.company_id = company AND month.branch_id = branch AND month.month = reopened
     AND month.state = 'CONSOLIDATED' AND NOT month.purged
     AND NOT EXISTS (SELECT 1 FROM month AS later
                      WHERE later.company_id = company AND later.branch_id = branch AND later.month > reopened
                        AND later.state = 'CONSOLIDATED');
  IF NOT FOUND THEN
    RAISE EXCEPTION 'month % of branch % is not the last consolidated one', reopened, branch USING ERRCODE = 'PB002';
  END IF;
END $$;

-- Moves the rows of consolidated months between the books and their history, every column of them. Copy, then delete:
-- twice as fast as one DELETE ... RETURNING into the other table, which keeps every row in memory.
CREATE FUNCTION move_movements(company bigint, branch bigint, months date[], into_history boolean) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  kept text;
  origin text;
  target text;
  columns text;
  parents_first CONSTANT text[] := ARRAY['batch', 'document', 'entry_line'];
  chosen CONSTANT text := 'company_id = $1 AND branch_id = $2 AND month = ANY ($3)';
BEGIN
  PERFORM refuse_foreign_company(company);
  UPDATE month SET purged = into_history
   WHERE month.company_id = company AND month.branch_id = branch AND month.month = ANY (months)
     AND month.state = 'CONSOLIDATED' AND month.purged <> into_history;
  IF (SELECT count(*) FROM month
       WHERE month.company_id = company AND month.branch_id = branch AND month.month = ANY (months)
         AND month.state = 'CONSOLIDATED') <> cardinality(months) THEN
    RAISE EXCEPTION 'a month of branch % is not consolidated', branch USING ERRCODE = 'PB002';
  END IF;
  FOR kept IN SELECT name.name FROM unnest(parents_first) WITH ORDINALITY AS name (name, place)
               ORDER BY CASE WHEN into_history THEN -name.place ELSE name.place END LOOP
    SELECT string_agg(quote_ident(pg_attribute.attname), ', ') INTO columns
      FROM pg_attribute
     WHERE pg_attribute.attrelid = to_regclass('public.' || kept) AND pg_attribute.attnum > 0
       AND NOT pg_attribute.attisdropped;
    origin := CASE WHEN into_history THEN kept ELSE kept || '_history' END;
    target := CASE WHEN into_history THEN kept || '_history' ELSE kept END;
    EXECUTE format('INSERT INTO public.%I (%s) SELECT %s FROM public.%I WHERE %s', target, columns, columns, origin, chosen)
      USING company, branch, months;
    EXECUTE format('DELETE FROM public.%I WHERE %s', origin, chosen) USING company, branch, months;
  END LOOP;
END $$;
