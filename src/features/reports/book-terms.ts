import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { maskedCnpj } from '../../accounting/cnpj.ts';
import { brazilianDate, type Day, dayNumberOf, monthOfDay } from '../../accounting/period.ts';
import { refuse } from '../../accounting/problem.ts';
import { filled } from '../../platform/render/layout.ts';
import type { TableRow, TextPage } from '../../platform/render/rows.ts';
import { type BookKeeper, daysInWords, headValues, monthInWords, readBookKeeper } from './report-head.ts';
import type { BookTermsRequest, TermSignatory } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { inPortions } from './table-rows.ts';

/** The terms that open and close a book kept elsewhere, each on a page of its own. */
export async function bookTerms(source: ReportSource, request: BookTermsRequest): Promise<ReportContent> {
  if (request.from > request.to) refuse('INVALID_DATE_RANGE', { from: request.from, to: request.to }, 'dataInicio');
  const keeper = await readBookKeeper(source);
  const texts = await readTermTexts(source.templates);
  const numbers = { pages: request.pages, firstPage: 1 };
  const opening = termPage(texts.opening, keeper, request, numbers);
  const closing = termPage(texts.closing, keeper, request, numbers);
  const pages = { ABERTURA: [opening], ENCERRAMENTO: [closing], AMBOS: [opening, closing] }[request.which];
  return {
    values: headValues(keeper, daysInWords(request.from, request.to), source.now),
    rows: inPortions(
      pages.flatMap((page, at) => [...(at === 0 ? [] : [{ kind: 'newPage', cells: {} } as const]), ...termRows(page)]),
    ),
  };
}

export type BookFacts = Pick<BookTermsRequest, 'book' | 'orderNumber' | 'from' | 'to'> &
  Partial<Omit<BookTermsRequest, 'kind' | 'which' | 'pages'>>;

/** Terms as first and last page of a book that is being printed. */
export async function bookTermPages(
  source: ReportSource,
  keeper: BookKeeper,
  facts: BookFacts,
  firstPage: number,
): Promise<Required<Pick<ReportContent, 'openingFor' | 'closing'>>> {
  const texts = await readTermTexts(source.templates);
  // Refused before anything is printed.
  signaturesOf(keeper, facts);
  return {
    openingFor: (pages) => termPage(texts.opening, keeper, facts, { pages, firstPage }),
    closing: (pages) => termPage(texts.closing, keeper, facts, { pages, firstPage }),
  };
}

const textOfTerm = z.strictObject({ title: z.string().min(1), paragraphs: z.array(z.string()).min(1) });
const termTexts = z.strictObject({ opening: textOfTerm, closing: textOfTerm });
type TermText = z.output<typeof textOfTerm>;

/** The installation's own wording where there is a sound one. */
async function readTermTexts(folder: string | undefined): Promise<z.output<typeof termTexts>> {
  const name = 'bookTermTexts.json';
  if (folder !== undefined) {
    const own = termTexts.safeParse(await readJson(join(folder, name)));
    if (own.success) return own.data;
  }
  return termTexts.parse(await readJson(new URL(`templates/${name}`, import.meta.url)));
}

async function readJson(path: string | URL): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function termPage(
  text: TermText,
  keeper: BookKeeper,
  facts: BookFacts,
  { pages, firstPage }: { pages: number; firstPage: number },
): TextPage {
  const { company, branch } = keeper;
  const seat = branch.street === null ? company : branch;
  const nire = facts.nire ?? branch.nire ?? company.nire;
  const filed = facts.filingDate ?? company.nireDate;
  const city = facts.city ?? seat.city;
  const state = facts.state ?? seat.state;
  const values = {
    pages: String(pages),
    firstPage: String(firstPage),
    lastPage: String(firstPage + pages - 1),
    book: BOOKS[facts.book],
    orderNumber: String(facts.orderNumber),
    company: company.name,
    cnpj: maskedCnpj(branch.cnpj ?? company.cnpj),
    seat: joinedBy(', ', [
      joinedBy(', ', [seat.street, seat.number]),
      seat.complement,
      seat.district,
      joinedBy('/', [seat.city, seat.state]),
      `CEP ${seat.zipCode ?? company.zipCode}`,
    ]),
    registration: nire
      ? `, registrada na Junta Comercial sob o NIRE ${nire}${filed ? ` em ${brazilianDate(filed)}` : ''}`
      : '',
    period: daysInWords(facts.from, facts.to),
    place: joinedBy('/', [city, state]),
    openingDate: dateInWords(facts.termDate ?? facts.from),
    closingDate: dateInWords(facts.termDate ?? facts.to),
  };
  return {
    title: filled(text.title, values),
    paragraphs: text.paragraphs.map((paragraph) => filled(paragraph, values)),
    signatures: signaturesOf(keeper, facts),
  };
}

const BOOKS: Readonly<Record<BookTermsRequest['book'], string>> = {
  DIARIO: 'Livro Diário',
  RAZAO: 'Livro Razão',
  BALANCETES: 'Livro Balancetes Diários e Balanços',
};

/** Name, capacity and registration under each line; the legal representative and the accountant as the options name them. */
function signaturesOf({ options }: BookKeeper, facts: BookFacts): string[][] {
  const signatories: readonly TermSignatory[] = facts.signatories?.length ? facts.signatories : options.signatories;
  if (signatories.length === 0) refuse('SIGNATORIES_REQUIRED', {}, 'signatarios');
  return signatories.map(({ name, cpf, role, crc, ufCrc }) =>
    [
      name,
      role ?? '',
      cpf ? `CPF ${cpf.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4')}` : '',
      crc ? `CRC${ufCrc ? `/${ufCrc}` : ''} ${crc}` : '',
    ].filter((line) => line !== ''),
  );
}

/** A term as rows of a table without columns, for the report that holds nothing else. */
function termRows(page: TextPage): TableRow[] {
  const line = (text: string): TableRow => ({ kind: 'detail', cells: { text } });
  return [
    { kind: 'section', cells: { text: page.title }, bookmark: page.title },
    ...page.paragraphs.flatMap((paragraph) => [line(' '), line(paragraph)]),
    ...page.signatures.flatMap((signature) => [line(' '), line(' '), line('_'.repeat(50)), ...signature.map(line)]),
  ];
}

/** '31 de janeiro de 2026' */
function dateInWords(day: Day): string {
  return `${dayNumberOf(day)} de ${monthInWords(monthOfDay(day)).toLowerCase()}`;
}

function joinedBy(separator: string, parts: readonly (string | null | undefined)[]): string {
  return parts.filter((part) => part).join(separator);
}
