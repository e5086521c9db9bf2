import { createHash } from 'node:crypto';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { schemaFindings } from '../schema-findings.ts';

/** `kind` says how a cell's text is shown: money, balance and decimal cells carry plain decimals ("-1234.56"). */
const column = z.strictObject({
  key: z.string().min(1),
  /** {{name}} as in the subtitle. */
  title: z.string(),
  /** What stands above it on paper in the place of the title; {{name}} likewise. */
  heading: z.string().optional(),
  /** Share of the page's width. */
  width: z.number().positive(),
  /** Width in a line of text, where it is not to be a share. */
  characters: z.number().int().min(1).max(120).optional(),
  kind: z.enum(['text', 'code', 'integer', 'date', 'money', 'decimal', 'balance']).default('text'),
  align: z.enum(['left', 'right', 'center']).optional(),
  /** Indents by the row's level. */
  indent: z.boolean().default(false),
  /** Only in tables without pages, where each row is read by itself: CSV and XLSX. */
  tableOnly: z.boolean().default(false),
});

const template = z.strictObject({
  /** {{name}} as in the subtitle. */
  title: z.string().min(1),
  /** Where there is little room: a sheet of a workbook, an entry of an outline. */
  shortTitle: z.string().min(1).optional(),
  orientation: z.enum(['portrait', 'landscape']).default('portrait'),
  /** Size of the table's text in points. */
  fontSize: z.number().min(5).max(14).default(7.5),
  zebra: z.boolean().default(false),
  columns: z.array(column).min(1).max(30),
  /** Lines under the title; {{name}} is replaced by the value of that name. */
  subtitle: z.array(z.string()).default(['{{period}}']),
  /** Rows at the foot and the top of every page of a book, carrying sums. */
  carry: z.strictObject({ from: z.string(), to: z.string(), columns: z.array(z.string()).min(1) }).optional(),
  /** Repeats the group's heading on a new page. */
  repeatGroup: z.boolean().default(false),
  /** A line under every page; {{name}} as in the subtitle. */
  footer: z.string().default(''),
  /** "Página N de M", or the folha of a book. */
  numbering: z.enum(['pages', 'folha']).default('pages'),
});

export type Layout = z.output<typeof template>;
export type Column = Layout['columns'][number];

/** A problem of a template with its place. */
export class TemplateError extends Error {}

const compiled = new Map<string, Layout>();

/** Checks a JSON template and fills its defaults; the same text is compiled once. */
export function compileTemplate(text: string, name: string): Layout {
  const key = createHash('sha256').update(text).digest('hex');
  const known = compiled.get(key);
  if (known) return known;
  const layout = parseLayout(text, name);
  compiled.set(key, layout);
  return layout;
}

function parseLayout(text: string, name: string): Layout {
  const layout = parseTemplate(template, text, name);
  const keys = layout.columns.map((each) => each.key);
  layout.carry?.columns.forEach((key, at) => {
    if (!keys.includes(key)) throw templateError(text, name, ['carry', 'columns', at], `não há coluna ${key}`);
  });
  return layout;
}

/** JSON of the given schema; problems are reported with line and field, in Portuguese. */
export function parseTemplate<Schema extends z.ZodType>(schema: Schema, text: string, name: string): z.output<Schema> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new TemplateError(`${name}: linha ${lineOfJsonError(text, error as Error)}: não é um JSON válido`);
  }
  const result = schema.safeParse(json, { reportInput: true });
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]!] : issue.path;
  const found = schemaFindings(schema, [issue])[0]!;
  const message = 'unknown' in found ? `Campo desconhecido: ${found.unknown}` : `Valor inválido: ${found.reason.pt}`;
  throw templateError(text, name, path, message);
}

export function templateError(
  text: string,
  name: string,
  path: readonly PropertyKey[],
  message: string,
): TemplateError {
  const field = path.map(String).join('.') || 'template';
  return new TemplateError(`${name}: linha ${lineOfPath(text, path)}, ${field}: ${message}`);
}

function lineOfJsonError(text: string, error: Error): number {
  const at = /position (\d+)/.exec(error.message)?.[1];
  if (at !== undefined) return text.slice(0, Number(at)).split('\n').length;
  // V8 does not always say where; a reader of YAML, of which JSON is a part, does.
  return parseDocument(text).errors[0]?.linePos?.[0].line ?? text.split('\n').length;
}

/** The line of the value at the path, or of what should hold it. */
function lineOfPath(text: string, path: readonly PropertyKey[]): number {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

/** Replaces each {{name}} once; replaced values are not expanded again. */
export function interpolate(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}
