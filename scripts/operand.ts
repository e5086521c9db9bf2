import type { z } from 'zod';
import { text } from '../src/http/fields.ts';
import { StartError } from '../src/platform/config.ts';

/** A word of the command line that must be there, as the services would take it: bounded, trimmed, plain text. */
export function operand(what: string, word: string | undefined, taken: z.ZodType<string> = text(200, 1)): string {
  if (word === undefined) throw new StartError(`${what} is missing`);
  const read = taken.safeParse(word);
  if (!read.success) throw new StartError(`${what} ${read.error.issues[0]?.message.split(' | ')[0]}`);
  return read.data;
}
