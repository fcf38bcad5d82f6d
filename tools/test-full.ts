/**
 * `npm run test:full`: the whole matrix: every page refused, every page in every width and with what opens on it, the
 * checklist of every screen, long property runs, all database tests on PostgreSQL 15, the season from other days.
 */
import { runSuite } from './suite.ts';

await runSuite({ full: true });
