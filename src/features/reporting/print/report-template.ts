import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileTemplate, type Layout, TemplateError, templateError } from '../../../platform/render/layout.ts';
import type { ReportKind } from './report-request.ts';

export interface ReportTemplate {
  readonly layout: Layout;
  /** Why the installation's own template was not used. */
  readonly fault?: string;
}

/** The installation's template of that name where it is valid, else the built-in one. */
export async function readTemplate(kind: ReportKind, folder: string | undefined): Promise<ReportTemplate> {
  const name = `${kind}.json`;
  const builtIn = compileTemplate(await readFile(new URL(`templates/${name}`, import.meta.url), 'utf8'), name);
  const own = await readOwnTemplate(folder, name);
  if (own === undefined) return { layout: builtIn };
  try {
    return { layout: knownColumnsOnly(compileTemplate(own, name), builtIn, own, name) };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return { layout: builtIn, fault: error.message };
  }
}

/** The text of the installation's file, where it has one. */
export async function readOwnTemplate(folder: string | undefined, name: string): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  try {
    return await readFile(join(folder, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** An unknown column would be printed empty without notice. */
function knownColumnsOnly(layout: Layout, builtIn: Layout, text: string, name: string): Layout {
  const known = builtIn.columns.map((column) => column.key);
  const at = layout.columns.findIndex((column) => !known.includes(column.key));
  if (at < 0) return layout;
  const message = `o relatório não tem a coluna ${layout.columns[at]!.key} (tem ${known.join(', ')})`;
  throw templateError(text, name, ['columns', at, 'key'], message);
}
