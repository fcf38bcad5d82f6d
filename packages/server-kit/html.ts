/** HTML as text: a tagged template in which every value is escaped, unless it is markup already. Pure. */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;',
};

/** Text for the content of an element or for an attribute in quotes of either kind. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!);

/** Markup that {@link html} made: the only text that is taken as it is. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Nothing is written for null and false; the parts of a list follow each other. */
export type HtmlValue = string | number | Markup | null | false | readonly HtmlValue[];

function written(value: HtmlValue): string {
  if (value === null || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(written).join('');
}

export function html(text: TemplateStringsArray, ...values: readonly HtmlValue[]): Markup {
  return new Markup(text.reduce((all, part, at) =>
    `${all}${part}${at < values.length ? written(values[at]!) : ''}`, ''));
}

/** Data for programs inside a page: no sign in it can end the element. */
export function jsonBlock(data: unknown): Markup {
  const json = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return new Markup(`<script type="application/ld+json">${json}</script>`);
}
