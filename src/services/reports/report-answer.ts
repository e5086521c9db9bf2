import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Day, Month } from '../../accounting/period.ts';
import type { Problem } from '../../accounting/problem.ts';
import { INSTITUTION } from '../../features/access/access.ts';
import type { Cost } from '../../features/operations/budgets.ts';
import type { IssuedBookRow } from '../../features/reporting/books/issued-books.read.sql.ts';
import type { AnswerSettings, ReportFile } from '../../features/reporting/print/print-now.ts';
import type { PrintedReport, ReportOutcome } from '../../features/reporting/print/print-task.ts';
import type { Printer } from '../../features/reporting/print/printer.ts';
import { reportCacheOf } from '../../features/reporting/print/report-cache.ts';
import type { ReportKind, ReportRequest } from '../../features/reporting/print/report-request.ts';
import { booleanText, optional } from '../../http/fields.ts';
import { fieldAndText, problemToWire, type WireProblem } from '../../http/problem-details.ts';
import { type RouteResponse, streamResponse } from '../../http/route.ts';
import type { Config } from '../../platform/config.ts';
import type { Format } from '../../platform/render/render-table.ts';
import { bookKinds } from './book-kinds.ts';
import { REPORT_FIELDS } from './report-requests.ts';

export const retornoGenerico = z.object({
  sucesso: z.boolean().meta({ example: true }),
  mensagem: z.string().meta({ example: 'Relatório gerado' }),
  nomeArquivo: z.string().meta({ example: 'balancete-mensal-0001-0001-2026-01.pdf' }),
  tipoConteudo: z.string().meta({ example: 'application/pdf' }),
  conteudo: z.string().meta({ format: 'byte', description: 'the file in base64' }),
});

/** In the background nothing is printed yet. */
export function costOfPrint({ async: inBackground }: { async?: boolean }): Cost {
  return inBackground ? 'report' : 'print';
}

/** `gone` is aborted when the client disconnects, which stops the printing. */
export function answerSettings(config: Config, printer: Printer, gone: AbortSignal): AnswerSettings {
  const { reportInlineLimit: byteLimit, bookSizeLimit } = config;
  return { printer, byteLimit, bookSizeLimit, cache: reportCacheOf(config), signal: gone };
}

/** How a report is asked for beside its body. */
export const printQuery = z.strictObject({
  async: optional(booleanText),
  head: optional(booleanText.meta({ description: 'true: a CSV begins with a line "# " of company, title and period' })),
});

export interface Labelled {
  readonly kind: ReportKind | 'combined';
  /** What is printed into the file. */
  readonly requests: readonly ReportRequest[];
  readonly format: Format;
  readonly company: string;
  readonly branch: string;
}

/** Whether the caller asks for the file itself, by naming its media type, and JSON not: some libraries name both always. */
export function wantsFile({ headers: { accept = '' } }: FastifyRequest, format: Format): boolean {
  return accept.includes(mediaTypeOf(format)) && !accept.includes('application/json');
}

/** Media types of printed files. */
export function mediaTypeOf(format: Format): string {
  return CONTENT_TYPES[format].split(';')[0]!;
}

/** The file itself; what the envelope says in `mensagem` is a header, percent-encoded. */
export function fileAnswer(file: ReportFile, mensagem: string, label: Labelled): RouteResponse<Readable> {
  const body = file.open();
  body.once('close', () => void file.remove());
  return streamResponse(body, CONTENT_TYPES[label.format], {
    'content-disposition': `inline; filename="${fileName(label)}"`,
    'content-length': String(file.bytes),
    'x-report-message': encodeURIComponent(mensagem.toWellFormed()),
  });
}

/** The envelope with the file in base64, written piece by piece: no report is ever in memory whole. */
export function envelope(
  file: ReportFile,
  mensagem: string,
  label: Labelled,
  more: Record<string, unknown> = {},
): RouteResponse<Readable> {
  const head = JSON.stringify({
    sucesso: true,
    mensagem,
    nomeArquivo: fileName(label),
    tipoConteudo: CONTENT_TYPES[label.format],
    ...more,
    conteudo: '',
  }).slice(0, -2);
  const length = Buffer.byteLength(head) + 4 * Math.ceil(file.bytes / 3) + 2;
  const body = Readable.from(streamPieces(head, file));
  // Sent, or aborted by the client: the file is removed.
  body.once('close', () => void file.remove());
  return streamResponse(body, 'application/json; charset=utf-8', { 'content-length': String(length) });
}

async function* streamPieces(head: string, file: ReportFile): AsyncGenerator<Buffer> {
  yield Buffer.from(head);
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of file.open() as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const whole = bytes.length - (bytes.length % 3);
    yield Buffer.from(bytes.toString('base64', 0, whole));
    rest = bytes.subarray(whole);
  }
  yield Buffer.from(`${rest.toString('base64')}"}`);
}

/** Notes for the reader of the file. */
export function messageOf({ warnings = [], templateFault, missingCharacters }: PrintedReport): string {
  const notes = [
    ...warnings,
    ...(templateFault === undefined ? [] : [`o modelo da instalação foi ignorado (${templateFault})`]),
    ...(missingCharacters.length === 0 ? [] : [`a fonte não tem os caracteres ${missingCharacters.join(' ')}`]),
  ];
  return notes.length === 0 ? 'Relatório gerado' : `Relatório gerado; ${notes.join('; ')}`;
}

export const partAnswer = z.object({
  tipo: z.string(),
  sucesso: z.boolean(),
  mensagem: z.string(),
  paginas: z.number().int(),
});

/** A problem of a part of a combined report. One that the service found itself has its wire name already. */
export function partProblemToWire(problem: Problem): WireProblem {
  return problemToWire(problem, (path) => REPORT_FIELDS[path] ?? path);
}

/** What became of a part of a combined report. */
export function partToWire(tipo: string, outcome: ReportOutcome): z.output<typeof partAnswer> {
  if ('report' in outcome) {
    return { tipo, sucesso: true, mensagem: messageOf(outcome.report), paginas: outcome.report.pages };
  }
  const texts = outcome.problems.map((each) => fieldAndText(partProblemToWire(each), 'pt'));
  return { tipo, sucesso: false, mensagem: texts.join('; '), paginas: 0 };
}

/** 'balancete-mensal-0001-0001-2026-01.pdf', 'demonstracao-dre-0001-0001-2026-12-ano.pdf' */
export function fileName({ kind, requests, format, company, branch }: Labelled): string {
  const type = commonOf(requests, (request) => ('type' in request ? request.type.toLowerCase() : undefined));
  const period = commonOf(requests, (request) => ('month' in request ? monthsOf(request) : daysOf(request)));
  const parts = [FILE_NAMES[kind], ...type, safeCode(company), safeBranch(branch), ...period];
  return `${parts.join('-')}.${format.toLowerCase()}`;
}

/** What all of them have; nothing where they differ. */
function commonOf(requests: readonly ReportRequest[], of: (request: ReportRequest) => string | undefined): string[] {
  const found = new Set(requests.map(of));
  return found.size === 1 ? [...found].filter((each) => each !== undefined) : [];
}

function monthsOf(request: Extract<ReportRequest, { month: Month }>): string {
  if (!('length' in request)) return request.month;
  const { month, length } = request;
  if (request.kind === 'fundEquity') return `${month}-${PERIOD_NAMES[length]}`;
  const { periods } = request;
  // The balances at the end of a month are those of any period that ends there.
  const isOneBalance = request.type === 'BP' && periods === 1;
  return [month, ...(isOneBalance ? [] : [PERIOD_NAMES[length]]), ...(periods > 1 ? [`${periods}-periodos`] : [])].join(
    '-',
  );
}

const PERIOD_NAMES = { MONTH: 'mes', SEMESTER: 'semestre', YEAR: 'ano' } as const;

function daysOf({ from, to }: { readonly from: Day; readonly to: Day }): string {
  return from === to ? from : `${from}-${to}`;
}

function safeBranch(branch: string | null): string {
  return branch === null || branch === INSTITUTION ? 'instituicao' : safeCode(branch);
}

function safeCode(code: string): string {
  return code.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** 'livro-diario-0001-0001-7-2026-01-01-2026-06-30.pdf', with its mark when it was invalidated. */
export function bookFileName(
  company: string,
  {
    branch,
    kind,
    firstNumber,
    from,
    to,
    state,
  }: Pick<IssuedBookRow, 'branch' | 'kind' | 'firstNumber' | 'from' | 'to' | 'state'>,
): string {
  const mark = state === 'ISSUED' ? '' : '-cancelado';
  return `livro-${bookKinds.toWire(kind).toLowerCase()}-${safeCode(company)}-${safeBranch(branch)}-${firstNumber}-${from}-${to}${mark}.pdf`;
}

export const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  PDF: 'application/pdf',
  CSV: 'text/csv; charset=utf-8',
  TXT: 'text/plain; charset=utf-8',
  XLSX: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Of all formats: what an answer with a file can be. */
export const FILE_TYPES: readonly string[] = (Object.keys(CONTENT_TYPES) as Format[]).map(mediaTypeOf);

const FILE_NAMES: Readonly<Record<ReportKind | 'combined', string>> = {
  postingListing: 'lancamentos',
  cosifGeneralBalance: 'balancete-geral-cosif',
  monthlyTrialBalance: 'balancete-mensal',
  monthlyTrialCvmBalance: 'balancete-mensal-cvm',
  dailyTrialBalance: 'balancete-diario',
  patrimonialBalance: 'balanco-patrimonial',
  patrimonialCvmBalance: 'balanco-patrimonial-cvm',
  financialStatement: 'demonstracao',
  financialStatements: 'demonstracao',
  monthlyColumns: 'saldos-mensais',
  equityChanges: 'demonstracao',
  quotaEvolution: 'evolucao-cota',
  fundEquity: 'evolucao-patrimonio',
  ledgerBook: 'razao',
  journal: 'diario-geral',
  bookTerms: 'termos',
  combined: 'relatorios',
};
