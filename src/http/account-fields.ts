import { z } from 'zod';
import { accountId, id } from './fields.ts';

/** What every answer about accounts of a chart says of each. */
export const accountFields = {
  id,
  cdAccounting: z.string().meta({ example: '1.1.1' }),
  cdReduced: z.string().meta({ example: '111' }),
  description: z.string().meta({ example: 'Caixa' }),
  accountType: z.enum(['S', 'A']),
  nature: z.enum(['D', 'C', 'M']),
  accountClass: z.string().meta({ example: '01' }),
  level: z.number().int(),
  parentId: accountId.nullable(),
};
