/** Prefixes of calls, from SPEC.md 7, and the latest transactions, which are a list call. */
import { expect, it } from 'vitest';
import { testApp } from '#tests/support/app.ts';
import { routes } from '#apps/server/src/routes.ts';

const test = testApp();

it('[C42] every call stands under the prefix of its area, and each prefix has calls', () => {
  const AREAS: [RegExp, (kind: string) => boolean][] = [
    [/^\/sanctum\/csrf-cookie$/, (kind) => kind === 'open'],
    [/^\/api\/users\/(me|\{id\})(\/|$)/, (kind) => kind === 'signed_in'],
    [/^\/api\/admin\/staff\/accounting\//, (kind) => kind === 'staff'],
    [/^\/api\/admin\/staff\//, (kind) => kind === 'staff'],
    [/^\/api\/admin\//, (kind) => kind === 'staff'],
    [/^\/api\/customers\/\{id\}(\/|$)/, (kind) => kind === 'customer'],
    [/^\/api\/public\//, (kind) => kind === 'open'],
    [/^\/api\/utilities\/taxjar\/(orders|refunds|customers)(\/|$)/, (kind) => kind === 'staff'],
    [/^\/api\/utilities\//, (kind) => kind === 'open' || kind === 'signed_in'],
  ];
  const ELSEWHERE = /^\/api\/(auth|events|jobs|avatars|client-errors)(\/|$)/;
  for (const { endpoint } of routes) {
    const area = AREAS.find(([prefix]) => prefix.test(endpoint.path));
    expect(area !== undefined || ELSEWHERE.test(endpoint.path), endpoint.path).toBe(true);
    if (area) expect(area[1](endpoint.auth.kind), `${endpoint.path} for ${endpoint.auth.kind}`).toBe(true);
  }
  for (const [prefix] of AREAS) {
    expect(routes.some(({ endpoint }) => prefix.test(endpoint.path)), String(prefix)).toBe(true);
  }
});

it('[S108] [C49] the latest transactions are five of division US, the last changed first', async () => {
  const staff = await test.signedIn('staff_admin');
  const path = '/api/admin/staff/accounting/transactions';
  for (let n = 0; n < 7; n += 1) {
    const made = await staff.post(path, { division: n === 6 ? 'UK' : 'US', transaction_at: '2026-11-20',
      description: `Draft ${n}`, journal_entries: [] });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
  const latest = await staff.get(`${path}?per_page=5&sort_by=updated_at&sort_direction=desc&division=US`);
  const rows = latest.body.data as { division: string; updated_at: string; description: string }[];
  expect(rows).toHaveLength(5);
  expect(rows.every((row) => row.division === 'US')).toBe(true);
  expect(rows.map((row) => row.updated_at)).toEqual(rows.map((row) => row.updated_at).toSorted().toReversed());
  expect(rows[0]!.description).toBe('Draft 5');
});
