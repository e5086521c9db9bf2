import { dayFromIso } from '../../../../accounting/period.ts';
import { BusinessError } from '../../../../accounting/problem.ts';
import type { GivenLine, StatementKind } from '../../../../accounting/statements/statement-definition.ts';
import { recordAudit } from '../../../access/audit.sql.ts';
import { type Signatory, selectOptions } from '../../../master-data/companies/company-options.read.sql.ts';
import { insertNarrations } from '../../../master-data/narrations/narrations.sql.ts';
import { addStatement, lockChangedChart } from '../../../master-data/statements/save-statement.ts';
import { writeLines } from '../../../master-data/statements/save-statement-lines.ts';
import { selectStatementLines, selectStatementsOfChart } from '../../../master-data/statements/statements.read.sql.ts';
import type { Line } from '../../../reporting/filing-check/line.ts';
import { addSignatories, selectNarrationTexts } from './ecd.sql.ts';
import { type FileStatementLine, isoDay } from './ecd-contents.ts';
import type { EcdChart, EcdSession } from './ecd-session.ts';
import { plainText } from './texts.ts';

/** Codes of narrations are no longer here. */
export const LONGEST_NARRATION_CODE = 5;
const LONGEST_NARRATION = 500;

/** The narrations of the file that the branch lacks become its own. */
export async function importNarrations(session: EcdSession): Promise<void> {
  const { sql, context, tenant, contents, findings, created } = session;
  const short = [...contents.narrations].filter(([code]) => code.length <= LONGEST_NARRATION_CODE);
  if (short.length < contents.narrations.size) {
    const [code, { line }] = [...contents.narrations].find(([each]) => each.length > LONGEST_NARRATION_CODE)!;
    findings.own('PARTIDAS_HISTORICO_EM_TEXTO', { line, register: 'I075', field: 'COD_HIST', value: code });
  }
  const known = await selectNarrationTexts(
    sql,
    tenant,
    short.map(([code]) => code),
  );
  const added = short.filter(([code]) => !known.has(code));
  for (const [code, { line, text }] of short) {
    const here = known.get(code);
    if (here !== undefined && here !== narrationText(text))
      findings.own('PARTIDAS_HISTORICO_DIFERENTE', { line, register: 'I075', field: 'DESCR_HIST', value: code });
  }
  if (added.length === 0) return;
  const { companyId, branchId } = tenant;
  const plain = { requiresComplement: false, side: undefined, active: true };
  await insertNarrations(
    sql,
    added.map(([code, { text }]) => ({ companyId, branchId, code, description: narrationText(text), ...plain })),
  );
  await recordAudit(sql, context, {
    ...{ action: 'IMPORT', entity: 'standard_narration', ...tenant },
    after: { import: session.mark.importId, narrations: added.length },
  });
  created.narrations = added.length;
}

function narrationText(text: string): string {
  return plainText(text).slice(0, LONGEST_NARRATION).trim() || '-';
}

/** From which day definitions of statements hold: before all books. */
const FIRST_DAY = dayFromIso('1900-01-01')!;
export const STATEMENT_CODE = 'ECD';
const NAMES = { BP: 'Balanço patrimonial da ECD', DRE: 'Demonstração do resultado da ECD' } as const;

/** The statements of the file as definitions, unless the chart has its own. */
export async function importStatements(session: EcdSession, chart: EcdChart): Promise<void> {
  const { contents } = session;
  const last = contents.statements.at(-1);
  if (last === undefined) return;
  await importStatement(session, chart, 'BP', last.balanceSheet);
  await importStatement(session, chart, 'DRE', last.income);
}

async function importStatement(
  session: EcdSession,
  chart: EcdChart,
  kind: StatementKind & keyof typeof NAMES,
  lines: readonly FileStatementLine[],
): Promise<void> {
  if (lines.length === 0) return;
  const { sql, context, findings, created } = session;
  const given = definitionOf(session, chart, lines);
  const place = { line: lines[0]!.line, register: kind === 'BP' ? 'J100' : 'J150' };
  const known = await selectStatementsOfChart(sql, chart.id, kind);
  if (known.length > 0) {
    const same = await Promise.all(known.map(async ({ id }) => isSame(given, await selectStatementLines(sql, id))));
    if (!same.includes(true)) findings.own('PARTIDAS_DEMONSTRACAO_DIFERENTE', { ...place, value: known[0]!.name });
    return;
  }
  try {
    await context.transaction(async (part) => {
      const held = await lockChangedChart(part, context, chart.code);
      const input = { kind, code: STATEMENT_CODE, name: NAMES[kind], validFrom: FIRST_DAY };
      const statement = await addStatement(part, context, held, input);
      await writeLines(part, context, held, statement, given);
    });
    created.statements++;
    session.newStatements.add(kind);
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error;
    findings.own('PARTIDAS_DEMONSTRACAO', { ...place, detail: session.describe(error) });
  }
}

function definitionOf({ contents }: EcdSession, chart: EcdChart, lines: readonly FileStatementLine[]): GivenLine[] {
  const accounts = Map.groupBy(
    [...contents.accounts.values()].flatMap(({ code, statementLines }) =>
      statementLines.map((line) => ({ line, code: chart.accounts.get(code)!.code })),
    ),
    ({ line }) => line,
  );
  return lines.map(({ code, indicator, parentCode, group, description, note }) => ({
    ...{ code, indicator, parentCode: parentCode === '' ? null : parentCode },
    ...{ group: group as GivenLine['group'], description: plainText(description), note: note === '' ? null : note },
    selectors:
      indicator === 'T' ? [] : (accounts.get(code) ?? []).map((each) => ({ pattern: each.code, exclude: false })),
  }));
}

/** The same lines in the same tree; which accounts they take is the chart's affair. */
function isSame(given: readonly GivenLine[], known: readonly GivenLine[]): boolean {
  const shape = (lines: readonly GivenLine[]) =>
    JSON.stringify(lines.map(({ code, indicator, parentCode, group }) => [code, indicator, parentCode, group]));
  return shape(given) === shape(known);
}

/** Who signed the file. */
export function signatoriesOf(lines: readonly Line[]): Signatory[] {
  return lines.map((line) => {
    const document = line.of('IDENT_CPF_CNPJ');
    return {
      name: plainText(line.of('IDENT_NOM')),
      ...(document.length === 14 ? { cnpj: document } : { cpf: document }),
      ...textIn('role', line.of('IDENT_QUALIF')),
      ...textIn('qualification', line.of('COD_ASSIN')),
      ...textIn('crc', line.of('IND_CRC')),
      ...textIn('email', line.of('EMAIL')),
      ...textIn('phone', line.of('FONE')),
      ...textIn('ufCrc', line.of('UF_CRC')),
      ...textIn('crcCertificate', line.of('NUM_SEQ_CRC')),
      ...dayIn('crcValidTo', line.of('DT_CRC')),
      legalResponsible: line.of('IND_RESP_LEGAL') === 'S',
    };
  });
}

/** The signatories of the file for a branch that has none yet; others are compared. */
export async function importSignatories(session: EcdSession): Promise<void> {
  const { sql, context, tenant, contents, findings, created } = session;
  const given = signatoriesOf(contents.signatories);
  const options = (await selectOptions(sql, tenant.companyId, tenant.branchId))!;
  if (given.length === 0) return;
  if (options.signatories.length === 0) {
    await addSignatories(sql, tenant, given);
    await recordAudit(sql, context, {
      ...{ action: 'UPDATE', entity: 'company_options', entityId: options.id, ...tenant },
      ...{ before: { signatories: [] }, after: { signatories: given } },
    });
    created.signatories = given.length;
    return;
  }
  const keyOf = ({ cpf, cnpj, qualification }: Signatory) => `${cpf ?? cnpj} ${qualification ?? ''}`;
  const known = new Set(options.signatories.map(keyOf));
  for (const [at, signatory] of given.entries())
    if (!known.has(keyOf(signatory)))
      findings.own('PARTIDAS_SIGNATARIO_DIFERENTE', {
        ...{ line: contents.signatories[at]!.number, register: 'J930', field: 'IDENT_CPF_CNPJ', value: signatory.name },
      });
}

function textIn(name: keyof Signatory, text: string): Partial<Signatory> {
  return text === '' ? {} : { [name]: plainText(text) };
}

function dayIn(name: 'crcValidTo', text: string): Partial<Signatory> {
  const day = isoDay(text);
  return day === undefined ? {} : { [name]: day };
}
