/** `npm test`: the gates and every test, one case of each kind where there are hundreds alike. */
import { runSuite } from './suite.ts';

await runSuite({ full: false });
