/** Help for staff on bills, payments and payment runs. */
import { spell } from '#kernel/text/english.ts';
import type { HelpArticle } from '#web/help/help-search.ts';

export const payablesHelp: readonly HelpArticle[] = [
  { id: 'payment-runs', title: 'Pay what is due', pages: ['/admin/accounts-payable/payment-runs'], body: [
    'Choose a bank account and the day by which things are due. What is due is chosen: one payment for each payee, '
      + 'less its credits. Leave items out, pay a part, take a discount, and see the cash that is left on the account. '
      + 'More discount than the terms of a bill give needs a reason, which the person who approves sees.',
    'Another person approves the run: nobody who made or changed it, and nobody who changed the bank details of one of '
      + 'its payees before a payment to the new details has settled. What is in a run cannot be paid anywhere else. A '
      + 'change takes the approval back.',
    'Early-payment discounts go by the value date. If it moves past the last day of one, the run is refused and names '
      + 'the bills: change the run, and have it approved again.',
    'Then write the file for the bank. Texts that the bank gets in other letters, and a value date that moves to a '
      + 'settlement day, are shown before. The file is written once: every download is the same, and who downloads it '
      + 'is kept. If bank details, the name or the address of a payee were changed after '
      + 'the approval, the file is refused and the payee is named. Checks are not printed either.',
    'Payments are posted on the value date. Upload the answer of the bank (pain.002, camt.054, NACHA returns), or '
      + 'match the lines of its statement: both settle payments. What comes back is reversed and payable again, '
      + 'and the bank details are confirmed before the next payment.',
    'Choose the method first: what is due to payees who are paid that way is ticked. Others are listed with their own '
      + 'method, for you to choose.',
    'A run also takes royalty statements and advances that are due, after tax, and they leave in the same file. '
      + 'Batches of royalties alone are payment runs as well and stand in the same list: filter it by what runs pay. '
      + 'If bank details of a royaltor change after the approval, take the approval back and have the run approved '
      + 'again.',
    'Tax that was withheld or collected is paid the same way: Taxes due, on the page of payables, enters a bill of the '
      + 'vendor that stands for the authority. Once it is approved, the next run pays it.',
    'Tax is withheld from a vendor whose page says so: the run shows gross, tax and what leaves the account.',
    'Payments that the bank refuses before the value date (BACS reports, a call, the bank’s own screen) are entered '
      + 'at the payment: Rejected by bank. Take out is for payments that you recall yourself. If the bank rejects the '
      + 'whole file, choose Bank rejected the run in its menu. A reason that begins with the bank’s code '
      + '(AC04, AM04, R03) decides whether bank details have to be confirmed again.',
    'A payment that is taken out after the file was written has to be recalled at the bank as well. If the bank pays '
      + 'it all the same, its answer makes a task: choose Decide at the payment. Until then nobody pays the payee '
      + 'again.',
  ] },
  { id: 'backup-withholding', title: 'Withhold tax from a US vendor', pages: ['/admin/vendors'], body: [
    'A vendor that a 1099 reports and that gave no taxpayer number on a W-9, or whose number the IRS says is wrong (a '
      + 'B notice), is paid less backup withholding. The page of the vendor asks for it where the W-9 or the tax ID is '
      + 'missing. Under Tax form, choose the reason and the first day.',
    'From that day, 24% of each payment in US dollars is withheld, after credits and discounts. The '
      + 'bill is paid in full: a part goes to the vendor, the tax is owed to the IRS. Payments by card are left to the '
      + 'card company. The rate is a withholding rule for US vendors, under Payables.',
    spell`The run, the payment, the check and the remittance advice show gross, tax and what is paid. A payment that
      is returned or voided takes the tax back. If the setting or the rate changes before a payment leaves, save it
      or its run again and have it approved.`,
    'Once the W-9 is on file, choose Not withheld. Taxes due, on the page of payables, pays the IRS. Tax withheld '
      + 'lists the year by payee, and box 4 of the 1099 reports it, even below the threshold.',
  ] },
  { id: 'prenotes', title: 'Test new bank details by prenote', pages: ['/admin/accounts-payable/prenotes'], body: [
    'A prenote is an ACH entry without an amount. If the account does not exist, the bank of the payee returns it. '
      + 'Send one once a second person has verified new bank details in the US, before the first payment.',
    'Choose New prenote file and the account that pays. The list names payees that no prenote from this account has '
      + 'asked about and that were not paid by ACH yet. Download the file and hand it in at the bank.',
    'Without an answer the prenote clears on the third banking day after it settles. Upload what the bank sends: a '
      + 'return puts the bank details in doubt, and they have to be verified again. You can record a return by hand '
      + 'as well.',
    'A notice of change is listed above the prenotes and among your tasks, with the day by which the bank wants it '
      + 'corrected. Apply it: the corrected number is written without anybody reading it, and another person '
      + 'verifies it. If it is wrong, close it with a reason.',
    'A payment run shows payees whose prenote is pending or came back. It does not stop the payment: you decide '
      + 'whether to wait.',
  ] },
  { id: 'payments', title: 'Pay one bill, and see all payments',
    pages: ['/admin/accounting/payments', '/admin/accounts-payable/payments'], body: [
      'Payments under Accounting lists all money in and out: receipts, refunds, payments to vendors and royaltors. '
        + 'Payables shows what leaves. Both are the same records.',
      'To pay one bill, choose Pay now on its page, or New payment. Choose the account, how it is paid and what is '
        + 'paid; a discount that still holds is proposed, and a credit of the vendor can be set off.',
      spell`Another person approves it: nobody who made or changed it, and nobody who changed the bank details of the
        vendor. A check is then printed, which posts it. A wire or a transfer is made by hand on the bank’s site, a card
        is charged; post the payment on that day with the reference of the bank.`,
      'The payment is settled by a match with the bank statement, or with Mark as settled. What the bank sends back is '
        + 'reversed and payable again, and the bank details of the vendor are confirmed before the next payment.',
      'The remittance advice lists the vendor’s own invoice numbers, with discounts and credits. Royaltors get their '
        + 'statements with the tax withheld and the productions, customers the payment that is refunded. Open it as '
        + 'PDF or send it from the payment; a payment run sends all of them at once.',
      'A journal written by hand, such as a bank charge, can be linked to the payment that it concerns. A link changes '
        + 'no money, and can be removed.',
      'A draft goes to the trash and frees what it would pay. It can be restored while that is still free.',
    ] },
  { id: 'bills', title: 'Enter and approve bills',
    pages: ['/admin/accounting/bills', '/admin/accounts-payable/invoices'], body: [
      'Drop the vendor’s PDF or picture on the list of bills, or choose New bill. The document is shown beside the '
        + 'form. The due date follows the days to pay of the vendor unless you enter another.',
      'Each line names an account and, where there is tax, a tax code. Input tax is reclaimed, US sales tax is part '
        + 'of the expense. Reverse charge and use tax are not owed to the vendor but to the tax authority.',
      'If a bill looks like one you have already (same number, or same date and amount), you are asked before it is '
        + 'saved.',
      'Submit the bill. It posts when a person approves it who neither entered, changed nor submitted it. Above the '
        + 'limit of the division an administrator approves; all unpaid bills of one vendor count together.',
      'A bill on hold is neither approved nor paid. An approved bill is voided as long as nothing was paid on it. A '
        + 'vendor credit is entered the same way and applied on the page of a bill.',
    ] },
  { id: 'goods-received', title: 'Bill goods that were received', pages: ['/admin/accounts-payable/goods-received'],
    body: [
      'Receive a delivery on the page of the warehouse and name the vendor, with the cost of each item. From then on '
        + 'the cost is owed, as accrued purchases (2010).',
      'When the bill comes, choose Goods received on its line. Quantity and amount are filled in from what is on no '
        + 'bill yet; enter what the bill says. A difference in price goes to Cost of materials (5100). If more is '
        + 'billed than was received, you are asked.',
      'Goods that go back before they are billed: choose Return to the vendor. They leave the shelf and are no longer '
        + 'owed. What is billed already, the vendor credits.',
      'Compare with the ledger shows what is received and not billed by vendor, beside the balance of 2010.',
    ] },
  { id: 'recurring-bills', title: 'Enter bills that come again', pages: ['/admin/accounting/recurring-bills'], body: [
    'Open a bill that comes again, as the rent, and choose Make recurring: its vendor, lines and terms are filled in. '
      + 'Or choose New recurring bill. Enter how often it comes, the first day, and when it ends.',
    'On each day a draft is made. It posts nothing: check it, add the vendor’s number and document, and submit it. '
      + 'Another person approves it, nobody who made or changed the recurring bill. The draft names the recurring '
      + 'bill, and you are told of it.',
    'Amounts stay as entered; tax follows the rate of each day. A month that is too short takes its last day. A '
      + 'change counts for the drafts to come.',
    'If a draft cannot be made, as on a day in a closed period, the page says why. It is tried again every hour. Mend '
      + 'the cause or skip the day. Pause leaves out the days until you resume; End is for good.',
  ] },
  { id: 'vendor-account', title: 'Read the account of a vendor', pages: ['/admin/vendors'], body: [
    'Open bills shows what the vendor is owed, how much of it is overdue and by age, with every bill that is approved '
      + 'and not paid.',
    spell`Transactions shows each bill, credit, payment and check with the balance after it. It is the vendor’s part `
      + 'of Accounts payable in the ledger. Choose days to see what was brought forward.',
    'Statement shows what was open on any day, to compare with the statement that the vendor sends. Export it as CSV '
      + 'or open it as PDF. The badge says whether the open items equal the ledger on that day.',
  ] },
  { id: 'merge-vendors', title: 'Merge a vendor that was entered twice', pages: ['/admin/vendors'], body: [
    spell`Open the duplicate and choose Merge vendor, then the vendor that remains. From then on bills, credits,
      payments, the statement, aging and year-end forms show both as one. The ledger keeps what was posted. Drafts and
      recurring bills go over, and empty fields of the vendor that remains are filled in. A merge cannot be undone.`,
    'Payments on their way come first: if either vendor is in a payment run that is not posted yet, or has a payment '
      + 'that is not, the merge is refused and names it. The same goes for a bill that awaits approval and for goods '
      + 'that are not billed yet.',
    'All that is owed is then paid to the bank account of the vendor that remains. If the other one had a different '
      + 'account, the details count as changed by you: another person verifies them before the next payment.',
    'Two vendors with different tax IDs are two taxpayers and stay apart. Year-end report and backup withholding have '
      + 'to be the same for both first.',
    'What is open from before the merge is paid by a payment of its own, in a payment run as well. A credit from '
      + 'before it is applied to bills of the same entry.',
  ] },
  { id: 'payables-aging', title: spell`Read the aging of payables`, pages: ['/admin/accounts-payable/aging'], body: [
    'The report shows what was open on any day, by currency and days past due, and what falls due week by week. The '
      + 'badge says whether the open items equal Accounts payable in the ledger on that day.',
  ] },
];
