import pg from 'pg';

/** OID of the type int8[], which pg does not name. */
const INT8_ARRAY = 1016;

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (text: string) => text);
pg.types.setTypeParser(INT8_ARRAY as number, (text: string) =>
  text === '{}' ? [] : text.slice(1, -1).split(',').map(Number),
);

/** The driver, which reads ids as numbers and days as 'YYYY-MM-DD'; imported from here alone, so that it always does. */
export { pg };
