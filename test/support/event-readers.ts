import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './platform.ts';

/** An event as a reader was told of it. */
export interface ToldEvent {
  readonly id: string;
  readonly type: string;
  readonly company: string;
  readonly branch: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  readonly data: any;
}

/** A reader that begins at the end of what there is, and goes on where it was whoever answers. */
export interface EventReader {
  readonly told: readonly ToldEvent[];
  /** How often it had to ask anew because an answer broke off. */
  readonly breaks: number;
  /** Resolves when the reader has stopped, after it was told of so many events. */
  until(count: number): Promise<void>;
}

export async function pollEvents(client: Client): Promise<EventReader> {
  let { next } = (await client.get('movements', '/events?after=latest')).body as { next: string };
  return startReader(async (told) => {
    const answer = await client.get('movements', `/events?after=${next}&wait=2&limit=200`);
    if (answer.status !== 200) throw new Error(answer.text);
    told.push(...answer.body.events);
    next = answer.body.next;
  });
}

export async function streamEvents(client: Client, address: string): Promise<EventReader> {
  let last = (await client.get('movements', '/events?after=latest')).body.next as string;
  return startReader(async (told, ended) => {
    const answer = await fetch(`${address}/events`, {
      headers: { authorization: `Bearer ${client.token}`, accept: 'text/event-stream', 'last-event-id': last },
      signal: ended,
    });
    if (answer.status !== 200) throw new Error(await answer.text());
    let text = '';
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const parts = text.split('\n\n');
      text = parts.pop()!;
      for (const part of parts) {
        last = /^id: (.*)$/m.exec(part)?.[1] ?? last;
        const data = /^data: (.*)$/m.exec(part)?.[1];
        if (data !== undefined) told.push(JSON.parse(data));
      }
    }
    throw new Error('the stream ended');
  });
}

function startReader(read: (told: ToldEvent[], ended: AbortSignal) => Promise<void>): EventReader {
  const told: ToldEvent[] = [];
  const ending = new AbortController();
  let breaks = 0;
  const reading = (async () => {
    while (!ending.signal.aborted) {
      await read(told, ending.signal).catch(async () => {
        breaks++;
        await sleep(20);
      });
    }
  })();
  return {
    told,
    get breaks() {
      return breaks;
    },
    async until(count) {
      for (const giveUp = Date.now() + 20_000; told.length < count && Date.now() < giveUp; ) await sleep(50);
      // What would come too often gets the time to come.
      await sleep(500);
      ending.abort();
      await reading;
    },
  };
}

/** What a reader was told otherwise than the database has it. */
export interface EventHarm {
  readonly missed: number;
  readonly twice: number;
  readonly neverHappened: number;
  readonly outOfOrder: number;
}

/** Events of the database in their order against those that were told; their ids end with their positions. */
export function harmInEvents(
  stored: readonly { readonly position: number; readonly type: string }[],
  told: readonly Pick<ToldEvent, 'id' | 'type' | 'company' | 'branch'>[],
): EventHarm {
  const positions = told.map(({ id }) => Number(id.split('-').at(-1)));
  const seen = new Set(positions);
  const happened = new Map(stored.map(({ position, type }) => [position, type]));
  const latest = new Map<string, number>();
  let outOfOrder = 0;
  told.forEach(({ company, branch }, at) => {
    const place = `${company}/${branch}`;
    if (positions[at]! < (latest.get(place) ?? 0)) outOfOrder++;
    latest.set(place, Math.max(positions[at]!, latest.get(place) ?? 0));
  });
  return {
    missed: stored.filter(({ position }) => !seen.has(position)).length,
    twice: positions.length - seen.size,
    neverHappened: told.filter(({ type }, at) => happened.get(positions[at]!) !== type).length,
    outOfOrder,
  };
}
