/** Help for staff: short articles in the words of the screens. The guides for operators are in docs/operating. */
import { spell } from '#kernel/text/english.ts';
import type { Help } from '#web/help/help-button.tsx';
import type { HelpArticle } from '#web/help/help-search.ts';
import { bankingHelp } from './banking-help.ts';
import { closingHelp } from './closing-help.ts';
import { messagesHelp } from './messages-help.ts';
import { payablesHelp } from './payables-help.ts';
import { taxHelp } from './tax-help.ts';

const articles: readonly HelpArticle[] = [
  { id: 'way', title: 'Find your way around', pages: ['/admin'], body: [
    'The navigation at the left shows the sections that your rights open. A section that you do not see is one '
      + 'that nobody gave you; staff administrators give rights to groups. A figure beside a section says how many '
      + 'are open there, in the division you are in: the same as the first tab of its list.',
    spell`The division at the upper right of many lists decides whose books and licenses you see: US, EU, UK or
      Production. It stands in the address, so a link that you send opens the same view.`,
    'Every amount that is a sum opens the lines behind it, and every calculated price or royalty has "How this '
      + 'was calculated" with each step.',
  ] },
  { id: 'offset-account', title: 'Offset Account', pages: ['/admin/accounting'], body: [
    'Every transaction has two sides that cancel out: what is debited on some accounts is credited on others. '
      + 'Seen from one account, the account on the other side is its offset account.',
    'An issued invoice debits Receivables; its offset accounts are deferred income and tax. A receipt debits the '
      + 'bank; its offset account is Receivables, or the deposits it was paid for.',
    'The general ledger shows the lines of one account. Open a line to see its transaction whole, offset '
      + 'accounts included, and the document that it comes from.',
  ] },
  { id: 'lists', title: 'Search, filter and export a list',
    pages: ['/admin/quotes', '/admin/customers', '/admin/applications', '/admin/royaltors', '/admin/venues',
      '/admin/exports'], body: [
      'Search and filters, the order and the page stand in the address: reload, go back or send the link and the '
        + 'list is the same. "Clear filter" shows everything again.',
      'Columns chooses which columns you see, in which order, and whether the first stays in view. Drag the edge of a '
        + 'heading to make a column wider; a double click fits it, and Reset takes widths back. All this is the same '
        + 'on every machine where you sign in. Export makes a CSV file or an Excel workbook of every row that '
        + 'matches, in this order and with these columns; it needs the right to export.',
      'File for an import, of shows, venues, materials, royaltors, agreements and stock, holds what an import '
        + 'knows, with addresses, prices, other names and terms: what it brings in elsewhere is what stood here.',
      'The file is made in the background: the button says how far it is and stops it, and you may go on working. You '
        + 'are told at the bell when it is ready; Exports, at the foot of the navigation, keeps it for seven days.',
    ] },
  { id: 'approvals', title: 'Approve what a colleague prepared',
    pages: ['/admin/approvals', '/admin/accounts-payable/royalty-payments', '/admin/sales-and-royalties/statement-runs',
      '/admin/accounting/periods', '/admin/accounting/locks'], body: [
      'Approvals lists what needs a second person: discounts above the limit, rate cards, BOM templates, box-office '
        + 'reports, royalty statements and corrections, payment batches, refunds, bank details, and requests to close '
        + 'or reopen a period or to set a lock date. You see only what you are allowed to approve, and never your own '
        + 'requests.',
      'Open a request to see the record before you decide. Approve and Decline are on the list and on the record. If '
        + 'you decline, enter a reason: the person who asked gets it as a notification. A declined draft comes back to '
        + 'the list once it is changed; a declined batch, refund or request ends.',
      'You get a notification when something needs your approval, and another when your own request is decided. '
        + 'Choose how in your profile under Notifications.',
    ] },
  { id: 'cells', title: 'Change a value in the list itself',
    pages: ['/admin/venues', '/admin/vendors', '/admin/add-ons', '/admin/sales-items', '/admin/materials',
      '/admin/warehouses', '/admin/accounting/chart-of-accounts', '/admin/customers'], body: [
      'Where you may change a record, some of its values can be changed in the list: names, prices, phones, seats, '
        + 'days to pay. The pencil in the cell, or F2 on the row chosen with j and k, opens the field.',
      'Enter saves, Escape gives up, Tab saves and goes on to the next value that can be changed. Undo is offered for '
        + 'eight seconds.',
      'What cannot be saved stays in the field, with the reason below it. If somebody else was faster you see what the '
        + 'value is now: Enter saves yours, Escape leaves theirs.',
    ] },
  { id: 'bulk', title: 'Do something to many rows at once',
    pages: ['/admin/venues', '/admin/customers', '/admin/quotes', '/admin/bulk'], body: [
      'Choose rows with the boxes at their left or with x. The box in the heading takes the whole page, and then '
        + '"Select all that match" takes every row that the search and the filters leave, on all pages; up to 10,000.',
      'The bar at the foot names what can be done. Every row is done by itself, as by hand: with your rights, the '
        + 'rules of that record and a line in its activity. What is refused is told with its reason, and the rest '
        + 'goes on.',
      'It is done in the background. Stop ends it after the current row; you get a notification when it is done. '
        + 'See why lists what was refused, also as a file; My bulk actions keeps each report for thirty days, and Undo '
        + 'takes back what can be taken back.',
    ] },
  { id: 'search', title: 'Find any record', pages: ['/admin/search', '/admin'], body: [
    'Ctrl K or ⌘ K opens the search from anywhere. It looks through every kind of record whose list you may open: type '
      + 'a number or its beginning, a name, or some of the words; accents and upper case do not matter.',
    'The number itself comes first, then numbers and names that begin so, then words anywhere. Where nothing matches, '
      + 'what is spelled nearly the same is shown and said to be so.',
    '"All results" opens the page of the search: each kind with its count, one kind as a list, and, with the right to '
      + 'it, what lies in the trash.',
  ] },
  { id: 'perusals', title: 'Lend a script before an application', pages: ['/admin/perusals', '/admin/materials'],
    body: [
      'A material of type Perusal is what can be read. One that is not physical is read on the screen: add its PDF '
        + 'under Files. One that is physical is a book with a fee, and copies in the warehouse.',
      'Approve opens a script for the days of the customer, or drafts a sales order for a book. Ship asks for the '
        + 'barcode and the carrier; the warehouse may do the same on the sales order. Give more time works until the '
        + 'book is back.',
      'A book that is not here on its day is late: the list and the perusal say by how many days, and the customer '
        + 'reads the same. Scan in is then the first thing to do; what does not come is charged as lost.',
      'Who read shows how many pages each person has seen. Every page is marked with the reader, and the file '
        + 'itself is never sent.',
      'The number a customer may have open, the days and the fee are on its Information page.',
    ] },
  { id: 'files', title: spell`Files of a license`, pages: ['/admin/quotes/*/materials', '/admin/materials'], body: [
    spell`A material that is delivered as a download takes PDFs, audio (MP3, WAV, M4A, FLAC) and pictures (PNG, JPEG,
      WebP) of up to 25 MiB. The people of a license download a PDF with license and reader on every page, audio and
      pictures as they are with the license in the file name, from the day its group is sent until two weeks after the
      last night. The material says how often.`,
    spell`Materials of the license lists the files with who took them and when. Open one to allow its downloads anew;
      say why, it stands in the activity of the license.`,
  ] },
  { id: 'add-ons', title: 'What an add-on brings', pages: ['/admin/add-ons', '/admin/quotes/*/materials'], body: [
    'What it brings, on the page of an add-on, names the digital materials whose files come with it. Days of use '
      + 'after the last performance says when it ends; streaming, video and projection begin with the first night, '
      + 'everything else on the day the materials go.',
    spell`Materials of a license shows its add-ons with their days. They rest while the license is on hold and end with
      it when it is canceled; nothing has to be switched off by hand.`,
    spell`Customers order more of them for a license that is valid, at its Materials in the portal. Streaming, video and
      what needs clearance come to you as a request under Amendments; the rest is carried out at once.`,
  ] },
  { id: 'orders', title: spell`Orders of a license and of the shop`, pages: ['/admin/sales-and-royalties/sales-orders'],
    body: [
      'Not reserved yet, next to a line, shows what it is waiting for: the release of the order, stock in this '
        + 'warehouse or another one, books that are out until a certain day, or quarantine. Picking reserves what has '
        + 'come in.',
      spell`Executing a license orders its materials: one draft for each day on which something leaves, with the day
        it is due back. The activity of the license and the mail to the customer say so. Release an order when it may be
        picked.`,
      spell`Materials that could not be ordered are listed with the reason on the checklist and on Home. Fix the cause,
        then press Order materials under Sales order of the production. It also orders what you added later and leaves
        out what is already ordered. Canceling a production cancels its orders that have not left.`,
      'What a customer without payment terms orders in the shop is reserved and waits for its pro forma: it can be '
        + 'packed once that is paid, and is called off after 14 days. Remove the pro forma to send it on account.',
    ] },
  { id: 'reporting', title: 'Reports and documents', pages: ['/admin/reporting', '/admin/documents'], body: [
    'Reporting names the reports that your rights open and says what each answers. Every list can be exported where it '
      + 'stands; reports that sum over lines lead down to them.',
    spell`Documents holds the offers, contracts, invoices and uploads of all licenses. The filter Signature shows what
      was sent and still waits for one.`,
  ] },
  { id: 'keys', title: 'Keys', pages: ['/admin'], body: [
    'Anywhere: Ctrl K or ⌘ K searches records and pages, ? opens and closes this help, Escape closes what is '
      + 'open.',
    'g and then a letter goes to a section: h home, a applications, q quotes, l productions, b bookings, s shows, '
      + 'm materials, c customers, r receivables.',
    'In a list: j and k or the arrows move, Enter or e opens, Space shows the row beside the list and j and k '
      + 'lead on, x selects, / goes to the search of the list, F2 changes a value in the row where that is possible.',
    'On a touch screen rest a finger on a row to see it beside the list.',
  ] },
  { id: 'application', title: 'From an application to a quote', pages: ['/admin/applications', '/admin/quotes'], body: [
    'A customer applies with venues, performances, planned seats and prices. Availability is checked at once, '
      + 'and a restriction gives its reason.',
    'Price bands may be for one type of performance, such as matinees. Where the customer named other dates, choose '
      + 'them under Dates when you make the quote: the whole run moves.',
    'Turning the application into a quote copies what was asked for and prices it by the rate card that fits. '
      + 'Change terms, venues and prices until they are right; a discount needs a reason. "How this was '
      + 'calculated" shows each step.',
    'Sending the offer freezes it as a version with its letter and contract and writes to the customer. To '
      + 'change it afterwards, revise it: the next sending is the next version.',
  ] },
  { id: 'materials', title: 'Say what a production gets',
    pages: ['/admin/materials', '/admin/templates', '/admin/quotes'],
    body: [
      spell`Materials are everything that is rented out, sold, sent or read. Each has one item number; once a template,
        a license or the stock names it, the number stays. What is no longer offered is made inactive.`,
      'A BOM template lists the materials of a show with a rule for each: a fixed number, or copies per cast member, '
        + 'venue, week or performance. Lines of one substitution group stand in for each other.',
      spell`Licenses get approved templates only. Changing a template clears its approval; after the next approval it is
        a new version. A license keeps the copy it has: its BOMs tab shows what differs, and takes it over when you say
        so.`,
    ] },
  { id: 'licence', title: spell`When a license takes effect`,
    pages: ['/admin/quotes', '/admin/productions', '/admin/customers'], body: [
      'The execution policy of the offer says what must have happened: the signature alone, a deposit, the whole '
        + 'payment, or an accepted purchase order. The checklist shows what is still missing.',
      spell`The customer signs in the portal. Payments are recorded under Receivables and applied to what they pay. When
        the last condition is met the license takes effect.`,
      spell`Dates, performances and the fee of a license are changed by an amendment, never by hand; a license is ended
        by canceling it, which says what is owed or given back.`,
    ] },
  { id: 'stock', title: 'Book stock with a scanner',
    pages: ['/admin/warehouses', '/admin/stock-movements', '/admin/materials'], body: [
      'A warehouse shows what is on the shelf, promised, picked, out and in quarantine. "Available on" says what may '
        + 'be promised for that day: the shelf, less what is promised, plus returns that are due early enough.',
      'Receive delivery, Transfer and Count take codes from a hand scanner: an item number, or the barcode of a copy. '
        + 'New copies of a tracked material get a label each. A count books the difference to the books.',
      'The page of a material shows the same for each warehouse, and the next day on which some is due back. A figure '
        + 'opens what is behind it: orders that hold pieces, or the movements of that place.',
      'Movements are never changed. A wrong one is set right by another, with its reason.',
    ] },
  { id: 'sales-orders', title: 'Send and take back materials', pages: ['/admin/sales-and-royalties/sales-orders'],
    body: [
      'Release promises what the warehouse has; the rest waits as a back order and is tried again when you pick. Pick '
        + 'by scanning, print the packing list, pack, then ship with carrier and tracking number.',
      'What is sold is invoiced as it leaves. What is rented is out until it is scanned in, with its condition: good '
        + 'goes to the shelf, marked to quarantine, damaged apart. What never comes back is charged at its '
        + 'replacement price.',
    ] },
  { id: 'rights', title: 'Who may do what', pages: ['/admin/staff'], body: [
    'A role says how far somebody reaches: administrators may do everything, staff what their groups give them. '
      + 'Groups says what each permission means in plain words; Permissions shows who holds it and through which '
      + 'group. A change holds from the next click of everyone it concerns.',
    'Nobody gives a role or a right that they do not hold, nobody changes their own role, and the last system '
      + 'administrator stays. Changing a role or an email address asks you to confirm who you are.',
    'Invite people by their address: the link is good for seven days and once; sending it again ends the link '
      + 'before it. A deactivated account is signed out at once and keeps its history; it can be activated again.',
  ] },
  { id: 'box-office', title: 'Report box office', pages: ['/admin/imports', '/admin/sales-and-royalties'], body: [
    'Weekly figures are typed on the Box office tab of a production, reported by the customer in the portal, or '
      + 'imported as a file under Imports.',
    'An import shows a preview before anything is written: what will be taken, what is a duplicate, what is left '
      + 'out and why. Rows that were left out come back as a file with the reason beside each; correct it and '
      + 'upload it again.',
    'Figures that look wrong, such as a gross without performances, are questions: the percentage is posted, the '
      + 'minimum waits until somebody answers. The same file twice posts nothing.',
    'A report that overlaps another, or whose figures cannot be right, is put on hold and not counted. You or the '
      + 'customer decide: it replaces the other report, both count for a stated reason, or it is corrected.',
  ] },
  { id: 'import-lists', title: 'Import shows, venues and other lists', pages: ['/admin/imports'], body: [
    'Shows with their writers, venues, materials, royaltors, agreements with their shares and stock counts come in '
      + 'as CSV files. Templates has one for each kind: download its empty file, or keep your own columns; an import '
      + 'finds them by their heads, and what it found can be changed before anything is written.',
    'What is there already is not made twice. What may be there already is asked about: a house at the same address '
      + 'under another name, a person whose name is written otherwise, a title by other people. Say "The same" or '
      + '"Another one" for a row, or for all of them at once, then process again. "The same" also keeps the name of '
      + 'the file as another name of the record.',
    spell`A ZIP code that lost its leading zero in a spreadsheet gets it back where only one reading is left. Every row
      ends as imported, there already or left out, with its reason; the rows left out come back as a file.`,
    'A row about a record you have already may say something else of it: another capacity, another price. The preview '
      + 'names each such row with what is there now and what the file says. The records stay as they are, unless you '
      + 'choose “Are changed” at Records that differ: then filled cells are taken over, empty ones change nothing, and '
      + 'a row that a rule refuses is left out with the reason. Names, item numbers and show codes are never changed '
      + 'by a file; a show is changed only by a row with its code. Changing needs the right to change such records.',
  ] },
  { id: 'statements', title: 'State and pay royalties',
    pages: ['/admin/sales-and-royalties', '/admin/accounts-payable'], body: [
      'A statement run calculates what each royaltor is owed for a period; nothing is posted yet. Calculating '
        + 'again replaces what is not approved.',
      'Another person than the one who calculated approves. Issuing gives each statement its number, its PDF and '
        + 'one posting.',
      'A payment batch gathers issued statements and approved advances, one payment for each payee, with tax '
        + 'withheld where a rule says so. It is a payment run: another person approves it, its file is written for '
        + 'the bank, and the bank’s answer settles or returns each payment. Amounts in other currencies are fixed by '
        + 'what was approved; where you enter the payments at the bank by hand, choose Mark paid, and the rates of the '
        + 'day of payment count.',
      spell`Payments by check wait at Checks. Printing a check pays and posts it.`,
    ] },
  { id: 'receipts', title: 'Record and apply a payment', pages: ['/admin/accounts-receivable'], body: [
    'Record what came in under Receipts, with the day and the reference of the bank. Apply it to invoices, pro '
      + 'formas or deposits; what is left stays on account for the customer and can be applied later.',
    'An issued invoice is never changed. A credit note takes back all of it or a part.',
  ] },
  { id: 'bank-statements', title: 'Import statements of the bank', pages: ['/admin/banking/statements'],
    body: [
      'Download the statement from the bank as OFX, QFX, QIF, CSV, CAMT, MT940 or BAI2. Choose Import statement, the '
        + 'bank account and the file. What the file is, is told by its content, not by its name.',
      'Nothing is imported before you have seen it: the balances, the lines, and what is wrong with the file. A file '
        + 'is imported whole or not at all. The same file again brings nothing, an overlapping one only new lines.',
      'A large file is imported in the background. The window shows how far it is; you can close it, and you are '
        + 'notified at the end.',
      'Lines with the day, amount and text of lines that are here already are all shown and asked about: leave them '
        + 'out, or import them as lines of their own, all at once or line by line.',
      'The account number of the file is compared with the one of the bank account. If the bank writes it in another '
        + 'way, look at it and say that it is this account.',
      'An import with the wrong columns, or into the wrong account, is taken back on its page, with a reason. All '
        + 'lines of the file leave, and the file can be imported again. Matched or reconciled lines hold it: undo '
        + 'those first.',
      'For a CSV file you choose once which column holds what; the choice is kept with the bank account. So is the '
        + 'order of day and month, which QIF and CSV files do not tell.',
      'CAMT.052, CAMT.054 and MT942 announce lines early. They wait until the statement of the day is imported and '
        + 'never count twice.',
    ] },
  { id: 'bank-transactions', title: 'Find, enter and annotate bank transactions',
    pages: ['/admin/banking/transactions'], body: [
      'Every line of an imported statement is under Transactions. Filter by bank account, by date, by what is '
        + 'unmatched or not reconciled, and keep the view under a name.',
      'Where a bank sends no file, choose New bank transaction and enter its line. You can change it and move it to '
        + 'the trash until it is matched. When a statement brings the same date and amount later, the import asks '
        + 'whether it is the same line.',
      'A line of a statement never changes, because the bank wrote it. You can add a note and attach files to it.',
    ] },
  { id: 'bank-rules', title: spell`Let rules recognize bank lines`, pages: ['/admin/banking/rules'], body: [
    'A rule says how a line looks (its text, its amount, money in or out, the account) and what is entered for it: a '
      + 'ledger account, a receipt of a customer, or a transfer to another bank account.',
    'Text is compared without regard to case and accents: it contains your text, equals it, or fits a regular '
      + 'expression. All conditions of a rule must hold.',
    'The first rule that fits takes the line. Move rules up and down to change the order.',
    'Try a rule before you save it: the dry run shows which of the last 500 lines it takes, and which an earlier rule '
      + 'takes first. A rule alone posts nothing; it fills in the form when you match the line.',
  ] },
  { id: 'bank-accounts', title: 'Keep banks and bank accounts', pages: ['/admin/banking', '/admin/banking/banks'],
    body: [
      'Add the bank under Banks, then its account under Bank accounts. The account gets a ledger account of its own, '
        + 'in its currency. Enter the balance it starts with and the date; it is posted against Opening balances.',
      'The default of a division and currency is proposed on every form where money moves: receipts, refunds, payment '
        + 'batches. You can choose another account there. Checks and cash name none until they are deposited.',
      'Fees, interest, taxes and capital have no document: open the account and choose Record money in or out. '
        + 'Journals by hand cannot be posted to a bank account.',
      'The account number is stored encrypted, checked by its check digits, and only its last characters are shown.',
      'An account that has been used is closed, not deleted: its balance must be zero and no payment may be waiting. '
        + 'One that was never used can go to the trash.',
    ] },
  ...messagesHelp, ...bankingHelp, ...closingHelp, ...payablesHelp, ...taxHelp,
  { id: 'transfers', title: 'Move money between two accounts', pages: ['/admin/banking/transfers', '/admin/banking'],
    body: [
      'A transfer leaves one account and arrives on another of the same division. Enter both dates, or only the first: '
        + 'then it stands in transit until you record its arrival. What waits longer than five days is marked.',
      'Between two currencies enter what left and what arrived. What arrived is booked at the rate of the day; the '
        + 'difference to the rate of the bank is an exchange difference. The fee is entered beside the amount.',
      'A wrong transfer is reversed as a whole, in the menu of its row. Money between divisions is not a transfer: it '
        + 'is posted between their books.',
    ] },
  { id: 'periods', title: 'Ask for the close of a month', pages: ['/admin/accounting/periods', '/admin/accounting'],
    body: [
      'A period is one month of one division. Closing takes two people: one asks, another confirms. Postings into '
        + 'a closed month are refused. Close lists what the month still needs.',
      'A period cannot be closed while a check of Ledger integrity is broken or Opening balances (3999) is not zero. '
        + 'The refusal names the check.',
    ] },
  { id: 'opening-balances', title: 'Move in: opening balances', pages: ['/admin/accounting/opening-balances'], body: [
    'Upload one file for each kind: next numbers, trial balance, open invoices, open bills, deposits, deferred '
      + 'income, royalties owed, advances, reserves, bank balances. The dialog has a template with the columns of each.'
      + ' Nothing is posted before you have seen what was read.',
    'Every row is kept. A row with an error names the column and the reason. A set is posted whole: correct the file '
      + 'and upload it again.',
    'Lines of the trial balance for receivables, payables and bank accounts are posted on Opening balances (3999) '
      + 'only, because the documents bring these accounts. Once all sets are posted, 3999 is zero. Then the first '
      + 'month can be closed.',
    'Opening invoices and bills are paid, credited and reported like any other. They carry no tax.',
    'Until the first close, two people can reverse a set. If one of its documents was paid, credited or matched, '
      + 'take that back first. The message names the documents.',
  ] },
  { id: 'reports', title: 'Read the reports', pages: ['/admin/finance', '/admin/accounting'], body: [
    'Trial balance, profit and loss and balance sheet are read from posted transactions of one division, up to '
      + 'the day that you choose. Each figure opens the lines that it sums.',
    'Negative amounts stand in parentheses. Under each report stand its own checks, such as debits equal to '
      + 'credits.',
  ] },
  { id: 'security', title: 'Sign in safely', pages: ['/admin/staff/*/security'], body: [
    'Security is in the menu under your picture. Set up an authenticator app or a passkey there: someone who learns '
      + 'your password still can’t sign in. Keep the recovery codes where you can find them without your phone.',
    'The page lists where you are signed in. Sign out what you do not know and choose a new password; that signs '
      + 'every other device out.',
    'Changes that matter, such as bank details or a person\'s role, ask again who you are. The answer is good for 15 '
      + 'minutes.',
    'Has a colleague lost telephone and recovery codes? Make sure that it is them, then take two-factor sign-in off '
      + 'on the security page of that person.',
  ] },
  { id: 'titles', title: 'Keep a title ready for licensing', pages: ['/admin/plays', '/admin/musicals'], body: [
    'A title needs a code, a rate card in force and an agreement with its royaltors. Information says in which '
      + 'divisions and from when people may apply, and how near two productions may be.',
    spell`What was licensed keeps the prices and shares of its day; a change holds for what comes after it. A title that
      licenses or applications name cannot go to the trash: make it inactive instead.`,
    'Names in returns are its names in box-office files. Each name belongs to one title.',
  ] },
  { id: 'rate-cards', title: 'Price a title', pages: ['/admin/plays/*/rate-cards', '/admin/musicals/*/rate-cards'],
    body: [
      spell`The most specific card in force on the first performance prices a license; a title without a card of its own
        is priced by the card of the house.`,
      'A card begins as a draft that another person approves: nobody approves what they wrote. From its first day it '
        + 'ends the older card of the same kind, and approved cards are never changed.',
      'Rental packages, below the cards, price books and parts for a number of weeks, with a price for each week more.',
    ] },
  { id: 'agreements', title: 'Say who earns from a title',
    pages: ['/admin/plays/*/royaltors', '/admin/musicals/*/royaltors'], body: [
      'One agreement per royaltor and role. Its terms say which part of which income is theirs; they are tried from '
        + 'the top, and the reason of each share stands in the statement.',
      'Shares, under the agreements, shows each line of income with every share and what the house keeps, on '
        + 'any day: look there before a term is saved.',
      'Nothing accrues under a draft. An agreement in force is ended, not removed; what accrued stays owed.',
    ] },
  { id: 'restrictions', title: 'Close a title for a time or a place',
    pages: ['/admin/plays/*/restrictions', '/admin/musicals/*/restrictions'], body: [
      spell`A restriction closes a title, asks for a clearance, or allows at most so many licenses: in a division, a
        country, a circle around a place, between two days, for amateurs or professionals. What is left empty holds
        everywhere.`,
      'Customers read the reason that you write for them where a day is refused; it names no other producer. What you '
        + 'write for colleagues stays in the office.',
      'Other productions that are near in place and time ask for a clearance by themselves. The calendar shows what '
        + 'both make of each day.',
    ] },
  { id: 'bookings', title: 'See what plays when', pages: ['/admin/bookings'], body: [
    'Bookings holds every performance that was licensed, as a list from today on and as a month. A night leads to its '
      + 'production; filters and the division stand in the address.',
  ] },
  { id: 'notifications', title: 'Notifications', pages: ['/admin/notifications'], body: [
    'The bell shows the newest, this page all of it. Opening one marks it as read; several are marked at once.',
    'Settings chooses for each kind whether it comes here and whether the daily mail carries it. You hear only '
      + 'of what your rights let you open.',
  ] },
  { id: 'system', title: 'Look after the installation', pages: ['/system'], body: [
    'Health says whether database, jobs, mail, storage and the audit chain answer as they should. Integrity checks '
      + 'what must always hold in the books and names what does not.',
    'Jobs lists the work in the background of every server. A failed one says why and is run again by its button. '
      + 'The outbox keeps each mail; where one could not be delivered it says why.',
    'Audit holds every change with who made it and for whom. Its events are a chain; Verify the chain proves that none '
      + 'was altered or taken out.',
    'Divisions are the legal entities with books of their own: how documents name them and to which account customers '
      + 'pay. Settings hold at once, on every server; what is set where the server is started is shown, not changed.',
  ] },
];

export const help: Help = { articles, started: ['way', 'offset-account'] };
