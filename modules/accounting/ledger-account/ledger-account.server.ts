/** Accounts and headers of the chart. What is used keeps its meaning: the database refuses the rest. */
import type { AnyResource } from '#kit/resource.ts';
import { refuse } from '#kit/errors.ts';
import { crud } from '#server/crud.ts';
import { compact } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { asLedgerCall } from '../ledger/ledger-error.server.ts';
import { ledgerAccount, ledgerAccountEndpoints, ledgerHeader, ledgerHeaderEndpoints, PARTY_TYPES }
  from './ledger-account.contract.ts';

const CODE_AND_NAME = sql`t.code || ' ' || t.name`;

const headers = crud(ledgerHeader, {
  table: 'ledger_headers', trash: true, search: CODE_AND_NAME,
  joins: sql`left join ledger_headers p on p.id = t.parent_id`,
  extra: {
    parent_name: sql`p.name`,
    account_count: sql`(select count(*) from ledger_accounts a where a.ledger_header_id = t.id
      and a.deleted_at is null)`,
  },
  filter: (query) => compact([
    query.division !== undefined && sql`t.division = ${query.division}`,
    query.class !== undefined && sql`t.class = ${query.class}`,
  ]),
  unique: { ledger_headers_division_code_key: ['code', 'Another header of this division has this code'] },
});

const accounts = crud(ledgerAccount, {
  table: 'ledger_accounts', trash: true, search: CODE_AND_NAME,
  joins: sql`join ledger_headers h on h.id = t.ledger_header_id join divisions d on d.code = t.division`,
  extra: {
    header_name: sql`h.name`, section: sql`h.section`, functional_currency: sql`d.functional_currency`,
    balance_minor: sql`(select coalesce(sum(b.base_debit_minor - b.base_credit_minor), 0)::bigint
      from ledger_balances b where b.ledger_account_id = t.id)`,
  },
  filter: (query) => compact([
    query.division !== undefined && sql`t.division = ${query.division}`,
    query.class !== undefined && sql`t.class = ${query.class}`,
    query.ledger_header_id !== undefined && sql`t.ledger_header_id = ${query.ledger_header_id}`,
    query.ledger_header !== undefined && sql`t.ledger_header_id = ${query.ledger_header}`,
    query.active !== undefined && sql`t.active = ${query.active}`,
  ]),
  unique: { ledger_accounts_division_code_key: ['code', 'Another account of this division has this code'] },
});

/** The seven handlers with the ledger's refusals in the product's words, and the purge from the trash. */
function guarded<R extends AnyResource>(
  handlers: ReturnType<typeof crud<R>>, table: 'ledger_headers' | 'ledger_accounts',
) {
  return {
    ...handlers,
    create: (...args: Parameters<typeof handlers.create>) => asLedgerCall(handlers.create(...args)),
    update: (...args: Parameters<typeof handlers.update>) => asLedgerCall(handlers.update(...args)),
    remove: (...args: Parameters<typeof handlers.remove>) => asLedgerCall(handlers.remove(...args)),
    restore: (...args: Parameters<typeof handlers.restore>) => asLedgerCall(handlers.restore(...args)),
    async purge(ctx: Parameters<typeof handlers.create>[0], { params }: { params: { id: number } }) {
      const before = await handlers.find(ctx.db, params.id, true, true);
      const statement = table === 'ledger_headers' ? sql`delete from ledger_headers where id = ${params.id}`
        : sql`delete from ledger_accounts where id = ${params.id}`;
      if (await asLedgerCall(ctx.db.exec(statement)) === 0) throw refuse('not_found');
      const entity = table === 'ledger_headers' ? 'ledger_header' : 'ledger_account';
      await ctx.audit({ action: 'purge', entity, entity_id: params.id, before });
    },
  };
}

const PARTY_LABELS: Record<(typeof PARTY_TYPES)[number], string> = {
  customer: 'Customer', vendor: 'Vendor', royaltor: 'Royaltor', bank: 'Bank', staff: 'Staff',
  tax_authority: 'Tax authority', division: 'Division',
};

export const chartRoutes: Route[] = [
  ...serve(ledgerHeaderEndpoints, guarded(headers, 'ledger_headers')),
  ...serve(ledgerAccountEndpoints, {
    ...guarded(accounts, 'ledger_accounts'),
    partyTypes: async () => ({ data: PARTY_TYPES.map((value) => ({ value, label: PARTY_LABELS[value] })) }),
  }),
];
