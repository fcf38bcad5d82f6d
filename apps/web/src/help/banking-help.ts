/** Help for staff on deposits, reconciliation and matching. */
import { spell } from '#kernel/text/english.ts';
import type { HelpArticle } from '#web/help/help-search.ts';

export const bankingHelp: readonly HelpArticle[] = [
  { id: 'reconciliation', title: 'Reconcile a bank account', pages: ['/admin/banking/reconciliation'], body: [
    'Choose the account and its statement. It begins with the balance of the last finished reconciliation; the '
      + 'difference is the closing balance of the bank less what the ledger has cleared, and stays in view.',
    'Tick a line by matching it with the ledger: Enter matches what is proposed, A all that is beyond doubt. What has '
      + 'no entry yet is found or created under Matching.',
    'Where the bank sends no file, enter the closing balance of the paper statement and tick the entries of the ledger '
      + 'that stand on it. They clear without a line of the bank: finishing settles their payments and checks, undoing '
      + 'takes that back. A ticked check is not voided; take its tick off first.',
    'A small difference that remains is posted to an account with a reason. Finish at zero, with every line matched. '
      + 'It cannot be finished while the balances of its statement do not add up, or a statement before it is missing.',
    'The report leads from the balance of the bank to that of the books, with deposits in transit and outstanding '
      + 'payments. A finished reconciliation does not change. Only the latest can be undone, with a reason.',
  ] },
  { id: 'deposit-slips', title: 'Deposit checks and cash', pages: ['/admin/banking/deposit-slips'],
    body: [
      spell`Receipts by check or cash wait in Undeposited funds. Create a deposit slip and choose the bank account: all
        that waits in its division and currency is on it. Take off what does not go along, and print the slip.`,
      'When the money is at the bank, record the deposit. The bank account takes one line over the whole amount, as '
        + 'your bank shows it, so that it is matched as one.',
      'A check that the bank returns is returned on its receipt. The amount and the charge come off the bank account; '
        + 'the other checks of the slip stay deposited.',
      'A deposit recorded by mistake is taken back as long as its line is not matched with the bank. Its receipts '
        + 'wait again.',
    ] },
  { id: 'card-payments', title: 'Card payments and bank debits',
    pages: ['/admin/accounts-receivable/card-payments', '/admin/accounts-receivable/payouts',
      '/admin/accounts-receivable/disputes'], body: [
      'Customers pay by card or bank debit on their invoices in the portal, on the page of the payment service. Card '
        + 'payments lists each: begun, with the bank, paid, not paid or not finished.',
      'A card counts at once. A bank debit counts when the bank has paid it, some days later; until then nothing is '
        + 'booked and nothing is sent. The receipt is made and applied by itself; it waits on account 1020 until it is '
        + 'paid out.',
      'Payouts lists what reached the bank account: one posting each, less the fees, to be matched with its line.',
      'A refund of a card payment goes back to the card. Request it on the receipt; another person approves it, and it '
        + 'is posted once the payment service has paid it. If the card cannot be refunded, it waits for approval as a '
        + 'bank transfer. Refunds made at the payment service are found and posted, too; if the receipt has nothing '
        + 'on account, they are listed under Card payments for you to assign.',
      'A customer who disputes a payment with their bank takes the money and a fee at once. The invoice is open again, '
        + 'and Disputes shows the last day for evidence, which you give on the payment service’s own page. If the bank '
        + 'decides for you, the invoice is marked paid again; otherwise it stays open.',
      'Payments that need attention have a note: the money is on account because the invoice could not take it, or a '
        + 'different amount was charged. Look up unknown payments at the payment service.',
    ] },
  { id: 'late-interest', title: 'Bill interest on late payment', pages: ['/admin/accounts-receivable/invoices/*'],
    body: [
      'An overdue invoice shows the interest it has earned to a day: open amount, days and rate of each stretch. The '
        + 'rate is the one of the signed contract. Where a contract of the UK or EU division agrees none, it is the '
        + 'statutory rate in the rules of the division.',
      'Bill issues an invoice of its own, without tax or royalties. Days that are billed or waived are not billed '
        + 'again; a credit note over the whole invoice opens them. Nothing is billed without a person.',
    ] },
  { id: 'checks', title: spell`Print and void checks`, pages: ['/admin/checking',
    '/admin/accounts-payable/checks-wires'], body: [
    spell`A payment by check waits under Checks until another person has approved it. New check pays what is owed to a
      vendor or a customer; payment runs put theirs there too.`,
    spell`Print checks compares the number on the first form in the printer with the next number of the bank account.
      Printing takes the numbers and posts the payments. Open the PDF within 15 minutes; later it is marked as a copy.`,
    'If a form jams, choose Spoiled. Its number is kept, and the payment gets the next one. Print again keeps the '
      + 'number and asks for the reason. Blank forms that are lost are recorded as spoiled up to a number.',
    spell`Void reverses the payment; what it paid is open again with its due date. After 180 days a check that nobody
      paid in can be moved to unclaimed property. A check clears when its payment is matched with the bank’s line.`,
    spell`Print settings hold the paper, the offsets in millimeters, the second signature, and the layout for positive
      pay. Positive pay writes a file of the checks that were issued and voided up to a day, of all that the bank
      was not told yet.`,
  ] },
  { id: 'payee-bank-details', title: 'Verify bank details',
    pages: ['/admin/vendors', '/admin/royaltors', '/admin/customers'], body: [
      'Bank details are entered by one person and verified by another, before the first payment and after every '
        + 'change. Call the payee on a number you already had, not on one that came with the change, and write down '
        + 'who confirmed the account.',
      'The number is checked for its kind of account: a US routing number, a UK sort code with its account, or an '
        + 'IBAN. Enter the account holder if the name differs. Nobody is paid until the account is verified.',
      spell`The account of a customer, for refunds, stands on its Finance page. Enter it on the customer’s written
        instruction only. Until it is verified, refunds go by check.`,
    ] },
  { id: 'bank-matching', title: 'Match bank lines', pages: ['/admin/banking/matching', '/admin/banking'], body: [
    'Every line of a statement belongs to an entry in the ledger. Matching lists the lines that have none yet. Open '
      + 'one to see what it may belong to, with a score and the reasons. Press J and K to move, Enter to accept the '
      + 'first suggestion.',
    'A line may pay an open invoice: matching records the receipt, for the whole invoice or for part of it. What the '
      + 'bank kept is posted to Bank fees, what is too much stays on account of the customer.',
    'Money that left by direct debit, card or standing order pays open bills the same way, several of a vendor at once '
      + 'and less its credits. Somebody else than the person who approved the bill matches it. A refund of a vendor is '
      + 'matched with its credit. A payment that is prepared but not posted is listed with the missing step. An amount '
      + 'less the early-payment discount, while it holds, is proposed with it. Find and match proposes it too, for '
      + 'several bills at once; clear its checkbox to leave it out.',
    'A payment run that the bank books as one debit is one choice, whatever its size. Where payments came back it is '
      + 'offered with them and without; the credit of the bank is matched by itself, or added to the debit under Find '
      + 'and match.',
    'Find and match (F) searches every open document and every ledger entry, and takes several at once. Create entry '
      + '(C) records an expense, a fee, interest, a receipt on account or a transfer. Split divides a line among '
      + 'accounts. A transfer that is recorded already is named before a second one is made.',
    'On import, lines that are beyond doubt are matched at once: 90 points or more, the same amount, and no other '
      + 'candidate near.',
    'Undo (U) frees the line and reverses what the match posted. A pro forma that was paid stays a tax invoice, open '
      + 'again. A reconciled line keeps its match. A matched receipt can be returned once its match is undone.',
    'An invoice or bill in another currency needs both amounts, the one paid and the one at the bank. The difference '
      + 'to the rate of the day is posted as an exchange difference.',
  ] },
];
