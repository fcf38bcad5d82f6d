/** Help for staff on messages of customers, mail, and memos. */
import { spell } from '#kernel/text/english.ts';
import type { HelpArticle } from '#web/help/help-search.ts';

export const messagesHelp: readonly HelpArticle[] = [
  { id: 'messages', title: 'Write to a customer', pages: ['/admin/quotes', '/admin/customers'], body: [
    'Messages of a quote or production are mailed to admins and signers of the customer and stand in their portal. A '
      + 'message of the customer is a task of the representative until somebody answers, here or by mail.',
    'An “Unverified sender” wrote from an address outside the production: call the customer before you rely on it. '
      + 'A line in red names a mail that did not arrive: correct the address of that person.',
  ] },
  { id: 'unplaced-mail', title: 'Place mail that names no production', pages: ['/admin/unplaced-mail'], body: [
    'An answer to one of our mails goes to the messages of its production by itself. Mail that answers none waits '
      + 'here, and on Home, until somebody decides it. Open it by its subject.',
    'Place it where it belongs. It is shown there, to the customer too, as of an “Unverified sender”: call the '
      + 'customer before you rely on it. Its files go along and are shown to staff only. Or dismiss it, with a reason.',
  ] },
  { id: 'memos', title: 'Memos and colleagues named in them', pages: ['/admin/quotes', '/admin/applications'], body: [
    spell`A memo stands at a license or an application and is never changed or taken away. An internal one is read by
      staff alone; take the tick away and the customer reads it at the production or the application, and is told.`,
    'Type @ and the first letters of a name: the list has everybody who may open this record. Arrows and Enter, or a '
      + 'click, take one; Escape leaves what you typed. Whoever is named is told at the bell, once for each memo, and '
      + 'by the daily mail unless they turned that off in their profile.',
    'A name in a memo follows the person: after another name it shows the new one.',
  ] },
];
