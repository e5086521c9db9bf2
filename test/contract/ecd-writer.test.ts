import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { monthOfBranch } from '../../scripts/demo/bank-entries.ts';
import { asId, type CompanyId } from '../../src/accounting/ids.ts';
import type { Day } from '../../src/accounting/period.ts';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { runAdmin } from '../support/admin-command.ts';
import { centavos } from '../support/amounts.ts';
import { movementOf } from '../support/books.ts';
import { DEMO_BRANCHES, DEMO_HEAD_OFFICE, DEMO_YEAR, workDemoYear } from '../support/demo-year.ts';
import { archiveMonth, closeMonth, openMonth } from '../support/months.ts';
import { pastTriggers } from '../support/past-triggers.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';
import {
  AGENCY_BOOK,
  HEAD_BOOK,
  LONG_ENTRY_LINES,
  type TwoBranches,
  workTwoBranches,
} from '../support/two-branches.ts';
import { checkWhole, type WholeEcd, writeWhole } from '../support/written-ecd.ts';

type Asked = { readonly companyId: CompanyId; readonly company: string; readonly year: number };

/** Credits are negative. */
const signed = (amount: string, side: string) => (side === 'C' ? -centavos(amount) : centavos(amount));
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

describe('the year of the sample bank as a bookkeeping file', () => {
  let platform: Platform;
  let request: Asked;
  let journal: WholeEcd;
  let daily: WholeEcd;

  beforeAll(async () => {
    platform = await startPlatform();
    await workDemoYear(platform.admin);
    const { company } = DEMO_HEAD_OFFICE;
    const { id } = await bodyOf(platform.admin.get('masterdata', `/companies/bycompany/${company}`));
    request = { companyId: asId<CompanyId>(id), company, year: DEMO_YEAR };
    journal = await writeWhole(platform, request);
    daily = await writeWhole(platform, { ...request, book: 'B' });
  }, 300_000);
  afterAll(() => platform?.stop());

  it('is taken by the checker without a finding but the missing block C', async () => {
    for (const file of [journal, daily]) {
      expect(file).toMatchObject({ written: true, findings: [] });
      const { errors, findings } = await checkWhole(file);
      expect(findings.map(({ rule }) => rule)).toEqual(['PARTIDAS_SEM_BLOCO_C']);
      expect(errors).toBe(0);
    }
  });

  it('has the same balances, results and statements as journal and as daily balances', () => {
    for (const register of ['I050', 'I052', 'I150', 'I155', 'I350', 'I355', 'J005', 'J100', 'J150', 'J930', 'J935']) {
      expect(daily.of(register), register).toEqual(journal.of(register));
      expect(journal.of(register).length, register).toBeGreaterThan(0);
    }
    expect(daily.linesOf).not.toHaveProperty('I200');
    expect(journal.linesOf).not.toHaveProperty('I300');
  });

  it('has every entry that was posted, and no other', () => {
    const posted = DEMO_BRANCHES.flatMap(({ branch, share }) =>
      Array.from({ length: 12 }, (_, at) => monthOfBranch(branch, at + 1, share, DEMO_BRANCHES.length - 1))
        .flatMap((csv) => csv.trim().split('\r\n').slice(1))
        .map((row) => row.split(';')),
    );
    const entries = journal.of('I200').filter((row) => row[4] === 'N');
    expect(entries).toHaveLength(posted.length);
    expect(sum(entries.map((row) => centavos(row[3]!)))).toBe(sum(posted.map((row) => centavos(row[6]!))));
    const totals = new Map<string, bigint>();
    for (const [, , , , debited, credited, amount] of posted) {
      totals.set(`${debited} D`, (totals.get(`${debited} D`) ?? 0n) + centavos(amount!));
      totals.set(`${credited} C`, (totals.get(`${credited} C`) ?? 0n) + centavos(amount!));
    }
    for (const [key, total] of totals) {
      const [account, side] = key.split(' ');
      if (account!.startsWith('7') || account!.startsWith('8')) continue;
      const moved = journal.of('I155').filter((row) => row[1] === account);
      expect(sum(moved.map((row) => centavos(row[side === 'D' ? 5 : 6]!))), key).toBeGreaterThanOrEqual(total);
      const lines = journal.of('I250').filter((row) => row[1] === account && row[4] === side);
      expect(sum(lines.map((row) => centavos(row[3]!))), key).toBe(
        sum(moved.map((row) => centavos(row[side === 'D' ? 5 : 6]!))),
      );
    }
  });

  it('closes the result twice, and its income statement is the sum of both', () => {
    expect(journal.of('I350').map((row) => row[1])).toEqual(['30062025', '31122025']);
    const result = sum(journal.of('I355').map((row) => signed(row[3]!, row[4]!)));
    const [total] = journal.of('J150').filter((row) => row[4] === '1');
    expect(signed(total![9]!, total![10]!)).toBe(result);
    expect(journal.of('I355').map((row) => row[1])).not.toContain('7.9.1.10.00.00-6');
    const closing = journal.of('I200').filter((row) => row[4] === 'E');
    expect(new Set(closing.map((row) => row[2]))).toEqual(new Set(['30062025', '31122025']));
  });

  it('tells of which records its lines are made', async () => {
    const at = journal.rows.findIndex((row) => row[0] === 'I050' && row[3] === 'A');
    const origin = journal.origins.get(at + 1)!;
    expect(origin).toMatchObject({ resource: 'account', code: journal.rows[at]![5] });
    expect((await bodyOf(platform.admin.get('masterdata', origin.path))).cdAccounting).toBe(origin.code);
    expect(journal.origins.get(1)).toMatchObject({ resource: 'company', code: request.company });
    const signer = journal.rows.findIndex((row) => row[0] === 'J930');
    expect(journal.origins.get(signer + 1)).toMatchObject({ resource: 'company_options' });
  });

  it('can be written without its entries, and its counts are true of what is written', async () => {
    const short = await writeWhole(platform, request, { withoutEntries: true });
    expect(short.linesOf).not.toHaveProperty('I250');
    expect(short.of('9999')).toEqual([['9999', String(short.rows.length)]]);
    expect(short.of('I155')).toEqual(journal.of('I155'));
    const { counts } = await checkWhole(short);
    expect(Object.keys(counts).filter((rule) => rule.includes('QTD'))).toEqual([]);
  });

  it('is the same bytes again, also while somebody reopens and posts', async () => {
    let portions = 0;
    const again = await writeWhole(platform, request, {
      onPortion: async () => {
        if (portions++ > 0) return;
        const bank = { ...DEMO_HEAD_OFFICE };
        await openMonth(platform.admin, bank, `12/${DEMO_YEAR}`);
      },
    });
    expect(portions).toBeGreaterThan(2);
    expect(again.sha256).toBe(journal.sha256);
    expect(again.bytesOfFile.equals(journal.bytesOfFile)).toBe(true);
    const open = await writeWhole(platform, request);
    expect(open).toMatchObject({ written: false, lines: 0, counts: { PARTIDAS_MES_NAO_CONSOLIDADO: 1 } });
    expect(open.findings[0]).toMatchObject({ value: `0001 12/${DEMO_YEAR}`, origin: { resource: 'month' } });
    await closeMonth(platform.admin, DEMO_HEAD_OFFICE, `12/${DEMO_YEAR}`);
    expect((await writeWhole(platform, request)).sha256).toBe(journal.sha256);
  });

  it('is written by the command line, and is the same file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'partidas-ecd-'));
    try {
      const path = join(folder, 'f.txt');
      const words = ['ecd', request.company, String(DEMO_YEAR), '--out', path];
      const ended = await runAdmin(platform, [...words, '--book', 'G']);
      expect(ended).toMatchObject({ code: 0, out: expect.stringContaining(journal.sha256) });
      expect((await readFile(path)).equals(journal.bytesOfFile)).toBe(true);
      // Without --book the form is that of the company's profile.
      expect((await runAdmin(platform, words)).out).toContain(daily.sha256);
      expect(await runAdmin(platform, ['ecd', request.company, '2024', '--out', path])).toMatchObject({ code: 1 });
      expect((await readFile(path)).equals(daily.bytesOfFile)).toBe(true);
      expect(await readdir(folder)).toEqual(['f.txt']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('is not ended where the books have other lines than were counted', async () => {
    const owner = <T>(text: string) =>
      withOwnerConnection(platform.ownerUrl, (client) =>
        pastTriggers(client, async () => (await client.query<T & object>(text)).rows),
      );
    const [line] = await owner<{ id: number }>('SELECT min(id) AS id FROM entry_line WHERE sequence = 2');
    await owner(`UPDATE entry_line SET sequence = 1, entry_number = entry_number || '-' WHERE id = ${line!.id}`);
    await owner(`UPDATE entry_line SET sequence = 2 WHERE id = ${line!.id}`);
    await expect(writeWhole(platform, request)).rejects.toThrow(/I200: \d+ lines were counted, \d+ written/);
    await owner(`UPDATE entry_line SET entry_number = rtrim(entry_number, '-') WHERE id = ${line!.id}`);
    expect((await writeWhole(platform, request)).sha256).toBe(journal.sha256);
  });

  it('is the same bytes when months are in the archive', async () => {
    for (const { company, branch } of DEMO_BRANCHES) {
      const { id } = (await bodyOf(platform.admin.get('masterdata', `/allbranch/${company}`))).find(
        (each: { branch: string }) => each.branch === branch,
      );
      await archiveMonth(platform.admin, { branchId: id }, `04/${DEMO_YEAR}`);
    }
    await withOwnerConnection(platform.ownerUrl, async (owner) => {
      const { rows } = await owner.query('SELECT count(*)::integer AS lines FROM entry_line_archive');
      expect(rows[0].lines).toBeGreaterThan(0);
    });
    expect((await writeWhole(platform, request)).sha256).toBe(journal.sha256);
    expect((await writeWhole(platform, { ...request, book: 'B' })).sha256).toBe(daily.sha256);
  });
});

describe('two branches with all that a file must put right', () => {
  let platform: Platform;
  let banks: TwoBranches;
  let request: Asked;
  let file: WholeEcd;

  beforeAll(async () => {
    platform = await startPlatform();
    banks = await workTwoBranches(platform);
    request = { companyId: banks.head.companyId, company: banks.head.company, year: 2025 };
    file = await writeWhole(platform, request);
  }, 300_000);
  afterAll(() => platform?.stop());

  const entry = (number: string) => file.of('I200').find((row) => row[1] === number);
  /** The lines of an entry. */
  const linesOf = (number: string) => {
    const at = file.rows.findIndex((row) => row[0] === 'I200' && row[1] === number);
    const after = file.rows.slice(at + 1);
    return after.slice(
      0,
      after.findIndex((row) => row[0] !== 'I250'),
    );
  };

  /** Rules that the checker says are broken: an entry of March has no narration. */
  const errorsOf = async (written: WholeEcd) =>
    (await checkWhole(written)).findings.filter(({ severity }) => severity === 'ERRO').map(({ rule }) => rule);
  const NO_NARRATION = { G: ['REGRA_HISTORICO_OBRIGATORIO', 'REGRA_HISTORICO_OBRIGATORIO'], B: [] };

  it('passes the checker in both forms, but for an entry without a narration', async () => {
    for (const book of ['G', 'B'] as const)
      expect(await errorsOf(await writeWhole(platform, { ...request, book }))).toEqual(NO_NARRATION[book]);
  });

  it('writes texts in Latin-1 and tells which lost a character', () => {
    expect(linesOf('0001.202501.1.1.1')[0]![7]).toBe('Integralização - capital "social" à vista');
    expect(linesOf('0001.202502.1.1.1')[0]![7]).toBe("Receita / tarifa... de 'cobrança' café");
    expect(linesOf('0001.202502.1.2.1')[0]![7]).toBe('Despesas ? ? do mês');
    expect(file.of('I050').find((row) => row[5] === '1.1.1.02')![7]).toBe('BANCOS - "CONTA" Nº 1');
    expect(file.counts).toEqual({ PARTIDAS_CARACTERE: 1 });
    expect(file.findings[0]).toMatchObject({ severity: 'AVISO', register: 'I250', value: 'Despesas 漢 € do mês' });
  });

  it('numbers entries by branch, month, batch, document and entry, each once', () => {
    expect(entry('00A2.202502.X.ç7.1')).toEqual(['I200', '00A2.202502.X.ç7.1', '07022025', '10,00', 'N', '']);
    const numbers = file.of('I200').map((row) => row[1]);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('names a standard narration by its code where a line prints nothing else', () => {
    expect(file.of('I075')).toEqual([['I075', '00010', 'Histórico 00010']]);
    expect(linesOf('0001.202504.CAMPOS.1.1').map((row) => [row[6], row[7]])).toEqual([
      ['00010', ''],
      ['00010', ''],
    ]);
  });

  it('shows entries of facts before the file as late ones, but none that touches the result', () => {
    expect(entry('0001.202504.CAMPOS.1.2')!.slice(4)).toEqual(['X', '20122024']);
    expect(entry('0001.202504.CAMPOS.1.3')!.slice(4)).toEqual(['N', '']);
    expect(linesOf('0001.202504.CAMPOS.1.2')[0]![7]).toMatch(/^Lançamento extemporâneo - fato de 20\/12\/2024/);
  });

  it('writes an entry of any length', () => {
    expect(entry('0001.202511.LONGO.1.1')).toEqual(['I200', '0001.202511.LONGO.1.1', '12112025', '100,02', 'N', '']);
    expect(linesOf('0001.202511.LONGO.1.1')).toHaveLength(LONG_ENTRY_LINES);
  });

  it('has no balance of an account that is zero in the branches together', () => {
    const months = file.rows.reduce<{ month: string; found: string[] }>(
      ({ month, found }, row) => {
        if (row[0] === 'I150') return { month: row[1]!.slice(2, 4), found };
        return { month, found: row[0] === 'I155' && row[1] === '1.1.1.02' ? [...found, month] : found };
      },
      { month: '', found: [] },
    ).found;
    expect(months).toEqual(['03', '05', '11', '12']);
  });

  it('adds up to what was posted, a contra account on its own side', () => {
    const final = file
      .of('I155')
      .filter((row) => row[1] === '1.1.1.09')
      .at(-1)!;
    expect([final[7], final[8]]).toEqual(['1000,05', 'C']);
    const entries = [...HEAD_BOOK, ...AGENCY_BOOK];
    const { net } = movementOf(entries, '1.1.1.01', '2025-01-01' as Day, '2025-12-31' as Day);
    const cash = file
      .of('I155')
      .filter((row) => row[1] === '1.1.1.01')
      .at(-1)!;
    // Beside the book, three entries of 12.50 were paid.
    expect(signed(cash[7]!, cash[8]!)).toBe(net - 37_50n);
    const results = file.of('I355').map((row) => [row[1], row[3], row[4]]);
    expect(results).toEqual([
      ['7.1', '5010,10', 'C'],
      ['8.1', '1012,55', 'D'],
      ['7.1', '40,00', 'C'],
      ['8.1', '333,33', 'D'],
    ]);
    expect(file.of('J150').map((row) => [row[2], row[9], row[10]])).toEqual([
      ['R', '3704,22', 'C'],
      ['R1', '5050,10', 'C'],
      ['R2', '1345,88', 'D'],
    ]);
  });

  it('shows branches as cost centres where the profile says so', async () => {
    const { id } = (await bodyOf(platform.admin.get('masterdata', `/statements?chart=DUAS`))).find(
      ({ kind }: { kind: string }) => kind === 'DMPL',
    );
    const profile = { branchAsCostCentre: true, audited: false, equityStatementId: id };
    await bodyOf(platform.admin.call('masterdata', 'PUT', `/regulatory/profile/${request.company}`, profile));
    for (const book of ['G', 'B'] as const) {
      const apart = await writeWhole(platform, { ...request, book, semestral: true });
      expect(await errorsOf(apart)).toEqual(NO_NARRATION[book]);
      expect(apart.of('I100').map((row) => row[2])).toEqual(['0001', '00A2']);
      expect(new Set(apart.of('I155').map((row) => row[2]))).toEqual(new Set(['0001', '00A2']));
      expect(apart.of('J005').map((row) => [row[1], row[2]])).toEqual([
        ['01012025', '30062025'],
        ['01072025', '31122025'],
      ]);
      expect(apart.of('J210')).toHaveLength(4);
      expect(apart.of('J215').length).toBeGreaterThan(0);
    }
  });

  it('says what keeps a file from being written', async () => {
    const outside = await writeWhole(platform, { ...request, to: '2025-12-30' as Day });
    expect(outside).toMatchObject({ written: false, counts: { PARTIDAS_PERIODO: 1 } });
    const years = await writeWhole(platform, { ...request, to: '2026-01-31' as Day });
    expect(years).toMatchObject({ written: false, counts: { PARTIDAS_PERIODO: 1 } });
    const before = await writeWhole(platform, { ...request, from: '2024-01-01' as Day, to: '2024-03-31' as Day });
    expect(before).toMatchObject({ written: false, counts: { PARTIDAS_MES_NAO_CONSOLIDADO: 3 } });
    const cut = await writeWhole(platform, {
      ...request,
      from: '2025-05-01' as Day,
      to: '2025-05-21' as Day,
      specialSituation: '4',
    });
    expect(cut.written).toBe(true);
    const { company } = request;
    await bodyOf(platform.admin.post('masterdata', '/branch', { company, branch: '0003', name: 'Outro plano' }));
    const options = { company, branch: '0003', chartCode: 'OUTRO', baseYearMonth: '01/2025' };
    const other = {
      chartCode: 'OUTRO',
      cdAccounting: '1',
      description: 'Ativo',
      accountType: 'S',
      nature: 'D',
      accountClass: '01',
    };
    await bodyOf(platform.admin.post('masterdata', '/chartOfAccounts', other));
    await bodyOf(platform.admin.post('masterdata', '/company/options', options));
    const mixed = await writeWhole(platform, request);
    expect(mixed).toMatchObject({ written: false, counts: { PARTIDAS_PLANOS_DIFERENTES: 1 } });
    expect(mixed.findings[0]!.value).toContain('OUTRO: 0003');
  });
});
