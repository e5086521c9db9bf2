import { z } from 'zod';
import { scaledFromDecimal, scaledToDecimal } from '../../accounting/quota.ts';

/** Largest number of quotas. */
const MOST = 999_999_999_999_999;
const DECIMALS = 12;

/** A positive quantity with up to twelve decimals, as NUMERIC text. */
export const quantity = asText(z.number().positive().max(MOST));

/** The same of either sign. */
export const signedQuantity = asText(z.number().min(-MOST).max(MOST));

function asText(schema: z.ZodNumber) {
  return schema
    .transform((value, context) => {
      const scaled = scaledFromDecimal(String(value), DECIMALS);
      if (scaled !== undefined) return scaledToDecimal(scaled, DECIMALS);
      context.addIssue({
        code: 'custom',
        message: 'must have at most 12 decimals | deve ter no máximo 12 casas decimais',
      });
      return z.NEVER;
    })
    .meta({ format: 'decimal', example: 810000.12345678 });
}
