import { sidedText, signedCentavos } from '../amounts.ts';
import type { Book } from '../book.ts';
import { dayNumber, dayOf } from '../dates.ts';
import type { Line } from '../line.ts';
import { remember } from '../remember.ts';
import { atEnd, later, type Rule, type Wrong } from '../rule.ts';

// What balance sheet (J100) and income statement (J150) have in common: lines that are totals of lines.

export type Column = 'INI' | 'FIN';

export const amountOf = (row: Line, column: Column) =>
  signedCentavos(row.of(`VL_CTA_${column}`), row.of(`IND_DC_CTA_${column}`));

export const isTotal = (row: Line) => row.of('IND_COD_AGL') === 'T';
export const isDetail = (row: Line) => row.of('IND_COD_AGL') === 'D';
export const levelOf = (row: Line) => Number(row.of('NIVEL_AGL'));

/** Statements of the company itself; those of others have other accounts. */
export const isOwn = (statement: Line | undefined) => statement?.of('ID_DEM') === '1';

/** For each statement J005 that has lines of the register. */
export const ofStatements = (
  text: string,
  register: string,
  check: (rows: readonly Line[], statement: Line, book: Book) => Iterable<Wrong>,
): Rule =>
  atEnd(text, function* (book) {
    for (const statement of book.rows('J005')) {
      const rows = statement.under(register);
      if (rows.length > 0) yield* check(rows, statement, book);
    }
  });

/** Each total is the sum of the lines right under it. */
export const sumsOfTotals = (text: string, register: string, column: Column): Rule =>
  ofStatements(text, register, function* (rows) {
    const sums = new Map<string, bigint>();
    for (const row of rows) {
      const superior = row.of('COD_AGL_SUP');
      if (superior !== '') sums.set(superior, (sums.get(superior) ?? 0n) + amountOf(row, column));
    }
    for (const row of rows.filter(isTotal)) {
      const expected = sums.get(row.of('COD_AGL')) ?? 0n;
      if (amountOf(row, column) !== expected)
        yield { line: row.number, field: `VL_CTA_${column}`, expected: sidedText(expected) };
    }
  });

/** Rules of a register whose fields speak of one line and those beside it. */
export function rulesOfLines(register: 'J100' | 'J150'): Readonly<Record<string, Rule>> {
  const rules: Record<string, Rule> = {
    REGRA_COD_AGL_DUPLICIDADE: later('Código de aglutinação repetido na demonstração.', (line, book) =>
      linesByCode(line, book).get(line.of('COD_AGL')) === line || line.of('COD_AGL') === '' ? undefined : 'COD_AGL',
    ),
    REGRA_OBRIGATORIO_I052: later(
      'A linha de detalhe não tem nenhuma conta analítica ligada a ela (I052).',
      (line, book) =>
        isDetail(line) && isOwn(line.parent) && accountsOf(book, line.of('COD_AGL')).length === 0
          ? 'COD_AGL'
          : undefined,
    ),
    REGRA_EXISTE_IND_COD_AGLU_DETALHE: ofStatements(
      'A demonstração não tem nenhuma linha de detalhe (D).',
      register,
      function* (rows, { number }) {
        if (!rows.some(isDetail)) yield { line: number, field: 'IND_COD_AGL' };
      },
    ),
    REGRA_COD_AGL_IGUAL_COD_AGL_SUPERIOR: later('A linha é superior de si mesma.', (line) =>
      line.of('COD_AGL') !== '' && line.of('COD_AGL') === line.of('COD_AGL_SUP') ? 'COD_AGL_SUP' : undefined,
    ),
    REGRA_MAIOR_QUE_ZERO: later('O nível deve ser maior que zero.', (line) =>
      levelOf(line) > 0 ? undefined : 'NIVEL_AGL',
    ),
    REGRA_VALIDA_NIVEL_AGL: later('A linha de nível 1 deve ser um total (T).', (line) =>
      levelOf(line) === 1 && !isTotal(line) ? 'IND_COD_AGL' : undefined,
    ),
    REGRA_COD_AGL_SUP_OBRIGATORIO: later('A linha de nível maior que 1 exige a linha superior.', (line) =>
      levelOf(line) > 1 && line.of('COD_AGL_SUP') === '' ? 'COD_AGL_SUP' : undefined,
    ),
    REGRA_COD_AGL_DE_NIVEL_SUPERIOR_INVALIDO: later('A linha superior não existe na demonstração.', (line, book) =>
      line.of('COD_AGL_SUP') !== '' && superiorOf(line, book) === undefined ? 'COD_AGL_SUP' : undefined,
    ),
    REGRA_CODIGO_AGL_NIVEL_SUPERIOR_INVALIDO: later('A linha superior não é um total (T).', (line, book) => {
      const superior = superiorOf(line, book);
      return superior === undefined || superior === line || isTotal(superior) ? undefined : 'COD_AGL_SUP';
    }),
    REGRA_NIVEL_AGL_NIVEL_SUPERIOR_INVALIDO: later('O nível deve ser maior que o da linha superior.', (line, book) => {
      const superior = superiorOf(line, book);
      return superior === undefined || superior === line || levelOf(superior) < levelOf(line) ? undefined : 'NIVEL_AGL';
    }),
    REGRA_COD_AGL_NAO_SE_APLICA: later('A linha de nível 1 não tem linha superior.', (line) =>
      levelOf(line) === 1 && line.of('COD_AGL_SUP') !== '' ? 'COD_AGL_SUP' : undefined,
    ),
  };
  return Object.fromEntries(Object.entries(rules).map(([rule, check]) => [`${register} ${rule}`, check]));
}

const byCode = new WeakMap<object, Map<string, ReadonlyMap<string, Line>>>();

/** The first line of each code among those of a line's statement and register. */
function linesByCode(line: Line, book: Book): ReadonlyMap<string, Line> {
  const registers = remember(byCode, line.parent ?? book, () => new Map());
  const { code } = line.register;
  return remember(registers, code, () => {
    const found = new Map<string, Line>();
    for (const row of line.parent?.under(code) ?? [])
      if (!found.has(row.of('COD_AGL'))) found.set(row.of('COD_AGL'), row);
    return found;
  });
}

function superiorOf(line: Line, book: Book): Line | undefined {
  return linesByCode(line, book).get(line.of('COD_AGL_SUP'));
}

const mapped = new WeakMap<Book, ReadonlyMap<string, readonly Line[]>>();

/** The registers I052 of analytic accounts with a code. */
export function accountsOf(book: Book, code: string): readonly Line[] {
  const lines = remember(mapped, book, () => {
    const analytic = book.rows('I052').filter((row) => row.parent?.of('IND_CTA') === 'A');
    return Map.groupBy(analytic, (row) => row.of('COD_AGL'));
  });
  return lines.get(code) ?? [];
}

/** The sum of something over the accounts, and cost centres, of a line. */
export function sumOf(book: Book, code: string, of: (pair: number) => bigint): bigint {
  let sum = 0n;
  for (const row of accountsOf(book, code)) for (const pair of pairsOf(row, book)) sum += of(pair);
  return sum;
}

/** With a cost centre its own; without one, all that have no register I052 of their own. */
function pairsOf(row: Line, book: Book): readonly number[] {
  const account = book.accounts.get(row.parent?.of('COD_CTA') ?? '');
  if (account === undefined) return [];
  const pairs = book.balances.pairsOf(account.number);
  const centreOf = (line: Line) => book.costCentres.get(line.of('COD_CCUS'));
  if (row.of('COD_CCUS') !== '') return pairs.filter((pair) => book.balances.costCentres[pair] === centreOf(row));
  const taken = new Set(row.parent!.under('I052').map(centreOf));
  return pairs.filter((pair) => !taken.has(book.balances.costCentres[pair]));
}

/** What a detail line should say, by the balances at the beginning or the end of its statement. */
export function balanceOfLine(row: Line, book: Book, column: Column): bigint | undefined {
  const statement = row.parent;
  if (!isOwn(statement)) return undefined;
  const day = dayOf(statement!.of(column === 'INI' ? 'DT_INI' : 'DT_FIN'));
  const month = book.contains(day) ? book.monthIndex(day) : -1;
  if (month < 0) return undefined;
  const { balances } = book;
  return sumOf(book, row.of('COD_AGL'), (pair) =>
    column === 'INI' ? balances.openingOf(pair, month) : balances.finalOf(pair, month),
  );
}

/** What a line of the income statement should say, by the results before they were closed. */
export function resultOfLine(row: Line, book: Book): bigint | undefined {
  const statement = row.parent;
  if (!isOwn(statement)) return undefined;
  const [from, to] = [dayOf(statement!.of('DT_INI')), dayOf(statement!.of('DT_FIN'))];
  const days = book.rows('I350').map((each) => dayOf(each.of('DT_RES')));
  const within = [...new Set(days.filter((day) => day >= from && day <= to))].map(dayNumber);
  if (within.length === 0) return undefined;
  return sumOf(book, row.of('COD_AGL'), (pair) =>
    within.reduce((sum, day) => sum + book.balances.results.of(pair, day), 0n),
  );
}
