import { type Centavos, decimalOf, magnitudeOf } from '../../../../accounting/money.ts';
import { firstDay } from '../../../../accounting/period.ts';
import { reject } from '../../../../accounting/problem.ts';
import { recordRef } from '../../../../accounting/record-name.ts';
import type { Transaction } from '../../../../platform/database/sql.ts';
import { type CompanyRow, selectCompany } from '../../../master-data/companies/companies.read.sql.ts';
import { selectAccepted } from '../deliveries/deliveries.read.sql.ts';
import type { Remittance } from '../deliveries/delivery.ts';
import { readInstitution, readMonths } from '../ecd/ecd-books.ts';
import type { Origin } from '../ecd/ecd-file.ts';
import { EcdFindings } from '../ecd/ecd-findings.ts';
import type { FilingFinding } from '../filing-finding.ts';
import { type OfficialBalance, readOfficialBalances } from './cosif-balances.ts';
import type { CosifRequest, CosifSign, WrittenCosif } from './cosif-file.ts';

/** Groups that are published positive on the debit side. */
const DEBIT_POSITIVE = /^[123]/;
/** Groups of the result, which a closing empties. */
const RESULT = /^[78]/;

type Balances = ReadonlyMap<string, OfficialBalance>;

/**
 * Writes a document 4010 or 4016 of what one snapshot shows, under a scope that reaches the whole company: a row for each
 * official account with a balance, in the order of the codes. The same books and request make the same bytes.
 */
export async function writeCosif(sql: Transaction, request: CosifRequest, sign: CosifSign): Promise<WrittenCosif> {
  const { companyId, company: code, document, month } = request;
  const company = (await selectCompany(sql, companyId)) ?? reject('NOT_FOUND', recordRef('Company', code));
  const accepted = await selectAccepted(sql, companyId, document, firstDay(month));
  const due: Remittance = accepted === undefined ? 'I' : 'S';
  const remittance = request.remittance ?? due;
  const replacesId = remittance === 'S' ? accepted?.id : undefined;
  const unusual = remittance === due ? [] : [otherRemittance(request, due)];
  const books = await readClosed(sql, request);
  if ('findings' in books) {
    const findings = [...books.findings, ...unusual];
    return { text: undefined, published: '', remittance, replacesId, findings, origins: new Map() };
  }
  const { balances, findings: found } = books.read;
  const kept = document === '4016' ? new Map([...balances].filter(([each]) => !RESULT.test(each))) : balances;
  const rows = [...kept]
    .filter(([, { balance }]) => balance !== 0n)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const textOf = (applied: CosifSign) => documentText(request, company, remittance, applied, rows);
  return {
    text: textOf(sign),
    published: textOf('PUBLISHED'),
    ...{ remittance, replacesId },
    findings: [...found, ...unclosedResult(request, balances), ...unusual],
    origins: originsOf(company, rows),
  };
}

async function readClosed(
  sql: Transaction,
  request: CosifRequest,
): Promise<
  { readonly findings: readonly FilingFinding[] } | { readonly read: Awaited<ReturnType<typeof readOfficialBalances>> }
> {
  const found = new EcdFindings();
  const institution = await readInstitution(sql, request, found);
  if (institution !== undefined) await readMonths(sql, institution, [request.month], found);
  if (institution === undefined || found.hasErrors) {
    const { findings } = found.result();
    return { findings: findings.map((each) => ({ ...each, register: request.document, field: undefined })) };
  }
  return { read: await readOfficialBalances(sql, institution, request.document, request.month) };
}

function documentText(
  { document, month }: CosifRequest,
  { cnpj }: CompanyRow,
  remittance: Remittance,
  sign: CosifSign,
  rows: readonly (readonly [string, OfficialBalance])[],
): string {
  const root = (cnpj ?? '').slice(0, 8);
  const accounts = rows.map(
    ([code, { balance }]) => `    <conta codigoConta="${code}" saldo="${decimalOf(signed(code, balance, sign))}"/>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<documento codigoDocumento="${document}" cnpj="${root}" dataBase="${month}" tipoRemessa="${remittance}">
  <contas>
${accounts.join('')}  </contas>
</documento>
`;
}

/** Of a debit-positive balance. */
function signed(code: string, balance: Centavos, sign: CosifSign): Centavos {
  if (sign === 'ABSOLUTE') return magnitudeOf(balance);
  return sign === 'PUBLISHED' && DEBIT_POSITIVE.test(code) ? balance : -balance;
}

/** What stands before the first account: the declaration, the root and its list. */
const HEAD_LINES = 3;
const ROOT_LINE = 2;

function originsOf({ id, code }: CompanyRow, rows: readonly (readonly [string, OfficialBalance])[]) {
  const origins = new Map<number, Origin>([[ROOT_LINE, { resource: 'company', id, code, path: '/company' }]]);
  for (const [at, [, { origin }]] of rows.entries()) origins.set(HEAD_LINES + at + 1, origin);
  return origins;
}

function unclosedResult({ document }: CosifRequest, balances: Balances): FilingFinding[] {
  const open = [...balances].filter(([code, { balance }]) => RESULT.test(code) && balance !== 0n);
  if (document !== '4016' || open.length === 0) return [];
  return [
    {
      ...{ rule: 'PARTIDAS_RESULTADO_NAO_ENCERRADO', severity: 'ERRO', register: document, value: open[0]![0] },
      message: 'As contas de resultado têm saldo: o 4016 é de depois do encerramento.',
      origin: { resource: 'closure_settings', path: '/closuresettings' },
    },
  ];
}

function otherRemittance({ document, remittance }: CosifRequest, due: Remittance): FilingFinding {
  return {
    ...{ rule: 'P10', severity: 'AVISO', register: document, field: 'tipoRemessa', value: remittance },
    message: `A remessa é I enquanto nenhuma entrega do documento e mês foi aceita, depois S. Esperado: ${due}.`,
  };
}
