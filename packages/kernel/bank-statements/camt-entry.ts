/** One entry of a camt message, and the lines that it becomes: one, or one per detail where these add up to it. */
import { sum } from '../money/money.ts';
import { currencyCode, decimalsOf, plainAmount } from './amount-text.ts';
import { refused, filled, newLine, plainText, type BankLine, type LineDetail } from './bank-file.ts';
import { compactDay } from './day-text.ts';
import { all, at, textAt, type XmlElement } from './xml.ts';

export interface CamtEntry {
  status: string;
  currency: string | null;
  amount_minor: bigint;
  booked_on: string | null;
  value_on: string | null;
  bank_id: string | null;
  entry_ref: string | null;
  info: string;
  type: string;
  details: CamtDetail[];
  line: number;
}

interface CamtDetail {
  /** Signed; null where the detail has no amount in the entry's currency that can be read exactly. */
  amount_minor: bigint | null;
  name: string;
  account: string | null;
  memo: string;
  bank_id: string | null;
  end_to_end_id: string | null;
  original: BankLine['original'];
}

export function readEntry(element: XmlElement): CamtEntry {
  const { line } = element;
  const amount = at(element, 'Amt');
  if (!amount || amount.text.trim() === '') throw refused('line_incomplete', 'An entry has no amount.', { line });
  const currency = currencyCode(amount.attributes.get('Ccy'), line);
  const minor = plainAmount(amount.text, '.', currency, line);
  const mark = textAt(element, 'CdtDbtInd');
  if (mark !== 'CRDT' && mark !== 'DBIT') {
    throw refused('sign_unknown', 'An entry does not say whether it is a credit or a debit.', { line });
  }
  // CdtDbtInd is the sign. RvslInd says that it is a reversal and never turns it again.
  const entry = { currency, amount_minor: mark === 'DBIT' ? -minor : minor, line };
  return { ...entry, status: textAt(element, 'Sts', 'Cd') || textAt(element, 'Sts'),
    booked_on: dayOf(element, 'BookgDt'), value_on: dayOf(element, 'ValDt'),
    bank_id: filled(textAt(element, 'AcctSvcrRef')), entry_ref: filled(textAt(element, 'NtryRef')),
    info: plainText(textAt(element, 'AddtlNtryInf')), type: typeOf(element),
    details: all(element, 'NtryDtls').flatMap((group) => all(group, 'TxDtls'))
      .map((detail) => readDetail(detail, entry, mark)) };
}

/** The day of an element that holds `Dt` or `DtTm`, as written. */
export function dayOf(element: XmlElement, name: string): string | null {
  const holder = at(element, name);
  const text = textAt(holder, 'Dt') || textAt(holder, 'DtTm');
  return holder === undefined || text === '' ? null : compactDay(text, holder.line);
}

function typeOf(element: XmlElement): string {
  const code = at(element, 'BkTxCd');
  const domain = [textAt(code, 'Domn', 'Cd'), textAt(code, 'Domn', 'Fmly', 'Cd'),
    textAt(code, 'Domn', 'Fmly', 'SubFmlyCd')];
  return plainText(domain.filter((part) => part !== '').join('-') || textAt(code, 'Prtry', 'Cd'));
}

type Signed = Pick<CamtEntry, 'currency' | 'amount_minor' | 'line'>;

function readDetail(detail: XmlElement, entry: Signed, entryMark: string): CamtDetail {
  const mark = textAt(detail, 'CdtDbtInd') || entryMark;
  const isCredit = entryMark === 'CRDT';
  const parties = at(detail, 'RltdPties');
  const other = isCredit ? 'Dbtr' : 'Cdtr';
  const reference = textAt(detail, 'Refs', 'EndToEndId');
  return { amount_minor: detailAmount(detail, entry, mark), name: partyName(parties, other),
    account: filled(textAt(parties, `${other}Acct`, 'Id', 'IBAN'))
      ?? filled(textAt(parties, `${other}Acct`, 'Id', 'Othr', 'Id')),
    memo: memoOf(detail), bank_id: filled(textAt(detail, 'Refs', 'AcctSvcrRef')),
    end_to_end_id: /^not ?provided$/i.test(reference) ? null : filled(reference), original: originalOf(detail, entry) };
}

/** `Dbtr/Nm` up to version 7, `Dbtr/Pty/Nm` from 8; the ultimate party where the bank names no other. */
function partyName(parties: XmlElement | undefined, role: string): string {
  for (const name of [role, `Ultmt${role}`]) {
    const found = textAt(parties, name, 'Nm') || textAt(parties, name, 'Pty', 'Nm');
    if (found !== '') return plainText(found);
  }
  return '';
}

/** Unstructured text, else the structured reference, else what the bank adds to this detail. */
function memoOf(detail: XmlElement): string {
  const remittance = at(detail, 'RmtInf');
  const free = plainText(all(remittance, 'Ustrd').map(({ text }) => text).join(' '));
  if (free !== '') return free;
  const structured = all(remittance, 'Strd').map((one) => textAt(one, 'CdtrRefInf', 'Ref')
    || textAt(one, 'CdtrRefInf', 'CdtrRef')
    || textAt(one, 'AddtlRmtInf') || textAt(one, 'RfrdDocInf', 'Nb'));
  return plainText(structured.join(' ')) || plainText(textAt(detail, 'AddtlTxInf'));
}

/** The detail's own amount: `Amt`, else the transaction amount. Never what was instructed in another currency. */
function detailAmount(detail: XmlElement, entry: Signed, mark: string): bigint | null {
  const amount = at(detail, 'Amt') ?? at(detail, 'AmtDtls', 'TxAmt', 'Amt');
  const text = amount?.text.trim() ?? '';
  if (!amount || (amount.attributes.get('Ccy') ?? entry.currency) !== entry.currency) return null;
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{0,15}))?$/.exec(text) ?? [];
  const decimals = decimalsOf(entry.currency ?? '') ?? 2;
  if (whole === undefined || fraction.replace(/0+$/, '').length > decimals) return null;
  const minor = BigInt(`${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`);
  return mark === 'DBIT' ? -minor : minor;
}

function originalOf(detail: XmlElement, entry: Signed): BankLine['original'] {
  const amount = at(detail, 'AmtDtls', 'InstdAmt', 'Amt');
  const currency = amount?.attributes.get('Ccy') ?? '';
  return !amount || currency === '' || currency === entry.currency ? null
    : { amount: plainText(amount.text).slice(0, 40), currency: currency.slice(0, 3) };
}

/** The lines of a booked entry. A batch becomes one line per detail only where all have amounts that add up to it. */
export function entryLines(entry: CamtEntry): BankLine[] {
  const { details } = entry;
  const amounts = details.map(({ amount_minor }) => amount_minor).filter((minor) => minor !== null);
  const splits = details.length > 1 && amounts.length === details.length && sum(amounts) === entry.amount_minor;
  if (splits) return details.map((detail,
    index) => ({ ...lineOf(entry, detail), amount_minor: detail.amount_minor ?? 0n,
    bank_id: detail.bank_id ?? (entry.bank_id === null ? null : `${entry.bank_id}#${index + 1}`) }));
  const [first] = details;
  const line = lineOf(entry, details.length === 1 ? first : undefined);
  return [details.length > 1 ? { ...line, memo: plainText(details.map(({ memo }) => memo).join(' ')) || entry.info,
    details: details.map(detailOf) } : line];
}

function detailOf(detail: CamtDetail): LineDetail {
  return { amount_minor: detail.amount_minor, name: detail.name, memo: detail.memo,
    reference: detail.end_to_end_id ?? detail.bank_id ?? '' };
}

function lineOf(entry: CamtEntry, detail: CamtDetail | undefined): BankLine {
  const day = entry.booked_on ?? entry.value_on;
  if (day === null) throw refused('line_incomplete', 'An entry has no date.', entry.line);
  const endToEnd = detail?.end_to_end_id ?? null;
  // Info on the whole entry becomes the text of its line if there is only one; it is never copied onto several.
  const info = entry.details.length > 1 ? '' : entry.info;
  return { ...newLine(day, entry.amount_minor, entry.line), value_on: entry.value_on, name: detail?.name ?? '',
    memo: detail?.memo || info, reference: entry.bank_id ?? entry.entry_ref ?? endToEnd ?? '',
    bank_id: entry.bank_id ?? detail?.bank_id ?? null, end_to_end_id: endToEnd, type: entry.type,
    counterparty_account: detail?.account ?? null, original: detail?.original ?? null };
}
