-- A function of the owner names its company first, and so do its statements: where the books are spread over servers it is sent to
-- the one that has them.
CREATE FUNCTION append_seal(company bigint, added seal) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF company IS DISTINCT FROM added.company_id THEN
    RAISE EXCEPTION 'a seal of company % is not one of company %', added.company_id, company USING ERRCODE = 'PB002';
  END IF;
  PERFORM append_seal(added);
END $$;

CREATE OR REPLACE FUNCTION move_movements(company bigint, branch bigint, months date[], into_archive boolean) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  kept text;
  origin text;
  target text;
  columns text;
  moved text;
  parents_first CONSTANT text[] := ARRAY['batch', 'document', 'entry_line'];
  chosen CONSTANT text := 'company_id = $1 AND branch_id = $2 AND month = ANY ($3)';
BEGIN
  PERFORM refuse_foreign_company(company);
  UPDATE month SET archived = into_archive
   WHERE month.company_id = company AND month.branch_id = branch AND month.month = ANY (months)
     AND month.state = 'CLOSED' AND month.archived <> into_archive;
  IF (SELECT count(*) FROM month
       WHERE month.company_id = company AND month.branch_id = branch AND month.month = ANY (months)
         AND month.state = 'CLOSED') <> cardinality(months) THEN
    RAISE EXCEPTION 'a month of branch % is not closed', branch USING ERRCODE = 'PB002';
  END IF;
  FOR kept IN SELECT name.name FROM unnest(parents_first) WITH ORDINALITY AS name (name, place)
               ORDER BY CASE WHEN into_archive THEN -name.place ELSE name.place END LOOP
    SELECT string_agg(quote_ident(pg_attribute.attname), ', '),
           string_agg(CASE pg_attribute.attname WHEN 'company_id' THEN '$1' ELSE quote_ident(pg_attribute.attname) END, ', ')
      INTO columns, moved
      FROM pg_attribute
     WHERE pg_attribute.attrelid = to_regclass('public.' || kept) AND pg_attribute.attnum > 0
       AND NOT pg_attribute.attisdropped AND pg_attribute.attgenerated = '';
    origin := CASE WHEN into_archive THEN kept ELSE kept || '_archive' END;
    target := CASE WHEN into_archive THEN kept || '_archive' ELSE kept END;
    EXECUTE format('INSERT INTO public.%I (%s) SELECT %s FROM public.%I WHERE %s', target, columns, moved, origin, chosen)
      USING company, branch, months;
    EXECUTE format('DELETE FROM public.%I WHERE %s', origin, chosen) USING company, branch, months;
  END LOOP;
END $$;
