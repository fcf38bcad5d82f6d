/**
 * Live events on every replica: one connection of this process listens on the database's channel `live` and hands what
 * it hears to the open streams of the people concerned. Triggers send at commit
 * (db/migrations/baseline/65-notifications.sql), so a message tells of what is there for everybody to read. Messages
 * may be lost while the connection is down: readers are then told to ask anew.
 */
import pg from 'pg';
import type { Log } from './log.ts';

/** Notification from the database: the list that changed, and the new rows where they are few. */
export interface LiveMessage {
  user: number;
  ids?: number[];
  /** Families of reads that are stale. */
  keys?: string[];
}

export interface Subscriber {
  user_id: number;
  /** null: something may have been missed, ask anew. */
  hear(message: LiveMessage | null): void;
  /** The server stops, or too many streams of the same person are open. */
  end(): void;
}

export interface LiveHub {
  /** Answers how to stop hearing; null where this process takes no more streams. */
  subscribe(subscriber: Subscriber): (() => void) | null;
  /** Ends every stream and hangs up. */
  close(): Promise<void>;
}

/** Streams of one person on one process; the oldest ends when another is opened. */
const STREAMS_PER_PERSON = 8;
const STREAMS = 5_000;
const RECONNECT_MS = 1_000;

export interface LiveOptions {
  connectionString: string;
  log: Log;
}

/** Listens from the first stream on: a process that serves none keeps no connection for it. */
export function liveHub(options: LiveOptions): LiveHub {
  const hub = new Hub(options);
  return { subscribe: (subscriber) => hub.subscribe(subscriber), close: () => hub.close() };
}

class Hub {
  readonly #options: LiveOptions;
  readonly #open = new Map<number, Subscriber[]>();
  #count = 0;
  #closed = false;
  #client: pg.Client | null = null;
  #connecting: Promise<void> | null = null;
  #again: NodeJS.Timeout | undefined;

  constructor(options: LiveOptions) {
    this.#options = options;
  }

  subscribe(subscriber: Subscriber): (() => void) | null {
    if (this.#closed || this.#count >= STREAMS) return null;
    const mine = this.#open.get(subscriber.user_id) ?? [];
    this.#open.set(subscriber.user_id, [...mine, subscriber]);
    this.#count += 1;
    if (mine.length >= STREAMS_PER_PERSON) mine[0]!.end();
    this.#connecting ??= this.#listen();
    let there = true;
    return () => {
      if (!there) return;
      there = false;
      this.#count -= 1;
      const rest = (this.#open.get(subscriber.user_id) ?? []).filter((one) => one !== subscriber);
      if (rest.length > 0) this.#open.set(subscriber.user_id, rest);
      else this.#open.delete(subscriber.user_id);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#again);
    for (const subscriber of this.#everyone()) subscriber.end();
    await this.#connecting;
    await this.#client?.end();
  }

  #everyone(): Subscriber[] {
    return [...this.#open.values()].flat();
  }

  async #listen(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#options.connectionString,
      application_name: 'grand-rights live', keepAlive: true });
    client.on('notification', ({ payload }) => this.#tell(payload));
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('the connection ended')));
    try {
      await client.connect();
      await client.query('listen live');
    } catch (error) {
      this.#lost(client, error as Error);
      return;
    }
    if (this.#closed) {
      await client.end();
      return;
    }
    this.#client = client;
    for (const subscriber of this.#everyone()) subscriber.hear(null);
  }

  #tell(payload: string | undefined): void {
    const message = readMessage(payload);
    if (!message) return;
    for (const subscriber of this.#open.get(message.user) ?? []) subscriber.hear(message);
  }

  #lost(client: pg.Client, error: Error): void {
    if (this.#closed || (this.#client !== null && client !== this.#client)) return;
    this.#client = null;
    client.removeAllListeners();
    client.on('error', () => {});
    void client.end().catch(() => {});
    this.#options.log('warn', 'live events: connection lost', { error: error.message });
    clearTimeout(this.#again);
    // Until then nobody new connects either: the waiting streams hear of it all together.
    this.#again = setTimeout(() => { this.#connecting = this.#listen(); }, RECONNECT_MS);
    this.#again.unref();
  }
}

/** For work without open streams: scripts, benches, tests of domain code. */
export function closedHub(): LiveHub {
  return { subscribe: () => null, close: () => Promise.resolve() };
}

function readMessage(payload: string | undefined): LiveMessage | null {
  try {
    const message = JSON.parse(payload ?? '') as LiveMessage;
    return typeof message.user === 'number' ? message : null;
  } catch {
    return null;
  }
}
