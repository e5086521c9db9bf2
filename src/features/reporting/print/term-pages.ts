import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { maskedCep } from '../../../accounting/cep.ts';
import { maskedCnpj } from '../../../accounting/cnpj.ts';
import { groupedSeal } from '../../../accounting/grouped-seal.ts';
import { brazilianDate, monthOfDay } from '../../../accounting/period.ts';
import { interpolate, parseTemplate, TemplateError } from '../../../platform/render/layout.ts';
import type { TextPage } from '../../../platform/render/rows.ts';
import { BOOK_NAMES } from '../books/issued-book.ts';
import { readSeals, type SealInForce } from '../statements/read-seals.ts';
import type { ReportingEntity } from '../statements/reporting-entity.ts';
import { rejectUnlessBook, type WantedBook } from './book-conditions.ts';
import { administratorInWords, dateInWords, daysInWords } from './report-head.ts';
import type { BookTermsRequest } from './report-request.ts';
import type { ReportSource } from './report-source.ts';
import { readOwnTemplate } from './report-template.ts';
import { signatureBlock } from './signature-block.ts';

/** What the terms say of a book beside its pages. */
export type BookInput = Pick<BookTermsRequest, 'book' | 'orderNumber' | 'from' | 'to'> &
  Partial<Pick<BookTermsRequest, 'nire' | 'filingDate' | 'city' | 'state' | 'termDate' | 'signatories'>>;

export interface BookPages {
  readonly pages: number;
  readonly firstPage: number;
}

export interface Terms {
  /** Makes the page that opens or closes a book. */
  page(which: 'opening' | 'closing', facts: BookInput, pages: BookPages): TextPage;
  /** Why the installation's own wording is not used. */
  readonly fault?: string | undefined;
}

/** Rejects before printing what is no book. Signatories come from the request or the options. */
export async function termsOf(
  source: ReportSource,
  entity: ReportingEntity,
  book: Omit<WantedBook, 'signatories'> & { readonly signatories?: BookInput['signatories'] },
): Promise<Terms> {
  const signatories = book.signatories?.length ? book.signatories : entity.options.signatories;
  await rejectUnlessBook(source, entity, { ...book, signatories });
  const { texts, fault } = await readTermTexts(source.templates);
  const signatures = signatureBlock(signatories);
  const seals = await readSeals(source.sql, source.tenant, monthOfDay(book.from), monthOfDay(book.to));
  return {
    page: (which, facts, pages) => {
      const page = termPage(texts[which], entity, facts, pages, signatures);
      // Before place and date.
      const seal = which === 'closing' ? seals.findLast((each) => isWithin(each, facts)) : undefined;
      return seal === undefined ? page : { ...page, paragraphs: page.paragraphs.toSpliced(-1, 0, sealInWords(seal)) };
    },
    fault,
  };
}

/** A volume names the last seal of its own months. */
function isWithin({ year, month }: SealInForce, { from, to }: Pick<BookInput, 'from' | 'to'>): boolean {
  const sealed = `${year}-${month}`;
  return monthOfDay(from) <= sealed && sealed <= monthOfDay(to);
}

function sealInWords({ year, month, seal }: SealInForce): string {
  return `Selo de ${month}/${year}: ${groupedSeal(seal)}.`;
}

const textOfTerm = z.strictObject({ title: z.string().min(1), paragraphs: z.array(z.string()).min(1) });
const termTexts = z.strictObject({ opening: textOfTerm, closing: textOfTerm });
type TermText = z.output<typeof textOfTerm>;

/** The installation's own wording where it is valid, else the built-in one. */
async function readTermTexts(
  folder: string | undefined,
): Promise<{ texts: z.output<typeof termTexts>; fault?: string | undefined }> {
  const name = 'bookTermTexts.json';
  const builtIn = async () =>
    parseTemplate(termTexts, await readFile(new URL(`templates/${name}`, import.meta.url), 'utf8'), name);
  const own = await readOwnTemplate(folder, name);
  if (own === undefined) return { texts: await builtIn() };
  try {
    return { texts: parseTemplate(termTexts, own, name) };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { texts: await builtIn(), fault: error.message };
  }
}

function termPage(
  text: TermText,
  entity: ReportingEntity,
  facts: BookInput,
  { pages, firstPage }: BookPages,
  signatures: readonly string[][],
): TextPage {
  const { company, branch, fund } = entity;
  const seat = branch.street === null ? company : branch;
  const city = facts.city ?? seat.city;
  const state = facts.state ?? seat.state;
  const values = {
    pages: String(pages),
    firstPage: String(firstPage),
    lastPage: String(firstPage + pages - 1),
    book: BOOK_NAMES[facts.book],
    orderNumber: String(facts.orderNumber),
    registered: fund === undefined ? 'inscrita' : 'inscrito',
    entity: fund === undefined ? `da sociedade ${company.name}` : `do fundo ${fund.name}`,
    company: fund?.name ?? company.name,
    cnpj: maskedCnpj(fund?.cnpj ?? branch.cnpj ?? company.cnpj),
    seat: joinPresent(', ', [
      joinPresent(', ', [seat.street, seat.number]),
      seat.complement,
      seat.district,
      joinPresent('/', [seat.city, seat.state]),
      `CEP ${maskedCep(seat.zipCode ?? company.zipCode)}`,
    ]),
    registration: registrationOf(entity, facts),
    period: daysInWords(facts.from, facts.to),
    place: joinPresent('/', [city, state]),
    openingDate: dateInWords(facts.termDate ?? facts.from),
    closingDate: dateInWords(facts.termDate ?? facts.to),
  };
  return {
    title: interpolate(text.title, values),
    paragraphs: text.paragraphs.map((paragraph) => interpolate(paragraph, values)),
    signatures,
  };
}

/** Of a fund, its number at the securities commission and who administers it: it stands in no commercial registry. */
function registrationOf(entity: ReportingEntity, facts: BookInput): string {
  const { fund } = entity;
  if (fund === undefined) return commercialRegistration(entity, facts);
  const administrator = administratorInWords(fund.administrator ?? {});
  return [
    fund.cvmCode === null ? '' : `, registrado na CVM sob o código ${fund.cvmCode}`,
    administrator === '' ? '' : `, administrado por ${administrator}`,
  ].join('');
}

/**
 * The commercial registry's number and the date of its filing belong together: those of an agency, which has a CNPJ or
 * a NIRE of its own, are its own. Missing data of an agency is printed as missing, or the company's would be taken for
 * it.
 */
function commercialRegistration({ company, branch }: ReportingEntity, facts: BookInput): string {
  const hasOwn = branch.nire !== null || (branch.cnpj !== null && branch.cnpj !== company.cnpj);
  const isAgency = hasOwn && branch.nire !== company.nire;
  const own = isAgency ? branch : company;
  const nire = facts.nire ?? own.nire;
  const filed = facts.filingDate ?? (nire === own.nire ? own.nireDate : null);
  if (nire === null) return isAgency ? ', sem NIRE informado' : '';
  const date = filed === null ? '' : ` em ${brazilianDate(filed)}`;
  const missing = filed === null && isAgency ? ', sem data de arquivamento informada' : '';
  return `, registrada na Junta Comercial sob o NIRE ${nire}${date}${missing}`;
}

function joinPresent(separator: string, parts: readonly (string | null | undefined)[]): string {
  return parts.filter((part) => part).join(separator);
}
