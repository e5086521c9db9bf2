import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { dailyBalances, type EcdFile, journal } from '../support/ecd-file.ts';
import { createEmptyBranch, type EmptyBranch, importEcd, postEcd } from '../support/ecd-imports.ts';
import { closeMonth, openMonth, REOPENING } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

type Options = Parameters<typeof importEcd>[3];

/** Imports into a branch of its own. */
async function tried(file: EcdFile | string, options: Options = {}) {
  const branch = await createEmptyBranch(platform.admin);
  const job = await importEcd(platform.admin, branch, typeof file === 'string' ? file : file.text(), options);
  if (job.resultado === null) throw new Error(job.mensagem);
  return { branch, result: job.resultado, job };
}

interface Finding {
  readonly regra: string;
  readonly impede: boolean;
  readonly linha?: number;
}
const stopping = ({ achados }: { readonly achados: readonly Finding[] }) =>
  achados.filter(({ impede }) => impede).map(({ regra }) => regra);
const rules = ({ achados }: { readonly achados: readonly Finding[] }) => achados.map(({ regra }) => regra);

/** Balances of the posting accounts at the end of a month, debit-positive, by code. */
async function balancesOf({ company, branch }: EmptyBranch, month: string): Promise<Record<string, number>> {
  const accounts: { cdAccounting: string; id: number; accountType: string }[] = await bodyOf(
    platform.admin.get('masterdata', `/chartOfAccounts/getallcoa/${company}/${branch}`),
  );
  const balances: Record<string, number> = {};
  for (const { cdAccounting, id, accountType } of accounts) {
    if (accountType !== 'A') continue;
    const body = { contaId: id, empresa: company, filial: branch, anomesini: month, anomesfim: month };
    const { accumulatedBalance } = (await bodyOf(platform.admin.post('queries', '/balanceInquiryDetails', body)))[0];
    balances[cdAccounting] = accumulatedBalance;
  }
  return balances;
}

/** Rows of every table that books are in, of one company. */
async function rowsOf({ company }: EmptyBranch): Promise<Record<string, number>> {
  const tables = ['company_options', 'month', 'batch', 'document', 'entry_line', 'base_balance', 'import_file'];
  return withOwnerConnection(platform.ownerUrl, async (owner) => {
    const counts: Record<string, number> = {};
    for (const table of tables) {
      const { rows } = await owner.query(
        `SELECT count(*)::int AS rows FROM ${table} JOIN company ON company.id = ${table}.company_id WHERE company.code = '${company}'`,
      );
      counts[table] = (rows[0] as { rows: number }).rows;
    }
    const { rows } = await owner.query(`SELECT count(*)::int AS rows FROM chart WHERE chart.code = 'PLANO-${company}'`);
    return { ...counts, chart: (rows[0] as { rows: number }).rows };
  });
}

const NOTHING = {
  ...{ company_options: 0, month: 0, batch: 0, document: 0, entry_line: 0, base_balance: 0, import_file: 0, chart: 0 },
};

describe('a journal of another system', () => {
  test('is the books of a new branch, and proven against its own balances', async () => {
    const { branch, result, job } = await tried(journal());
    expect({ ...result, achados: stopping(result) }).toMatchObject({
      ...{
        importado: true,
        leiaute: '9.00',
        livro: 'G',
        inicio: '2025-11',
        fim: '2025-12',
        impeditivos: 0,
        achados: [],
      },
      prova: { contas: 7, meses: 2, diferencas: 0 },
      criados: {
        contas: 17,
        historicos: 1,
        demonstracoes: 2,
        signatarios: 2,
        saldosIniciais: 4,
        meses: 2,
        partidas: 9,
      },
    });
    expect(job).toMatchObject({ status: 'DONE', simular: false, company: branch.company, mensagem: null });
    expect(await balancesOf(branch, '11/2025')).toEqual({
      ...{ '1.1.1.01': 950, '1.1.1.02': 700, '2.1.1.01': -300, '2.3.1.01': -1200, '2.3.1.02': 0 },
      ...{ '3.1.01': -200, '3.1.02': 50 },
    });
    expect(await balancesOf(branch, '12/2025')).toMatchObject({ '1.1.1.01': 1050, '2.3.1.02': -250, '3.1.01': 0 });
  });

  test('its numbers restore batch, document and entry; closing entries lie apart, and the month closes by them', async () => {
    const { branch } = await tried(journal());
    const batches = await batchesOf(branch, 12);
    expect(batches.map(({ lote }) => lote).toSorted()).toEqual(['1', '2']);
    const closing = batches.find(({ lote }) => lote === '2')!;
    const lines = await bodyOf(platform.admin.get('movements', `/entrysummary/${closing.id}`));
    expect(JSON.stringify(lines)).toContain('300');
    await closeMonth(platform.admin, branch, '11/2025');
    await closeMonth(platform.admin, branch, '12/2025');
    expect(await balancesOf(branch, '12/2025')).toMatchObject({ '2.3.1.02': -250, '3.1.01': 0, '3.1.02': 0 });
  });

  test('its statements are definitions that the report prints', async () => {
    const { branch } = await tried(journal());
    const chart = `PLANO-${branch.company}`;
    const statements = await bodyOf(platform.admin.get('masterdata', `/statements?chart=${chart}`));
    expect(statements.map(({ kind, code }: { kind: string; code: string }) => `${kind} ${code}`)).toEqual([
      ...['BP ECD', 'DRE ECD'],
    ]);
    const options = await bodyOf(platform.admin.get('masterdata', '/company/options'));
    const own = options.find((each: { company: string }) => each.company === branch.company);
    expect(own).toMatchObject({ baseYearMonth: '11/2025', fiscalYearEndMonth: 12, diaryBookNumber: 7 });
    expect(own.signatories.map(({ name }: { name: string }) => name)).toEqual(['MARIA DIRETORA', 'JOÃO CONTADOR']);
  });

  test('a trial does all of it and leaves nothing but its record', async () => {
    const { branch, result } = await tried(journal(), { simular: 'true' });
    expect(result).toMatchObject({
      importado: false,
      impeditivos: 0,
      prova: { diferencas: 0 },
      criados: { contas: 17 },
    });
    expect(await rowsOf(branch)).toEqual(NOTHING);
    const { company, branch: code } = branch;
    const [record] = await bodyOf(platform.admin.get('movements', `/imports/${company}/${code}`));
    expect(record).toMatchObject({ kind: 'ECD', dryRun: true, status: 'DONE', lines: null });
  });

  test('the same file again is rejected until the import is undone; then the books are as before', async () => {
    const { branch, job } = await tried(journal());
    const { company, branch: code } = branch;
    const again = await postEcd(platform.admin, branch, journal().text());
    expect([again.status, again.body.code]).toEqual([400, 'ECD_IMPORTED_BEFORE']);
    const path = `/imports/${company}/${code}/${job.importId}`;
    const file = await platform.admin.get('movements', `${path}/file`);
    expect(file.text.length).toBe(journal().text().length);
    expect(await platform.admin.call('movements', 'DELETE', `/imports/${job.importId}`)).toMatchObject({ status: 200 });
    expect(await rowsOf(branch)).toMatchObject({ batch: 0, document: 0, entry_line: 0, base_balance: 0, month: 2 });
    const { resultado } = await importEcd(platform.admin, branch, journal().text());
    expect({ ...resultado, achados: stopping(resultado) }).toMatchObject({ importado: true, achados: [] });
    await closeMonth(platform.admin, branch, '11/2025');
    const { id } = (await bodyOf(platform.admin.get('movements', `/imports/${company}/${code}`)))[0];
    const closed = await platform.admin.call('movements', 'DELETE', `/imports/${id}`);
    expect([closed.status, closed.body.code]).toEqual([400, 'MONTH_CONSOLIDATED']);
    await bodyOf(
      platform.admin.post('movements', `/monthOpening/${company}/${code}`, { newyearmonth: '11/2025', ...REOPENING }),
    );
    expect(await platform.admin.call('movements', 'DELETE', `/imports/${id}`)).toMatchObject({
      status: 200,
    });
  });

  test('a line leads to its row of the file', async () => {
    const { branch, job } = await tried(journal());
    const { company, branch: code } = branch;
    const rows = await bodyOf(
      platform.admin.get('movements', `/imports/${company}/${code}/${job.importId}/rows?size=3`),
    );
    expect(rows.columns[0]).toBe('numero');
    expect(rows.rows[0].text).toContain('|I250|1.1.1.02||200,00|D|');
  });

  test('the year after goes on from the books, and is rejected where it does not', async () => {
    const { branch } = await tried(journal(), { meses: '1' });
    expect(await balancesOf(branch, '11/2025')).toMatchObject({ '1.1.1.01': 950, '3.1.02': 50 });
    const december = withoutNovember(journal());
    const { resultado } = await importEcd(platform.admin, branch, december.text());
    expect({ ...resultado, achados: stopping(resultado) }).toMatchObject({ importado: true, achados: [] });
    const other = (await tried(journal(), { meses: '1' })).branch;
    const wrong = withoutNovember(journal());
    for (const [at, amount] of [
      ['0', '951,00'],
      ['1', '699,00'],
    ] as const)
      wrong.set('I155', 'VL_SLD_INI', amount, Number(at));
    wrong.set('I155', 'VL_SLD_FIN', '1051,00', 0).set('I155', 'VL_SLD_FIN', '699,00', 1);
    const { resultado: rejected } = await importEcd(platform.admin, other, wrong.text());
    expect(rejected).toMatchObject({ importado: false, criados: { partidas: 5 }, prova: { diferencas: 4 } });
    expect(stopping(rejected)).toEqual(Array(4).fill('PARTIDAS_PROVA'));
    expect(await balancesOf(other, '11/2025')).toMatchObject({ '1.1.1.01': 950 });
  });

  test('balances alone begin the books in the month after; a book of daily balances has no others', async () => {
    for (const [file, options] of [
      [journal(), { somenteSaldos: 'true' }],
      [dailyBalances(), {}],
    ] as const) {
      const { branch, result } = await tried(file, options);
      expect(result).toMatchObject({ importado: true, criados: { saldosIniciais: 5, meses: 0, partidas: 0 } });
      await openMonth(platform.admin, branch, '01/2026');
      expect(await balancesOf(branch, '01/2026')).toMatchObject({ '1.1.1.01': 1050, '2.3.1.02': -250, '3.1.01': 0 });
    }
  });
});

/** December by itself. */
function withoutNovember(file: EcdFile): EcdFile {
  const from = file.lines.findIndex(([code, day]) => code === 'I150' && day === '01112025');
  const to = file.lines.findIndex(([code, day]) => code === 'I150' && day === '01122025');
  file.lines.splice(from, to - from);
  const first = file.lines.findIndex(([code]) => code === 'I200');
  const december = file.lines.findIndex(([code, number]) => code === 'I200' && number === '202512.1.1.1');
  file.lines.splice(first, december - first);
  return file.set('0000', 'DT_INI', '01122025');
}

/** The journal as an earlier layout writes it. */
function inLayout(layout: 5 | 6 | 7 | 8): EcdFile {
  const file = journal().set('I010', 'COD_VER_LC', `${layout}.00`);
  const older: Readonly<Record<string, (line: string[]) => string[]>> = {
    '0000': (line) => (layout < 8 ? line.slice(0, 20) : line),
    I051: ([code, ...rest]) => (layout < 8 ? [code!, '1', ...rest] : [code!, ...rest]),
    J100: (line) => (layout < 7 ? olderBalance(line) : line),
    J150: (line) =>
      layout < 7 ? olderIncome(line) : layout === 7 ? [line[0]!, ...line.slice(2, 7), ...line.slice(9)] : line,
    J930: (line) => (layout < 7 ? line.slice(0, 11) : line),
  };
  file.lines = file.lines.map((line) => older[line[0]!]?.(line) ?? line);
  return file;
}

function olderBalance([, code, , level, , group, name, opening, before, final, side]: string[]): string[] {
  return ['J100', code!, level!, group === 'A' ? '1' : '2', name!, final!, side!, opening!, before!, ''];
}

function olderIncome([, , code, , level, , name, , , final, , group]: string[]): string[] {
  return ['J150', code!, level!, name!, final!, group!, '', ''];
}

describe('files of earlier years', () => {
  test.each([5, 6, 7, 8] as const)('layout %i', async (layout) => {
    const { branch, result } = await tried(inLayout(layout));
    expect({ ...result, achados: stopping(result) }).toMatchObject({
      ...{ importado: true, leiaute: `${layout}.00`, achados: [], prova: { diferencas: 0 } },
      criados: { contas: 17, demonstracoes: 2, partidas: 9 },
    });
    expect(rules(result)).toContain('PARTIDAS_LEIAUTE_ANTERIOR');
    const { id } = (await bodyOf(platform.admin.get('masterdata', `/statements?chart=PLANO-${branch.company}`))).find(
      ({ kind }: { kind: string }) => kind === 'BP',
    );
    const lines = await bodyOf(platform.admin.get('masterdata', `/statements/${id}/lines`));
    expect(lines.map(({ code, parentCode }: Record<string, string>) => [code, parentCode])).toEqual([
      ...[
        ['A', null],
        ['A.1', 'A'],
        ['P', null],
        ['P.1', 'P'],
        ['P.2', 'P'],
        ['P.3', 'P'],
      ],
    ]);
  });
});

describe('files of other systems', () => {
  test('cost centres are summed, or rejected where that is asked', async () => {
    const { result } = await tried(journal());
    expect(rules(result)).toContain('PARTIDAS_CENTRO_DE_CUSTOS_SOMADO');
    const { branch, result: rejected } = await tried(journal(), { centroCusto: 'RECUSAR' });
    expect(stopping(rejected)).toEqual(['PARTIDAS_CENTRO_DE_CUSTOS']);
    expect(await rowsOf(branch)).toEqual(NOTHING);
  });

  test('numbers of their own are entries of a batch a month and a document a day', async () => {
    const file = journal();
    for (const [at, number] of ['A-1', 'LCTO/2', '000123', 'X'].entries()) file.set('I200', 'NUM_LCTO', number, at);
    const { branch } = await tried(file);
    const [november] = await batchesOf(branch, 11);
    expect(november!.lote).toBe('ECD');
    const documents = await bodyOf(platform.admin.get('movements', `/alldocument/${november!.id}`));
    expect(documents.map(({ documento }: { documento: string }) => documento).toSorted()).toEqual(['10', '20']);
    const december = await batchesOf(branch, 12);
    expect(december.map(({ lote }) => lote).toSorted()).toEqual(['ECD', 'ENCERRA']);
  });

  test('free parents are kept and named; with CODIGO the code wins', async () => {
    const moved = () => journal().set('I050', 'COD_CTA_SUP', '2.1.1', 11);
    const { branch, result } = await tried(moved());
    expect(rules(result)).toContain('PARTIDAS_CONTA_SUPERIOR');
    expect(await parentOf(branch, '2.3.1.01')).toBe('2.1.1');
    const { branch: byCode } = await tried(moved(), { hierarquia: 'CODIGO' });
    expect(await parentOf(byCode, '2.3.1.01')).toBe('2.3.1');
  });

  test('codes without levels are generated from the tree; those of the file find the accounts', async () => {
    const file = journal();
    const names = new Map<string, string>();
    for (const line of file.lines)
      if (line[0] === 'I050') names.set(line[5]!, `C${String(names.size + 1).padStart(3, '0')}`);
    for (const line of file.lines) {
      const places = { I050: [5, 6], I155: [1], I250: [1], I355: [1] }[line[0]!] ?? [];
      for (const place of places) line[place] = names.get(line[place]!) ?? line[place]!;
    }
    const { branch, result } = await tried(file);
    expect(result).toMatchObject({ importado: true, prova: { diferencas: 0 } });
    expect(rules(result)).toContain('PARTIDAS_CODIGO_GERADO');
    const accounts = await accountsOf(branch);
    expect(accounts.find(({ cdReduced }) => cdReduced === 'C004')).toMatchObject({ cdAccounting: '1.1.1.1' });
  });

  test('UTF-8 and bare line feeds are taken with a notice, dashes of Windows as what they are', async () => {
    const text = journal().text().replaceAll('\r\n', '\n');
    const branch = await createEmptyBranch(platform.admin);
    const { resultado } = await importEcd(platform.admin, branch, Buffer.from(text, 'utf8'));
    expect(resultado.importado).toBe(true);
    expect(rules(resultado)).toEqual(expect.arrayContaining(['PARTIDAS_UTF8', 'PARTIDAS_FIM_DE_LINHA']));
    const windows = await tried(journal().set('I050', 'CTA', 'CAIXA \u0096 SEDE', 3));
    const [account] = (await accountsOf(windows.branch)).filter(({ cdAccounting }) => cdAccounting === '1.1.1.01');
    expect(account!.description).toBe('CAIXA – SEDE');
  });

  test('lines of zero stay out, and are counted', async () => {
    const file = journal().after('I250', 1, 'I250|1.1.1.01||0,00|D|||NADA|');
    const { result } = await tried(file);
    expect(result).toMatchObject({ importado: true, criados: { partidas: 9 } });
    expect(rules(result)).toContain('PARTIDAS_PARTIDA_ZERADA');
  });

  test('months that are mixed up are read one by one', async () => {
    const file = journal();
    const first = file.lines.findIndex(([code]) => code === 'I200');
    const [entry] = [file.lines.splice(first, 3)];
    const last = file.lines.findLastIndex(([code]) => code === 'I250');
    file.lines.splice(last + 1, 0, ...entry);
    expect((await tried(file)).result).toMatchObject({ importado: true, prova: { diferencas: 0 } });
  });

  test('what the chart has stays as it is, and the difference is named', async () => {
    const branch = await createEmptyBranch(platform.admin);
    const chart = `PLANO-${branch.company}`;
    const own = { accountType: 'S', nature: 'D', accountClass: '01', description: 'Ativo de antes', chartCode: chart };
    await bodyOf(platform.admin.post('masterdata', '/chartOfAccounts', { ...own, cdAccounting: '1' }));
    const { resultado } = await importEcd(platform.admin, branch, journal().text());
    expect(resultado).toMatchObject({ importado: true, criados: { contas: 16 } });
    expect(rules(resultado)).toContain('PARTIDAS_CONTA_DIFERENTE');
    const [account] = (await accountsOf(branch)).filter(({ cdAccounting }) => cdAccounting === '1');
    expect(account!.description).toBe('Ativo de antes');
  });
});

async function accountsOf({ company, branch }: EmptyBranch) {
  const path = `/chartOfAccounts/getallcoa/${company}/${branch}`;
  return bodyOf(platform.admin.get('masterdata', path)) as Promise<Record<string, string | number>[]>;
}

async function parentOf({ company }: EmptyBranch, code: string): Promise<unknown> {
  const accounts = await bodyOf(platform.admin.get('masterdata', `/chartOfAccounts/detail/?chart=PLANO-${company}`));
  return accounts.find(({ cdAccounting }: { cdAccounting: string }) => cdAccounting === code).parentCdAccounting;
}

async function batchesOf({ company, branch }: EmptyBranch, month: number): Promise<{ id: number; lote: string }[]> {
  const batches = await bodyOf(platform.admin.get('movements', `/allbatch/${company}/${branch}`));
  return batches.filter(({ mes }: { mes: number }) => Number(mes) === month);
}
