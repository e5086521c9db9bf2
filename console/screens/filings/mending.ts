import { dayFromIso, monthFromSlash, monthOfDay } from '../../../src/accounting/period.ts';
import type { Destination } from '../../data/place.ts';
import type { FilingJob } from './filing-kinds.ts';

/** The record that a finding wants mended. */
export type Origin = NonNullable<FilingJob['achados'][number]['onde']>;

interface Mending {
  /** 'conta 1.1.2'. */
  readonly text: string;
  readonly to: Destination;
}

const RECORDS: Readonly<Record<string, readonly [type: string, text: string]>> = {
  company: ['empresas', 'empresa'],
  branch: ['filiais', 'filial'],
  company_options: ['opcoes', 'opções da filial'],
  closure_settings: ['encerramento', 'apuração do resultado'],
  regulatory_profile: ['perfil-regulatorio', 'perfil regulatório da empresa'],
  statement: ['demonstracoes', 'demonstração'],
  standard_narration: ['historicos', 'histórico'],
};

/** The screen where the record is mended; undefined where the console has none. */
export function mendingOf({ recurso, id, codigo, caminho }: Origin): Mending | undefined {
  const registro = id === undefined ? undefined : String(id);
  const code = codigo ?? '';
  if (recurso === 'account') return { text: `conta ${code}`, to: { screen: 'plano', search: { conta: registro } } };
  if (recurso === 'compliance_rule') return { text: `regra ${code}`, to: { screen: 'regras', search: {} } };
  if (recurso === 'month') return mendingOfMonth(code);
  if (recurso === 'entry') return mendingOfEntry(caminho);
  const [tipo, text] = RECORDS[recurso] ?? [];
  if (tipo === undefined) return undefined;
  const of = recurso === 'regulatory_profile' ? { registro: codigo } : { registro };
  return { text: `${text} ${code}`.trim(), to: { screen: 'cadastros', search: { tipo, ...of } } };
}

/** '0001 06/2025': a month of a branch. */
function mendingOfMonth(code: string): Mending | undefined {
  const [branch = '', slash = ''] = code.split(' ');
  const month = monthFromSlash(slash);
  if (month === undefined) return undefined;
  return { text: `mês ${slash} da filial ${branch}`, to: { screen: 'fechamento', branch, month, search: {} } };
}

/** '/entries/0001/0002?dataInicio=2025-06-01&…&lote=1&documento=2&lancamento=3': a search for it. */
function mendingOfEntry(path: string): Mending | undefined {
  const { pathname, searchParams } = new URL(path, 'http://entries');
  const branch = decodeURIComponent(pathname.split('/')[3] ?? '');
  const of = (name: string) => searchParams.get(name) ?? undefined;
  const [lote, documento, lancamento] = [of('lote'), of('documento'), of('lancamento')];
  const from = dayFromIso(of('dataInicio') ?? '');
  if (branch === '' || from === undefined) return undefined;
  return {
    text: `lote ${lote}, documento ${documento}, lançamento ${lancamento}`,
    to: {
      screen: 'lancamentos',
      branch,
      month: monthOfDay(from),
      search: { procurar: '1', lote, doc: documento, lanc: lancamento },
    },
  };
}
