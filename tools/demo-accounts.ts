/** `npm run -s demo:accounts -- --json`: the demo sign-ins as [{email, password, role, permissions}]. */
import { demoAccounts, demoSignIns } from '#db/demo/accounts.ts';

const json = process.argv.includes('--json');
process.stdout.write(`${json ? JSON.stringify(demoAccounts(), null, 2) : demoSignIns()}\n`);
