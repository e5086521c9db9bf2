import { z } from 'zod';
import { monthOf } from '../../accounting/period.ts';
import { refuse } from '../../accounting/problem.ts';
import type { JsonBatch } from '../../features/imports/import-json.ts';
import { branchCode, codeText, companyCode, optional, text } from '../wire/fields.ts';
import { dayText } from '../wire/movements.ts';

/** Most documents of one request. */
const MAX_DOCUMENTS = 100_000;

/** ImportReportJsonDTO; lines are checked by the import itself, which names each one at fault. */
export const jsonImportBody = z.strictObject({
  empresa: companyCode,
  filial: branchCode,
  lote: optional(codeText(10).meta({ example: '77' })),
  ano: z.number().int().min(1900).max(9999).meta({ example: 2026 }),
  mes: z.number().int().min(1).max(12).meta({ example: 1 }),
  descricao: optional(text(200)),
  documentos: z
    .array(
      z.strictObject({
        documento: codeText(20).meta({ example: '1' }),
        diaref: optional(dayText),
        texto: optional(text(500)),
        cdpadronizado: optional(text(5)),
        lancamentos: z.array(z.unknown()).meta({ example: [exampleLine()] }),
      }),
    )
    .min(1)
    .max(MAX_DOCUMENTS),
});

export function jsonImportFromWire(body: z.output<typeof jsonImportBody>): { batch: JsonBatch } {
  const month = monthOf(body.ano, body.mes) ?? refuse('INVALID_FIELD', { reason: 'no such month' }, 'mes');
  return {
    batch: {
      month,
      number: body.lote,
      description: body.descricao,
      documents: body.documentos.map((document) => ({
        number: document.documento,
        day: document.diaref,
        text: document.texto,
        standardHistory: document.cdpadronizado,
        lines: document.lancamentos,
      })),
    },
  };
}

function exampleLine() {
  return {
    lancamento: '1',
    debcre: 'D',
    day: '05',
    conta: '1.1.1',
    contrapartida: '1.1.2',
    valor: 1234.56,
    historico: 'Aplicação de cotista',
    cdhistorico: '00010',
  };
}
