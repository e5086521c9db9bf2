import type pg from 'pg';
import { centavosFromDecimal } from '../../src/accounting/money.ts';
import type { ServiceName } from '../../src/platform/config.ts';
import { printedAmount } from './amounts.ts';
import { setOpenings } from './balances.ts';
import { type Bank, type BankOptions, closureSettings, createBank } from './banks.ts';
import type { Side } from './foreign-requests.ts';
import { archiveMonth, closeMonth, openMonth } from './months.ts';
import { bodyOf, type Platform } from './platform.ts';
import { createUser } from './users.ts';

// Books of a branch with something in every place where the program keeps something: what requests of all kinds meet.

/** `mark` is in every text, `amount` in every figure. January 2026 is closed, February open, December archived. */
export async function createFullBank(
  platform: Platform,
  owner: pg.Client,
  given: BankOptions,
  mark: string,
  amount: string,
): Promise<Bank> {
  const signatories = [
    { name: mark, role: 'Diretora', legalResponsible: true },
    { name: mark, role: 'Contador', crc: '1SP123456/O-1', ufCrc: 'SP' },
  ];
  const bank = await createBank(platform.admin, { ...given, baseYearMonth: '12/2025', options: { signatories } });
  await fill(platform, owner, bank, mark, amount);
  return bank;
}

/** A rule for everybody, whose message holds a balance of the branch that it ran on. */
export async function addRuleForAll(platform: Platform): Promise<void> {
  const first = async (list: string, code: string) =>
    (await platform.admin.get('compliance', `/api/compliance/${list}/list`)).body.find(
      (each: { code: string }) => each.code === code,
    ).id;
  const added = await platform.admin.post('compliance', '/api/compliance/rule/add', {
    name: 'Diz o caixa',
    cluetypeid: await first('cluetype', 'WARNING'),
    businesssystemid: await first('businesssystem', 'CONTABILIDADE'),
    documents: [await first('document', '4010')],
    basebegin: '2026-01',
    validitybegin: '2026-01-01',
    script: 'caixa = SALDO_CONTA("7.1")\nERRO "Saldo {caixa}"',
  });
  if (added.status >= 400) throw new Error(`rule → ${added.text}`);
}

/** A record of each table: the branch's own where the table knows branches. */
export async function sideOf(owner: pg.Client, bank: Bank): Promise<Side> {
  const ids: Record<string, number> = { company: bank.companyId, branch: bank.branchId };
  for (const { table, branch, id } of await tenantTables(owner)) {
    if (!id || table === 'branch' || table === 'audit') continue;
    const { rows } = await owner.query(
      `SELECT max(id)::float8 AS id FROM ${table} WHERE company_id = $1 ${branch ? 'AND branch_id = $2' : ''}`,
      branch ? [bank.companyId, bank.branchId] : [bank.companyId],
    );
    if (rows[0].id !== null) ids[table] = rows[0].id;
  }
  const one = async (text: string) => (await owner.query(text, [`dono-${bank.company}-${bank.branch}`])).rows[0]?.id;
  ids.account = bank.accounts.get('1.1.1') ?? 0;
  ids.app_user = await one('SELECT id::float8 FROM app_user WHERE username = $1');
  ids.user_group = await one('SELECT id::float8 FROM user_group WHERE code = $1');
  // Records without a tenant: the same ones on every side.
  for (const table of ['routine', 'fund_type']) {
    const { rows } = await owner.query(`SELECT min(id)::float8 AS id FROM ${table}`);
    ids[table] = rows[0].id;
  }
  return { company: bank.company, branch: bank.branch, chart: bank.chartCode, ids };
}

/** Tables whose rows belong to a company. */
export async function tenantTables(owner: pg.Client): Promise<{ table: string; branch: boolean; id: boolean }[]> {
  const { rows } = await owner.query(`
    SELECT pg_class.relname AS table, bool_or(attname = 'branch_id') AS branch, bool_or(attname = 'id') AS id
      FROM pg_class
      JOIN pg_attribute ON pg_attribute.attrelid = pg_class.oid AND NOT attisdropped
     WHERE pg_class.relnamespace = 'public'::regnamespace AND pg_class.relkind IN ('r', 'p')
     GROUP BY 1 HAVING bool_or(attname = 'company_id') ORDER BY 1`);
  return rows;
}

/** Of the origin that the examples of the documents name. */
function sentEntry({ company, branch }: Bank, mark: string, valor: number) {
  const place = { empresa: company, filial: branch, ano: 2026, mes: 2, lote: '1', documento: '1', day: '05' };
  const lines = [
    { debcre: 'D', conta: '1.1.1', valor },
    { debcre: 'C', conta: '7.1', valor },
  ];
  return { ...place, historico: mark, origin: 'CARTOES', externalId: mark, metadata: { mark }, lines };
}

async function fill(platform: Platform, owner: pg.Client, bank: Bank, mark: string, amount: string): Promise<void> {
  const { company, branch } = bank;
  const tenant = { company, branch };
  const post = async (service: ServiceName, path: string, body: unknown) => {
    const answer = await platform.admin.post(service, path, body);
    if (answer.status >= 400) throw new Error(`${service} ${path} → ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer.body;
  };
  const account = (code: string) => bank.accounts.get(code)!;
  const user = await createUser(platform.admin, { username: `dono-${company}-${branch}`, permissions: [tenant] });
  const owned = `dono-${company}-${branch}`;
  await post('masterdata', '/group', {
    code: owned,
    name: `${mark} ${owned}`,
    description: mark,
    users: [user.id],
    companies: [tenant],
  });
  const statement = await changesOfEquity(platform, bank);
  const fact = { mes: 1, code: 'CAP', lineCode: 'P3.1', description: mark, amount: Number(amount) };
  await bodyOf(
    platform.admin.call('masterdata', 'PUT', `/statements/${statement}/facts/${company}/${branch}/2026`, [fact]),
  );
  await bodyOf(
    platform.admin.call('masterdata', 'PUT', `/regulatory/profile/${company}`, {
      auditor: { document: '11222333000181', name: mark },
      registrations: [{ entity: '01', code: mark }],
    }),
  );
  await post('masterdata', '/history', { ...tenant, cdHistory: 'H1', description: `${mark} {0}` });
  const place = { empresa: company, filial: branch };
  const book = async (ano: number, mes: number) => {
    await openMonth(platform.admin, bank, `${String(mes).padStart(2, '0')}/${ano}`);
    const batch = await post('movements', '/batch', { ...place, lote: '1', ano, mes, descricao: mark });
    const document = await post('movements', '/document', {
      batchId: batch.id,
      documento: '1',
      diaref: '05',
      texto: mark,
    });
    const entry = await post('movements', '/entry', {
      documentId: document.id,
      lancamento: '1',
      debcre: 'D',
      day: '05',
      contaId: account('1.1.1'),
      contrapartida: account('7.1'),
      valor: Number(amount),
      historico: mark,
    });
    return { batch, entry };
  };
  const opening = printedAmount(centavosFromDecimal(amount)!);
  await setOpenings(
    platform.admin,
    bank,
    `
    1.1.2  ${opening} D
    3.1    ${opening} C
    `,
  );
  const figure = { ...tenant, date: '2025-12-31', origin: mark };
  const balances = [{ cdAccounting: '1.1.2', balance: Number(amount) }];
  await book(2025, 12);
  await post('masterdata', '/controlBalance', { ...figure, balances });
  await closeMonth(platform.admin, bank, '12/2025');
  await archiveMonth(platform.admin, bank, '12/2025');
  const { batch, entry } = await book(2026, 1);
  const csv = new FormData();
  const rows = `2;1;06;D;1.1.1;7.1;${amount.replace('.', ',')};${mark};`;
  const header = 'documento;lancamento;dia;debcre;conta;contrapartida;valor;historico;cdhistorico';
  csv.set('file', new File([`${header}\n${rows}\n`], `${mark}.csv`));
  await post('movements', `/batch/${batch.id}/import`, csv);
  await post('masterdata', '/closuresettings', {
    ...closureSettings(bank, [12]),
    historico: mark,
  });
  const fundCode = `F${company}${branch}`.slice(0, 10);
  const fundType = await post('masterdata', '/fundType', { code: fundCode, description: 'FI', regulatoryPlan: 'COFI' });
  await post('masterdata', '/fund/settings', {
    ...tenant,
    fundTypeId: fundType.id,
    cnpj: '11222333000181',
    name: mark,
  });
  await post('masterdata', '/quotacalculation/', {
    ...tenant,
    netEquityAccountId: account('3.1'),
    numberOfQuotas: 1000,
  });
  const line = { sequence: 1, debcre: 'D', contaId: account('1.1.1'), contrapartida: account('7.1') };
  const lines = [{ ...line, valueType: 'FIXO', valor: Number(amount), historico: mark }];
  const schedule = { dayRule: 'ULTIMO_DIA_UTIL', firstMonth: '01/2026' };
  const template = { ...tenant, code: 'R1', description: mark, lines, schedule };
  await post('masterdata', `/release/${company}/${branch}`, template);
  const fee = { ...tenant, kind: 'ADMINISTRATION', template: 'TAXA', startDate: '2026-01-06', rate: 0 };
  const feeLine = { ...line, valueType: 'INFORMADO', historico: mark };
  await post('masterdata', `/release/${company}/${branch}`, {
    ...tenant,
    code: 'TAXA',
    description: mark,
    lines: [feeLine],
  });
  await post('masterdata', '/fund/fee', fee);
  await post('masterdata', `/feeAccrual/${company}/${branch}`, { date: '2026-01-06', confirmed: true });
  const valores = [{ sequence: 1, valor: Number(amount), historico: mark }];
  const data = { ...tenant, code: 'R1', year: 2026, month: 1, day: 6, lote: '1', documento: '9', valores };
  await post('masterdata', '/releasedata/', data);
  await post('reports', '/preferencias', { idUsuario: 'admin', nomeRelatorio: mark, preferencias: { mark } });
  await post('movements', `/entry/${entry.id}/reversal`, {
    day: '2026-01-07',
    motivo: 'Lançado em duplicidade',
    historico: mark,
  });
  await closeMonth(platform.admin, bank, '01/2026');
  await openMonth(platform.admin, bank, '01/2026');
  await closeMonth(platform.admin, bank, '01/2026');
  await post('compliance', '/api/compliance/run', {
    branchid: bank.branchId,
    documentcode: '4010',
    refmonth: '2026-01',
  });
  const printed = { ...place, visualizationEnum: 'CSV', ano: 2026, mes: 1 };
  await post('reports', '/reports/monthlyTrialBalance?async=true', printed);
  const january = { dataInicio: '2026-01-01', dataFim: '2026-01-31' };
  await post('reports', '/reports/relatorioDiarioGeral', {
    ...{ ...place, ...january, visualizationEnum: 'PDF', includeTerms: true },
  });
  await jobsEnd(owner, bank);
  await addProgress(owner, bank.companyId);
  await openMonth(platform.admin, bank, '02/2026');
  await post('movements', '/entries/bulk', { entries: [sentEntry(bank, mark, Number(amount))] });
  await owner.query('BEGIN');
  await owner.query(`SET LOCAL app.companies = '*'`);
  await owner.query(`SELECT sum_open_months(${bank.companyId}, ${bank.branchId}, 'infinity')`);
  await owner.query('COMMIT');
  const quota = await platform.admin.get('movements', `/taxquotacalculation/${company}/${branch}?confirmed=true`);
  if (quota.status !== 200) throw new Error(`quota → ${quota.text}`);
  await post('masterdata', `/quotaCalculation/${company}/${branch}`, { date: '2026-01-31', confirmed: true });
  await addWebhook(owner, bank, mark);
  await addApproval(owner, bank, mark);
  await addTimestamp(owner, bank, mark);
  await addVerifyResult(owner, bank, mark);
  await addDelivery(owner, bank, mark);
  // Whoever asks for events next, or the cleaning, finds nothing to move.
  await owner.query('SELECT publish_events()');
}

/** Of ended jobs, which the cleaning of every minute takes away. Short jobs write none; on a busy machine some have. */
export async function addProgress(owner: pg.Client, companyId: number): Promise<void> {
  await owner.query(
    `INSERT INTO job_progress (company_id, job_id, progress)
     SELECT job.company_id, job.id, '{"percent": 7}' FROM job WHERE job.company_id = $1
     ON CONFLICT (company_id, job_id) DO UPDATE SET progress = excluded.progress`,
    [companyId],
  );
}

/** A file that was sent to the central bank; no real one can be written of a company whose branch keeps the books of a fund. */
async function addDelivery(owner: pg.Client, { companyId }: Bank, mark: string): Promise<void> {
  await owner.query(
    `INSERT INTO regulatory_delivery (company_id, kind, from_day, to_day, remittance, sha256, bytes, lines, errors, warnings,
                                      status, receipt, generated_at, generated_by)
     VALUES ($1, '4010', '2026-01-01', '2026-01-31', 'I', repeat('a', 64), 1, 1, 0, 0, 'SENT', $2, now(), $2)`,
    [companyId, mark],
  );
}

/** A webhook that nothing is sent to, with a delivery that it did not take. */
async function addWebhook(owner: pg.Client, { companyId, branchId }: Bank, mark: string): Promise<void> {
  const { rows } = await owner.query(
    `INSERT INTO webhook (company_id, url, active, read_position, created_by)
     VALUES ($1, 'https://example.com/' || $2::text, false, 0, $2) RETURNING id`,
    [companyId, mark],
  );
  const key = [companyId, rows[0].id];
  await owner.query('INSERT INTO webhook_secret (company_id, webhook_id, secret) VALUES ($1, $2, $3)', [...key, mark]);
  await owner.query('INSERT INTO webhook_queue (company_id, webhook_id, branch_id) VALUES ($1, $2, $3)', [
    ...key,
    branchId,
  ]);
  await owner.query(
    `INSERT INTO webhook_delivery (company_id, webhook_id, position, branch_id, state, last_error)
     SELECT $1, $2, 1, $3, 'DEAD', $4`,
    [...key, branchId, mark],
  );
}

/** A request of somebody who is gone, so that nobody can approve it. */
async function addApproval(owner: pg.Client, { companyId, branchId }: Bank, mark: string): Promise<void> {
  await owner.query(
    `INSERT INTO approval (company_id, branch_id, kind, month, request, request_hash, books, requested_by_id, requested_by)
     VALUES ($1, $2, 'MONTH_CLOSE', '2026-02-01', json_build_object('month', '2026-02', 'note', $3::text), '', 'null', 0, $3)`,
    [companyId, branchId, mark],
  );
}

/** Of the first seal, as if an authority had answered. */
async function addTimestamp(owner: pg.Client, { companyId, branchId }: Bank, mark: string): Promise<void> {
  await owner.query(
    `INSERT INTO seal_timestamp (company_id, branch_id, position, token) VALUES ($1, $2, 0, convert_to($3, 'UTF8'))`,
    [companyId, branchId, mark],
  );
}

/** What the night found. */
async function addVerifyResult(owner: pg.Client, { companyId, branchId }: Bank, mark: string): Promise<void> {
  await owner.query(
    `INSERT INTO verify_result (company_id, branch_id, differences, first)
     VALUES ($1, $2, 1, json_build_array(json_build_object('kind', 'BALANCE', 'what', $3::text)))`,
    [companyId, branchId, mark],
  );
}

async function jobsEnd(owner: pg.Client, bank: Bank): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    const { rows } = await owner.query(`SELECT 1 FROM job WHERE company_id = $1 AND status IN ('PENDING', 'RUNNING')`, [
      bank.companyId,
    ]);
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The statement of changes in equity of the bank's chart, which several banks may share. */
async function changesOfEquity({ admin }: Platform, { chartCode }: Bank): Promise<number> {
  const known = await bodyOf(admin.get('masterdata', `/statements?chart=${chartCode}`));
  const made =
    known.length > 0
      ? known
      : await bodyOf(admin.post('masterdata', '/statements/default', { chartCode, kinds: ['DMPL'] }));
  return made[0].id;
}
