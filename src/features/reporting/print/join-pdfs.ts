import { type FileHandle, open } from 'node:fs/promises';

export interface PdfPart {
  readonly path: string;
  /** The part's entry in the outline; its own entries hang below. */
  readonly title: string;
}

/**
 * Joins PDFs that the painter wrote into one: objects are renumbered and copied one at a time, page trees hang under a
 * new root, outlines under an entry for each part. It reads the shape that our own writer makes (one cross-reference
 * table, plain objects), not any PDF.
 */
export async function joinPdfs(parts: readonly PdfPart[], target: string): Promise<void> {
  const output = await open(target, 'w', 0o600);
  try {
    const writer = new Writer(output);
    await writer.write('%PDF-1.7\n%\xff\xff\xff\xff\n');
    const [catalog, pages, outline] = [writer.nextId(), writer.nextId(), writer.nextId()];
    const items = parts.map(() => writer.nextId());
    const trees: { ref: string; count: number }[] = [];
    let info: string | undefined;
    for (const [at, { path, title }] of parts.entries()) {
      const source = await Source.open(path);
      try {
        const base = writer.reserve(source.size);
        const renumbered = (text: string) => withReferences(text, base);
        const root = await source.object(source.root);
        const pagesId = referenceIn(root, 'Pages')!;
        const outlineId = referenceIn(root, 'Outlines');
        const tree = await source.object(pagesId);
        const firstPage = /\/Kids \[(\d+) 0 R/.exec(tree)![1]!;
        trees.push({ ref: `${pagesId + base} 0 R`, count: Number(/\/Count (\d+)/.exec(tree)![1]) });
        info ??= source.info === undefined ? undefined : `${source.info + base} 0 R`;
        const links = [
          `/Parent ${outline} 0 R`,
          `/Title ${pdfText(title)}`,
          `/Dest [${Number(firstPage) + base} 0 R /Fit]`,
          ...(at > 0 ? [`/Prev ${items[at - 1]} 0 R`] : []),
          ...(at < parts.length - 1 ? [`/Next ${items[at + 1]} 0 R`] : []),
        ].join('\n');
        let children = '';
        for (const id of source.ids) {
          const body = await source.object(id);
          if (id === source.root) continue;
          if (id === outlineId) {
            // The part's outline becomes an entry of the whole: its children must know it by its new number.
            children = renumbered(body)
              .replace(/^[^<]*<</, '')
              .replace(/>>[^>]*$/, '')
              .replace('/Type /Outlines', '');
            continue;
          }
          let text = renumbered(body);
          if (id === pagesId) text = text.replace('/Type /Pages', `/Type /Pages\n/Parent ${pages} 0 R`);
          if (outlineId !== undefined) {
            text = text.replace(`/Parent ${outlineId + base} 0 R`, `/Parent ${items[at]} 0 R`);
          }
          await writer.object(id + base, text);
        }
        await writer.object(items[at]!, `<<\n${links}\n${children.trim()}\n>>\n`);
      } finally {
        await source.close();
      }
    }
    const count = trees.reduce((sum, each) => sum + each.count, 0);
    const kids = trees.map(({ ref }) => ref).join(' ');
    await writer.object(pages, `<<\n/Type /Pages\n/Count ${count}\n/Kids [${kids}]\n>>\n`);
    await writer.object(
      outline,
      `<<\n/Type /Outlines\n/First ${items[0]} 0 R\n/Last ${items.at(-1)} 0 R\n/Count ${items.length}\n>>\n`,
    );
    await writer.object(
      catalog,
      `<<\n/Type /Catalog\n/Pages ${pages} 0 R\n/Outlines ${outline} 0 R\n/PageMode /UseOutlines\n/Lang (pt-BR)\n>>\n`,
    );
    await writer.end(`/Root ${catalog} 0 R${info === undefined ? '' : `\n/Info ${info}`}`);
  } finally {
    await output.close();
  }
}

class Writer {
  private readonly output: FileHandle;
  private readonly offsets: number[] = [0];
  private position = 0;

  constructor(output: FileHandle) {
    this.output = output;
  }

  nextId(): number {
    return this.offsets.push(-1) - 1;
  }

  /** Room for objects 1 to count; answers what is added to their old numbers. */
  reserve(count: number): number {
    const base = this.offsets.length - 1;
    for (let at = 0; at < count; at++) this.offsets.push(-1);
    return base;
  }

  async object(id: number, body: string): Promise<void> {
    this.offsets[id] = this.position;
    await this.write(`${id} 0 obj\n${body.trimEnd()}\nendobj\n`);
  }

  async write(text: string): Promise<void> {
    const bytes = Buffer.from(text, 'latin1');
    await this.output.write(bytes);
    this.position += bytes.length;
  }

  async end(trailer: string): Promise<void> {
    const start = this.position;
    const entries = this.offsets.map((offset, id) =>
      id === 0 || offset < 0 ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`,
    );
    await this.write(`xref\n0 ${this.offsets.length}\n${entries.join('')}`);
    await this.write(`trailer\n<<\n/Size ${this.offsets.length}\n${trailer}\n>>\nstartxref\n${start}\n%%EOF\n`);
  }
}

class Source {
  readonly root: number;
  readonly info: number | undefined;
  readonly ids: readonly number[];
  /** Highest object number. */
  readonly size: number;
  private readonly file: FileHandle;
  private readonly spans: ReadonlyMap<number, readonly [start: number, end: number]>;

  private constructor(file: FileHandle, table: string, tableStart: number) {
    this.file = file;
    const [, count = '0'] = /^xref\s+0 (\d+)\s+/.exec(table)!;
    const body = table.slice(table.indexOf('\n', table.indexOf(` ${count}`)) + 1);
    const starts: [number, number][] = [];
    for (let id = 1; id < Number(count); id++) {
      const entry = body.slice(id * 20, id * 20 + 18);
      if (entry.endsWith('n')) starts.push([id, Number(entry.slice(0, 10))]);
    }
    starts.sort((a, b) => a[1] - b[1]);
    this.spans = new Map(starts.map(([id, start], at) => [id, [start, starts[at + 1]?.[1] ?? tableStart]]));
    this.ids = starts.map(([id]) => id);
    this.size = Number(count) - 1;
    const trailer = table.slice(table.indexOf('trailer'));
    this.root = referenceIn(trailer, 'Root')!;
    this.info = referenceIn(trailer, 'Info');
  }

  static async open(path: string): Promise<Source> {
    const file = await open(path, 'r');
    const { size } = await file.stat();
    const tail = await textAt(file, Math.max(0, size - 64), size);
    const start = Number(/startxref\s+(\d+)/.exec(tail)![1]);
    return new Source(file, await textAt(file, start, size), start);
  }

  /** What stands between `obj` and `endobj`. */
  async object(id: number): Promise<string> {
    const [start, end] = this.spans.get(id)!;
    const text = await textAt(this.file, start, end);
    return text.slice(text.indexOf('obj') + 3, text.lastIndexOf('endobj')).trim();
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

async function textAt(file: FileHandle, start: number, end: number): Promise<string> {
  const buffer = Buffer.alloc(end - start);
  await file.read(buffer, 0, buffer.length, start);
  return buffer.toString('latin1');
}

function referenceIn(dictionary: string, key: string): number | undefined {
  // eslint-disable-next-line no-restricted-syntax -- the digits begin behind the key, nowhere else
  const found = new RegExp(`/${key} (\\d+) 0 R`).exec(dictionary)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Adds `base` to every reference outside of strings; what follows `stream` is data and stays. */
function withReferences(body: string, base: number): string {
  const stream = /(^|\s)stream\r?\n/.exec(outsideStrings(body))?.index ?? body.length;
  const head = body
    .slice(0, stream)
    .replace(/\((?:\\[\s\S]|[^\\()])*\)|<[0-9A-Fa-f\s]+>|(\d{1,10}) 0 R\b/g, (whole, id: string | undefined) =>
      id === undefined ? whole : `${Number(id) + base} 0 R`,
    );
  return head + body.slice(stream);
}

/** The same text with strings blanked, so that a word inside one is not taken for a keyword. */
function outsideStrings(body: string): string {
  const end = body.indexOf('stream');
  if (end < 0) return '';
  return body.replace(/\((?:\\[\s\S]|[^\\()])*\)/g, (text) => ' '.repeat(text.length));
}

function pdfText(text: string): string {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
  return `<${bytes.toString('hex')}>`;
}
