import { z } from 'zod';

/** ImportResultDTO of the specification. */
export const importResult = z.object({
  success: z.boolean(),
  totalRows: z.number().int(),
  successRows: z.number().int(),
  errorRows: z.number().int(),
  errors: z.array(
    z.string().meta({ example: 'row 7: conta: account 9.9.9 does not exist in the chart of the branch' }),
  ),
  message: z.string(),
});
