/** The returns beside each other: UK, EU, United States. */
import type { Division } from '#kernel/money/division.ts';

export const VAT_PAGE = '/admin/finance/taxes-vat/uk-vat';
export const SALES_TAX_PAGE = '/admin/finance/taxes-vat/us-sales-use-tax';

export function returnTabs(division: Division) {
  const tabs: readonly (readonly [Division, string, string])[] = [['UK', 'UK VAT', VAT_PAGE],
    ['EU', 'EU VAT', VAT_PAGE], ['US', 'US sales and use tax', SALES_TAX_PAGE],
    ['PROD', 'Production sales and use tax', SALES_TAX_PAGE]];
  return tabs.map(([code, text, page]) => ({ id: code, text, href: `${page}?division=${code}`,
    active: code === division }));
}
