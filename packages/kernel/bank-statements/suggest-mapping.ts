/**
 * A mapping proposed for a sheet that has none: heads by their names in the languages of our banks, the order of dates
 * and the decimal mark only where the file itself tells. A person confirms it in the preview: nothing imports by a
 * guess.
 */
import { sheetAmount } from './amount-text.ts';
import { BankFileRefused, type DateOrder, type DecimalMark } from './bank-file.ts';
import { needsDateOrder, orderedDay, suggestedOrder } from './day-text.ts';
import type { AmountColumns, SheetMapping, SheetRow } from './sheet.ts';

export interface SuggestedMapping {
  mapping: SheetMapping;
  /** Choices still to be made, by the names the form uses. */
  open: ('booked' | 'amount' | 'date_order' | 'decimal_mark')[];
}

type Role = 'booked' | 'value' | 'amount' | 'money_in' | 'money_out' | 'mark' | 'name' | 'memo' | 'reference'
  | 'bank_id' | 'check_number' | 'counterparty_account' | 'currency' | 'account' | 'balance' | 'status';

/** Heads without accents, in lower case. `*` at the end takes what follows. A head has the first role that lists it. */
const HEADS: readonly [Role, string][] = [
  ['value', 'value date|valuta|valutadatum|valuta datum|valuta date|rentedatum|wertstellung|date valeur|date de valeur'
    + '|fecha valor|data valuta|available_on*'],
  ['booked', 'date|datum|booking date|booked|transaction date|posting date|posted|post date|date processed|buchungstag'
    + '|buchungsdatum|buchung|boekdatum|date d.operation|date operation|date comptable|fecha|fecha operacion|data'
    + '|data contabile|datum verrekening|datum zauctovani|datum zauetovani|datetime|timestamp|created_utc'],
  ['balance', 'balance|running balance|saldo|saldo na trn|solde|kontostand|ending balance'],
  ['money_in', 'credit|credits|credit amount|deposit|deposits|deposits (*|money in|paid in|inflow|haben|gutschrift'
    + '|entree|entrees|abono|received amount|bij'],
  ['money_out', 'debit|debits|debit amount|withdrawal|withdrawals|withdrawals (*|money out|paid out|outflow|soll'
    + '|lastschrift|debet|sortie|sorties|cargo|sent amount|af'],
  ['mark', 'd/c|dc|cr/dr|dr/cr|debit/credit|credit/debit|af bij|af/bij|s/h|soll/haben|code d/c'],
  ['amount', 'amount|net|amount (*|amount czk|bedrag|betrag|buchungsbetrag|umsatz|montant|importe|importo'
    + '|castka*|eastka*'],
  ['currency', 'currency|ccy|munt|wahrung|buchungswahrung|devise|divisa|waluta'],
  ['account', 'account|account number|account id|accountid|rekening|rekeningnummer|iban/bban|konto|kontonummer|compte'
    + '|cuenta|bankovni spojeni|bank account details'],
  ['counterparty_account', 'bank account|iban|tegenrekening*|rekeningnummer tegenpartij|counterparty account'
    + '|counterparty iban|kontonummer/iban|protiucet'],
  ['name', 'name|payee|partner name|counterparty|naam|naam tegenpartij|begunstigter*|auftraggeber*|beneficiaire'
    + '|beneficiario|handelaar|nazev protiuctu|counteraccount name'],
  ['bank_id', 'transaction id|id|fitid|transactiereferentie|balance_transaction_id|txn id|volgnr'
    + '|referencni cislo transakce|refereeni eislo transakce|transaction reference number'],
  ['check_number', 'check|cheque|check no|cheque no|check number|cheque number|check #'],
  ['reference', 'reference|ref|ref.|betalingskenmerk|gestructureerde mededeling|kundenreferenz|referencia'
    + '|buchungsreferenz'],
  ['status', 'status|state|statut|estado'],
  ['memo', 'description*|label|detail|details|memo|note|narrative|particulars|omschrijving*|verwendungszweck'
    + '|buchungstext|libelle|concepto|descrizione|text|toelichting|vrije mededeling|transaktionsbeschreibung*'
    + '|zprava pro prijemce|zprava pro poijemce|message for payee|reporting_category|type|title'],
];

const ROLES = new Map<string, Role>();
const PREFIXES: [string, Role][] = [];
for (const [role, names] of HEADS) {
  for (const name of names.split('|')) {
    if (name.endsWith('*')) PREFIXES.push([name.slice(0, -1), role]);
    else if (!ROLES.has(name)) ROLES.set(name, role);
  }
}

function roleOf(cell: string): Role | undefined {
  const head = cell.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
    .replace(/\s+/g, ' ').replace(/['’]/g, '.').slice(0, 60);
  return ROLES.get(head) ?? PREFIXES.find(([name]) => head.startsWith(name))?.[1];
}

const HEADER_ROWS = 30;

/** Proposes columns by their heads. Null where no row looks like heads. */
export function suggestMapping(rows: readonly SheetRow[]): SuggestedMapping | null {
  let best: { row: SheetRow; roles: Map<Role, number[]> } | null = null;
  for (const row of rows.slice(0, HEADER_ROWS)) {
    const roles = rolesOf(row.cells);
    if (roles.size > (best?.roles.size ?? 1)) best = { row, roles };
  }
  return best ? mappingOf(rows, best.row, best.roles) : null;
}

function rolesOf(cells: readonly string[]): Map<Role, number[]> {
  const roles = new Map<Role, number[]>();
  cells.forEach((cell, index) => {
    const role = roleOf(cell);
    if (role) roles.set(role, [...roles.get(role) ?? [], index]);
  });
  return roles;
}

function mappingOf(rows: readonly SheetRow[], header: SheetRow, roles: ReadonlyMap<Role, number[]>): SuggestedMapping {
  const first = (role: Role): number | undefined => roles.get(role)?.[0];
  const below = rows.filter(({ row_no }) => row_no > header.row_no);
  const head = (index: number | undefined): string | number | undefined => {
    if (index === undefined) return undefined;
    const text = header.cells[index]?.trim() ?? '';
    const repeated = header.cells.filter((cell) => cell.trim().toLowerCase() === text.toLowerCase()).length > 1;
    return text === '' || repeated ? index : text;
  };
  const booked = first('booked') ?? first('value');
  const amounts = amountColumns(roles, below, head);
  const days = booked === undefined ? [] : below.map(({ cells }) => cells[booked] ?? '');
  const date_order = days.some((day) => needsDateOrder(day)) ? suggestedOrder(days) : null;
  const decimal_mark = suggestedMark(below, [...roles.get('amount') ?? [], ...roles.get('money_in') ?? [],
    ...roles.get('money_out') ?? [], ...roles.get('balance') ?? []]);
  const open: SuggestedMapping['open'] = [];
  if (booked === undefined) open.push('booked');
  if (!amounts) open.push('amount');
  if (date_order === null && days.some((day) => needsDateOrder(day))) open.push('date_order');
  if (decimal_mark === 'unknown') open.push('decimal_mark');
  const memo = (roles.get('memo') ?? []).map((index) => head(index)).filter((ref) => ref !== undefined);
  return { open, mapping: { header_row: header.row_no, footer_rows: footerRows(days), date_order,
    decimal_mark: decimal_mark === 'unknown' ? null : decimal_mark,
    amount: amounts ?? { kind: 'signed', amount: head(0) ?? 0, inverted: false },
    columns: { booked: head(booked) ?? 0, value: head(first('value')), name: head(first('name')), memo,
      reference: head(first('reference')), bank_id: head(first('bank_id')), check_number: head(first('check_number')),
      counterparty_account: head(first('counterparty_account')), currency: head(first('currency')),
      account: head(first('account')), balance: head(first('balance')), status: head(first('status')) } } };
}

type Head = (index: number | undefined) => string | number | undefined;

/** One signed amount beats two columns: banks that give both repeat the same figures. */
function amountColumns(
  roles: ReadonlyMap<Role, number[]>, below: readonly SheetRow[], head: Head,
): AmountColumns | null {
  const [amount] = roles.get('amount') ?? [];
  const [mark] = roles.get('mark') ?? [];
  const [moneyIn] = roles.get('money_in') ?? [];
  const [moneyOut] = roles.get('money_out') ?? [];
  if (amount !== undefined && mark !== undefined) {
    return { kind: 'marked', amount: head(amount) ?? amount, mark: head(mark) ?? mark,
      out_marks: ['D', 'DR', 'DBIT', 'Debit', 'S', 'Af', 'Soll'],
        in_marks: ['C', 'CR', 'CRDT', 'K', 'Credit', 'H', 'Bij', 'Haben'] };
  }
  if (amount !== undefined) return { kind: 'signed', amount: head(amount) ?? amount, inverted: false };
  const only = moneyIn ?? moneyOut;
  if (only === undefined) return null;
  if (moneyIn === undefined || moneyOut === undefined) {
    return { kind: 'signed', amount: head(only) ?? only, inverted: moneyIn === undefined };
  }
  const outs = below.map(({ cells }) => (cells[moneyOut] ?? '').trim()).filter((text) => /[1-9]/.test(text));
  return { kind: 'in_and_out', money_in: head(moneyIn) ?? moneyIn, money_out: head(moneyOut) ?? moneyOut,
    out_is_negative: outs.length > 0 && outs.every((text) => /^[-\u2212(]/.test(text)) };
}

/** The mark that the amounts themselves show; null where none has decimals, 'unknown' where they could be either. */
function suggestedMark(rows: readonly SheetRow[], columns: readonly number[]): DecimalMark | null | 'unknown' {
  let ambiguous = false;
  for (const { cells } of rows) {
    for (const column of columns) {
      const text = (cells[column] ?? '').trim();
      const last = /[.,](?=[^.,]*$)/.exec(text)?.[0];
      if (last !== '.' && last !== ',') continue;
      try {
        sheetAmount(text, null, null, null);
        if (!/[.,]\d{3}$/.test(text.replace(/[^\d.,]+$/, '')) || /[.,].*[.,]/.test(text)) return markOf(text, last);
      } catch (error) {
        if (!(error instanceof BankFileRefused)) throw error;
        if (error.refusal.code === 'decimal_mark_required') ambiguous = true;
      }
    }
  }
  return ambiguous ? 'unknown' : null;
}

/** '1.234.567' shows its grouping, not its decimals. */
function markOf(text: string, last: DecimalMark): DecimalMark {
  const grouping = text.indexOf(last) !== text.lastIndexOf(last);
  if (!grouping) return last;
  return last === '.' ? ',' : '.';
}

const MOST_FOOTERS = 5;

/** A few rows at the end whose date is none: totals and remarks. Where more are none, the dates are what is wrong. */
function footerRows(days: readonly string[]): number {
  let rows = 0;
  for (let at = days.length - 1; at >= 0; at -= 1) {
    const day = days[at]?.trim() ?? '';
    const reads = (['dmy', 'mdy'] satisfies DateOrder[]).some((order) => orderedDay(day, order) !== null);
    if (reads || day === '' || /^[a-z]+$/i.test(day)) break;
    rows += 1;
  }
  return rows > MOST_FOOTERS || rows === days.length ? 0 : rows;
}
