/** Help for customers: short articles in the words of the portal. */
import { spell } from '#kernel/text/english.ts';
import type { Help } from '#web/help/help-button.tsx';
import type { HelpArticle } from '#web/help/help-search.ts';

const articles: readonly HelpArticle[] = [
  { id: 'apply', title: spell`Apply for a license`,
    pages: ['/customer/*/shows', '/customer/*/applications'], body: [
    'Choose a show under Shows and press Apply. Four steps ask for your production, where you play, when, and '
      + 'your seats and prices. What it costs and whether your days are free stand beside the form while you '
      + 'type.',
    'Enter a weekly run fills in a series of dates at once, with matinees. Other prices for matinees gives them seats '
      + 'and prices of their own. For a tour, Add a venue continues a week later with the same seats and prices, and '
      + 'Paste a list takes venues, dates and times from a spreadsheet.',
    'Archival recording, streaming and add-ons show their prices beside the box. Other dates are the days on which the '
      + 'run could open instead.',
    'What you typed is kept while you go on. After you have sent it we answer with an offer; you find it under '
      + 'Productions, and a mail tells you.',
  ] },
  { id: 'read', title: 'Read a show before you apply',
    pages: ['/customer/*/perusals', '/customer/*/shows'], body: [
    'On the page of a show, Ask to read it sends us your request: a script on the screen for nothing, or a book by '
      + 'post for a small fee. How many may be open at a time, and for how long, is what we agreed with you.',
    'A script opens here under Shows, Perusals, until the day we tell you. Turn pages with the arrow keys, enlarge '
      + 'with + and -, and press T to have a page as text. Every page carries the name of who reads it.',
    'Return a book by the day shown with the perusal. Ask us before if you need it longer; '
      + 'afterwards it says how many days it is late.',
  ] },
  { id: 'shop', title: 'Buy books and merchandise',
    pages: ['/customer/*/shop', '/customer/*/orders', '/customer/*/shows'], body: [
    'Add puts a thing into your cart, which stays in this browser until you order or take it out. The total shows '
      + 'shipping and tax as they will be on the invoice.',
    'The cart in the bar opens on every page. Choose one of your places or type another address; the tax follows it.',
    spell`An admin or signer of your organization places the order. With payment terms the invoice comes with the
      parcel; without, a payment request stands with the order, and we pack it as soon as that is paid. Under Orders you
      see how far it is.`,
  ] },
  { id: 'addresses', title: 'Shipping addresses', pages: ['/customer/*/information', '/customer/*/productions'],
    body: [
      'Information lists the addresses to which we send books and parts. Add a stage door or a school office, and say '
        + 'which is the usual one: orders go there unless you choose another in the cart.',
      'What was ordered before keeps its address. Ask us to send it elsewhere as long as it has not left.',
    ] },
  { id: 'details', title: 'Change name, kind or billing address', pages: ['/customer/*/information'], body: [
    spell`Admins change the details of your organization under Information, Change details: legal name, kind, billing
      address, phone and VAT number. We check the change and tell you by mail; until then your papers show what is on
      file.`,
    'The page after your first sign-in asks for the same, so that contracts and invoices are right from the start. You '
      + 'may skip it.',
    'One change waits at a time: another one takes its place, and Withdraw takes it back.',
  ] },
  { id: 'exemption', title: 'Buy without sales tax', pages: ['/customer/*/information'], body: [
    spell`Schools and non-profits of the United States upload their exemption certificate under Information, Tax
      exemption: the file, its state, number and days. Invoices are without sales tax once we have checked it, while it
      is valid.`,
    'A certificate that ends soon is marked. Upload the renewed one before: an invoice after its last day carries the '
      + 'tax.',
  ] },
  { id: 'files', title: 'Download the files of your production',
    pages: ['/customer/*/productions'], body: [
    spell`Files that your license brings stand under Materials of the production, from the day they are sent until two
      weeks after the last night. Your license and your name stand on every page of a PDF; audio and pictures have your
      license in their name, and are heard or seen here once you have downloaded them.`,
    'Each file can be downloaded a few times; the remaining number is shown beside it. Ask us if you need more.',
  ] },
  { id: 'add-ons', title: 'Add tracks, streaming and more', pages: ['/customer/*/productions'], body: [
    spell`Add-ons of your production stand under its Materials, with the days on which you may use each and what belongs
      in your program.`,
    'Add-ons are listed below with their prices. “See price” shows the price with tax; “Send request” adds it at '
      + 'once, or asks us if the rights holder has to agree. You sign the addendum and get an invoice.',
  ] },
  { id: 'sign', title: 'Sign the offer and pay',
    pages: ['/customer/*/productions'], body: [
    spell`The offer shows what it costs line by line, and the contract. Someone of your organization who may sign signs
      with name and title.`,
    spell`What must be paid before the license takes effect, and until when, stands on the page of your production. You
      may announce and sell tickets when it says so.`,
  ] },
  { id: 'messages', title: 'Write to your licensing representative', pages: ['/customer/*/productions'], body: [
    'The overview of a production shows your licensing representative with phone and email. Under Messages you write '
      + 'to us, attach files of up to 25 MB each, and read what we answered.',
    'We also email our answers. Where the mail says so, you can simply answer it, from the address it was sent to: '
      + 'mail from another address is marked as unverified.',
  ] },
  { id: 'pay', title: 'Pay an invoice or a deposit',
    pages: ['/customer/*/transactions', '/customer/*/invoices', '/customer/*/deposits'], body: [
    'Open the invoice, or the deposit under its production, in Payments. For a bank transfer it shows payee, '
      + 'account, amount and reference; Copy takes each into the form of your bank. For euros there is a code as well: '
      + 'a banking app that reads it fills in all of it.',
    'Where card or bank debit is offered, you pay on the page of our payment service and come back here. A card counts '
      + 'at once. A bank debit counts when your bank has paid it, which takes some days; until then the invoice says '
      + 'that it is on its way.',
    'Always write the reference, so that we find your payment. The invoice stays open until the money arrives; a '
      + 'purchase order is noted, but is not a payment. If no account is shown, ask us.',
  ] },
  { id: 'receipt', title: 'Find the receipt of a payment',
    pages: ['/customer/*/receipts', '/customer/*/transactions'], body: [
    'Choose Transactions in Payments and open the payment, or follow its number from an invoice that it paid. The page '
      + 'shows amount, day and payment method, the invoices it paid, and what is left on your account for the next '
      + 'ones.',
    'Receipt (PDF) is the paper for your books.',
  ] },
  { id: 'box-office', title: 'Report your box office',
    pages: ['/customer/*/productions'], body: [
    spell`Where your license asks for a share of the box office, each week waits for your figures under Box office of
      the production: the gross, what is deducted, performances and tickets.`,
    '“Upload a file” takes the CSV or Excel file of your box-office system, for one week or many. Match its columns '
      + 'once; we remember them. “Report a week” shows all venues of a week on one page. Our questions are shown '
      + 'before you send.',
    'Add deductions and attach the statement to a report. “Enter seats by price” adds up the gross of a performance.',
    'We look at figures that seem unusual and may ask. What is due then comes as an invoice.',
    'A report on hold is not counted yet and says why. Replace the other report, give the reason why both count, '
      + 'or correct the figures and send the report again.',
    'Two of you can fill in one report: nights that only one of you changed come together, a night both changed is '
      + 'shown side by side. Whoever certifies sees all figures first.',
  ] },
  { id: 'changes', title: 'Change dates or performances',
    pages: ['/customer/*/productions'], body: [
    'Ask for a change on the page of your production: other dates, more or fewer performances, another venue, other '
      + 'seats or prices. You see what it changes in the price before you send it, and sign the addendum here.',
    spell`If the new dates are not known yet, choose Ask to postpone. Your license stays valid and its price the same;
      enter the dates under Ask for a change when you know them.`,
  ] },
  { id: 'documents', title: 'Find contracts and invoices',
    pages: ['/customer/*/documents', '/customer/*/transactions', '/customer/*/invoices'], body: [
    spell`Contracts, addenda and licenses are under Documents, invoices under Payments; each can be downloaded as a PDF
      at any time.`,
  ] },
  { id: 'people', title: 'Who may do what',
    pages: ['/customer/*/users', '/customer/*/information'], body: [
    spell`Admins and signers of your organization apply, sign and pay. Members read and prepare drafts.`,
    'Admins keep the list under Users: they invite by mail, accept or decline who asks to join, change roles and take '
      + 'people out. One admin always stays. Whoever is concerned gets a mail.',
  ] },
  { id: 'security', title: 'Sign in safely', pages: ['/customer/*/account'], body: [
    'Under Your account, Security, you set up an authenticator app or a passkey. Someone who learns your password then '
      + 'still stays outside. Keep the recovery codes: each lets you in once without your telephone.',
    'The same page lists where you are signed in. Sign out what you do not know and choose a new password.',
  ] },
  { id: 'home', title: 'See what is next', pages: ['/customer/*'], body: [
    'Home shows your next production and, under To do, what waits for you: to sign, pay, upload or report, the '
      + 'most urgent first, with its day. What is late is red.',
    'The glass in the bar, Ctrl K or ⌘ K, finds your productions, applications, shows, documents, invoices, orders and '
      + 'perusals by number or by words.',
  ] },
  { id: 'statement', title: 'Check your account with us', pages: ['/customer/*/statement', '/customer/*/transactions'],
    body: [
      'The statement of account lists what was invoiced, paid and credited between two days, with the balance after '
        + 'each, one table for each currency. Take it along as a PDF or for a spreadsheet.',
    ] },
  { id: 'notifications', title: 'What we tell you',
    pages: ['/customer/*/notifications', '/customer/*/account/notification'], body: [
      spell`Notifications holds what we told you about this organization. Open one to see what it is about; that marks
        it as read. The button beside it marks it without opening.`,
      'Settings chooses what comes here and what a daily mail carries. Offers and invoices have mails of their '
        + 'own.',
    ] },
  { id: 'activity', title: 'Audit trail', pages: ['/customer/*/activity'], body: [
    'Activity lists what happened to your productions: offers, signatures, payments, changes, with who did it. Each '
      + 'line leads to its production.',
  ] },
];

export const help: Help = { articles, started: ['apply', 'sign'] };
