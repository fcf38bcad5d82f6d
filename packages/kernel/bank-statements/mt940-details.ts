/** Field :86: of MT940: free text, the German subfields (?20 to ?63), the Dutch words (/NAME/, /EREF/), and :NS:. */
import { filled, plainText, type BankLine } from './bank-file.ts';

type Details = Partial<BankLine>;

/** Returns the details the field adds to its line. */
export function readDetails(tag: string, lines: readonly string[], line: BankLine): Details {
  if (tag === 'NS') return nsDetails(lines, line);
  // Structured subfields are wrapped at any character: joined by nothing. Free text is joined by one blank.
  const first = (lines[0] ?? '').trimStart();
  const mark = /^(\d{3})([^A-Za-z0-9\s/+:,.-])(?=\d{2})/.exec(first);
  if (mark) return subfieldDetails(lines.join('').trimStart(), mark[1] ?? '', mark[2] ?? '?', line);
  const text = plainText(lines.join(' '));
  const unbroken = plainText(lines.join(''));
  return { memo: plainText(`${line.memo} ${text}`), name: slashWord(unbroken, 'NAME') || line.name,
    end_to_end_id: filled(slashWord(unbroken, 'EREF')) ?? line.end_to_end_id,
    counterparty_account: filled(slashWord(unbroken, 'IBAN')) ?? line.counterparty_account };
}

/** The text behind '/WORD/' up to the next such word. */
function slashWord(text: string, word: string): string {
  const from = text.indexOf(`/${word}/`);
  if (from < 0) return '';
  const rest = text.slice(from + word.length + 2, from + word.length + 200);
  const end = rest.search(/\/[A-Z]{4}\//);
  return plainText(end < 0 ? rest : rest.slice(0, end));
}

function subfieldDetails(text: string, code: string, mark: string, line: BankLine): Details {
  const fields = new Map<string, string>();
  for (const part of text.slice(3).split(mark)) {
    const key = part.slice(0, 2);
    if (/^\d{2}$/.test(key)) fields.set(key, (fields.get(key) ?? '') + part.slice(2));
  }
  const joined = (keys: number[]): string => keys.map((key) => fields.get(String(key).padStart(2, '0')) ?? '').join('');
  const purpose = joined([20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 60, 61, 62, 63]);
  const name = plainText(joined([32, 33]));
  const memo = plainText(purpose) || plainText(fields.get('00') ?? '');
  return { name, memo: plainText(`${line.memo} ${memo}`), type: line.type || code,
    end_to_end_id: endToEnd(purpose) ?? line.end_to_end_id,
    counterparty_account: filled(fields.get('31')) ?? line.counterparty_account };
}

const SEPA_WORDS = /(?:(?:EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|COAM|OAMT|IBAN|BIC)\+|MTLG:)/;

/** The end-to-end reference among the SEPA words of the purpose. */
function endToEnd(purpose: string): string | null {
  const from = purpose.indexOf('EREF+');
  if (from < 0) return null;
  const rest = purpose.slice(from + 5, from + 200);
  const end = rest.search(SEPA_WORDS);
  const found = filled(end < 0 ? rest : rest.slice(0, end));
  return found && /^not ?provided$/i.test(found) ? null : found;
}

/** ':NS:' of some German banks: lines of a two-digit key and its text, 01 to 14 the purpose, 15 the name. */
function nsDetails(lines: readonly string[], line: BankLine): Details {
  const field = (from: number, to: number): string => plainText(lines
    .filter((text) => /^\d{2}/.test(text) && Number(text.slice(0, 2)) >= from && Number(text.slice(0, 2)) <= to)
    .map((text) => text.slice(2)).join(' '));
  return { memo: plainText(`${line.memo} ${field(1, 14)}`), name: field(15, 16) || line.name };
}
