import { z } from 'zod';

const LONG_LISTS = new WeakSet<z.ZodType>();

/**
 * The schema of an answer of hundreds or thousands of rows, whose fields the handler names one by one: the types bind
 * them and tests check each row. In operation they are written as they are; a check takes longer than the writing.
 */
export function longList<Item extends z.ZodType>(item: Item): z.ZodArray<Item> {
  const list = z.array(item);
  LONG_LISTS.add(list);
  return list;
}

/** Whether an answer is such a list, or has one in it. */
export function holdsLongList(schema: z.ZodType): boolean {
  if (LONG_LISTS.has(schema)) return true;
  return (
    schema instanceof z.ZodObject && Object.values(schema.shape).some((field) => holdsLongList(field as z.ZodType))
  );
}
