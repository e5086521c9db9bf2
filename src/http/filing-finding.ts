import { z } from 'zod';
import type { Finding } from '../features/reporting/filing-check/findings.ts';

/** What a regulator's file has wrong, in the words of who keeps the books. */
export const findingAnswer = z
  .object({
    regra: z
      .string()
      .meta({ example: 'REGRA_VALIDACAO_SALDO_FINAL', description: 'official code, or one of ours: PARTIDAS_…' }),
    severidade: z.enum(['ERRO', 'AVISO']).meta({ example: 'ERRO' }),
    linha: z.number().int().optional().meta({ example: 57, description: 'the first line of the file is 1' }),
    registro: z.string().optional().meta({ example: 'I155' }),
    campo: z.string().optional().meta({ example: 'VL_SLD_FIN' }),
    valor: z.string().optional().meta({ example: '1,00', description: 'at most 100 characters' }),
    texto: z.string().meta({ example: 'Saldo inicial mais débitos menos créditos não dá o saldo final.' }),
  })
  .meta({ title: 'FilingFinding' });

export function findingToWire({
  rule,
  severity,
  line,
  register,
  field,
  value,
  message,
}: Finding): z.input<typeof findingAnswer> {
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
  };
}
