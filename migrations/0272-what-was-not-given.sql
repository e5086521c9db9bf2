-- What was not given when a month was consolidated may be completed: only what was given is kept of a changed record.
CREATE OR REPLACE FUNCTION keep_earlier_record() RETURNS trigger LANGUAGE plpgsql AS $$
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
