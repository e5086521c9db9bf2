import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type Bank, closureSettings, createBank, PLAIN_CHART } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { askToCloseMonth, closeMonth, openMonth } from '../support/months.ts';
import { bodyOf, type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let client: Client;
beforeAll(async () => {
  platform = await startPlatform();
  client = platform.admin;
});
afterAll(() => platform?.stop());

interface Item {
  readonly name: string;
  readonly amount: number | null;
  readonly service: string;
  readonly path: string;
}
interface Finding {
  readonly code: string;
  readonly title: string;
  readonly state: string;
  readonly count: number;
  readonly items: readonly Item[];
}

const checklistOf = (bank: Bank, month = '2026/1') =>
  bodyOf(client.get('queries', `/closingChecklist/${bank.company}/${bank.branch}/${month}`));

async function finding(bank: Bank, code: string, month?: string): Promise<Finding> {
  return (await checklistOf(bank, month)).findings.find((each: Finding) => each.code === code);
}

/** State and count. */
const stateOf = async (bank: Bank, code: string, month?: string) => {
  const { state, count } = await finding(bank, code, month);
  return `${state} ${count}`;
};

const preview = (bank: Bank, month = '2026/1') =>
  client.get('queries', `/consolidation/preview/${bank.company}/${bank.branch}/${month}`);

async function setOptions(bank: Bank, more: object): Promise<void> {
  const options = await bodyOf(client.get('masterdata', `/company/options/company/${bank.company}/${bank.branch}`));
  await bodyOf(client.call('masterdata', 'PUT', `/company/options/${options.id}`, { ...options, ...more }));
}

const MEMORANDUM = [
  { code: '5', description: 'Compensação ativa', type: 'S', nature: 'D', accountClass: '05' },
  { code: '5.1', description: 'Títulos em custódia', type: 'A', nature: 'D', accountClass: '05' },
  { code: '6', description: 'Compensação passiva', type: 'S', nature: 'C', accountClass: '05' },
  { code: '6.1', description: 'Depositantes de títulos', type: 'A', nature: 'C', accountClass: '05' },
] as const;

describe('the checklist', () => {
  test('is one list in one order, in the language of the caller, from the month not opened to the month closed', async () => {
    const bank = await createBank(client);
    const path = `/closingChecklist/${bank.company}/${bank.branch}/2026/1`;
    const before: Finding[] = (await checklistOf(bank)).findings;
    expect(before.map(({ code, state }) => [code, state])).toEqual([
      ['MONTH_OPEN', 'PENDING'],
      ['DAYS_OPEN', 'NOT_APPLICABLE'],
      ['UNBALANCED_DOCUMENTS', 'NOT_APPLICABLE'],
      ['BOOKS_DIFFER', 'NOT_APPLICABLE'],
      ['IMPORTS_WITH_ERRORS', 'NOT_APPLICABLE'],
      ['INVERTED_BALANCES', 'NOT_APPLICABLE'],
      ['MEMORANDUM_DIFFERENCE', 'NOT_APPLICABLE'],
      ['CLOSURE_SETTINGS_MISSING', 'NOT_APPLICABLE'],
      ['STALE_QUOTAS', 'NOT_APPLICABLE'],
      ['TEMPLATES_PENDING', 'NOT_APPLICABLE'],
      ['DRAFTS_WAITING', 'NOT_APPLICABLE'],
      ['RULES_FAILED', 'NOT_APPLICABLE'],
      ['CONSOLIDATED', 'NOT_APPLICABLE'],
      ['SEALED', 'NOT_APPLICABLE'],
      ['BOOKS_ISSUED', 'NOT_APPLICABLE'],
    ]);
    expect(before[0]!.items).toEqual([
      {
        name: '01/2026',
        amount: null,
        service: 'movements',
        path: `/monthOpening/${bank.company}/${bank.branch}`,
      },
    ]);
    await openMonth(client, bank, '01/2026');
    expect(await stateOf(bank, 'MONTH_OPEN')).toBe('OK 0');
    expect(await stateOf(bank, 'CONSOLIDATED')).toBe('PENDING 1');
    const portuguese = await client.call('queries', 'GET', path, undefined, { 'accept-language': 'pt-BR' });
    expect(portuguese.body.findings.map((each: Finding) => each.title)).toContain('Dias úteis sem fechamento');
    await closeMonth(client, bank, '01/2026');
    expect(await checklistOf(bank)).toMatchObject({ monthState: 'CLOSED', yearmonth: '01/2026' });
    expect(await stateOf(bank, 'CONSOLIDATED')).toBe('OK 0');
  });

  test('a closed month says by which seal, when and by whom; one from before there were seals has none', async () => {
    const bank = await createBank(client);
    await openMonth(client, bank, '01/2026');
    expect(await stateOf(bank, 'SEALED')).toBe('NOT_APPLICABLE 0');
    await closeMonth(client, bank, '01/2026');
    const path = `/seals/${bank.company}/${bank.branch}`;
    const [{ seal, sealedBy }] = await bodyOf(client.get('queries', path));
    const name = expect.stringMatching(
      new RegExp(`^${seal.slice(0, 16)}, \\d\\d/\\d\\d/\\d{4} \\d\\d:\\d\\d, ${sealedBy}$`),
    );
    expect(await finding(bank, 'SEALED')).toMatchObject({ state: 'OK', count: 0, items: [{ name, path }] });
    await owner('DELETE FROM seal_checkpoint WHERE company_id = $1', bank);
    await owner('DELETE FROM seal WHERE company_id = $1', bank);
    expect(await finding(bank, 'SEALED')).toMatchObject({
      state: 'WARNING',
      count: 1,
      items: [{ name: '01/2026', path }],
    });
  });

  const owner = (statement: string, { companyId }: Bank) =>
    withOwnerConnection(platform.ownerUrl, (connection) => connection.query(statement, [companyId]));

  test('days open: business days, each until it is closed', async () => {
    const bank = await createBank(client);
    await openMonth(client, bank, '01/2026');
    const days = await finding(bank, 'DAYS_OPEN');
    // January 2026 has 22 weekdays, of which the first is a holiday.
    expect([days.state, days.count, days.items.length, days.items[0]]).toEqual([
      'PENDING',
      21,
      20,
      {
        name: '02/01/2026',
        amount: null,
        service: 'movements',
        path: `/calendar/closeday/${bank.company}/${bank.branch}`,
      },
    ]);
    for (let day = 0; day < 21; day++) await bodyOf(client.get('movements', days.items[0]!.path));
    // The 31st is a Saturday, which closes with the first business day of February.
    expect(await stateOf(bank, 'DAYS_OPEN')).toBe('OK 0');
  });

  test('documents that do not balance are named and stop the close, whatever the options say', async () => {
    const bank = await createBank(client);
    await openMonth(client, bank, '01/2026');
    await setOptions(bank, { blockOn: [] });
    await post(client, bank, book`10/01 1.1.1 D 10,00 7.1`);
    await corrupt(
      bank,
      `INSERT INTO entry_line (company_id, branch_id, document_id, month, day, entry_number, sequence, account_id, side, amount)
       SELECT company_id, branch_id, id, month, month, '9', 1, $2, 'D', 5 FROM document WHERE company_id = $1`,
    );
    const found = await finding(bank, 'UNBALANCED_DOCUMENTS');
    expect(found).toMatchObject({ state: 'BLOCKED', count: 1, items: [{ name: '1/1', amount: 5 }] });
    expect(JSON.stringify((await client.get('movements', found.items[0]!.path)).body)).toContain('"lancamento":"9"');
    expect((await preview(bank)).body).toMatchObject({ wouldClose: false, problems: [{ code: 'UNBALANCED_ENTRY' }] });
    expect((await closeMonth(client, bank, '01/2026', 'ERROR')).message).toContain('O lançamento 9 (1/1) não fecha');
    await corrupt(bank, `DELETE FROM entry_line WHERE company_id = $1 AND entry_number = '9' AND $2 > 0`);
    expect(await stateOf(bank, 'UNBALANCED_DOCUMENTS')).toBe('OK 0');
  });

  /** Runs a statement as an administrator of the database would, past the triggers. */
  const corrupt = (bank: Bank, statement: string) =>
    withOwnerConnection(platform.ownerUrl, async (owner) => {
      await owner.query('ALTER TABLE entry_line DISABLE TRIGGER USER');
      await owner.query(statement, [bank.companyId, bank.accounts.get('1.1.1')]);
      await owner.query('ALTER TABLE entry_line ENABLE TRIGGER USER');
    });

  test('imports with errors, until the file is imported', async () => {
    const bank = await createBank(client);
    await openMonth(client, bank, '01/2026');
    await openMonth(client, bank, '02/2026');
    const place = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 1 };
    const { id } = await bodyOf(client.post('movements', '/batch', place));
    const send = (amount: string) => {
      const form = new FormData();
      const csv = `documento;lancamento;dia;debcre;conta;contrapartida;valor\n1;1;05;D;1.1.1;3.1;${amount}\n`;
      form.set('file', new Blob([csv]), 'janeiro.csv');
      return client.post('movements', `/batch/${id}/import`, form);
    };
    await send('dez');
    expect(await finding(bank, 'IMPORTS_WITH_ERRORS')).toMatchObject({
      state: 'WARNING',
      count: 1,
      items: [{ name: 'janeiro.csv', path: `/imports/${bank.company}/${bank.branch}` }],
    });
    expect(await stateOf(bank, 'IMPORTS_WITH_ERRORS', '2026/2')).toBe('OK 0');
    await send('10,00');
    expect(await stateOf(bank, 'IMPORTS_WITH_ERRORS')).toBe('OK 0');
  });

  test('accounts with an inverted balance: an overdrawn one, and a contra account on the side of its class', async () => {
    const chart = [
      ...PLAIN_CHART,
      { code: '1.3', description: 'Imobilizado', type: 'S', nature: 'D', accountClass: '01' },
      { code: '1.3.1', description: 'Móveis', type: 'A', nature: 'D', accountClass: '01' },
    ] as const;
    const bank = await createBank(client, { accounts: chart });
    const contra = await bodyOf(
      client.post('masterdata', '/chartOfAccounts', {
        chartCode: bank.chartCode,
        cdAccounting: '1.3.9',
        description: 'Depreciação acumulada',
        accountType: 'A',
        nature: 'D',
        accountClass: '01',
        rectifying: true,
      }),
    );
    await openMonth(client, bank, '01/2026');
    // Normal: the contra account on the credit side. Inverted: cash on the credit side; equity of either side never is.
    await post(
      client,
      bank,
      book`
      05/01  8.2    D  100,00  1.3.9
      05/01  8.1    D    7,00  1.1.1
      06/01  3.2    D    1,00  3.1
    `,
    );
    expect(await finding(bank, 'INVERTED_BALANCES')).toMatchObject({
      state: 'WARNING',
      count: 1,
      items: [{ name: '1.1.1 Caixa', amount: -7, path: `/chartOfAccounts/${bank.accounts.get('1.1.1')}` }],
    });
    await post(
      client,
      bank,
      book`
      07/01  1.1.1  D    7,00  3.1
      07/01  1.3.9  D  150,00  3.1
    `,
    );
    expect((await finding(bank, 'INVERTED_BALANCES')).items).toMatchObject([
      { amount: 50, path: `/chartOfAccounts/${contra.id}` },
    ]);
    // The same from the balances of the closed month.
    await closeMonth(client, bank, '01/2026');
    expect(await stateOf(bank, 'INVERTED_BALANCES')).toBe('WARNING 1');
    await openMonth(client, bank, '02/2026');
    expect(await stateOf(bank, 'INVERTED_BALANCES', '2026/2')).toBe('WARNING 1');
    await post(client, bank, book`02/02 8.2 D 60,00 1.3.9`);
    expect(await stateOf(bank, 'INVERTED_BALANCES', '2026/2')).toBe('OK 0');
  });

  test('memorandum accounts whose two sides differ', async () => {
    const bank = await createBank(client, {
      accounts: [...PLAIN_CHART, ...MEMORANDUM],
      options: { memorandumMixing: 'ALLOW' },
    });
    await openMonth(client, bank, '01/2026');
    await post(client, bank, book`05/01 5.1 D 10,00 6.1`);
    expect(await stateOf(bank, 'MEMORANDUM_DIFFERENCE')).toBe('OK 0');
    await post(client, bank, book`05/01 5.1 D 2,50 3.1`);
    expect(await finding(bank, 'MEMORANDUM_DIFFERENCE')).toMatchObject({
      state: 'WARNING',
      count: 2,
      items: [
        { name: 'Compensação ativa', amount: 12.5 },
        { name: 'Compensação passiva', amount: -10 },
      ],
    });
    await post(client, bank, book`06/01 3.1 D 2,50 5.1`);
    expect(await stateOf(bank, 'MEMORANDUM_DIFFERENCE')).toBe('OK 0');
  });

  test('a closing month without closure settings blocks a regulated branch and warns others', async () => {
    for (const [regulatoryLayout, state] of [
      ['COSIF', 'BLOCKED'],
      ['NONE', 'WARNING'],
    ]) {
      const bank = await createBank(client, { baseYearMonth: '12/2025', options: { regulatoryLayout } });
      await openMonth(client, bank, '12/2025');
      expect(await stateOf(bank, 'CLOSURE_SETTINGS_MISSING', '2025/12')).toBe('OK 0');
      await post(client, bank, book`05/12/2025 1.1.1 D 10,00 7.1`);
      expect(await finding(bank, 'CLOSURE_SETTINGS_MISSING', '2025/12')).toMatchObject({
        state,
        count: 1,
        items: [{ name: '12/2025', path: '/closuresettings' }],
      });
      await bodyOf(client.post('masterdata', '/closuresettings', closureSettings(bank, [12])));
      expect(await stateOf(bank, 'CLOSURE_SETTINGS_MISSING', '2025/12')).toBe('OK 0');
    }
  });

  test('stale quotas and failed rules, of branches that have quotas and rules at all', async () => {
    const bank = await createBank(client);
    await openMonth(client, bank, '01/2026');
    expect(await stateOf(bank, 'STALE_QUOTAS')).toBe('NOT_APPLICABLE 0');
    expect(await stateOf(bank, 'RULES_FAILED')).toBe('NOT_APPLICABLE 0');
    const write = (statement: string) =>
      withOwnerConnection(platform.ownerUrl, (owner) => owner.query(statement, [bank.companyId, bank.branchId]));
    await write(`INSERT INTO tax_quota (company_id, branch_id, day, reference_day, quota_value, net_equity, number_of_quotas, quota_decimals, confirmed_by)
      VALUES ($1, $2, '2026-02-02', '2026-01-31', 1, 1, 1, 8, 'ana')`);
    expect(await stateOf(bank, 'STALE_QUOTAS')).toBe('OK 0');
    await write('UPDATE tax_quota SET stale_since = now() WHERE company_id = $1 AND branch_id = $2');
    expect(await finding(bank, 'STALE_QUOTAS')).toMatchObject({ state: 'WARNING', items: [{ name: '02/02/2026' }] });
    const run = (failed: number) =>
      write(`INSERT INTO compliance_process (company_id, branch_id, document_id, month, executed_at, executed_by, passed, failed, broken, skipped, results)
        SELECT $1, $2, id, '2026-01-01', now(), 'ana', 1, ${failed}, 0, 0, '[]' FROM regulatory_document WHERE code = '4010'`);
    await run(2);
    expect(await finding(bank, 'RULES_FAILED')).toMatchObject({
      state: 'WARNING',
      count: 1,
      items: [{ name: '4010 (2)' }],
    });
    await run(0);
    expect(await stateOf(bank, 'RULES_FAILED')).toBe('OK 0');
  });
});

test('templates not posted, and the journal not issued', async () => {
  const bank = await createBank(client);
  await openMonth(client, bank, '01/2026');
  const place = { company: bank.company, branch: bank.branch, code: 'ALUGUEL' };
  const line = { sequence: 1, debcre: 'D', valueType: 'FIXO', valor: 10, historico: 'Aluguel' };
  const accounts = { contaId: bank.accounts.get('8.2'), contrapartida: bank.accounts.get('1.1.1') };
  const lines = [{ ...line, ...accounts }];
  await bodyOf(
    client.post('masterdata', `/release/${bank.company}/${bank.branch}`, { ...place, description: 'Aluguel', lines }),
  );
  const use = { ...place, year: 2026, month: 1, day: 10, valores: [] };
  const { id } = await bodyOf(client.post('masterdata', '/releasedata/', use));
  expect(await finding(bank, 'TEMPLATES_PENDING')).toMatchObject({
    state: 'PENDING',
    count: 1,
    items: [{ name: 'ALUGUEL 10/01/2026', path: `/releasedata/${id}` }],
  });
  await bodyOf(client.call('masterdata', 'PUT', `/releasedata/${id}`, { ...use, status: 'LANCADO' }));
  expect(await stateOf(bank, 'TEMPLATES_PENDING')).toBe('OK 0');

  const journal = (from: string, to: string, state: string) =>
    withOwnerConnection(platform.ownerUrl, (owner) =>
      owner.query(
        `INSERT INTO issued_book (company_id, branch_id, kind, first_number, last_number, period_from, period_to, folhas, volumes,
                                  format, sha256, bytes, request, printed, issued_at, issued_by, state, invalidated_at)
         VALUES ($1, $2, 'JOURNAL', 1, 1, $3, $4, 1, '[]', 'PDF', repeat('0', 64), 1, '{}', '{}', now(), 'ana', $5,
                 CASE WHEN $5 = 'INVALIDATED' THEN now() END)`,
        [bank.companyId, bank.branchId, from, to, state],
      ),
    );
  await journal('2026-01-01', '2026-06-30', 'INVALIDATED');
  expect(await finding(bank, 'BOOKS_ISSUED')).toMatchObject({
    state: 'PENDING',
    items: [{ service: 'reports', path: `/books/${bank.company}` }],
  });
  await journal('2026-01-01', '2026-06-30', 'ISSUED');
  expect(await stateOf(bank, 'BOOKS_ISSUED')).toBe('OK 0');
});

describe('what stops a month close', () => {
  test('is chosen in the options of the branch; a request is rejected at once and names each', async () => {
    const bank = await createBank(client);
    await openMonth(client, bank, '01/2026');
    await post(client, bank, book`05/01 8.1 D 7,00 1.1.1`);
    await setOptions(bank, { blockOn: ['INVERTED_BALANCES', 'DAYS_OPEN'] });
    expect(await stateOf(bank, 'DAYS_OPEN')).toBe('BLOCKED 21');
    const asked = await askToCloseMonth(client, bank, '01/2026');
    expect(asked).toMatchObject({ status: 400, body: { code: 'CLOSING_BLOCKED' } });
    expect(asked.body.detail).toContain('Business days not closed (21)');
    expect(asked.body.detail).toContain('Accounts with an inverted balance (1)');
    expect((await preview(bank)).body.problems.map((each: { code: string }) => each.code)).toEqual([
      'CLOSING_BLOCKED',
      'CLOSING_BLOCKED',
    ]);
    // Of all branches: each by its own job, under its lock.
    const all = await bodyOf(askToCloseMonth(client, { ...bank, branch: '*' }, '01/2026'));
    for (;;) {
      const { status, message } = await bodyOf(client.get('movements', `/runconsolidation/${all.id}`));
      if (status === 'PENDING' || status === 'RUNNING') continue;
      expect([status, message]).toEqual(['ERROR', expect.stringContaining('Dias úteis sem fechamento (21)')]);
      break;
    }
    await setOptions(bank, { blockOn: ['MEMORANDUM_DIFFERENCE'] });
    await closeMonth(client, bank, '01/2026');
  });

  test('is read back from the options, is that of the layout without a choice, and takes no other word', async () => {
    const bank = await createBank(client, { options: { regulatoryLayout: 'COSIF' } });
    const path = `/company/options/company/${bank.company}/${bank.branch}`;
    const options = await bodyOf(client.get('masterdata', path));
    expect(options.blockOn).toEqual([
      'UNBALANCED_DOCUMENTS',
      'BOOKS_DIFFER',
      'CLOSURE_SETTINGS_MISSING',
      'DRAFTS_WAITING',
    ]);
    await setOptions(bank, { blockOn: ['DAYS_OPEN'] });
    expect((await bodyOf(client.get('masterdata', path))).blockOn).toEqual([
      'DAYS_OPEN',
      'UNBALANCED_DOCUMENTS',
      'DRAFTS_WAITING',
    ]);
    for (const blockOn of [['NO_SUCH_FINDING'], ['CONSOLIDATED'], 'DAYS_OPEN', [1]]) {
      const refused = await client.call('masterdata', 'PUT', `/company/options/${options.id}`, { ...options, blockOn });
      expect([refused.status, refused.body.errors[0].field]).toEqual([400, expect.stringContaining('blockOn')]);
    }
    expect((await bodyOf(client.get('masterdata', path))).blockOn).toEqual([
      'DAYS_OPEN',
      'UNBALANCED_DOCUMENTS',
      'DRAFTS_WAITING',
    ]);
  });
});

describe('the preview of a month close', () => {
  test('has the very entries that the close then posts', async () => {
    const bank = await createBank(client);
    await bodyOf(client.post('masterdata', '/closuresettings', closureSettings(bank, [1])));
    await openMonth(client, bank, '01/2026');
    await post(
      client,
      bank,
      book`
      10/01  1.1.1  D  100,10  7.1    "Juros"
      10/01  1.1.1  D    0,90  7.2    "Tarifas"
      11/01  8.1    D   30,05  1.1.1  "Salários"
    `,
    );
    const { body: seen } = await preview(bank);
    expect(seen).toMatchObject({ lines: 6, wouldClose: true, problems: [], warning: null, netResult: -70.95 });
    expect(
      seen.result.map((each: { cdAccounting: string; balance: number }) => [each.cdAccounting, each.balance]),
    ).toEqual([
      ['7.1', -100.1],
      ['7.2', -0.9],
      ['8.1', 30.05],
    ]);
    expect(seen.findings.map((each: Finding) => each.code)).toContain('DAYS_OPEN');
    // Nothing was done.
    expect(await stateOf(bank, 'CONSOLIDATED')).toBe('PENDING 1');
    await closeMonth(client, bank, '01/2026');
    const found = await bodyOf(
      client.get(
        'queries',
        `/entries/${bank.company}/${bank.branch}?dataInicio=2026-01-31&dataFim=2026-01-31&lote=${seen.closingEntries.lote}`,
      ),
    );
    const lineOf = (line: Record<string, unknown>) => [
      line.lancamento,
      line.debcre,
      line.contaId,
      line.contrapartida ?? line.contrapartidaId ?? null,
      line.valor,
    ];
    expect(found.content.map((line: Record<string, unknown>) => lineOf({ ...line, contrapartida: undefined }))).toEqual(
      seen.closingEntries.lines.map(lineOf),
    );
    expect(found.content[0].historico).toBe(seen.closingEntries.historico);
    expect(await preview(bank)).toMatchObject({ status: 400, body: { code: 'MONTH_CONSOLIDATED' } });
  });

  test('says all that stands against the close', async () => {
    const bank = await createBank(client);
    await bodyOf(client.post('masterdata', '/closuresettings', closureSettings(bank, [2])));
    for (const month of ['01/2026', '02/2026']) await openMonth(client, bank, month);
    await post(client, bank, book`10/01 1.1.1 D 10,00 7.1`);
    const place = { empresa: bank.company, filial: bank.branch, ano: 2026, mes: 2, lote: 'ENC' };
    await bodyOf(client.post('movements', '/batch', place));
    const { body } = await preview(bank, '2026/2');
    expect(body).toMatchObject({
      wouldClose: false,
      problems: [{ code: 'PREVIOUS_MONTH_OPEN' }, { code: 'CLOSING_BATCH_TAKEN' }],
      // The result of January is in it, though January is open.
      netResult: -10,
    });
    expect((await preview(bank, '2026/3')).body.code).toBe('MONTH_NOT_OPEN');
  });
});

describe('bad input', () => {
  test.each([
    ['a month that does not exist', '2026/13', 400],
    ['no year', 'x/1', 400],
    ['a month before the books', '2025/12', 400],
  ])('%s', async (_what, month, status) => {
    const bank = await createBank(client);
    for (const path of ['closingChecklist', 'consolidation/preview'])
      expect((await client.get('queries', `/${path}/${bank.company}/${bank.branch}/${month}`)).status).toBe(status);
  });

  test('a branch of others and one without options', async () => {
    const bank = await createBank(client);
    const other = await createBank(client, {
      company: bank.company,
      branch: '0002',
      accounts: [],
      chartCode: bank.chartCode,
      existing: true,
    });
    await bodyOf(client.post('masterdata', '/branch', { company: bank.company, branch: '0003', name: 'Nova' }));
    expect((await client.get('queries', `/closingChecklist/${bank.company}/0003/2026/1`)).body.code).toBe(
      'CHART_NOT_CONFIGURED',
    );
    await createUser(client, { username: 'so-uma', permissions: [{ company: bank.company, branch: '0002' }] });
    const one = await platform.as('so-uma', 'uma senha bem comprida');
    expect((await one.get('queries', `/closingChecklist/${bank.company}/0001/2026/1`)).status).toBe(403);
    expect((await one.get('queries', `/consolidation/preview/${bank.company}/0001/2026/1`)).status).toBe(403);
    const all = await bodyOf(one.get('queries', `/closingChecklist/${bank.company}/2026/1`));
    expect(all.branches.map((each: { branch: string }) => each.branch)).toEqual([other.branch]);
    const both = await bodyOf(client.get('queries', `/closingChecklist/${bank.company}/2026/1`));
    expect(both.branches.map((each: { branch: string }) => each.branch)).toEqual(['0001', '0002']);
    expect(both.titles).toHaveLength(both.branches[0].findings.length);
  });
});

test('the lists of all branches have the counts of each one', async () => {
  const first = await createBank(client, { options: { blockOn: ['DAYS_OPEN'] } });
  const second = await createBank(client, {
    company: first.company,
    branch: '0002',
    accounts: [],
    chartCode: first.chartCode,
    existing: true,
  });
  for (const bank of [first, second]) await openMonth(client, bank, '01/2026');
  await post(client, second, book`05/01 8.1 D 7,00 1.1.1`);
  const all = await bodyOf(client.get('queries', `/closingChecklist/${first.company}/2026/1`));
  for (const [at, bank] of [first, second].entries()) {
    const { findings } = await checklistOf(bank);
    expect(all.branches[at].findings).toEqual(
      findings.map(({ code, state, count }: Finding) => ({ code, state, count })),
    );
  }
});
