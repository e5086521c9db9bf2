import type { Book } from './book.ts';
import { type Checked, type Finding, Findings, type Severity } from './findings.ts';
import type { Line } from './line.ts';
import type { Wrong } from './rule.ts';
import { type Listed, listedRules } from './rules/index.ts';

/** What the platform found besides the manual's rules. */
const OWN: Readonly<Record<string, readonly [Severity, string]>> = {
  PARTIDAS_NUMERO_DE_CAMPOS: ['ERRO', 'A linha não tem o número de campos do registro.'],
  PARTIDAS_REGISTRO_REPETIDO: ['ERRO', 'O registro só pode ocorrer uma vez.'],
  PARTIDAS_CHAVE_REPETIDA: ['ERRO', 'Há outro registro com a mesma chave.'],
  PARTIDAS_LINHA_LONGA: ['ERRO', 'A linha passa de um megabyte e não foi lida.'],
  PARTIDAS_UTF8: ['AVISO', 'O arquivo está em UTF-8; o manual pede ISO-8859-1.'],
  PARTIDAS_FIM_DE_LINHA: ['AVISO', 'As linhas terminam só com LF; o manual pede CR e LF.'],
  PARTIDAS_SEM_BLOCO_C: ['AVISO', 'O arquivo não tem o bloco C: o programa oficial o preenche.'],
  PARTIDAS_ARQUIVO_GRANDE: ['AVISO', 'O arquivo passa de 1 GB, o limite do capítulo 4 do manual.'],
  PARTIDAS_LIMITE: [
    'ERRO',
    'O arquivo tem registros demais de um mesmo tipo para ser conferido; a leitura parou aqui.',
  ],
  PARTIDAS_ARQUIVO_DESCONHECIDO: ['ERRO', 'O arquivo não é uma ECD nem um documento 4010 ou 4016.'],
  PARTIDAS_SEM_LINHAS: ['ERRO', 'O arquivo está vazio.'],
};

/** Makes findings of what rules say is wrong. */
export class Reporter {
  readonly #findings: Findings;
  readonly #rules = listedRules();

  constructor(onFinding?: (finding: Finding) => void) {
    this.#findings = new Findings(onFinding);
  }

  rule(key: string): Listed {
    return this.#rules.get(key)!;
  }

  /** A rule that a line breaks. */
  broken({ register, code, severity, rule }: Listed, wrong: string | Wrong, line: Line | undefined): void {
    const given: Wrong = typeof wrong === 'string' ? { field: wrong } : wrong;
    const text = rule.when === 'parts' ? '' : rule.text;
    const { field, expected } = given;
    this.#findings.add({
      rule: code,
      severity,
      line: given.line ?? line?.number,
      register: line?.register.code ?? register,
      field,
      value: given.value ?? textAt(line, field),
      message: expected === undefined ? text : `${text} Esperado: ${expected}.`,
    });
  }

  /** One of the rules that hold everywhere. */
  everywhere(code: string, line: number, register: string | undefined, field?: string, value?: string): void {
    const { severity, rule } = this.rule(`* ${code}`);
    const message = rule.when === 'parts' ? '' : rule.text;
    this.#findings.add({ rule: code, severity, line, register, field, value, message });
  }

  own(code: string, line?: number, register?: string, value?: string): void {
    const [severity, message] = OWN[code]!;
    this.#findings.add({ rule: code, severity, line, register, value, message });
  }

  result(facts: Pick<Checked, 'kind' | 'lines' | 'bytes' | 'notProven'> & { readonly book?: Book }): Checked {
    const { book, ...rest } = facts;
    return { ...rest, book: book?.form || undefined, ...this.#findings.result() };
  }
}

function textAt(line: Line | undefined, field: string | undefined): string | undefined {
  return line === undefined || field === undefined || field === 'REG' ? undefined : line.fields[placeOf(line, field)];
}

/** A rule may name a field of a register beside it. */
function placeOf(line: Line, field: string): number {
  return line.register.places[field] ?? -1;
}
