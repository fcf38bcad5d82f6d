/** The gates: types, lint, import rules, dead code, spelling, tidiness. Shared by `npm run check` and `npm test`. */
import { check, type Finished, type Tally } from './steps.ts';

/** Below this the import check saw too little to mean anything: it once found nothing and called that success. */
const CRUISED_FLOOR = 40;
const SOURCES = ['packages', 'modules', 'apps', 'db', 'tools', 'tests', 'bench'];

function judgeCruise({ output }: Finished): string | null {
  const { summary } = JSON.parse(output) as {
    summary: { totalCruised: number; violations: { from: string; to: string; rule: { name: string } }[] };
  };
  if (summary.totalCruised < CRUISED_FLOOR) return `only ${summary.totalCruised} modules were seen`;
  const broken = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
  return broken.length === 0 ? null : broken.join('\n');
}

export async function runGates(existing: (folder: string) => boolean): Promise<Tally[]> {
  const folders = SOURCES.filter(existing);
  const types = ['kernel', 'server', 'web', 'tests'].map((project) => () =>
    // Incremental: files that did not change since the last check are not checked again.
    check(`types: ${project}`, 'tsc', ['-p', `tsconfig.${project}.json`, '--incremental', '--tsBuildInfoFile',
      `node_modules/.cache/types-${project}.tsbuildinfo`]));
  const rest = [
    () => check('spelling', 'cspell', ['--no-progress', '--no-summary', '--quiet', '.']),
    () => check('dead code', 'knip', ['--no-progress']),
    // depcruise answers with the number of broken rules as its exit code only in its text formats.
    () => check('imports', 'depcruise', [
      '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...folders,
    ], judgeCruise),
    () => check('tidy', 'node', ['tools/tidy.ts']),
    () => check('0 foreign writes', 'node', ['tools/table-owners.ts']),
  ];
  // Side by side: types and lint use what processors there are, the others one each.
  return (await Promise.all([
    inTurn([...types, () => check('lint', 'oxlint', ['--type-aware', '--deny-warnings', ...folders])]), inTurn(rest),
  ])).flat();
}

async function inTurn(steps: readonly (() => Promise<Tally>)[]): Promise<Tally[]> {
  const tallies: Tally[] = [];
  for (const step of steps) tallies.push(await step());
  return tallies;
}
