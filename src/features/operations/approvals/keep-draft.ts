import { readFile } from 'node:fs/promises';
import { reject } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { type AwaitingApproval, askApproval } from './ask-approval.ts';
import { aboveLimit } from './batch-limit.ts';
import type { Draft } from './draft-effects.ts';

/**
 * Posts; where that would take a batch above the limit of its branch, nothing is posted and the request is kept whole as a
 * draft, which a second person approves (domain: four eyes, 6).
 */
export async function postOrKeep<Posted>(
  context: Context,
  tenant: Tenant,
  draft: Draft,
  post: () => Promise<Posted>,
): Promise<Posted | AwaitingApproval> {
  try {
    return await post();
  } catch (error) {
    const above = aboveLimit(error);
    if (above === undefined) throw error;
    const request = await withContent(draft);
    const { operation } = draft;
    return context.transaction((sql) =>
      askApproval(sql, context, tenant, {
        ...{ kind: 'DRAFT', month: above.month, request },
        books: async () => ({ operation, ...above }),
      }),
    );
  }
}

/** Largest file, in bytes, that is kept in a request. */
const MOST_KEPT = 32 * 1024 * 1024;

/** A file lies on the disk for as long as its request: the draft has its bytes. */
async function withContent(draft: Draft): Promise<unknown> {
  const { file } = draft;
  if (file === undefined) return draft;
  if (file.bytes > MOST_KEPT) reject('DRAFT_TOO_LARGE', { limit: MOST_KEPT / 1024 / 1024 });
  const { encoding, sha256, bytes } = file;
  const content = (await readFile(file.path)).toString('base64');
  return { ...draft, file: { encoding, sha256, bytes, content } };
}
