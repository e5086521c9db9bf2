/** An event of a stream (text/event-stream); `data` is parsed where it is JSON. */
export interface StreamEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: unknown;
}

/** The events of an answer, as they come. */
export async function* eventsOf(response: Response): AsyncGenerator<StreamEvent> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (text + value.replace(/\r\n?/g, '\n')).split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        const event = eventOf(block);
        if (event !== undefined) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** An event out of its lines; undefined for a comment that only keeps the connection. */
function eventOf(block: string): StreamEvent | undefined {
  const fields = block.split('\n').map((line) => /^([^:]*):? ?(.*)$/s.exec(line)!.slice(1) as [string, string]);
  const last = (name: string) => fields.findLast(([field]) => field === name)?.[1];
  const data = fields.filter(([field]) => field === 'data').map(([, value]) => value);
  if (data.length === 0) return undefined;
  return { id: last('id'), event: last('event') ?? 'message', data: parsed(data.join('\n')) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
