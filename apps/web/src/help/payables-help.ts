/** Help for staff on bills. */
import { spell } from '#kernel/text/english.ts';
import type { HelpArticle } from '#web/help/help-search.ts';

export const payablesHelp: readonly HelpArticle[] = [
  { id: 'bills', title: 'Enter and approve bills',
    pages: ['/admin/accounting/bills', '/admin/accounts-payable/invoices'], body: [
      'Drop the vendor’s PDF or picture on the list of bills, or choose New bill. The document stands beside the form. '
        + 'The due date follows the days to pay of the vendor unless you enter another.',
      'Each line names an account and, where there is tax, a tax code. Input tax is reclaimed, US sales tax is part '
        + 'of the expense. Reverse charge and use tax are not owed to the vendor but to the tax authority.',
      'A bill that looks like one entered before, by its number or by date and amount, is asked about when you save.',
      'Submit the bill. It posts when a person approves it who neither entered, changed nor submitted it. Above the '
        + 'limit of the division an administrator approves; all unpaid bills of one vendor count together.',
      'A bill on hold is neither approved nor paid. An approved bill is voided as long as nothing was paid on it. A '
        + 'vendor credit is entered the same way and applied on the page of a bill.',
    ] },
  { id: 'payables-aging', title: spell`Read the aging of payables`, pages: ['/admin/accounts-payable/aging'], body: [
    'The report shows what was open on any day, by currency and days past due, and what falls due week by week. The '
      + 'badge says whether the open items equal Accounts payable in the ledger on that day.',
  ] },
];
