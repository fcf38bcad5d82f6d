/** The method of performance.md: variants in turn, several rounds, medians and ratios within a round. */
import { loadavg } from 'node:os';
import type { BenchDatabase } from './database.ts';

export interface Round {
  per_second: number;
  server_cpu_ms: number;
  client_cpu_ms: number;
}

/**
 * `clients` loops of `work` side by side for `seconds`; what goes on `beside` them, told of their end, counts until it
 * is finished.
 */
export async function drive(
  database: BenchDatabase, clients: number, seconds: number, work: () => Promise<unknown>,
  beside: (worked: Promise<unknown>) => Promise<void> = async () => {},
): Promise<Round> {
  let done = 0;
  const server = database.serverCpu();
  const client = process.cpuUsage();
  const started = performance.now();
  const until = started + seconds * 1000;
  const worked = Promise.all(Array.from({ length: clients }, async () => {
    while (performance.now() < until) {
      await work();
      done += 1;
    }
  }));
  await Promise.all([worked, beside(worked)]);
  const took = (performance.now() - started) / 1000;
  const own = process.cpuUsage(client);
  return {
    per_second: done / took,
    server_cpu_ms: (database.serverCpu() - server) * 1000 / done,
    client_cpu_ms: (own.user + own.system) / 1000 / done,
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [`| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`)]
    .join('\n');
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export const load = (): string => loadavg().map((value) => value.toFixed(1)).join(' / ');
