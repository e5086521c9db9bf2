/** What ends the text of a document that a line J800 or J801 carries over many lines. */
const END = /\|J80[01]FIM\|$/;
const LONGEST_END = 9;
/** Registers whose names in a text would mislead whoever reads the file line by line. */
const FORBIDDEN = /\|(?:C001|I001|J001|K001|J800|J801|J900)\|/;

/** The register in front of a document: its first fields, and what is known of the text. */
export class Attachment {
  readonly fields: string[];
  readonly number: number;
  /** The text holds what looks like a register. */
  isMisleading = false;
  #tail = '';

  private constructor(fields: string[], number: number) {
    this.fields = fields;
    this.number = number;
  }

  /** A document that begins on the line and goes on below it; undefined for a line that is whole. */
  static begin(text: string, number: number, isPiece: boolean): Attachment | undefined {
    const code = text.slice(1, 5);
    if (text.charCodeAt(0) !== 124 || (code !== 'J800' && code !== 'J801')) return undefined;
    if (!isPiece && END.test(text)) return undefined;
    const last = code === 'J800' ? 5 : 6;
    const fields = text.slice(0, 4_000).split('|').slice(0, last);
    while (fields.length < last) fields.push('');
    const attachment = new Attachment([...fields, 'RTF', `${code}FIM`, ''], number);
    attachment.#look(text.slice(6));
    return attachment;
  }

  /** Whether the document ends with the text. */
  ends(text: string, isPiece: boolean): boolean {
    this.#look(text);
    return !isPiece && END.test(this.#tail);
  }

  #look(text: string): void {
    const joined = this.#tail + text;
    this.isMisleading ||= FORBIDDEN.test(joined);
    this.#tail = joined.slice(-LONGEST_END);
  }
}

/** Whether a document on one line holds what looks like a register. */
export function misleads(text: string): boolean {
  return FORBIDDEN.test(text);
}
