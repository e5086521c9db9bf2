-- A function of the owner names its company first: where the books are spread over servers it is sent to the one that has them.
CREATE FUNCTION append_seal(company bigint, added seal) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF company IS DISTINCT FROM added.company_id THEN
    RAISE EXCEPTION 'a seal of company % is not one of company %', added.company_id, company USING ERRCODE = 'PB002';
  END IF;
  PERFORM append_seal(added);
END $$;
