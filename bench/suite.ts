/**
 * Cost of a test run: CPU seconds of each kind of program, which are comparable between a busy and an idle machine,
 * unlike wall-clock time. Setting: COMMAND (`node tools/test.ts`, which is `npm test`). Linux only: it reads /proc
 * twice a second, so a process that lives for less than that is not in the sum.
 */
// cspell:ignore cmdline
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../tools/steps.ts';
import { say, table } from './support/measure.ts';

const COMMAND = process.env.COMMAND ?? 'node tools/test.ts';
const INTERVAL_MS = 500;
/** Of a second, in /proc. */
const TICKS = 100;

/** Kinds of program by a part of their command line, the first that fits. */
const KINDS: readonly (readonly [kind: string, sign: RegExp])[] = [
  ['PostgreSQL', /postgres/], ['Chromium, pages', /--type=renderer/], ['Chromium, drawing', /--type=gpu-process/],
  ['Chromium, the rest', /chrome|chromium/], ['vitest, workers', /vitest\/dist\/workers/], ['vitest', /vitest/],
  ['Playwright', /playwright/], ['servers of the journeys', /journeys\/server|replica/], ['types', /tsc\b/],
  ['lint', /oxlint|tsgolint/], ['spelling', /cspell/], ['dead code', /knip/],
  ['imports', /depcruise|dependency-cruiser/],
];

interface Process { parent: number; started: string; cpu: number }

function readProcess(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { parent: Number(fields[1]), started: fields[19]!, cpu: (Number(fields[11]) + Number(fields[12])) / TICKS };
  } catch {
    return null;
  }
}

function kindOf(pid: number): string {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return KINDS.find(([, sign]) => sign.test(line))?.[0] ?? 'others';
  } catch {
    return 'others';
  }
}

/** CPU seconds by process, of all that descend from `root`, those whose parents are gone included. */
class Descendants {
  readonly #pids: Set<number>;
  readonly #seen = new Map<string, { kind: string; cpu: number }>();

  constructor(root: number) {
    this.#pids = new Set([root]);
  }

  look(): void {
    const all = new Map(readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((name) => {
      const read = readProcess(Number(name));
      return read ? [[Number(name), read] as const] : [];
    }));
    for (let found = true; found;) {
      const before = this.#pids.size;
      for (const [pid, { parent }] of all) if (this.#pids.has(parent)) this.#pids.add(pid);
      found = this.#pids.size > before;
    }
    for (const pid of this.#pids) {
      const now = all.get(pid);
      if (!now) {
        this.#pids.delete(pid);
        continue;
      }
      const key = `${pid} ${now.started}`;
      // A new process has the command line of its parent for a moment.
      const known = this.#seen.get(key);
      this.#seen.set(key, { kind: known && known.cpu > 0.1 ? known.kind : kindOf(pid), cpu: now.cpu });
    }
  }

  byKind(): Map<string, number> {
    const sums = new Map<string, number>();
    for (const { kind, cpu } of this.#seen.values()) sums.set(kind, (sums.get(kind) ?? 0) + cpu);
    return sums;
  }
}

const began = performance.now();
const child = spawn(COMMAND, { cwd: ROOT, shell: true, stdio: 'inherit',
  env: { ...process.env, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}` } });
const descendants = new Descendants(child.pid!);
let code: number | null = null;
child.on('exit', (ended) => { code = ended ?? 1; });
while (code === null) {
  descendants.look();
  await sleep(INTERVAL_MS);
}
const sums = [...descendants.byKind()].toSorted(([, one], [, other]) => other - one);
say(table(['program', 'CPU s'], [...sums.map(([kind, cpu]) => [kind, cpu.toFixed(0)]),
  ['together', sums.reduce((sum, [, cpu]) => sum + cpu, 0).toFixed(0)]]));
say(`${((performance.now() - began) / 1000).toFixed(0)} s on the clock`);
process.exitCode = code;
