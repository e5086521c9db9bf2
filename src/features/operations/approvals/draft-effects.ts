import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reject } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { RoutineCode, Tenant } from '../../access/access.ts';
import { postFees, reverseFees } from '../../closing/fund-fees/post-fees.ts';
import { postBulk } from '../../posting/bulk/post-bulk.ts';
import { changeEntry } from '../../posting/entries/change-entry.ts';
import { postEntry } from '../../posting/entries/post-entry.ts';
import { postWholeEntry } from '../../posting/entries/post-whole-entry.ts';
import { replaceWholeEntry } from '../../posting/entries/replace-whole-entry.ts';
import { reverseEntry } from '../../posting/entries/reverse-entry.ts';
import { importCsv } from '../../posting/imports/import-csv.ts';
import { importIpl } from '../../posting/imports/import-ipl.ts';
import { importJson } from '../../posting/imports/import-json.ts';
import type { SpooledFile } from '../../posting/imports/spool.ts';
import { applyTemplate, changeTemplateUse } from '../../posting/templates/apply-template.ts';

type Rest<Work> = Work extends (context: Context, tenant: Tenant, ...rest: infer Given) => unknown ? Given : never;

/** What a way into the books is given beside context and tenant; a file, where there is one, stands apart. */
interface Inputs {
  postEntry: Rest<typeof postEntry>;
  postWholeEntry: Rest<typeof postWholeEntry>;
  replaceWholeEntry: Rest<typeof replaceWholeEntry>;
  changeEntry: Rest<typeof changeEntry>;
  reverseEntry: Rest<typeof reverseEntry>;
  applyTemplate: Rest<typeof applyTemplate>;
  changeTemplateUse: Rest<typeof changeTemplateUse>;
  postFees: Rest<typeof postFees>;
  reverseFees: Rest<typeof reverseFees>;
  postBulk: Parameters<typeof postBulk> extends [Context, ...infer Given] ? Given : never;
  importCsv: [batchId: number, upload: Omit<Parameters<typeof importCsv>[3], 'file'>];
  importIpl: [upload: Omit<Parameters<typeof importIpl>[2], 'file'>];
  importJson: [
    asked: Omit<Parameters<typeof importJson>[2], 'batch'> & {
      readonly batch: Omit<Parameters<typeof importJson>[2]['batch'], 'file'>;
    },
  ];
}

/** A request to post, as it is kept and done later. */
export type Draft = {
  [Operation in keyof Inputs]: {
    readonly operation: Operation;
    readonly input: Readonly<Inputs[Operation]>;
    readonly file?: SpooledFile;
  };
}[keyof Inputs];

type KeptDraft = Omit<Draft, 'file'> & {
  readonly file?: Omit<SpooledFile, 'path' | 'remove'> & { readonly content: string };
};

/** Routines that a draft takes beside approving: those of the way in that it came. */
export function routinesOfDraft(draft: unknown): readonly RoutineCode[] {
  return (draft as KeptDraft).operation.startsWith('import') ? ['IMPORT'] : [];
}

/** Posts what was kept, the normal way: all rules hold as if it came now. Throws where it is at fault now. */
export async function postDraft(context: Context, tenant: Tenant, kept: unknown): Promise<void> {
  const { file: keptFile } = kept as KeptDraft;
  if (keptFile === undefined) return run(context, tenant, kept as Draft, undefined);
  const folder = await mkdtemp(join(tmpdir(), `partidas-draft-${process.pid}-`));
  const path = join(folder, 'upload');
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const { content, ...facts } = keptFile;
    await writeFile(path, Buffer.from(content, 'base64'));
    await run(context, tenant, kept as Draft, { ...facts, path, remove });
  } finally {
    await remove();
  }
}

async function run(context: Context, tenant: Tenant, draft: Draft, file: SpooledFile | undefined): Promise<void> {
  switch (draft.operation) {
    case 'postEntry':
      return void (await postEntry(context, tenant, ...draft.input));
    case 'postWholeEntry':
      return void (await postWholeEntry(context, tenant, ...draft.input));
    case 'replaceWholeEntry':
      return void (await replaceWholeEntry(context, tenant, ...draft.input));
    case 'changeEntry':
      return void (await changeEntry(context, tenant, ...draft.input));
    case 'reverseEntry':
      return void (await reverseEntry(context, tenant, ...draft.input));
    case 'applyTemplate':
      return void (await applyTemplate(context, tenant, ...draft.input));
    case 'changeTemplateUse':
      return void (await changeTemplateUse(context, tenant, ...draft.input));
    case 'postFees':
      return void (await postFees(context, tenant, ...draft.input));
    case 'reverseFees':
      return void (await reverseFees(context, tenant, ...draft.input));
    case 'postBulk':
      return void (await postBulk(context, ...draft.input));
    case 'importCsv':
      return rejectFaults(
        (await importCsv(context, tenant, draft.input[0], { ...draft.input[1], file: file! })).problems,
      );
    case 'importIpl':
      return rejectFaults((await importIpl(context, tenant, { ...draft.input[0], file: file! })).outcome.problems);
    case 'importJson': {
      const [{ batch, ...asked }] = draft.input;
      const { outcome } = await importJson(context, tenant, { ...asked, batch: { ...batch, file: file! } });
      return rejectFaults(outcome.problems);
    }
  }
}

/** A file that was right when it was kept may have faults now, and is not imported. */
function rejectFaults({ count, told }: Awaited<ReturnType<typeof importCsv>>['problems']): void {
  const [first] = told;
  if (count > 0 && first) reject('DRAFT_AT_FAULT', { count, detail: first.problem.code });
}
