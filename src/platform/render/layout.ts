import { createHash } from 'node:crypto';
import { z } from 'zod';

/** `kind` says how a cell's text is shown: money and balance cells carry plain decimals ("-1234.56"). */
const column = z.strictObject({
  key: z.string().min(1),
  title: z.string(),
  /** Share of the page's width. */
  width: z.number().positive(),
  kind: z.enum(['text', 'code', 'integer', 'date', 'money', 'balance']).default('text'),
  align: z.enum(['left', 'right', 'center']).optional(),
  /** Indents by the row's level. */
  indent: z.boolean().default(false),
  /** What people typed: guarded against formulas in CSV. */
  freeText: z.boolean().default(false),
});

const template = z.strictObject({
  title: z.string().min(1),
  orientation: z.enum(['portrait', 'landscape']).default('portrait'),
  /** Size of the table's text in points. */
  fontSize: z.number().min(5).max(14).default(7.5),
  zebra: z.boolean().default(false),
  columns: z.array(column).min(1).max(30),
  /** Lines under the title; {{name}} is replaced by the value of that name. */
  subtitle: z.array(z.string()).default(['{{period}}']),
  /** Rows at the foot and the top of every page of a book, carrying sums. */
  carry: z.strictObject({ from: z.string(), to: z.string(), columns: z.array(z.string()).min(1) }).optional(),
  /** Says again on a new page which group its first rows belong to. */
  repeatGroup: z.boolean().default(false),
  /** A line under every page; {{name}} as in the subtitle. */
  footer: z.string().default(''),
  /** "Página N de M", or the folha of a book. */
  numbering: z.enum(['pages', 'folha']).default('pages'),
});

export type Layout = z.output<typeof template>;
export type Column = Layout['columns'][number];

/** What is wrong with a template, with the place in it. */
export class TemplateError extends Error {}

const compiled = new Map<string, Layout>();

/** Checks a JSON template and fills its defaults; the same text is compiled once. */
export function compileTemplate(text: string, name: string): Layout {
  const key = createHash('sha256').update(text).digest('hex');
  const known = compiled.get(key);
  if (known) return known;
  const layout = checked(text, name);
  compiled.set(key, layout);
  return layout;
}

function checked(text: string, name: string): Layout {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new TemplateError(`${name}: ${lineOfJsonError(text, error as Error)}`);
  }
  const result = template.safeParse(json);
  if (!result.success) {
    const [issue] = result.error.issues;
    const path = issue?.path.map(String) ?? [];
    throw new TemplateError(
      `${name}: line ${lineOfPath(text, path)}, ${path.join('.') || 'template'}: ${issue?.message}`,
    );
  }
  const keys = result.data.columns.map((each) => each.key);
  for (const carried of result.data.carry?.columns ?? []) {
    if (!keys.includes(carried))
      throw new TemplateError(`${name}: line ${lineOfPath(text, ['carry'])}, carry.columns: no column ${carried}`);
  }
  return result.data;
}

function lineOfJsonError(text: string, error: Error): string {
  const at = /position (\d+)/.exec(error.message)?.[1];
  const line = at === undefined ? '?' : text.slice(0, Number(at)).split('\n').length;
  return `line ${line}: not valid JSON`;
}

/** The line on which the last named key of the path stands; good enough to find it. */
function lineOfPath(text: string, path: readonly string[]): number {
  let at = 0;
  for (const key of path) {
    const found = text.indexOf(`"${key}"`, at);
    if (found >= 0) at = found;
  }
  return text.slice(0, at).split('\n').length;
}

/** Fills {{name}} once; what is filled in is not looked at again. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}
