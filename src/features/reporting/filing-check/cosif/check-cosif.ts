import { centavosFromDecimal } from '../../../../accounting/money.ts';
import { type Checked, Findings } from '../findings.ts';
import { COSIF_RULES, type CosifDocument, type Row } from './cosif-rules.ts';
import { NotXml, type Tag, tagsOf } from './read-xml.ts';

/** The largest document with all accounts of the COSIF has half a megabyte. */
const LARGEST = 32 << 20;
/** What the manuals of the documents do not number. */
const LAYOUT = 'PARTIDAS_DOCUMENTO';
const NOT_PROVEN = ['P04', 'P09', 'P10', 'P12'];

/** The attributes of the root and what each must look like. */
const HEAD: readonly (readonly [string, RegExp, string])[] = [
  ['codigoDocumento', /^401[06]$/, 'O código do documento deve ser 4010 ou 4016.'],
  ['cnpj', /^[0-9A-Z]{8}$/, 'O CNPJ tem só os 8 caracteres da raiz.'],
  ['dataBase', /^\d{4}-(?:0[1-9]|1[0-2])$/, 'A data-base tem a forma AAAA-MM.'],
  ['tipoRemessa', /^[IS]$/, 'O tipo de remessa deve ser I ou S.'],
];

/** Checks a document 4010 or 4016 as the central bank takes it: XML. */
export class CosifCheck {
  readonly #findings = new Findings();
  readonly #rows: Row[] = [];
  readonly #balances = new Map<string, bigint>();
  #root: Tag | undefined;
  #lines = 0;
  #hasAccounts = false;

  async check(chunks: AsyncIterable<Buffer>): Promise<Checked> {
    const { text, bytes } = await textOf(chunks);
    if (text === undefined) this.#wrong('O documento passa de 32 MB: não é um 4010 nem um 4016.', 1);
    else this.#read(text);
    const kind = this.#root?.attributes.codigoDocumento;
    const isKnown = kind === '4010' || kind === '4016';
    if (isKnown) this.#apply(kind);
    return {
      ...{ kind: isKnown ? kind : 'UNKNOWN', lines: this.#lines, bytes, notProven: NOT_PROVEN },
      ...this.#findings.result(),
    };
  }

  #read(text: string): void {
    this.#lines = text.split('\n').length;
    try {
      for (const tag of tagsOf(text)) this.#take(tag);
    } catch (error) {
      if (!(error instanceof NotXml)) throw error;
      this.#wrong('O texto não é um XML completo e bem formado.', error.line);
    }
    if (this.#root === undefined) this.#wrong('Falta o elemento documento.', 1);
    else if (!this.#hasAccounts) this.#wrong('Falta o elemento contas.', this.#root.line);
  }

  #take(tag: Tag): void {
    if (this.#root === undefined && tag.name === 'documento') {
      this.#root = tag;
      this.#expect(tag, HEAD);
    } else if (this.#root !== undefined && tag.name === 'contas') this.#hasAccounts = true;
    else if (this.#hasAccounts && tag.name === 'conta') this.#account(tag);
    else this.#wrong('Elemento desconhecido ou fora do lugar.', tag.line, tag.name);
  }

  #account(tag: Tag): void {
    this.#expect(tag, [
      ['codigoConta', /./, 'Falta o código da conta.'],
      ['saldo', /^-?\d{1,16}\.\d{2}$/, 'O saldo tem ponto, duas casas e no máximo 18 posições.'],
    ]);
    const { codigoConta: code = '', saldo = '' } = tag.attributes;
    const balance = centavosFromDecimal(saldo) ?? 0n;
    if (this.#balances.has(code)) this.#wrong('Conta repetida no documento.', tag.line, 'codigoConta', code);
    this.#balances.set(code, balance);
    this.#rows.push({ line: tag.line, code, balance });
  }

  #expect({ attributes, line }: Tag, wanted: readonly (readonly [string, RegExp, string])[]): void {
    for (const [name, form, message] of wanted) {
      const value = attributes[name];
      if (value === undefined || !form.test(value)) this.#wrong(message, line, name, value);
    }
    for (const [name, value] of Object.entries(attributes))
      if (!wanted.some(([each]) => each === name)) this.#wrong('Atributo desconhecido.', line, name, value);
  }

  #apply(kind: CosifDocument['kind']): void {
    const month = Number(this.#root!.attributes.dataBase?.slice(5));
    const document = { kind, month, rows: this.#rows, balances: this.#balances };
    for (const { code, severity, text, check } of COSIF_RULES) {
      for (const { line, field, value, expected } of check(document)) {
        const message = expected === undefined ? text : `${text} Esperado: ${expected}.`;
        this.#findings.add({ rule: code, severity, line, register: kind, field, value, message });
      }
    }
  }

  #wrong(message: string, line: number, field?: string, value?: string): void {
    this.#findings.add({ rule: LAYOUT, severity: 'ERRO', line, field, value, message });
  }
}

async function textOf(chunks: AsyncIterable<Buffer>): Promise<{ text: string | undefined; bytes: number }> {
  const read: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes <= LARGEST) read.push(chunk);
    else read.length = 0;
  }
  return { text: bytes <= LARGEST ? Buffer.concat(read).toString('utf8') : undefined, bytes };
}
