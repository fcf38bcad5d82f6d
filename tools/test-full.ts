/**
 * `npm run test:full`: the whole matrix: every page refused, every page in every width, overlays of a page of each
 * kind, the checklist of a screen of each kind, long property runs, all database tests on PostgreSQL 15, the season
 * from other days.
 */
import { runSuite } from './suite.ts';

await runSuite({ full: true });
