import { type Client, type Decimal, PartidasProblem } from 'partidas-client';

// Posts many entries through failures of the network and of the platform, then compares the books with what was sent.
// Every entry has a key made of its own reference: however often this runs, each is posted once.

/** What a feeding system has to post. */
export interface Feed {
  readonly company: string;
  readonly branch: string;
  /** The document that takes the entries; its month is open. */
  readonly documentId: number;
  /** Ids of the two accounts. */
  readonly debit: number;
  readonly credit: number;
  readonly entries: readonly FeedEntry[];
}

export interface FeedEntry {
  /** The feeding system's own name for it. */
  readonly reference: string;
  /** Day of the month, such as '05'. */
  readonly day: string;
  readonly amount: Decimal;
}

/** Posts what the feed has, some at a time. A refusal by the books ends it: repeating would not help. */
export async function postFeed(client: Client, feed: Feed, width = 4): Promise<void> {
  const waiting = feed.entries.values();
  const worker = async () => {
    for (const entry of waiting) await postOne(client, feed, entry);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

async function postOne(client: Client, feed: Feed, { reference, day, amount }: FeedEntry): Promise<void> {
  const { documentId, debit, credit } = feed;
  const body = { documentId, debcre: 'D' as const, day, contaId: debit, contrapartida: credit, valor: amount };
  try {
    await client.movements.postEntry(
      { body: { ...body, historico: reference } },
      { idempotencyKey: `feed-${documentId}-${reference}` },
    );
  } catch (error) {
    if (error instanceof PartidasProblem) throw new Error(`${reference}: ${error.code} ${error.message}`);
    throw error;
  }
}

/** What differs between the feed and the books; all empty where each entry is there once with its amount. */
export interface Differences {
  readonly missing: readonly string[];
  readonly twice: readonly string[];
  readonly otherAmount: readonly string[];
  readonly unknown: readonly string[];
}

/** Reads the debits of the document and compares them with the feed, reference by reference. */
export async function reconcile(client: Client, feed: Feed): Promise<Differences> {
  const sent = new Map(feed.entries.map(({ reference, amount }) => [reference, amount]));
  const found = new Map<string, Decimal>();
  const twice: string[] = [];
  const path = { documentId: feed.documentId };
  for await (const line of client.movements.getEntryPage.pages({ path, query: { size: 1_000 } })) {
    const reference = line.historico ?? '';
    if (found.has(reference)) twice.push(reference);
    found.set(reference, line.valor);
  }
  return {
    missing: [...sent.keys()].filter((reference) => !found.has(reference)),
    twice,
    otherAmount: [...sent]
      .filter(([reference, amount]) => (found.get(reference) ?? amount) !== amount)
      .map(([each]) => each),
    unknown: [...found.keys()].filter((reference) => !sent.has(reference)),
  };
}
