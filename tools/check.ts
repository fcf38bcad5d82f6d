/** `npm run check`: every gate, no test. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runGates } from './gates.ts';
import { ROOT, sum } from './steps.ts';

const total = sum(await runGates((folder) => existsSync(join(ROOT, folder))));
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
