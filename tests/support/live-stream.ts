/** Server-sent events as a browser's EventSource reads them, one at a time. */
interface LiveEvent { event: string; id: string | null; data: unknown }

export interface LiveStream {
  status: number;
  headers: Headers;
  /** The next event; null when the server has ended the stream. Comments, the beats, are left out. */
  next(): Promise<LiveEvent | null>;
  close(): void;
}

export async function listen(url: string, headers: Record<string, string>): Promise<LiveStream> {
  const stop = new AbortController();
  const answer = await fetch(url, { headers: { accept: 'text/event-stream', ...headers }, signal: stop.signal });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let read = '';
  const next = async (): Promise<LiveEvent | null> => {
    for (;;) {
      const end = read.indexOf('\n\n');
      if (end >= 0) {
        const found = eventIn(read.slice(0, end));
        read = read.slice(end + 2);
        if (found) return found;
      } else {
        const { done, value } = await reader.read();
        if (done) return null;
        read += value;
      }
    }
  };
  return { status: answer.status, headers: answer.headers, next, close: () => stop.abort() };
}

function eventIn(block: string): LiveEvent | null {
  const fields = new Map(block.split('\n').map((line) => {
    const at = line.indexOf(':');
    return [line.slice(0, at), line.slice(at + 1).trimStart()] as const;
  }));
  const event = fields.get('event');
  return event === undefined ? null
    : { event, id: fields.get('id') ?? null, data: JSON.parse(fields.get('data') ?? 'null') as unknown };
}
