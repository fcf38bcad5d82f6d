/** Help for staff on tax returns. */
import type { HelpArticle } from '#web/help/help-search.ts';

export const taxHelp: readonly HelpArticle[] = [
  { id: 'vat-return', title: 'Prepare and file a VAT return', pages: ['/admin/finance/taxes-vat/uk-vat'], body: [
    'The page shows the boxes of the period that comes next. Choose a figure to see the documents behind it. Choose '
      + 'other days above to see another period. A return covers three months in the UK and two in Ireland; a system '
      + 'administrator changes that under System, Divisions, Rules.',
    'Prepare the return when the period has ended and its invoices, bills and statements are in. Another person '
      + 'files it. If something is posted into the period in between, withdraw the return and prepare it again.',
    'Copy the boxes into the form of the tax authority, then file here. Filing freezes what the return takes, moves '
      + 'its tax from Output VAT and Input VAT to VAT control, and locks the period for tax.',
    'Where this installation has credentials of HMRC, connect the UK division on this page: you sign in at HMRC and '
      + 'agree there. Then "File with HMRC" sends the nine boxes and stores the receipt, and the page shows what HMRC '
      + 'expects, is owed and has received. If no answer comes, file again after a minute: what HMRC has is read back '
      + 'and compared before anything is sent again.',
    'What is posted later with a tax point in a filed period comes into the next return and is shown apart there. '
      + 'If the corrections are above HMRC’s limit, the page asks you to tell HMRC separately.',
    'Files and more holds the boxes with their items, for the UK the figures under the names of Making Tax Digital, '
      + 'for the EU the one-stop shop of each quarter that ends in the days, and the EC sales list of the days.',
  ] },
  { id: 'sales-tax-return', title: 'File a sales tax return',
    pages: ['/admin/finance/taxes-vat/us-sales-use-tax'], body: [
      'Returns lists what is due in each state where the division is registered. Choose a period to see its figures, '
        + 'the documents behind them, and what came late: that belongs to a period that is filed already and is part '
        + 'of this return.',
      'Prepare the return when the period has ended. Another person enters the figures on the website of the state and '
        + 'files the return here, with the day and the confirmation number. Filing freezes its lines.',
      'Enter the bill of a filed return and submit it. It pays sales and use tax in full, less the vendor discount, '
        + 'and the next payment run takes it. After the due date there is no discount.',
      'Filing calendars say how often each state wants a return, when, and what it lets you keep. Compare each with '
        + 'what the state publishes, and confirm it. Enter a new one from the day on which a state changes its rule.',
    ] },
  { id: 'sales-tax', title: 'Read sales and use tax', pages: ['/admin/finance/taxes-vat/us-sales-use-tax'], body: [
    'By state: what was sold, what was exempt by certificate or not taxable, what was collected, and what is due. '
      + 'Due is the taxable amount at the rate, rounded once for each jurisdiction. The figures are those that the '
      + 'invoices were issued with; a credit note counts in the month of the credit.',
    'The badge says whether what was collected equals Sales tax payable in the ledger, and use tax its own account.',
    'Economic nexus compares the sales of the division with what each state counts. "Register here" marks a state over '
      + 'its threshold in which the division is not registered. Taxable sales are all but the exempt and those that '
      + 'the state does not tax; of calendar years the one before counts too. A rule holds from a day on: enter a new '
      + 'one when a state changes it, correct one that was entered wrong.',
  ] },
  { id: 'vat-number', title: 'Look up a VAT number', pages: ['/admin/customers/*/tax'], body: [
    'The Tax page of a customer shows whether the check digit of its VAT number is right and what the public register '
      + 'says: VIES for the EU and Northern Ireland, HMRC for the United Kingdom. Choose Look up to ask now. Name, '
      + 'address and consultation number are kept with every answer.',
    'Quotes and invoices of the EU and UK divisions ask by themselves when the last answer has become old. A number '
      + 'that is not valid any more changes nothing on invoices that were issued. Documents without VAT charge it from '
      + 'then on, or stop if you recorded other evidence of business: ask the customer for the right number and enter '
      + 'it under Information.',
    'If the register does not answer, its last answer stands. Without one the invoice goes out, says so, and waits in '
      + 'the task list until the register has answered or somebody marks it as settled.',
  ] },
  { id: 'tax-service', title: 'Follow the tax service', pages: ['/admin/accounting/tax-service'], body: [
    'With a key of the tax service, it determines the tax of US invoices and pro formas that ship within the United '
      + 'States. If it does not answer when an invoice is issued, our own tables decide, and the invoice says so: '
      + 'compare the tax, then choose Mark as checked.',
    'Issued invoices are reported to it as orders, credit notes as refunds, within a minute. Choose a line to see what '
      + 'it answered. What it refused can be reported again once the cause is gone, for example an address that the '
      + 'service did not know.',
  ] },
  { id: 'year-end-forms', title: 'Prepare year-end forms', pages: ['/admin/finance/taxes-vat/year-end-forms'], body: [
    'For the US divisions the page makes 1099-NEC, 1099-MISC and 1042-S from the payments of a year, for the UK and '
      + 'the EU a list of royalties paid. A payment counts on the day it was made. Payments by card are the '
      + 'processor’s to report. A royaltor and a vendor with the same tax number get one form.',
    'Mend first what is missing: tax forms, tax numbers, addresses. Each line leads to its payee. Compare the heads of '
      + 'the file with the form as it is published for the year, and confirm the layout.',
    'When the year has ended, prepare the forms: recipients, addresses and amounts are stored as they are then. '
      + 'Another person takes the file, hands it in, and marks the forms filed. Choose a form to see its payments '
      + 'and the copy for the recipient, which shows the last four digits of the tax number.',
    'From January to March, forms that nobody has prepared are a task on Home and a notification.',
    'If a payment comes back or a name changes afterwards, the page says so. Prepare the corrections; they stand '
      + 'beside the forms that were filed.',
  ] },
  { id: 'close', title: 'Close a month', pages: ['/admin/accounting/close', '/admin/accounting'], body: [
    'Close shows what is left for the month after the last one that was closed: bank statements, matching and '
      + 'reconciliation, box office, deferred income, royalties, taxes, drafts, payment runs, accruals, money in '
      + 'transit, the revaluation of foreign balances, intercompany balances, opening balances, and the checks of the '
      + 'ledger. Each line checks itself; choose one to go where the work is.',
    '"To do" has to be done. "Look at it" may be right as it is: money in transit over the end of a month, a report '
      + 'that a customer still owes.',
    'One person asks to close the month on Periods, another confirms. If something is still to be done, the dialog '
      + 'names it and asks for a reason; the second person reads both. A closed month takes no postings.',
  ] },
  { id: 'set-up-taxes', title: 'Set up the taxes of a division', pages: ['/admin/accounting/tax-registrations',
    '/admin/accounting/tax-codes', '/admin/accounting/local-tax-rates', '/admin/accounting/tax-rules',
    '/admin/accounting/holidays'], body: [
    'Begin with Tax registrations: where a division is not registered, no tax is charged. Enter a state (US-NY) or a '
      + 'country (GB, IE) with the day of the registration; the number follows when the authority has sent it. '
      + '"Register here" on the sales tax page means that a state is over its threshold: register with the state, then '
      + 'enter it here.',
    'Taxes holds the rates from their days on, with the publication they come from. A rate that changes is a new row: '
      + 'issued invoices keep theirs. Counties and cities are under Local rates; a list of them comes in under '
      + 'Imports.',
    'Taxability says which of our items a state or country taxes, and under which code. A quote names the rate or the '
      + 'rule that is missing, and is not sent without it.',
    'Holidays move due dates and promised answers. A weekday that is not in the list is a business day.',
  ] },
  { id: 'exchange-rates', title: 'Enter exchange rates', pages: ['/admin/accounting/exchange-rates'], body: [
    'Import the file of the European Central Bank, or enter a rate by hand with its day. A day without a rate uses the '
      + 'last one before it.',
    'Before you close a month, enter the rate of its last day: the revaluation and the statements of the group ask for '
      + 'it, and name the currency and the day that are missing. One-stop shop returns take the rate of the European '
      + 'Central Bank alone.',
    'A rate that a document used stays with the document. Correct a wrong rate here; what is issued already is '
      + 'corrected by a credit note.',
  ] },
];
