/**
 * Text that becomes a chip: trimmed, not blank, not a duplicate (compared without regard to case), a valid address
 * (rules R1, R15-R17, gap G51).
 */

/** An address as people write it: one @, a domain with a dot, no space. The server checks again with the contract. */
const ADDRESS = /^[^\s@,;<>()[\]"]{1,64}@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i;

export function isEmail(text: string): boolean {
  return text.length <= 254 && ADDRESS.test(text) && !text.includes('..');
}

export type Committed = {
  emails: string[];
  /** Text left in the input, because it is not an address yet. */
  rest: string;
  error: string;
};

/** Takes one entry, or a paste split at spaces, commas, semicolons and lines, into the list. */
export function commitEntry(emails: readonly string[], entry: string): Committed {
  const list = [...emails];
  const refused: string[] = [];
  for (const part of entry.split(/[\s,;]+/)) {
    if (part === '' || list.some((email) => email.toLowerCase() === part.toLowerCase())) continue;
    if (isEmail(part)) list.push(part);
    else refused.push(part);
  }
  return {
    emails: list,
    rest: refused.join(' '),
    error: refused.length === 0 ? '' : `${refused.join(', ')} is not a valid email address`,
  };
}
