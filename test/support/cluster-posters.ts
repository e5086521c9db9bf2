import { expect } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { harmTo } from './acknowledged-entries.ts';
import { type Bank, createBank } from './banks.ts';
import { book, entryBody, newDocument } from './books.ts';
import { openMonth } from './months.ts';
import type { HttpAnswer, Platform } from './platform.ts';

/** Who posts into one document of a company of its own. */
export interface ClusterPoster {
  readonly bank: Bank;
  readonly document: number;
  /** Port of the node that has its books. */
  readonly node: number;
  /** Narration and amount of what was acknowledged. */
  readonly acknowledged: Map<string, string>;
  readonly attempted: Set<string>;
}

export async function newPoster(platform: Platform): Promise<ClusterPoster> {
  const bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  const document = await newDocument(platform.admin, bank, '01/2026');
  const { port } = await shardOf(platform, bank);
  return { bank, document, node: port, acknowledged: new Map(), attempted: new Set() };
}

/** Where the lines of a bank's company lie. */
export function shardOf(
  platform: Platform,
  { companyId }: Bank,
): Promise<{ shard: number; host: string; port: number }> {
  return withOwnerConnection(platform.ownerUrl, async (owner) => {
    const { rows } = await owner.query<{ shard: number; host: string; port: number }>(
      `SELECT shardid::integer AS shard, nodename AS host, nodeport AS port FROM citus_shards
        WHERE table_name = 'entry_line'::regclass
          AND shardid = get_shard_id_for_distribution_column('entry_line', $1::bigint)`,
      [companyId],
    );
    return rows[0]!;
  });
}

export async function postOnce(
  platform: Platform,
  { bank, document, acknowledged, attempted }: ClusterPoster,
): Promise<HttpAnswer<{ code?: string }>> {
  const key = `${bank.company}-${attempted.size}`;
  attempted.add(key);
  const body = entryBody(bank, document, book`15/01  1.1.1  D  1,00  2.1.1`);
  const answer = await platform.admin.post('movements', '/entry', { ...body, historico: key });
  if (answer.status === 201) acknowledged.set(key, '1.00');
  return answer;
}

/** Everything that was acknowledged is there once, and nothing else is but what was asked for. */
export async function expectNothingLost(platform: Platform, posters: readonly ClusterPoster[]): Promise<void> {
  await withOwnerConnection(platform.ownerUrl, async (owner) => {
    for (const { bank, acknowledged, attempted } of posters) {
      const harm = await harmTo(owner, bank, acknowledged);
      const other = harm.other.filter((text) => !attempted.has(text.replace(' was never sent', '')));
      expect({ ...harm, other }).toEqual({ lost: 0, twice: 0, unbalanced: 0, other: [] });
    }
  });
}
