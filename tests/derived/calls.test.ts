/** Rules for every call: its area, its paging. Read from the contract, so a new call is covered too. */
import { describe, expect, it } from 'vitest';
import { namesVersion, type AnyEndpoint } from '#kit/endpoint.ts';
import { routes } from '#apps/server/src/routes.ts';

const endpoints = routes.map((route) => route.endpoint);
const shapeOf = (schema: unknown): Record<string, unknown> =>
  (schema as { shape?: Record<string, unknown> } | null | undefined)?.shape ?? {};
const isPaged = ({ response }: AnyEndpoint): boolean => response !== 'file' && 'meta' in shapeOf(response);

/** Records of the tax service are the staff's, below the proxy's address (SPEC.md section 7). */
const TAX_SERVICE = /^\/api\/utilities\/taxjar\/(orders|refunds|customers)(\/|$)/;

describe('areas of the API', () => {
  it('[R88] [C43] staff calls lie in the admin area, those of customers in theirs, the ledger in accounts', () => {
    for (const { auth, method, path } of endpoints) {
      expect(path.startsWith('/api/admin/') || TAX_SERVICE.test(path), `${method} ${path}`).toBe(auth.kind === 'staff');
      expect(/^\/api\/customers\/\{id\}(\/|$)/.test(path), `${method} ${path}`).toBe(auth.kind === 'customer');
      // The accounts area is the staff's calls to the ledger (gaps G37).
      if (/ledger|journal|trial_balance|transactions/.test(path) && auth.kind === 'staff') {
        expect(path, method).toMatch(/^\/api\/admin\/staff\/(accounting|licenses|customers|invoices)\//);
      }
    }
    for (const area of ['/api/admin/staff/', '/api/admin/staff/accounting/', '/api/customers/{id}/']) {
      expect(endpoints.some(({ path }) => path.startsWith(area)), area).toBe(true);
    }
  });
});

describe('lists', () => {
  it('[R89] [C45] every paged list takes page and per_page, 10 rows unless asked, at most 100', () => {
    const lists = endpoints.filter(isPaged);
    expect(lists.length).toBeGreaterThan(40);
    for (const { method, path, query } of lists) {
      const label = `${method} ${path}`;
      expect(Object.keys(shapeOf(query)), label).toEqual(expect.arrayContaining(['page', 'per_page']));
      // The public catalog is always that of a country.
      const country = path.startsWith('/api/public/') ? { country: 'US' } : {};
      expect(query?.safeParse({ ...country, page: '2', per_page: '100' }).success, label).toBe(true);
      expect(query?.safeParse({ per_page: '101' }).success, label).toBe(false);
      expect(query?.safeParse({ page: '0' }).success, label).toBe(false);
    }
  });
});

/** PUTs that compare no version, with the reason; what is missing here has to compare one. */
const ACTS: readonly RegExp[] = [
  // One state, whatever was there before.
  /\/(restore|resend|cancel|retry|mark_read|mark_unread|mark_all_read|details\/asked)$/,
  // Decided once: the second answer is a conflict.
  /\/(join_requests\/\{requestId\}|royalty_adjustments\/\{id\}\/(approve|decline))$/,
  /\/(invoices\/\{id\}\/tax_checked|bank_corrections\/\{id\}\/(take|dismiss)|bank_statements\/\{id\}\/take_back)$/,
  /\/(period_requests|period_locks\/requests|revaluations|intercompany_entries|entries)\/\{id\}\/decline$/,
  /\/(bank_matches\/\{id\}\/undo|payments\/\{paymentId\}\/return|questions\/\{questionId\})$/,
  // One's own, behind the password or a code.
  /^\/api\/users\/(\{id\}\/change-password|me\/two-factor)$/,
  // One value; the audit trail holds what was there.
  /\/(avatar|notification_settings|me\/columns|users\/\{userId\}(\/role)?|(images|samples)\/\{\w+\}|period_locks)$/,
  /\/invoices\/\{id\}\/payments\/\{paymentId\}$/,
  // Lines of a draft: issuing or posting it compares the version.
  /\/(journal_entries|invoice_items)\/\{id\}$/,
  // Ticks of an open reconciliation: finishing it compares the version.
  /\/reconciliations\/\{id\}\/ticks$/,
  // A whole list that one screen shows.
  /\/(terms\/order|venues\/\{id\}\/tickets|license_materials\/batch-update|bank_rules\/order)$/,
  // Rows of an import, each answered once.
  /\/imports\/\{id\}\/(answers|aliases|decisions|proposals)$/,
];

describe('changes', () => {
  it('name the version they start from, unless there is a reason', () => {
    const without = endpoints.filter((one) => one.method === 'PUT' && !namesVersion(one)).map(({ path }) => path);
    expect(without.filter((path) => !ACTS.some((reason) => reason.test(path)))).toEqual([]);
    expect(ACTS.filter((reason) => !without.some((path) => reason.test(path)))).toEqual([]);
  });
});
