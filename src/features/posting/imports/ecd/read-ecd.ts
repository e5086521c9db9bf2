import { createReadStream } from 'node:fs';
import { EcdCheck } from '../../../reporting/filing-check/check-ecd.ts';
import { LineReader } from '../../../reporting/filing-check/read-lines.ts';
import type { SpooledFile } from '../spool.ts';
import { EcdContents } from './ecd-contents.ts';
import type { EcdImportOptions } from './ecd-import.ts';
import { ImportFindings } from './import-findings.ts';
import { CURRENT, LAYOUTS, LayoutConverter } from './layouts.ts';

const PIECE = 1 << 18;
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** What a file holds beside its entries, and everything that was found in it. */
export interface ReadEcd {
  readonly contents: EcdContents;
  readonly findings: ImportFindings;
  readonly lines: number;
  readonly bytes: number;
}

/** Reads and checks a file as whoever checks files of anyone does, and keeps what an import needs. */
export async function readEcd(
  file: Pick<SpooledFile, 'path'>,
  options: Pick<EcdImportOptions, 'hierarchy'>,
  counted: (lines: number) => void,
): Promise<ReadEcd> {
  const findings = new ImportFindings(options.hierarchy);
  const contents = new EcdContents((line, value) =>
    findings.own('PARTIDAS_LANCAMENTO_DESBALANCEADO', { line, register: 'I200', value }),
  );
  contents.layout = await layoutOf(file);
  const check = new EcdCheck({ onLine: contents.take, onFinding: findings.add });
  const converter = new LayoutConverter(contents.layout || CURRENT, check);
  const reader = new LineReader(converter);
  let bytes = 0;
  for await (const chunk of chunksOf(file)) {
    bytes += chunk.length;
    if (!check.isDone) reader.feed(chunk);
    counted(contents.postings);
  }
  if (!check.isDone) {
    reader.end();
    converter.end();
  }
  const { lines } = check.end(bytes, reader.encoding);
  contents.referencePlan ||= converter.referencePlan;
  lookAtWhole(contents, findings);
  return { contents, findings, lines, bytes };
}

/** The bytes of a file, without a mark that it is UTF-8. */
export async function* chunksOf(file: Pick<SpooledFile, 'path'>): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const chunk of createReadStream(file.path, { highWaterMark: PIECE }) as AsyncIterable<Buffer>) {
    yield isFirst && chunk.subarray(0, 3).equals(MARK) ? chunk.subarray(3) : chunk;
    isFirst = false;
  }
}

function lookAtWhole(contents: EcdContents, findings: ImportFindings): void {
  const { layout, form, from, to, months } = contents;
  if (!LAYOUTS.includes(layout))
    findings.own('PARTIDAS_LEIAUTE_DESCONHECIDO', { register: 'I010', field: 'COD_VER_LC', value: layout });
  else if (layout !== CURRENT)
    findings.own('PARTIDAS_LEIAUTE_ANTERIOR', { register: 'I010', field: 'COD_VER_LC', value: layout });
  if (!contents.hasEnd) findings.own('PARTIDAS_ARQUIVO_CORTADO');
  if (!['G', 'R', 'B'].includes(form))
    findings.own('PARTIDAS_LIVRO_NAO_IMPORTADO', { register: 'I010', field: 'IND_ESC', value: form });
  const isYear = from !== undefined && to !== undefined && from <= to && from.slice(0, 4) === to.slice(0, 4);
  const isWhole = months.every((month, at) => at === 0 || month > months[at - 1]!);
  if (!isYear || !isWhole || months.length === 0)
    findings.own('PARTIDAS_PERIODO_NAO_IMPORTADO', { register: '0000', field: 'DT_INI' });
  if (contents.zeroes > 0)
    findings.own('PARTIDAS_PARTIDA_ZERADA', {
      ...{ line: contents.withZero, register: 'I250', field: 'VL_DC', detail: `São ${contents.zeroes} ao todo.` },
    });
  if (contents.unkept > 0)
    findings.own('PARTIDAS_PARTIDA_SEM_CAMPOS', {
      ...{ line: contents.withUnkept, register: 'I250', detail: `São ${contents.unkept} partidas ao todo.` },
    });
}

/** A line I010 is short; this much of what was read before is looked at again. */
const OVERLAP = 64;

/** The layout that a file says it has; empty where it says none. */
async function layoutOf(file: Pick<SpooledFile, 'path'>): Promise<string> {
  let rest = '\n';
  for await (const chunk of createReadStream(file.path, { highWaterMark: PIECE }) as AsyncIterable<Buffer>) {
    const text = rest + chunk.toString('latin1');
    const found = /[\n\r]\|I010\|[^|\n\r]*\|([^|\n\r]*)\|/.exec(text);
    if (found !== null) return (found[1] ?? '').slice(0, 10);
    rest = text.slice(-OVERLAP);
  }
  return '';
}
