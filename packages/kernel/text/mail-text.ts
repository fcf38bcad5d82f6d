/** The words of a mail as plain text: HTML without its markup, a reply without the mail it answers. Pure. */

/** Elements whose content is no text of the mail. */
const SKIPPED = new Set(['script', 'style', 'head', 'title', 'template', 'noscript', 'svg', 'object', 'iframe']);
const LINES = new Set(['br', 'p', 'div', 'tr', 'li', 'ul', 'ol', 'table', 'blockquote', 'h1', 'h2', 'h3', 'h4', 'hr',
  'section', 'article', 'header', 'footer', 'pre']);
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ',
  ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', hellip: '…', euro: '€', pound: '£',
  eacute: 'é', egrave: 'è', agrave: 'à', ccedil: 'ç', auml: 'ä', ouml: 'ö', uuml: 'ü', szlig: 'ß' };

function entity(name: string): string {
  if (!name.startsWith('#')) return ENTITIES[name] ?? ENTITIES[name.toLowerCase()] ?? `&${name};`;
  const code = name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const usable = Number.isInteger(code) && code > 31 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return usable ? String.fromCodePoint(code) : ' ';
}

const plain = (text: string): string =>
  text.replace(/&(#?[A-Za-z0-9]{1,10});/g, (_, name: string) => entity(name)).replace(/[ \t\r\n\f\u00a0]+/g, ' ');

/** Place after the end of the element that begins before `at`. */
function endOf(html: string, lower: string, name: string, at: number): number {
  const close = lower.indexOf(`</${name}`, at);
  if (close < 0) return html.length;
  const end = html.indexOf('>', close);
  return end < 0 ? html.length : end + 1;
}

/** Text of HTML, line by line: no element, script, style or comment of it is left. */
export function htmlAsText(html: string): string {
  const lower = html.toLowerCase();
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    parts.push(plain(html.slice(at, open < 0 ? html.length : open)));
    if (open < 0) break;
    if (lower.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open);
      at = end < 0 ? html.length : end + 3;
      continue;
    }
    const name = /^\/?([a-z][a-z0-9]*)/.exec(lower.slice(open + 1, open + 20))?.[1];
    if (name === undefined && html[open + 1] !== '!' && html[open + 1] !== '?') {
      parts.push('<');
      at = open + 1;
      continue;
    }
    const end = html.indexOf('>', open);
    at = end < 0 ? html.length : end + 1;
    if (name !== undefined && SKIPPED.has(name) && html[open + 1] !== '/') at = endOf(html, lower, name, at);
    else if (name !== undefined && LINES.has(name)) parts.push('\n');
  }
  return tidied(parts.join(''));
}

/** No space at the ends of lines, at most one empty line in a row. */
export function tidied(text: string): string {
  return text.split(/\r\n|\r|\n/).map((line) => line.trimEnd().replace(/^ (?=\S)/, '')).join('\n')
    .replace(/\n{3,}/g, '\n\n').replace(/^\n+/, '').replace(/\n+$/, '');
}

/** In every mail that can be answered, above the text: what stands below it is ours. */
export const REPLY_LINE = 'Write your answer above this line.';

// cspell:disable
const ORIGINAL = /^[>\s]*-{2,}\s*(original message|forwarded message|ursprüngliche nachricht|message d'origine)/i;
const WROTE_WORDS = 'wrote|schrieb|a écrit|escribió|ha scritto|schreef|skrev';
const WROTE = new RegExp(`^(on|am|le|el|il|op|den)\\s.{4,200}\\s(${WROTE_WORDS})(\\s.{0,120})?:$`, 'i');
const HEADER = /^\*?(from|von|de)\*?:\s/i;
const HEADERS = /^\*?(sent|date|to|subject|gesendet|an|betreff|envoyé|objet)\*?:\s/i;
// cspell:enable

/** First line of the end of the mail that is all quoted. */
function quotedTail(lines: readonly string[]): number {
  return lines.findLastIndex((line) => line.trim() !== '' && !line.trimStart().startsWith('>')) + 1;
}

/** Whether the mail that is answered begins at this line. */
function begins(lines: readonly string[], at: number): boolean {
  const line = lines[at]!.trim();
  if (line.replace(/^[>\s]+/, '') === REPLY_LINE || line === '--' || ORIGINAL.test(line)) return true;
  if (WROTE.test(line) || WROTE.test(`${line} ${(lines[at + 1] ?? '').trim()}`)) return true;
  return HEADER.test(line) && lines.slice(at + 1, at + 4).some((next) => HEADERS.test(next.trim()));
}

/**
 * What was written, and the earlier mail and signature below it. A mail that begins with the earlier one (its answer
 * stands between the lines) is kept whole.
 */
export function splitReply(text: string): { reply: string; quoted: string } {
  const lines = tidied(text).split('\n');
  const tail = quotedTail(lines);
  const at = lines.findIndex((line, index) => (index >= tail && line.trim() !== '') || begins(lines, index));
  if (at < 0) return { reply: lines.join('\n'), quoted: '' };
  const reply = tidied(lines.slice(0, at).join('\n'));
  return reply === '' ? { reply: lines.join('\n'), quoted: '' } : { reply, quoted: tidied(lines.slice(at).join('\n')) };
}
