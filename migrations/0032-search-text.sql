-- Text as searches compare it: letters apart from their accents, which are taken away, and then small. It needs no
-- extension and no locale of the database; translate() with a list of letters took three times as long, and text of plain
-- letters needs neither. Not STRICT, so that PostgreSQL puts the body into the statement.
CREATE FUNCTION search_text(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN lower(CASE WHEN octet_length(value) = char_length(value) THEN value
                  ELSE translate(normalize(value, NFD), U&'\0300\0301\0302\0303\0308\030A\030C\0327', '')
             END COLLATE "C");
COMMENT ON FUNCTION search_text(text) IS 'Without accents and capitals; both sides of a search pass through it';
