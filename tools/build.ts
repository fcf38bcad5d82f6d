/** `npm run build`: the web app as it is served. `npm start` does the same where sources changed. */
import { buildWeb } from './build-web.ts';

const folder = await buildWeb((line) => console.log(line));
console.log(folder === null ? 'There is no web app in apps/web.' : `The web app is in ${folder}.`);
