import { readFileSync } from 'node:fs';

// An ECD written by hand for the tests of the checker. It shares nothing with the checker but the table of fields: what
// is right in it was added up by hand, or is counted here.

const TABLE = new URL('../../src/seeds/regulatory/ecd9-fields.csv', import.meta.url);

/** Number of each field by register and name. */
const PLACES = new Map<string, number>();
for (const row of readFileSync(TABLE, 'utf8').split('\n').slice(1)) {
  const [register, number, name] = row.split(';');
  PLACES.set(`${register}.${name}`, Number(number));
}

/** Fields of the lines that count lines. */
const COUNTS: Readonly<Record<string, number>> = {
  I030: 5,
  J900: 6,
  '0990': 2,
  I990: 2,
  J990: 2,
  K990: 2,
  '9990': 2,
  '9999': 2,
};

export class EcdFile {
  lines: string[][];
  #isCounted = false;

  constructor(lines: readonly (readonly string[])[]) {
    this.lines = lines.map((line) => [...line]);
  }

  /** The nth line of a register, from 0; of the last ones, from -1. */
  row(register: string, nth = 0): string[] {
    const row = this.lines.filter(([code]) => code === register).at(nth);
    if (row === undefined) throw new Error(`no line ${register} ${nth}`);
    return row;
  }

  set(register: string, field: string, value: string, nth = 0): this {
    const place = PLACES.get(`${register}.${field}`);
    if (place === undefined) throw new Error(`no field ${register}.${field}`);
    this.row(register, nth)[place - 1] = value;
    return this;
  }

  remove(register: string, nth = 0): this {
    this.lines.splice(this.lines.indexOf(this.row(register, nth)), 1);
    return this;
  }

  removeAll(...registers: string[]): this {
    this.lines = this.lines.filter(([code]) => !registers.includes(code!));
    return this;
  }

  /** A line behind the nth of a register. */
  after(register: string, nth: number, ...lines: string[]): this {
    const rows = lines.map((line) => line.split('|'));
    this.lines.splice(this.lines.indexOf(this.row(register, nth)) + 1, 0, ...rows);
    return this;
  }

  /** The same line once more. */
  repeat(register: string, nth = 0): this {
    return this.after(register, nth, this.row(register, nth).join('|'));
  }

  /** Writes block 9 and all counts; what is changed afterwards stays as it is. */
  count(): this {
    if (this.#isCounted) return this;
    this.#isCounted = true;
    this.lines = this.lines.filter(([code]) => !code!.startsWith('9'));
    const registers = [...new Set([...this.lines.map(([code]) => code!), '9001', '9900', '9990', '9999'])];
    const totals = registers.map((code) => ['9900', code, String(this.#rows(code))]);
    totals.find(([, code]) => code === '9900')![2] = String(registers.length);
    this.lines.push(['9001', '0'], ...totals, ['9990', ''], ['9999', '']);
    for (const line of totals) if (line[1] !== '9900') line[2] = String(this.#rows(line[1]!));
    for (const line of this.lines) {
      const place = COUNTS[line[0]!];
      if (place === undefined) continue;
      const block = line[0]![0]!;
      const isOfBlock = line[0]!.endsWith('990');
      line[place - 1] = String(
        isOfBlock ? this.lines.filter(([code]) => code!.startsWith(block)).length : this.lines.length,
      );
    }
    return this;
  }

  text(): string {
    this.count();
    return this.lines.map((line) => `|${line.join('|')}|\r\n`).join('');
  }

  #rows(register: string): number {
    return this.lines.filter(([code]) => code === register).length;
  }
}

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split('|'));

const HEAD = (form: string) => `
  0000|LECD|01112025|31122025|BANCO DE PROVA S.A.|11222333000181|SP|110042490114|3550308|12345678||0|1|0||1|0||N|N|1|1|1
  0001|0
  0007|01|12345
  0007|SP|110042490114
  0020|0|11222333000262|RJ||3304557||
  ${form === 'B' ? '' : PARTICIPANTS.trim()}
  0990|
  C001|1
  C990|2
  I001|0
  I010|${form}|9.00
  I030|TERMO DE ABERTURA|7|DIÁRIO GERAL||BANCO DE PROVA S.A.|35300000012|11222333000181|01022010||SÃO PAULO|31122025`;

const PARTICIPANTS = `
  0150|F1|FORNECEDOR UM|01058|11222333000181||||||3550308||
  0180|03|01012020|
  0150|F2|SÓCIO DOIS|01058||12345678909||SP|||3550308||`;

const ACCOUNTS: readonly (readonly [string, string, string, string, string])[] = [
  ['01', 'S', '1', '', 'ATIVO'],
  ['01', 'S', '1.1', '1', 'CIRCULANTE'],
  ['01', 'S', '1.1.1', '1.1', 'DISPONÍVEL'],
  ['01', 'A', '1.1.1.01', '1.1.1', 'CAIXA'],
  ['01', 'A', '1.1.1.02', '1.1.1', 'BANCOS'],
  ['02', 'S', '2', '', 'PASSIVO'],
  ['02', 'S', '2.1', '2', 'EXIGÍVEL'],
  ['02', 'S', '2.1.1', '2.1', 'CIRCULANTE'],
  ['02', 'A', '2.1.1.01', '2.1.1', 'FORNECEDORES'],
  ['03', 'S', '2.3', '2', 'PATRIMÔNIO LÍQUIDO'],
  ['03', 'S', '2.3.1', '2.3', 'PATRIMÔNIO'],
  ['03', 'A', '2.3.1.01', '2.3.1', 'CAPITAL'],
  ['03', 'A', '2.3.1.02', '2.3.1', 'LUCROS ACUMULADOS'],
  ['04', 'S', '3', '', 'RESULTADO'],
  ['04', 'S', '3.1', '3', 'OPERACIONAL'],
  ['04', 'A', '3.1.01', '3.1', 'RECEITAS'],
  ['04', 'A', '3.1.02', '3.1', 'DESPESAS'],
];

/** Reference account, and line of a statement, of the analytic accounts. */
const MAPPED: Readonly<Record<string, readonly [string, string]>> = {
  '1.1.1.01': ['1.01.01.01.01', 'A.1'],
  '1.1.1.02': ['1.01.01.02.01', 'A.1'],
  '2.1.1.01': ['2.01.01.03.01', 'P.1'],
  '2.3.1.01': ['2.03.01.01.01', 'P.2'],
  '2.3.1.02': ['2.03.04.01.01', 'P.3'],
  '3.1.01': ['3.01.01.01.01.02', 'R.1'],
  '3.1.02': ['3.01.01.07.01.01', 'R.2'],
};

const chart = () =>
  ACCOUNTS.flatMap(([nature, type, code, parent, name]) => {
    const account = ['I050', '01012025', nature, type, String(code.split('.').length), code, parent, name];
    const mapped = MAPPED[code];
    if (mapped === undefined) return [account];
    return [account, ['I051', '', mapped[0]], ['I052', '', mapped[1]]];
  });

const NARRATIONS = `
  I075|H1|RECEBIMENTO`;

const BALANCES = `
  I100|01012025|CC1|AGÊNCIA CENTRAL
  I150|01112025|30112025
  I155|1.1.1.01||1000,00|D|0,00|50,00|950,00|D
  I157|101||1000,00|D
  I155|1.1.1.02||500,00|D|200,00|0,00|700,00|D
  I155|2.1.1.01||300,00|C|0,00|0,00|300,00|C
  I155|2.3.1.01||1200,00|C|0,00|0,00|1200,00|C
  I155|3.1.01|CC1|0,00|D|0,00|200,00|200,00|C
  I155|3.1.02||0,00|D|50,00|0,00|50,00|D
  I150|01122025|31122025
  I155|1.1.1.01||950,00|D|100,00|0,00|1050,00|D
  I155|1.1.1.02||700,00|D|0,00|0,00|700,00|D
  I155|2.1.1.01||300,00|C|0,00|0,00|300,00|C
  I155|2.3.1.01||1200,00|C|0,00|0,00|1200,00|C
  I155|2.3.1.02||0,00|D|0,00|250,00|250,00|C
  I155|3.1.01|CC1|200,00|C|300,00|100,00|0,00|D
  I155|3.1.02||50,00|D|0,00|50,00|0,00|D`;

const ENTRIES = `
  I200|202511.1.1.1|10112025|200,00|N|
  I250|1.1.1.02||200,00|D|||RECEITA DE TARIFAS|F1
  I250|3.1.01|CC1|200,00|C||H1||
  I200|202511.1.1.2|20112025|50,00|N|
  I250|3.1.02||50,00|D|||MATERIAL|F2
  I250|1.1.1.01||50,00|C|||MATERIAL|
  I200|202512.1.1.1|15122025|100,00|N|
  I250|1.1.1.01||100,00|D|||RECEITA À VISTA|
  I250|3.1.01|CC1|100,00|C|||RECEITA À VISTA|
  I200|202512.2.1.1|31122025|300,00|E|
  I250|3.1.01|CC1|300,00|D|||ENCERRAMENTO|
  I250|3.1.02||50,00|C|||ENCERRAMENTO|
  I250|2.3.1.02||250,00|C|||ENCERRAMENTO|`;

const DAYS = `
  I300|10112025
  I310|1.1.1.02||200,00|0,00
  I310|3.1.01|CC1|0,00|200,00
  I300|20112025
  I310|3.1.02||50,00|0,00
  I310|1.1.1.01||0,00|50,00
  I300|15122025
  I310|1.1.1.01||100,00|0,00
  I310|3.1.01|CC1|0,00|100,00
  I300|31122025
  I310|3.1.01|CC1|300,00|0,00
  I310|3.1.02||0,00|50,00
  I310|2.3.1.02||0,00|250,00`;

const RESULTS = `
  I350|31122025
  I355|3.1.01|CC1|300,00|C
  I355|3.1.02||50,00|D
  I990|`;

const STATEMENTS = `
  J001|0
  J005|01112025|31122025|1|
  J100|A|T|1||A|ATIVO|1500,00|D|1750,00|D|
  J100|A.1|D|2|A|A|DISPONÍVEL|1500,00|D|1750,00|D|1
  J100|P|T|1||P|PASSIVO|1500,00|C|1750,00|C|
  J100|P.1|D|2|P|P|FORNECEDORES|300,00|C|300,00|C|
  J100|P.2|D|2|P|P|CAPITAL|1200,00|C|1200,00|C|
  J100|P.3|D|2|P|P|LUCROS ACUMULADOS|0,00|D|250,00|C|
  J150|1|R|T|1||RESULTADO|||250,00|C|R|
  J150|2|R.1|D|2|R|RECEITAS|||300,00|C|R|
  J150|3|R.2|D|2|R|DESPESAS|||50,00|D|D|
  J210|1|P.2|CAPITAL|1200,00|C|1200,00|C|
  J210|1|P.3|LUCROS ACUMULADOS|0,00|D|250,00|C|1
  J215|RES|RESULTADO DO EXERCÍCIO|250,00|C
  J800|010|NOTAS EXPLICATIVAS||{\\rtf1 NOTA 1}|J800FIM`;

const SIGNATORIES = (form: string) => `
  J900|TERMO DE ENCERRAMENTO|7|DIÁRIO GERAL|BANCO DE PROVA S.A.||01112025|31122025
  J930|MARIA DIRETORA|12345678909|Diretor|203||||||| S
  J930|JOÃO CONTADOR|11144477735|Contador|900|1SP123456|joao@exemplo.com|1133334444|SP|SP/2026/123|31122026|N
  ${form === 'A' ? '' : 'J935|11222333000181|AUDITORES S/S|123'}
  J990|`;

const CLOSING = (form: string) =>
  lines(
    SIGNATORIES(form)
      .replace('| S', '|S')
      .replace(/\n\s*\n/g, '\n'),
  );
const opening = (form: string) => lines(HEAD(form).replace(/\n\s*\n/g, '\n'));

/** A whole journal with every entry. */
export function journal(): EcdFile {
  return new EcdFile([
    ...opening('G'),
    ...chart(),
    ...lines(NARRATIONS + BALANCES + ENTRIES + RESULTS),
    ...lines(STATEMENTS),
    ...CLOSING('G'),
  ]);
}

/** The same books as daily balances. */
export function dailyBalances(): EcdFile {
  return new EcdFile([
    ...opening('B'),
    ...chart(),
    ...lines(BALANCES + DAYS + RESULTS),
    ...lines(STATEMENTS),
    ...CLOSING('B'),
  ]);
}

/** A summary journal: the same, with its auxiliary book. */
export function summary(): EcdFile {
  const hash = '0123456789ABCDEF0123456789ABCDEF01234567';
  return journal().set('I010', 'IND_ESC', 'R').after('I010', 0, `I012|3|DIÁRIO AUXILIAR|0|${hash}`, 'I015|1.1.1.01');
}

/** An auxiliary journal: entries without balances and statements. */
export function auxiliary(): EcdFile {
  return journal()
    .set('I010', 'IND_ESC', 'A')
    .set('0000', 'IND_MUDANC_PC', '0')
    .set('0000', 'COD_PLAN_REF', '')
    .set('0000', 'IND_GRANDE_PORTE', '0')
    .removeAll('C001', 'C990', 'I051', 'I052', 'I150', 'I155', 'I157', 'I350', 'I355')
    .removeAll('J005', 'J100', 'J150', 'J210', 'J215', 'J800', 'J935')
    .after('I010', 0, 'I012|7|DIÁRIO GERAL|0|', 'I015|1.1.1');
}

/** The journal once more, in the place of the one that was delivered. */
export function replacement(): EcdFile {
  const hash = '0123456789ABCDEF0123456789ABCDEF01234567';
  return journal()
    .set('0000', 'IND_FIN_ESC', '1')
    .set('0000', 'COD_HASH_SUB', hash)
    .after('J800', 0, 'J801|002|TERMO|001||{\\rtf1 TERMO}|J801FIM')
    .after(
      'J930',
      1,
      'J932|JOÃO CONTADOR|11144477735|Contador|910|1SP123456|joao@exemplo.com|1133334444|SP|SP/2026/123|31122026',
    );
}
