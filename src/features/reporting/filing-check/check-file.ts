import { EcdCheck } from './check-ecd.ts';
import { CosifCheck } from './cosif/check-cosif.ts';
import type { Checked } from './findings.ts';
import { LineReader } from './read-lines.ts';
import { Reporter } from './reporter.ts';

/** What is looked at to tell what a file is. */
const HEAD = 4_096;

interface Options {
  /** Bytes from which a file of more than a month is too large. */
  readonly largestFile?: number | undefined;
}

/** Checks a file of the regulators, whoever made it: an ECD, or a document 4010 or 4016. Nothing of it is kept. */
export async function checkFile(source: AsyncIterable<Buffer>, { largestFile }: Options = {}): Promise<Checked> {
  const chunks = source[Symbol.asyncIterator]();
  const { head, isWhole } = await headOf(chunks);
  const kind = kindOf(head);
  if (kind === 'ECD') return checkEcd(withHead(head, chunks, isWhole), largestFile);
  if (kind === 'XML') return new CosifCheck().check(withHead(head, chunks, isWhole));
  await chunks.return?.();
  const reporter = new Reporter();
  if (head.length === 0) reporter.own('PARTIDAS_SEM_LINHAS');
  else reporter.own('PARTIDAS_ARQUIVO_DESCONHECIDO', 1, undefined, kind);
  return reporter.result({ kind: 'UNKNOWN', lines: 0, bytes: head.length, notProven: [] });
}

async function checkEcd(chunks: AsyncIterable<Buffer>, largestFile: number | undefined): Promise<Checked> {
  const check = new EcdCheck({ largestFile });
  const reader = new LineReader(check);
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (!check.isDone) reader.feed(chunk);
  }
  if (!check.isDone) reader.end();
  return check.end(bytes, reader.encoding);
}

async function headOf(chunks: AsyncIterator<Buffer>): Promise<{ head: Buffer; isWhole: boolean }> {
  const read: Buffer[] = [];
  let bytes = 0;
  while (bytes < HEAD) {
    const { value, done } = await chunks.next();
    if (done) return { head: Buffer.concat(read), isWhole: true };
    read.push(value);
    bytes += value.length;
  }
  return { head: Buffer.concat(read), isWhole: false };
}

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

async function* withHead(head: Buffer, rest: AsyncIterator<Buffer>, isWhole: boolean): AsyncGenerator<Buffer> {
  yield head.subarray(0, 3).equals(MARK) ? head.subarray(3) : head;
  if (isWhole) return;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** By how a file begins: other kinds by the name that a person knows them by. */
function kindOf(head: Buffer): string {
  const start = head.subarray(0, HEAD).toString('latin1').replace(/^ï»¿/, '');
  if (/^\s*<(?:\?xml|documento|!--)/.test(start)) return 'XML';
  if (/^\|?0000\|/.test(start) || start.includes('|LECD|')) return 'ECD';
  return OTHERS.find(([signature]) => start.startsWith(signature))?.[1] ?? 'outro formato';
}

const OTHERS: readonly (readonly [string, string])[] = [
  ['PK', 'arquivo ZIP'],
  ['%PDF', 'PDF'],
  ['\u0089PNG', 'imagem PNG'],
  ['\u00ff\u00d8\u00ff', 'imagem JPEG'],
  ['GIF8', 'imagem GIF'],
  ['\u00ff\u00fe', 'texto UTF-16'],
  ['\u00fe\u00ff', 'texto UTF-16'],
  ['\u001f\u008b', 'arquivo GZIP'],
];
