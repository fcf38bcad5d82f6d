/**
 * The body of a mail: greeting, what happened, one link to the place it is about, whom to ask. As plain text and as
 * HTML that says the same. Pure.
 */
import { escapeHtml } from './html.ts';

/** A button of the mail; `href` is absolute. */
export interface MailLink {
  label: string;
  href: string;
}

/** The person to ask, as the mail names them. */
export interface MailContact {
  name: string;
  email: string | null;
  phone: string | null;
}

export interface Letter {
  /** Line above the greeting, where the mail can be answered. */
  above?: string | null | undefined;
  /** First name or organization; without one the mail begins with "Hello,". Null where the text greets by itself. */
  greeting?: string | null | undefined;
  /** Paragraphs on the event and the action to take; a line break inside one is kept. */
  paragraphs: readonly string[];
  link?: MailLink | undefined;
  /** After the link, such as what to do if the mail was not expected. */
  after?: readonly string[] | undefined;
  /** Undefined: the representative of the customer's division (mail.ts). */
  contact?: MailContact | null | undefined;
}

/** Name under every mail. */
const HOUSE = 'Grand Rights';

function opening({ greeting }: Letter): string {
  if (greeting === null) return '';
  return greeting ? `Hello ${greeting},` : 'Hello,';
}

function askingWords({ name, phone, email }: MailContact): string {
  return `Questions? ${[name, phone, email].filter(Boolean).join(', ')}`;
}

export function plainLetter(letter: Letter): string {
  return [letter.above ?? '', opening(letter), ...letter.paragraphs,
    ...(letter.link ? [`${letter.link.label}:\n${letter.link.href}`] : []),
    ...letter.after ?? [], ...(letter.contact ? [askingWords(letter.contact)] : []), HOUSE]
    .filter((part) => part !== '').join('\n\n');
}

const paragraph = (text: string): string =>
  `<p style="margin:0 0 16px">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`;

function button({ label, href }: MailLink): string {
  if (!/^https?:\/\//.test(href)) throw new Error(`The link of a mail is an address of the web: ${href}`);
  return `<p style="margin:24px 0"><a href="${escapeHtml(href)}" style="display:inline-block;padding:12px 20px;`
    + `border-radius:8px;background:#7a1f3d;color:#ffffff;text-decoration:none;font-weight:600">`
    + `${escapeHtml(label)}</a></p>`
    + `<p style="margin:0 0 16px;font-size:13px;color:#5c5258">Or open ${escapeHtml(href)}</p>`;
}

function asking(contact: MailContact): string {
  const email = contact.email === null ? null
    : `<a href="mailto:${escapeHtml(contact.email)}" style="color:#7a1f3d">${escapeHtml(contact.email)}</a>`;
  const parts = [escapeHtml(contact.name), contact.phone === null ? null : escapeHtml(contact.phone), email];
  return `<p style="margin:0 0 16px">Questions? ${parts.filter(Boolean).join(', ')}</p>`;
}

/** A whole document in inline styles, which every mail program understands; readable at 320 px. */
export function htmlLetter(letter: Letter, subject: string): string {
  const first = [opening(letter), ...letter.paragraphs].filter((text) => text !== '');
  const above = letter.above ? `<p style="margin:0 0 16px;font-size:13px;color:#5c5258">${
    escapeHtml(letter.above)}</p>` : '';
  const parts = [above, ...first.map(paragraph), letter.link ? button(letter.link) : '',
    ...(letter.after ?? []).map(paragraph), letter.contact ? asking(letter.contact) : ''];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">`
    + `<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(subject)}</title></head>`
    + `<body style="margin:0;padding:24px;background:#ffffff;color:#1f1a1c;`
    + `font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">`
    + `<div style="max-width:600px;margin:0 auto">${parts.join('')}`
    + `<p style="margin:32px 0 0;color:#5c5258">${HOUSE}</p></div></body></html>`;
}

/** The document with one more paragraph at its end. */
export function withNote(html: string, note: string): string {
  const end = html.lastIndexOf('</body>');
  return note === '' || end < 0 ? html : `${html.slice(0, end)}${paragraph(note)}${html.slice(end)}`;
}
