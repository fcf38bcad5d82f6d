/** Help for staff on bills and payment runs. */
import { spell } from '#kernel/text/english.ts';
import type { HelpArticle } from '#web/help/help-search.ts';

export const payablesHelp: readonly HelpArticle[] = [
  { id: 'payment-runs', title: 'Pay what is due', pages: ['/admin/accounts-payable/payment-runs'], body: [
    'Choose a bank account and the day by which things are due. What is due is chosen: one payment for each payee, '
      + 'less its credits. Leave items out, pay a part, take a discount, and see the cash that is left on the account.',
    'Another person approves the run: nobody who made or changed it, and nobody who changed the bank details of one of '
      + 'its payees since that payee was last paid. What is in a run cannot be paid anywhere else. A change takes the '
      + 'approval back.',
    'Then write the file for the bank. Texts that the bank gets in other letters, and a value date that moves to a '
      + 'settlement day, are shown before. The file is written once: every download is the same, and who downloads it '
      + 'is kept. If bank details were changed after the approval, the file is refused and the payee is named.',
    'Payments are posted on the value date. Upload the answer of the bank (pain.002, camt.054, NACHA returns), or '
      + 'match the lines of its statement: both settle payments. What comes back is reversed and payable again, '
      + 'and the bank details are confirmed before the next payment.',
    'A payment that is taken out after the file was written has to be recalled at the bank as well.',
  ] },
  { id: 'bills', title: 'Enter and approve bills',
    pages: ['/admin/accounting/bills', '/admin/accounts-payable/invoices'], body: [
      'Drop the vendor’s PDF or picture on the list of bills, or choose New bill. The document stands beside the form. '
        + 'The due date follows the days to pay of the vendor unless you enter another.',
      'Each line names an account and, where there is tax, a tax code. Input tax is reclaimed, US sales tax is part '
        + 'of the expense. Reverse charge and use tax are not owed to the vendor but to the tax authority.',
      'If a bill looks like one you have already (same number, or same date and amount), you are asked before it is '
        + 'saved.',
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
