/**
 * Payment files read by nothing of the product's: NACHA by its positions and totals, Standard 18 by its own, pain.001
 * by the official schema where it is at hand. Each answers what it pays to whom, in minor units, or throws.
 */
// cspell:ignore Cdtr Instd Reqd Exctn
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';

export interface BankFile { payments: { name: string; account: string; minor: number; id: string }[]; value_on: string }

function demand(fact: boolean, what: string): void {
  if (!fact) throw new Error(`The bank would refuse the file: ${what}`);
}

/** Positions of the guides begin with 1 and include the last. */
const at = (line: string, from: number, to: number): string => line.slice(from - 1, to);

/** Day of the year, 1 to 366, as a date. */
function dayOf(year: number, day: number): string {
  return new Date(Date.UTC(year, 0, day)).toISOString().slice(0, 10);
}

export function readNacha(text: string): BankFile {
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  demand(lines.every((line) => line.length === 94), 'a record has another length than 94');
  demand(lines.length % 10 === 0, 'the last block is not full');
  const [header, batch] = [lines[0]!, lines[1]!];
  demand(at(header, 1, 3) === '101' && at(batch, 1, 1) === '5', 'no header');
  const entries = lines.filter((line) => line.startsWith('6'));
  const controls = lines.filter((line) => line.startsWith('8'));
  const file = lines.find((line) => line.startsWith('9') && !/^9+$/.test(line))!;
  const sum = (of: readonly string[], from: number, to: number): number =>
    of.reduce((all, line) => all + Number(at(line, from, to)), 0);
  const hash = sum(entries, 4, 11) % 10_000_000_000;
  const credits = entries.filter((line) => /^6[23]2/.test(line));
  const total = sum(credits, 30, 39);
  demand(sum(controls, 11, 20) === hash && Number(at(file, 22, 31)) === hash, 'the entry hash differs');
  demand(sum(controls, 33, 44) === total && Number(at(file, 44, 55)) === total, 'the credits differ');
  for (const line of entries) {
    const digits = Array.from(at(line, 4, 12)).map(Number);
    demand(digits.reduce((all, digit, n) => all + digit * [3, 7, 1][n % 3]!, 0) % 10 === 0, 'a check digit differs');
  }
  return { value_on: `20${at(batch, 70, 71)}-${at(batch, 72, 73)}-${at(batch, 74, 75)}`,
    payments: credits.map((line) => ({ name: at(line, 55, 76).trim(), account: at(line, 13, 29).trim(),
      minor: Number(at(line, 30, 39)), id: at(line, 80, 94) })) };
}

/** Standard 18: the value date is the business day after the day of processing, which this leaves to the reader. */
export function readBacs(text: string): BankFile {
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  demand(['VOL1', 'HDR1', 'HDR2', 'UHL1'].every((label, n) => lines[n]!.startsWith(label)), 'no headers');
  const footer = lines.find((line) => line.startsWith('UTL1'))!;
  const records = lines.filter((line) => /^\d{17}/.test(line));
  const credits = records.filter((line) => at(line, 16, 17) === '99');
  const contra = records.filter((line) => at(line, 16, 17) === '17');
  demand(records.every((line) => line.length === 100 && /^[A-Z0-9.&/\- ]*$/.test(line)), 'a record is not of its form');
  const total = credits.reduce((all, line) => all + Number(at(line, 36, 46)), 0);
  demand(contra.length === 1 && Number(at(contra[0]!, 36, 46)) === total, 'the contra differs');
  demand(Number(at(footer, 5, 17)) === total && Number(at(footer, 18, 30)) === total, 'the totals differ');
  demand(Number(at(footer, 38, 44)) === credits.length, 'the count differs');
  const processed = at(lines[3]!, 5, 10).trim();
  return { value_on: dayOf(2000 + Number(processed.slice(0, 2)), Number(processed.slice(2))),
    payments: credits.map((line) => ({ name: at(line, 83, 100).trim(), account: at(line, 1, 14),
      minor: Number(at(line, 36, 46)), id: at(line, 65, 82).trim() })) };
}

const SCHEMAS = join(resolve(process.env['SHARED_DATA'] ?? '../shared/data'), 'payments/xsd');

export function readPain(text: string): BankFile {
  const version = /pain\.001\.001\.\d\d/.exec(text)![0];
  const schema = join(SCHEMAS, `${version}.xsd`);
  if (existsSync(schema)) {
    const validator = XsdValidator.fromDoc(XmlDocument.fromBuffer(readFileSync(schema)));
    validator.validate(XmlDocument.fromString(text));
    validator.dispose();
  }
  const one = (part: string, tag: string): string => new RegExp(`<${tag}[^>]*>([^<]*)</${tag}>`).exec(part)?.[1] ?? '';
  const minor = (decimal: string): number => Math.round(Number(decimal) * 100);
  const payments = text.split('<CdtTrfTxInf>').slice(1).map((part) => ({ name: one(part.split('<Cdtr>')[1]!, 'Nm'),
    account: one(part.split('<CdtrAcct>')[1]!, 'IBAN'), minor: minor(one(part, 'InstdAmt')),
    id: one(part, 'EndToEndId') }));
  const total = payments.reduce((all, payment) => all + payment.minor, 0);
  demand(minor(one(text, 'CtrlSum')) === total && Number(one(text, 'NbOfTxs')) === payments.length, 'the sums differ');
  return { payments, value_on: /<ReqdExctnDt>\s*(?:<Dt>)?([\d-]+)/.exec(text)![1]! };
}
