/**
 * `npm run test:changed`: the gates, and the node and browser tests near what differs from `main` (or from the branch
 * or commit named as argument): those of the same context or package. For work in progress; `npm test` decides.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium } from './chromium.ts';
import { runGates } from './gates.ts';
import { foldersOf } from './near-tests.ts';
import { exec, ROOT, sum, type Tally } from './steps.ts';

function changedFiles(since: string): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);
  const [base = since] = git('merge-base', since, 'HEAD');
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
}

/** A run counts as one check; its own report above says which tests failed. */
async function run(project: string, folders: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Tally> {
  const { code } = await exec('vitest', ['run', '--project', project, '--passWithNoTests', ...folders], { env });
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
}

const folders = foldersOf(changedFiles(process.argv[2] ?? 'main')).filter((folder) => existsSync(join(ROOT, folder)));
const tallies = await runGates((folder) => existsSync(join(ROOT, folder)));
if (folders.length > 0) {
  console.log(`\nTests in ${folders.join(', ')}`);
  tallies.push(await run('node', folders));
  const browser = ensureChromium(ROOT, (message) => console.log(message));
  if (browser.executablePath === null) console.log(`NOT RUN  browser tests: ${browser.reason}`);
  else tallies.push(await run('browser*', folders, { CHROMIUM: browser.executablePath }));
}
const total = sum(tallies);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
