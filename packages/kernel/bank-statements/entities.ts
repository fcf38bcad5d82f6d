/** Character references of XML and SGML. Nothing is ever declared or expanded beyond one character. */
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** One reference without its marks ('amp', '#38', '#x26'), or null where it stands for nothing. */
export function entity(name: string): string | null {
  if (!name.startsWith('#')) return NAMED[name] ?? null;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  const isCharacter = Number.isInteger(code) && code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : null;
}

/** The text with its references resolved; a bare `&` and an unknown name stay as they are. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,6});/g,
    (whole, name: string) => entity(name) ?? whole);
}
