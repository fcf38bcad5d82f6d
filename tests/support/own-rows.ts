/**
 * Lists below a record of the staff's area: `…/customers/{id}/messages`. The rows of one record stand below no other,
 * but where both may well have them (SHARED).
 */
import { routes } from '#apps/server/src/routes.ts';
import type { Endpoint } from '#kit/endpoint.ts';
import type { SignedIn } from './app.ts';
import { FULL } from './full.ts';

/** Records that are asked for each list, at most. */
const RECORDS = FULL ? 12 : 6;
/** Rows that several records have: classes of customers, documents that two lines of the bank may settle. */
const SHARED = new Set(['/api/admin/staff/customers/{id}/customer_classifications',
  '/api/admin/staff/accounting/bank_matching/lines/{id}/open_items']);

export interface OwnRowsOutcome {
  /** Lists with rows below two records at least. */
  compared: number;
  overlaps: string[];
}

const isListBelow = ({ method, path, auth }: Endpoint): boolean => method === 'GET' && auth.kind === 'staff'
  && /^\/api\/admin\/staff\/(?:\w+\/)*\w+\/\{\w+\}\/\w+$/.test(path) && path.split('{').length === 2;

interface Row { id?: unknown; type?: unknown; kind?: unknown; transaction_id?: unknown }

function rowsOf(body: unknown): Row[] {
  const { data } = (body ?? {}) as { data?: unknown };
  return Array.isArray(data) ? data.filter((row: Row) => typeof row.id === 'number') : [];
}

/** Rows of several tables in one list have a type or kind; those of an account count from 1 and name their posting. */
function keyOf({ id, type, kind, transaction_id }: Row): string {
  const table = type ?? kind;
  return table === undefined ? String(id) : `${String(table)} ${String(transaction_id ?? id)}`;
}

async function recordsOf(admin: SignedIn, collection: string): Promise<number[]> {
  const { status, body } = await admin.get(`${collection}?per_page=100`);
  return status === 200 ? rowsOf(body).slice(0, RECORDS).map((row) => Number(row.id)) : [];
}

export async function compareOwnRows(admin: SignedIn): Promise<OwnRowsOutcome> {
  const outcome: OwnRowsOutcome = { compared: 0, overlaps: [] };
  for (const { endpoint } of routes.filter((route) => isListBelow(route.endpoint))) {
    const [collection = '', below = ''] = endpoint.path.split(/\/\{\w+\}/);
    const owners = new Map<string, Set<number>>();
    let filled = 0;
    for (const record of await recordsOf(admin, collection)) {
      const keys = rowsOf((await admin.get(`${collection}/${record}${below}`)).body).map(keyOf);
      if (keys.length > 0) filled += 1;
      for (const key of keys) owners.set(key, (owners.get(key) ?? new Set()).add(record));
    }
    if (filled > 1) outcome.compared += 1;
    const several = [...owners].filter(([, records]) => records.size > 1);
    if (several.length > 0 && !SHARED.has(endpoint.path)) {
      outcome.overlaps.push(`${endpoint.path}: ${several.length} of ${owners.size}, for example ${several[0]![0]}`);
    }
  }
  return outcome;
}
