/** The returns beside each other: UK, EU, United States; and the forms of a year. */
import type { Division } from '#kernel/money/division.ts';
import type { Permission } from '#kit/permission.ts';

export const VAT_PAGE = '/admin/finance/taxes-vat/uk-vat';
export const YEAR_END_PAGE = '/admin/finance/taxes-vat/year-end-forms';
export const SALES_TAX_PAGE = '/admin/finance/taxes-vat/us-sales-use-tax';

export function returnTabs(current: Division | 'year_end', may: (permission: Permission) => boolean) {
  const tabs: readonly (readonly [Division, string, string])[] = [['UK', 'UK VAT', VAT_PAGE],
    ['EU', 'EU VAT', VAT_PAGE], ['US', 'US sales and use tax', SALES_TAX_PAGE],
    ['PROD', 'Production sales and use tax', SALES_TAX_PAGE]];
  return [...tabs.map(([code, text, page]) => ({ id: code as string, text, href: `${page}?division=${code}`,
    active: code === current })),
  ...(may('ledger_account.view') ? [{ id: 'year_end', text: 'Year-end forms', href: YEAR_END_PAGE,
    active: current === 'year_end' }] : [])];
}
