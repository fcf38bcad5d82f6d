/** Help for staff on tax returns. */
import type { HelpArticle } from '#web/help/help-search.ts';

export const taxHelp: readonly HelpArticle[] = [
  { id: 'vat-return', title: 'Prepare and file a VAT return', pages: ['/admin/finance/taxes-vat/uk-vat'], body: [
    'The page shows the boxes of the quarter that comes next. Each figure leads to the documents behind it. Choose '
      + 'other days above to see another period.',
    'Prepare the return when the quarter has ended and its invoices, bills and statements are in. Another person '
      + 'files it. If something is posted into the quarter in between, withdraw the return and prepare it again.',
    'Copy the boxes into the form of the tax authority, then file here. Filing freezes what the return takes, moves '
      + 'its tax from Output VAT and Input VAT to VAT control, and locks the quarter for tax.',
    'What is posted later with a tax point in a filed quarter comes into the next return and is shown apart there. '
      + 'Above the limit of HMRC for corrections the page asks you to tell HMRC separately.',
    'Files and more holds the boxes with their items, for the UK the figures under the names of Making Tax Digital, '
      + 'for the EU the one-stop shop and the EC sales list.',
  ] },
];
