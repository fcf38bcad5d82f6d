/** Customers and shows as the options of a select. */
import { call } from '#kit/client.ts';
import type { OptionSource } from '#web/controls/option.ts';
import { showEndpoints } from '#modules/catalogue/show/show.contract.ts';
import { customerEndpoints } from '#modules/customers/customer/customer.contract.ts';

export const customerSource: OptionSource<number> = async (search, page, signal) => {
  const answer = await call(customerEndpoints.list, { query: { page, per_page: 20, ...(search ? { search } : {}) } },
    { signal });
  const data = answer.data.map((row) => ({ value: row.id, label: row.name, children: row.number }));
  return { meta: answer.meta, data };
};

export const showSource: OptionSource<number> = async (search, page, signal) => {
  const answer = await call(showEndpoints.list, { query: { page, per_page: 20, ...(search ? { search } : {}) } },
    { signal });
  const data = answer.data.map((row) => ({ value: row.id, label: row.title, children: row.show_code }));
  return { meta: answer.meta, data };
};
