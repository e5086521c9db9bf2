import { z } from 'zod';
import { checkFile } from '../../features/reporting/filing-check/check-file.ts';
import type { Checked } from '../../features/reporting/filing-check/findings.ts';
import { findingAnswer, findingToWire } from '../../http/filing-finding.ts';
import { route } from '../../http/route.ts';
import { fileBody, readUploadedFile } from '../../http/upload.ts';

const answer = z
  .object({
    arquivo: z.enum(['ECD', '4010', '4016', 'DESCONHECIDO']).meta({ example: 'ECD' }),
    livro: z.string().optional().meta({ example: 'G', description: 'of the ECD: G, R, A, B or Z' }),
    linhas: z.number().int().meta({ example: 143 }),
    bytes: z.number().int().meta({ example: 9120 }),
    erros: z.number().int().meta({ example: 1 }),
    avisos: z.number().int().meta({ example: 0 }),
    achados: z.array(findingAnswer).meta({ description: 'at most 20 of a rule and 1,000 in all' }),
    contagens: z
      .record(z.string(), z.number().int())
      .meta({ description: 'all findings by rule', example: { REGRA_VALIDACAO_SALDO_FINAL: 1 } }),
    naoProvadas: z
      .array(z.string())
      .meta({ description: 'rules that this file alone does not prove', example: ['J800 REGRA_VALIDA_HASH_ARQUIVO'] }),
  })
  .meta({ title: 'FilingCheck' });

export const checkRegulatoryFileRoute = route({
  operationId: 'checkRegulatoryFile',
  method: 'POST',
  path: '/regulatory/check',
  // Few at once: each keeps what it must compare in memory, and computes while its file comes.
  cost: 'heavy',
  summary:
    'Checks a bookkeeping file (ECD, layout 9) or a document 4010 or 4016, whoever wrote it; nothing of it is kept',
  tag: 'Regulatory files',
  addition: true,
  access: { to: 'signedIn' },
  accepts: ['stream'],
  body: fileBody,
  answer,
  handle: async ({ raw }) => checkToWire(await readUploadedFile(raw, checkFile)),
});

function checkToWire(checked: Checked): z.input<typeof answer> {
  const { kind, book, lines, bytes, errors, warnings, findings, counts, notProven } = checked;
  return {
    arquivo: kind === 'UNKNOWN' ? 'DESCONHECIDO' : kind,
    livro: book,
    linhas: lines,
    bytes,
    erros: errors,
    avisos: warnings,
    achados: findings.map(findingToWire),
    contagens: { ...counts },
    naoProvadas: [...notProven],
  };
}
