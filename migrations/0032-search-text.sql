-- Text as searches compare it. translate() and lower() need no extension and no locale of the database: capitals with
-- accents are in the list themselves. Not STRICT, so that PostgreSQL puts the body into the statement.
CREATE FUNCTION search_text(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN lower(translate(value, 'ÁÀÂÃÄÅáàâãäåÉÈÊËéèêëÍÌÎÏíìîïÓÒÔÕÖóòôõöÚÙÛÜúùûüÇçÑñÝýÿ',
                              'AAAAAAaaaaaaEEEEeeeeIIIIiiiiOOOOOoooooUUUUuuuuCcNnYyy'));
COMMENT ON FUNCTION search_text(text) IS 'Without accents and capitals; both sides of a search pass through it';
