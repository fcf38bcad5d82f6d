/** Banks: simple records; one with accounts stays. */
import { isValidBIC } from 'ibantools';
import { invalidField, refuse } from '#kit/errors.ts';
import { plainNumber } from '#kernel/receivables/bank-numbers.ts';
import { crud } from '#server/crud.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { bank, bankEndpoints } from './bank.contract.ts';

const banks = crud(bank, {
  table: 'banks', search: 'search_text', trash: true,
  sorts: { name: sql`t.name collate "und-x-icu"` },
  extra: { account_count: sql`(select count(*) from bank_accounts b where b.bank_id = t.id and b.deleted_at is null)` },
});

interface Values { bic?: string | null | undefined; notes?: string | null | undefined }

/** The BIC as banks print it, checked by its structure and country. */
function checked<T extends Values>(values: T): T {
  const bic = values.bic ? plainNumber(values.bic) : values.bic;
  if (bic && !isValidBIC(bic)) {
    throw invalidField('bic', 'This is not a BIC: it has 8 or 11 characters, such as AIBKIE2D');
  }
  return { ...values, ...(bic === undefined ? {} : { bic }), ...(values.notes === null ? { notes: '' } : {}) };
}

export const bankRoutes: Route[] = serve(bankEndpoints, {
  ...banks,
  create: (ctx, { body }) => banks.create(ctx, { body: checked(body) }),
  update: (ctx, { params, body }) => banks.update(ctx, { params, body: checked(body) }),
  async remove(ctx, { params }) {
    const row = await banks.find(ctx.db, params.id, true);
    if (Number(row['account_count']) > 0) {
      throw refuse('in_use', 'This bank has accounts. Move them to another bank or to the trash first.');
    }
    await banks.remove(ctx, { params });
  },
});
