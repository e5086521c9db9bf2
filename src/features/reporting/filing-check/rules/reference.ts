import type { Book } from '../book.ts';
import { dayOf, yearOf } from '../dates.ts';
import type { Line } from '../line.ts';
import { remember } from '../remember.ts';
import { later, type Rules } from '../rule.ts';
import { rowsOf } from '../tables.ts';

interface Reference {
  readonly nature: string;
  readonly from: number;
  readonly to: number;
}

/** Charts of which the platform has the table; the same for financial institutions by either way of taxation. */
const FILES: Readonly<Record<string, string>> = {
  1: 'referencial/REF_1_2021.csv',
  3: 'referencial/REF_10_2021.csv',
  10: 'referencial/REF_10_2021.csv',
};
/** Since this year the reference chart of financial institutions is the COSIF itself, in nine digits. */
const COSIF_SINCE = 2025;

const remembered = new Map<string, ReadonlyMap<string, Reference>>();

/** Register I051: where the reference accounts lead. Charts without a table are not checked. */
export const REFERENCE: Rules = {
  'I051 REGRA_NATUREZA_CONTA_DIFERENTE': later(
    'A conta referencial é de outro grupo: contas patrimoniais e de resultado não se misturam.',
    (line, book) => {
      const reference = referenceOf(line, book);
      const own = line.parent?.of('COD_NAT') ?? '';
      return reference === undefined || isOfResult(reference.nature) === isOfResult(own) ? undefined : 'COD_CTA_REF';
    },
  ),
  'I051 REGRA_VALIDADE_COD_CTA_PAD': later('A conta referencial não vale no período da escrituração.', (line, book) => {
    const reference = referenceOf(line, book);
    if (reference === undefined) return undefined;
    return reference.from > book.to || reference.to < book.from ? 'COD_CTA_REF' : undefined;
  }),
  'I051 REGRA_NAO_EXISTE_COD_CTA_PAD': later(
    'A conta referencial não existe no plano referencial informado.',
    (line, book) => (chartOf(book) === undefined || referenceOf(line, book) !== undefined ? undefined : 'COD_CTA_REF'),
  ),
};

const isOfResult = (nature: string) => nature === '04';

function referenceOf(line: Line, book: Book): Reference | undefined {
  return chartOf(book)?.get(line.of('COD_CTA_REF'));
}

function chartOf(book: Book): ReadonlyMap<string, Reference> | undefined {
  const plan = book.given('0000', 'COD_PLAN_REF');
  const file = FILES[plan];
  if (file === undefined) return undefined;
  const name = plan !== '1' && yearOf(book.to) >= COSIF_SINCE ? 'cosif' : file;
  return remember(remembered, name, () => (name === 'cosif' ? cosif() : table(file)));
}

function table(file: string): ReadonlyMap<string, Reference> {
  return new Map(
    rowsOf(file, '|').map((row): [string, Reference] => [
      row.CODIGO!,
      { nature: row.NATUREZA!, from: dayOf(row.DT_INI!), to: dayOf(row.DT_FIM!) || LAST_DAY },
    ]),
  );
}

function cosif(): ReadonlyMap<string, Reference> {
  return new Map(
    rowsOf('cosif/cosif2025_accounts.csv', ',').map(({ code10, codNat }): [string, Reference] => [
      code10!.slice(0, 9),
      { nature: codNat!, from: COSIF_SINCE * 10_000, to: LAST_DAY },
    ]),
  );
}

const LAST_DAY = 99_991_231;
