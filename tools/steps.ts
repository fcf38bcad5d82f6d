/** Runs the steps of `npm run check` and `npm test` and counts what passed, failed and did not run. */
import { spawn } from 'node:child_process';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(fileURLToPath(new URL('..', import.meta.url)));

export interface Tally {
  passed: number;
  failed: number;
}

export interface Finished {
  code: number;
  output: string;
}

const children = new Set<ReturnType<typeof spawn>>();
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopping = true;
    for (const child of children) child.kill('SIGTERM');
  });
}

/** True once the run was told to stop; no further step begins. */
export const isStopping = (): boolean => stopping;

/** Writes whole lines with the name of their part in front, which tells parts apart that run side by side. */
export function lineWriter(part: string, write: (text: string) => unknown): { add(chunk: string): void; end(): void } {
  let rest = '';
  return {
    add(chunk) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      if (lines.length > 0) write(lines.map((line) => `${part.padEnd(8)} ${line}\n`).join(''));
    },
    end() { if (rest !== '') this.add('\n'); },
  };
}

interface ExecOptions {
  env?: NodeJS.ProcessEnv;
  /** Keeps the output for a failure. */
  quiet?: boolean;
  /** Shows the output line by line under this name. */
  part?: string;
}

/** Runs a program of node_modules/.bin (or `node`), showing its output as it comes or keeping it for a failure. */
export function exec(program: string, args: readonly string[], options: ExecOptions = {}): Promise<Finished> {
  return new Promise((resolve) => {
    const child = spawn(path.join(ROOT, 'node_modules', '.bin', program), args, {
      cwd: ROOT, env: { ...process.env, ...options.env },
      stdio: ['ignore', ...Array<'inherit' | 'pipe'>(2).fill(options.quiet || options.part ? 'pipe' : 'inherit')],
    });
    children.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      const shown = options.part ? lineWriter(options.part, (text) => process.stdout.write(text)) : null;
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        if (shown) shown.add(chunk);
        else output += chunk;
      }).on('end', () => shown?.end());
    }
    child.on('error', (error) => resolve({ code: 127, output: output + error.message }));
    child.on('close', (code) => {
      children.delete(child);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** A step that is not a test runner counts as one check; its output is shown only where it failed. */
export async function check(
  title: string, program: string, args: readonly string[], judge?: (done: Finished) => string | null,
): Promise<Tally> {
  if (stopping) return { passed: 0, failed: 0 };
  const began = performance.now();
  const done = await exec(program, args, { quiet: true });
  const complaint = done.code === 0 ? judge?.(done) ?? null : done.output.trim() || `exit code ${done.code}`;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${complaint === null ? 'ok    ' : 'FAILED'} ${title} (${seconds} s)`);
  if (complaint !== null) console.log(complaint.split('\n').map((line) => `       ${line}`).join('\n'));
  return { passed: complaint === null ? 1 : 0, failed: complaint === null ? 0 : 1 };
}

export function sum(tallies: readonly Tally[]): Tally {
  return tallies.reduce((total, one) => ({ passed: total.passed + one.passed, failed: total.failed + one.failed }), {
    passed: 0, failed: 0,
  });
}
