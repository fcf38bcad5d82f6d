/**
 * Whoever changes what somebody else has changed meanwhile is told so and changes nothing: every call of staff that
 * names a version, with one that is long gone, in the body and as `If-Match` (reliability.md 5.2).
 */
import { namesVersion, type Endpoint } from '#kit/endpoint.ts';
import { routes } from '#apps/server/src/routes.ts';
import type { Browser, TestApp } from './app.ts';
import { send } from './staff-matrix.ts';
import { placeOf } from './staff-records.ts';

const GONE = 999_999;
const versioned = routes.map((route) => route.endpoint)
  .filter((endpoint) => (namesVersion(endpoint) || endpoint.conditional) && endpoint.auth.kind === 'staff');

/** What no schema gives away. */
const BODIES: Readonly<Record<string, object>> = {
  'PUT /api/admin/system/settings': { key: 'notifications_keep_days', value: 400 },
  'PUT /api/admin/staff/licenses/{licenseId}/discount': { discount: null },
};
interface StaleOutcome { requests: number; compared: number; byState: number; missing: string[]; wrong: string[] }

/** As somebody who may do everything and has confirmed it. */
export async function sendStale(test: TestApp, browser: Browser): Promise<StaleOutcome> {
  const outcome: StaleOutcome = { requests: 0, compared: 0, byState: 0, missing: [], wrong: [] };
  for (const endpoint of versioned) {
    const call = `${endpoint.method} ${endpoint.path}`;
    const { url, real } = await placeOf(test.database.owner, endpoint);
    if (!real) outcome.missing.push(call);
    else for (const answer of await sendBoth(browser, endpoint, url, BODIES[call])) {
      outcome.requests += 1;
      const code = (answer.body as { code?: string }).code;
      if (answer.status === 412 && code === 'stale') outcome.compared += 1;
      // In a state that refuses every change, or still in use: the call may say that first.
      else if (answer.status === 409) outcome.byState += 1;
      else outcome.wrong.push(`${call}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`);
    }
  }
  return outcome;
}

/** Removals carry no body. */
async function sendBoth(browser: Browser, endpoint: Endpoint, url: string, body: object = {}) {
  const header = await send(browser, endpoint, url, { ...body, version: undefined }, { 'if-match': `"v${GONE}"` });
  return endpoint.conditional ? [header] : [header, await send(browser, endpoint, url, { ...body, version: GONE })];
}
