/** Help about revaluation, exchange differences and cash flows. */
import { spell } from '#kernel/text/english.ts';
import type { HelpArticle } from '#web/help/help-search.ts';

export const closingHelp: readonly HelpArticle[] = [
  { id: 'revaluation', title: 'Revalue foreign balances', pages: ['/admin/accounting/revaluations',
    '/admin/finance/exchange-gains-losses', '/admin/accounting'], body: [
    'At the end of a month, what is open in another currency is valued at the rate of that day. Revalue a month shows '
      + 'every balance with its rate and its gain or loss, and the open documents, before anything is asked for.',
    'One person requests it, another posts it. It is posted on the last day of the month and taken back on the first '
      + 'of the next. Running a day again finds only what has changed since.',
    'The close checklist and the task on Home ask for it as long as a balance differs from the rate of the day. A '
      + 'late entry or a corrected rate makes it due again; where nothing differs, nothing has to be posted.',
    'A missing rate is named: enter it under Exchange rates. A rate published up to five days before counts, because '
      + 'weekends and holidays have none.',
    spell`Exchange gains and losses shows what was realized, by document and with both rates, and what revaluations
      posted by account and party.`,
  ] },
  { id: 'intercompany', title: 'Charge another division', pages: ['/admin/accounting/intercompany',
    '/admin/accounting'], body: [
    'When one division pays or collects for another, enter it once under Accounting, Intercompany. Choose which '
      + 'division owes and which is owed, the amount, and an account in each set of books: the bank account the money '
      + 'moved on, or the expense or income it is for.',
    'Where a customer of one division pays into the bank of another, enter a charge owed by the division with the '
      + 'bank account and owed to the customer’s own division, with its account 1100 and the customer. Once it is '
      + 'posted, the money stands on the customer’s account as a receipt: open it and apply it to the invoice. Take it '
      + 'off again before you reverse the entry.',
    'Where one division pays a bill of another, enter a charge owed by the division of the bill, with its account '
      + '2000, the vendor and the bill, and owed to the division that paid, with its bank account. The open amount is '
      + 'proposed; enter less to pay part of it. Once it is posted, the bill is paid and shows the entry. A bill that '
      + 'was paid meanwhile cannot be posted again. Reverse the entry to open the bill again. If tax is withheld from '
      + 'the vendor, the division of the bill pays it.',
    'After a second person approves it, it is posted in both divisions on the same date. Enter a settlement when the '
      + 'balance is paid. Reversing an entry reverses both postings.',
    'View balances shows what each division owes another by both sets of books. Where they differ, the lines that only '
      + 'one division has are listed. The close checklist asks that the balances agree.',
  ] },
  { id: 'consolidation', title: 'Read all divisions in USD', pages: ['/admin/finance/balance-sheet',
    '/admin/finance/profit-loss', '/admin/finance/cash-flows', '/admin/accounting/trial-balance'], body: [
    'Choose All, in USD under Divisions to see every division beside the others, the eliminations between them, and '
      + 'the group. Income and expenses use the average rate of their month, assets and liabilities the rate of the '
      + 'day, and equity the rate of the day it was posted.',
    'What these rates leave over is the translation difference, a row of its own in equity. The rows below the balance '
      + 'sheet show what it comes from.',
    'Cash flows use the average rate of each month and end at the cash of the balance sheet. Exchange differences on '
      + 'cash take up the change of rates. Flows between divisions are eliminated.',
    'A missing rate is named with its currency and date: enter it under Exchange rates. Choose a figure of a division '
      + 'to open its ledger, and an elimination to open the intercompany balances.',
  ] },
  { id: 'cash-flows', title: 'Read the cash flows', pages: ['/admin/finance/cash-flows', '/admin/finance'], body: [
    'Cash flows show why cash changed. The report starts with the net result, takes out what moved no cash, and adds '
      + 'the changes in balances to reach cash from operations. Investing, financing and exchange differences on cash '
      + 'follow. The second table shows the same cash from operations by payer and payee.',
    'Each figure opens its transactions, the net result opens the profit and loss of the same days. Export writes '
      + 'the statement as a CSV file.',
    'Where an account belongs is on the account, under Cash flow: operating, investing or financing. Cash accounts, '
      + 'equity, income and expense have their place by themselves.',
  ] },
  { id: 'compare-statements', title: 'Compare statements', pages: ['/admin/finance/profit-loss',
    '/admin/finance/balance-sheet', '/admin/accounting/trial-balance'], body: [
    'Under Compare with, a statement is shown beside the period before, the same days of last year, several periods '
      + 'before, or its own months. Whole months are compared with whole months. Change shows the difference, and the '
      + 'percentage of the earlier figure.',
    spell`One row for each show or class of customer shows what each earned. A row opens the profit and loss of
      that show alone. A line belongs to the show of its license; its class of customer is that of the license, else
      the first class of the customer.`,
    'Each figure opens the lines that it sums. PDF makes a paper for a board, Files a workbook with the same figures. '
      + 'The address keeps what was chosen, so a bookmark opens the same statement again.',
    'Views keeps the comparison, the basis and the rows under a name, for you or for all staff who open the statement. '
      + 'The dates stay as they are when a view opens.',
  ] },
  { id: 'cash-basis', title: 'Read profit and loss on the cash basis', pages: ['/admin/finance/profit-loss',
    '/admin/finance/profit-loss/payments'], body: [
    'Under Basis, Cash counts income and expense when they are paid. An invoice or a bill counts by the share that is '
      + 'paid, line by line; a credit note counts when it is applied. Royalties count when the royaltor is paid or an '
      + 'advance is recouped. Bank fees and journals count on their own day.',
    'Payments that are not applied to a document and deposits held do not count yet. A debt that is written off counts '
      + 'as income and as bad debt on that day. The last line shows the net profit of the same days on the accrual '
      + 'basis.',
    'Each figure opens its payments with the documents they paid. By show or by class of customer a payment is spread '
      + 'over the lines of the document it paid, so the rows add up to the whole statement.',
  ] },
  { id: 'auditors-package', title: 'Hand the books to an auditor', pages: ['/admin/accounting/close'], body: [
    'Auditor’s package on Close a month downloads one ZIP: trial balance, general ledger, journal, open receivables '
      + 'and payables at the end of the month, deposits held, bank reconciliations with what stands between bank and '
      + 'ledger, and the '
      + 'integrity report, each as CSV and as PDF. '
      + 'contents.csv lists the files with their checksums.',
    'All files are read at one moment. As long as the books of the month do not change, each download has the same '
      + 'bytes. Papers show the first 2,000 rows; the CSV files have all of them. Who downloads a package is kept in '
      + 'the audit trail.',
  ] },
  { id: 'closing-entry', title: 'Close a fiscal year', pages: ['/admin/accounting/periods'], body: [
    'Nothing has to be posted at the end of a fiscal year: the balance sheet computes the result brought forward. A '
      + 'house that wants a closing entry prepares it under Fiscal years on Periods.',
    'The draft moves every account of income and expense to retained earnings. Another person posts or declines it '
      + 'under '
      + 'Approvals. '
      + 'Where the books have changed since, remove the draft and prepare it again.',
    '"Differs" means that something was posted into the year after its closing entry. Prepare another one: it moves '
      + 'the rest.',
    'Profit and loss leaves closing entries out, so the result of the year stays visible. Until the last month of the '
      + 'year is closed, Reverse on the entry takes it back on its own day.',
  ] },
];
