/**
 * `npm run test:faults`: plants every fault of tools/seeded-faults.ts in turn, runs the tests that should find it and
 * puts the file back. Words as arguments choose faults by their names. What survives is named; the last line is
 * `N caught, N survived`. Not part of `npm test`: for changes of the suite itself.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ensureChromium } from './chromium.ts';
import { SEEDED_FAULTS, type SeededFault } from './seeded-faults.ts';
import { exec, isStopping, ROOT, type Finished } from './steps.ts';

const browser = ensureChromium(ROOT, (message) => console.log(message));
const env = browser.executablePath === null ? {} : { CHROMIUM: browser.executablePath };

/** The runs of its tests, one by one: the first that fails has found it. */
function* runsOf({ tests }: SeededFault): Generator<Promise<Finished>> {
  const vitest = (project: string, files: readonly string[]): Promise<Finished> =>
    exec('vitest', ['run', '--bail=1', '--project', project, ...files], { env, quiet: true });
  if (tests.node) yield vitest('node', tests.node);
  if (tests.browser) yield vitest('browser*', tests.browser);
  if (tests.journey) {
    const [spec, title] = tests.journey;
    yield exec('playwright', ['test', spec, '-g', title, '--max-failures=1'], { env, quiet: true });
  }
}

/** First failure as the runner reported it: distinguishes a fault that only breaks the build from one detected. */
function firstFailure(output: string): string {
  const lines = stripVTControlCharacters(output).split('\n').map((line) => line.trim());
  return lines.find((line) => /^(FAIL|×|1\) )/.test(line))?.slice(0, 160) ?? lines.filter(Boolean).at(-1) ?? '';
}

async function find(fault: SeededFault): Promise<string | null> {
  for (const run of runsOf(fault)) {
    const { code, output } = await run;
    if (code !== 0) return firstFailure(output);
  }
  return null;
}

/** The text of the file with the fault in it; throws where the fault has no place there any more. */
export function planted(fault: Pick<SeededFault, 'name' | 'from' | 'to'>, text: string): string {
  const parts = text.split(fault.from);
  if (parts.length !== 2) throw new Error(`"${fault.name}" stands ${parts.length - 1} times where it must stand once`);
  return parts.join(fault.to);
}

async function main(words: readonly string[]): Promise<void> {
  const chosen = SEEDED_FAULTS.filter(({ name }) => words.every((word) => name.includes(word)));
  const survived: string[] = [];
  let caught = 0;
  for (const fault of chosen) {
    if (isStopping()) break;
    const file = join(ROOT, fault.file);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, planted(fault, text));
    let failure: string | null;
    try {
      failure = await find(fault);
    } finally {
      writeFileSync(file, text);
    }
    if (isStopping()) break;
    if (failure === null) survived.push(fault.name);
    else caught += 1;
    console.log(failure === null ? `SURVIVED ${fault.name}` : `caught   ${fault.name}\n         ${failure}`);
  }
  console.log(`\n${caught} caught, ${survived.length} survived`);
  process.exitCode = survived.length === 0 ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
