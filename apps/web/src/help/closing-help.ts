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
    'A missing rate is named: enter it under Exchange rates. A rate published up to five days before counts, because '
      + 'weekends and holidays have none.',
    spell`Exchange gains and losses shows what was realized, by document and with both rates, and what revaluations
      posted by account and party.`,
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
];
