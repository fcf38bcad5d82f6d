/** A house of its own for a journey whose figures, dates and jobs must be those of its story (house-server.ts). */
import type { Browser, BrowserContextOptions } from '@playwright/test';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { enterAs, type Visitor } from './visitor.ts';

export type Story = 'november' | 'check' | 'fifteen' | 'society' | 'tour' | 'moving' | 'musical' | 'approvals';

export type HouseRequest = { ask: 'now'; at: string } | { ask: 'job'; name: string }
  | { ask: 'pay_out'; division: string; currency: string } | { ask: 'mail'; to: string };
export type HouseReport = { done: false; error: string }
  | { done: true; url?: string; now?: string; facts?: Record<string, number>; mail?: Mail[] };

export interface Mail { subject: string; text: string }

export interface House {
  /** Ids of records that the story begins with. */
  facts: Record<string, number>;
  /** Asks and waits: a time of the clock, in browsers too, a job, a payout of the card processor. */
  ask(request: HouseRequest): Promise<void>;
  /** Mail to this person, the newest first. */
  mail(name: string): Promise<Mail[]>;
  /** A person of the house, by the name of their address; null: nobody. */
  enter(browser: Browser, name: string | null, options?: BrowserContextOptions): Promise<Visitor>;
  close(): Promise<void>;
}

export const addressOf = (name: string): string => `${name}@house.example`;

export async function openHouse(story: Story): Promise<House> {
  const server = fork(fileURLToPath(new URL('house-server.ts', import.meta.url)), [story], { execArgv: [],
    env: { ...process.env, NODE_ENV: '' } });
  const report = (): Promise<HouseReport & { done: true }> => new Promise((resolve, reject) => {
    const gone = (code: number | null): void => reject(new Error(`the house ended with ${code}`));
    server.once('exit', gone);
    server.once('message', (said: HouseReport) => {
      server.off('exit', gone);
      if (said.done) resolve(said);
      else reject(new Error(said.error));
    });
  });
  const begun = await report();
  const { url = '', facts = {} } = begun;
  let now = begun.now!;
  const visitors: Visitor[] = [];
  return {
    facts,
    async ask(request) {
      const done = report();
      server.send(request);
      await done;
      if (request.ask !== 'now') return;
      now = request.at;
      for (const { context } of visitors) await context.clock.setSystemTime(now);
    },
    async mail(name) {
      const done = report();
      server.send({ ask: 'mail', to: addressOf(name) } satisfies HouseRequest);
      return (await done).mail!;
    },
    async enter(browser, name, options = {}) {
      const visitor = await enterAs(browser, name && addressOf(name), { reducedMotion: 'reduce', ...options,
        baseURL: url });
      await visitor.context.clock.install({ time: now });
      visitors.push(visitor);
      return visitor;
    },
    async close() {
      for (const { context } of visitors) await context.close();
      const ended = new Promise((resolve) => { server.once('exit', resolve); });
      server.disconnect();
      await ended;
    },
  };
}
