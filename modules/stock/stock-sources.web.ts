/** Customers and shows as the options of a select. */
import { showEndpoints } from '#modules/catalogue/show/show.contract.ts';
import { customerEndpoints } from '#modules/customers/customer/customer.contract.ts';
import { optionsFrom } from '#web/query/options-from.ts';

export const customerSource = optionsFrom(customerEndpoints.list, (row) => ({ value: row.id, label: row.name,
  children: row.number }));

export const showSource = optionsFrom(showEndpoints.list, (row) => ({ value: row.id, label: row.title,
  children: row.show_code }));
