import { balanceOf, type Movement, withoutClosing } from '../../../../accounting/balance.ts';
import type { Centavos } from '../../../../accounting/money.ts';
import type { Month } from '../../../../accounting/period.ts';
import type { Transaction } from '../../../../platform/database/sql.ts';
import { readMonth } from '../../../closing/balances/read-balances.ts';
import type { StatementAccountRow } from '../../../master-data/chart/chart.read.sql.ts';
import type { Institution } from '../../../master-data/companies/institution.ts';
import { eliminationsOf } from '../../statements/read-accounts.ts';
import { readReportingEntity } from '../../statements/reporting-entity.ts';
import type { Origin } from '../ecd/ecd-file.ts';
import type { FilingFinding } from '../filing-finding.ts';
import { selectCosifCodes } from './cosif-accounts.read.sql.ts';
import type { CosifDocument } from './cosif-file.ts';
import { officialCode, officialParents } from './official-accounts.ts';

/** A balance of the central bank's chart, debit-positive, and the first account that is part of it. */
export interface OfficialBalance {
  readonly balance: Centavos;
  readonly origin: Origin;
}

/**
 * The institution's balances by official account: each posting account counts for the official account that it names or is, else
 * for the nearest one above it, and for all above that. What branches owe each other is taken out.
 */
export async function readOfficialBalances(
  sql: Transaction,
  institution: Institution,
  document: CosifDocument,
  month: Month,
): Promise<{ readonly balances: ReadonlyMap<string, OfficialBalance>; readonly findings: readonly FilingFinding[] }> {
  const source = { sql, tenant: institution };
  const entity = await readReportingEntity(source, month);
  const eliminations = await eliminationsOf(source, entity);
  const movements = eliminations.eliminate((await readMonth(sql, institution, month)).accounts);
  const codeOf = officialCodes(eliminations.accounts, await selectCosifCodes(sql, entity.options.chartId));
  const sums = new Map<string, OfficialBalance>();
  const findings: FilingFinding[] = [];
  for (const account of eliminations.accounts) {
    const balance = account.type === 'A' ? balanceIn(document, movements.get(account.id)) : 0n;
    if (balance === 0n) continue;
    const origin = originOf(account, entity.options);
    const code = codeOf(account);
    if (code === undefined) findings.push(withoutOfficial(document, account, origin));
    for (let each = code ?? ''; each !== ''; each = officialParents().get(each)!) {
      const sum = sums.get(each);
      sums.set(each, { balance: (sum?.balance ?? 0n) + balance, origin: sum?.origin ?? origin });
    }
  }
  return { balances: sums, findings };
}

/** A 4010 shows what was there before the results were closed, a 4016 what is left afterwards. */
function balanceIn(document: CosifDocument, movement: Movement | undefined): Centavos {
  if (movement === undefined) return 0n;
  return balanceOf(document === '4010' ? withoutClosing(movement) : movement);
}

function officialCodes(
  accounts: readonly StatementAccountRow[],
  named: readonly { readonly id: number; readonly cosifCode: string }[],
): (account: StatementAccountRow) => string | undefined {
  const byId = new Map(accounts.map((account) => [account.id as number, account]));
  const cosifCodes = new Map(named.map(({ id, cosifCode }) => [id as number, cosifCode]));
  return (account) => {
    for (let each: StatementAccountRow | undefined = account; each; each = byId.get(each.parentId ?? 0)) {
      const code = officialCode(cosifCodes.get(each.id)) ?? officialCode(each.code);
      if (code !== undefined) return code;
    }
    return undefined;
  };
}

/** Lines of what eliminations leave are no accounts: the pairs are options of the head office. */
function originOf(
  { id, code }: StatementAccountRow,
  options: { readonly id: number; readonly branch: string },
): Origin {
  return id > 0
    ? { resource: 'account', id, code, path: `/chartOfAccounts/${id}` }
    : { resource: 'company_options', id: options.id, code: options.branch, path: `/company/options/${options.id}` };
}

function withoutOfficial(register: string, { code }: StatementAccountRow, origin: Origin): FilingFinding {
  return {
    ...{ rule: 'PARTIDAS_CONTA_SEM_COSIF', severity: 'ERRO', register, field: 'codigoConta', value: code, origin },
    message: 'A conta tem saldo e nem ela nem as contas acima dela são do COSIF: informe o código COSIF dela.',
  };
}
