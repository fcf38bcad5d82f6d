/**
 * Seed of the property tests. `npm test` begins every property at the same cases, so that a landing is judged by what
 * it changed and not by luck; `npm run test:full` begins anywhere, runs many more, and prints the seed of a failure.
 */
import fc from 'fast-check';
import { FULL } from './full.ts';

const SEED = 20_261_127;

if (!FULL) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });
