import { z } from 'zod';
import type { FilingFinding } from '../../features/reporting/filings/filing-finding.ts';

/** A finding of a file that the platform writes: of the check, with the record to mend. */
export const filingFinding = z
  .object({
    regra: z
      .string()
      .meta({ example: 'PARTIDAS_MES_NAO_CONSOLIDADO', description: 'official code, or one of ours: PARTIDAS_…' }),
    severidade: z.enum(['ERRO', 'AVISO']).meta({ example: 'ERRO' }),
    linha: z.number().int().optional().meta({ example: 57, description: 'the first line of the file is 1' }),
    registro: z.string().optional().meta({ example: 'I150' }),
    campo: z.string().optional().meta({ example: 'DT_FIN' }),
    valor: z.string().optional().meta({ example: '0001 06/2025' }),
    texto: z.string().meta({ example: 'O mês não está consolidado.' }),
    onde: z
      .object({
        recurso: z.string().meta({ example: 'month', description: 'kind of record, as the trail names it' }),
        id: z.number().int().optional().meta({ example: 12 }),
        codigo: z.string().optional().meta({ example: '0001 06/2025' }),
        caminho: z.string().meta({ example: '/chartOfAccounts/12', description: 'the endpoint of the record to mend' }),
      })
      .optional()
      .meta({ description: 'absent where no single record is at fault' }),
  })
  .meta({ title: 'WrittenFilingFinding' });

export const findingCounts = z
  .record(z.string(), z.number().int())
  .meta({ description: 'all findings by rule', example: { PARTIDAS_MES_NAO_CONSOLIDADO: 1 } });

export function findingToWire(finding: FilingFinding): z.input<typeof filingFinding> {
  const { rule, severity, line, register, field, value, message, origin } = finding;
  return {
    ...{
      regra: rule,
      severidade: severity,
      linha: line,
      registro: register,
      campo: field,
      valor: value,
      texto: message,
    },
    onde: origin && {
      ...{ recurso: origin.resource, id: origin.id, codigo: origin.code, caminho: origin.path },
    },
  };
}
