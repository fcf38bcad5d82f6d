/**
 * Open items of one bank account, arranged once so that a line is compared with few of them: those of exactly its
 * amount, those it names, and those of the parties it names. An item that is none of these cannot reach the 60 points
 * of a suggestion, so nothing else has to be looked at.
 */
import { toDayNumber } from '../calendar/calendar.ts';
import { foldedName, isNamedIn, nameSimilarity, type FoldedName } from './names.ts';
import {
  compareItems, expectedMinor, WINDOW_DAYS, type Direction, type LineToMatch, type OpenItem,
} from './open-item.ts';
import { referenceKeys, type LineReferences } from './references.ts';

/** Most items that are taken from one place of the index. */
const MAX_EQUAL = 120;
const MAX_NAMED = 60;
const MAX_OF_PARTY = 60;
/** Words that so many parties share say nothing about one of them. */
const MAX_SHARED = 300;
const MAX_COMPARED = 300;
const MAX_PARTIES = 3;
const MAX_WORDS = 40;
const MIN_ACCOUNT = 6;
const SIMILAR = 0.6;

export interface IndexedItem {
  item: OpenItem;
  /** Open amount in the currency of the bank account. */
  expected: bigint;
  /** Day numbers: of the document, and the last on which it is due. */
  documentDay: number;
  dueDay: number;
  party: IndexedParty | null;
}

export interface IndexedParty {
  key: string;
  name: FoldedName;
  accounts: ReadonlySet<string>;
  /** In the order of their documents. */
  items: IndexedItem[];
}

export interface ItemIndex {
  bankAccountId: number;
  currency: string;
  /** By amount, then by the day of the document. */
  byAmount: Readonly<Record<Direction, readonly IndexedItem[]>>;
  byReference: ReadonlyMap<string, readonly IndexedItem[]>;
  byAccount: ReadonlyMap<string, readonly IndexedParty[]>;
  byName: ReadonlyMap<string, readonly IndexedParty[]>;
  byWord: ReadonlyMap<string, readonly IndexedParty[]>;
  parties: ReadonlyMap<string, IndexedParty>;
  pools: ReadonlyMap<string, readonly IndexedItem[]>;
  /** Longest time from a document to its due day. */
  longestTerm: number;
}

/** Amount of work done, in items and parties compared. */
export interface Work {
  comparisons: number;
}

export function plainAccount(text: string | null): string {
  const plain = (text ?? '').toUpperCase().replace(/[^A-Z0-9]/g, '');
  return plain.length >= MIN_ACCOUNT ? plain : '';
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function indexed(item: OpenItem, currency: string): IndexedItem | null {
  const expected = expectedMinor(item, currency);
  if (expected === null || expected <= 0n || item.open_minor <= 0n) return null;
  const documentDay = toDayNumber(item.document_on);
  const due = item.due_on === null ? documentDay : toDayNumber(item.due_on);
  return { item, expected, documentDay, dueDay: Math.max(documentDay, due), party: null };
}

function byDay(a: IndexedItem, b: IndexedItem): number {
  return a.documentDay - b.documentDay || compareItems(a.item, b.item);
}

function byAmountThenDay(a: IndexedItem, b: IndexedItem): number {
  if (a.expected !== b.expected) return a.expected < b.expected ? -1 : 1;
  return byDay(a, b);
}

/** One entry for each party; accounts that any of its items knows are its accounts. */
function indexParties(entries: readonly IndexedItem[]): Map<string, IndexedParty> {
  const parties = new Map<string, IndexedParty & { accounts: Set<string> }>();
  for (const entry of entries) {
    const { party } = entry.item;
    if (party === null) continue;
    let known = parties.get(party.key);
    if (!known) {
      known = { key: party.key, name: foldedName(party.name), accounts: new Set(), items: [] };
      parties.set(party.key, known);
    }
    for (const account of party.accounts) known.accounts.add(plainAccount(account));
    known.accounts.delete('');
    known.items.push(entry);
    entry.party = known;
  }
  return parties;
}

/** Arranges the open items that may move on one bank account. Items without an open amount are left out. */
export function buildItemIndex(
  items: readonly OpenItem[], account: { bank_account_id: number; currency: string },
): ItemIndex {
  const entries = items
    .filter((item) => item.bank_account_id === null || item.bank_account_id === account.bank_account_id)
    .flatMap((item) => indexed(item, account.currency) ?? []).sort(byDay);
  const parties = indexParties(entries);
  const byReference = new Map<string, IndexedItem[]>();
  const pools = new Map<string, IndexedItem[]>();
  for (const entry of entries) {
    const keys = new Set(entry.item.references.flatMap((reference) => referenceKeys(reference)));
    for (const key of keys) add(byReference, key, entry);
    if (entry.item.pool !== null) add(pools, entry.item.pool, entry);
  }
  const byAccount = new Map<string, IndexedParty[]>();
  const byName = new Map<string, IndexedParty[]>();
  const byWord = new Map<string, IndexedParty[]>();
  for (const party of parties.values()) {
    for (const one of party.accounts) add(byAccount, one, party);
    if (party.name.key !== '') add(byName, party.name.key, party);
    for (const word of new Set(party.name.tokens)) add(byWord, word, party);
  }
  const amounts = [...entries].sort(byAmountThenDay);
  return {
    bankAccountId: account.bank_account_id, currency: account.currency, byReference, byAccount, byName, byWord, parties,
    pools, longestTerm: entries.reduce((most, entry) => Math.max(most, entry.dueDay - entry.documentDay), 0),
    byAmount: { in: amounts.filter((entry) => entry.item.direction === 'in'),
      out: amounts.filter((entry) => entry.item.direction === 'out') },
  };
}

/** Whether a day lies within ten days of the time from the document to its due day. */
export function isInWindow(entry: IndexedItem, day: number): boolean {
  return day >= entry.documentDay - WINDOW_DAYS && day <= entry.dueDay + WINDOW_DAYS;
}

/** Days to the nearer of the two dates. */
export function distance(entry: IndexedItem, day: number): number {
  return Math.min(Math.abs(day - entry.documentDay), Math.abs(day - entry.dueDay));
}

/** First index whose entry is not before, by binary search. */
function lowerBound(
  list: readonly IndexedItem[], isBefore: (entry: IndexedItem) => boolean, work: Work,
): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    work.comparisons += 1;
    if (isBefore(list[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface Found<T> {
  found: T[];
  /** True where there were more than are looked at. */
  cutOff: boolean;
}

/** Items of exactly this amount, the latest documents first. */
export function itemsOfAmount(
  index: ItemIndex, of: { direction: Direction; amount: bigint; day: number }, work: Work,
): Found<IndexedItem> {
  const list = index.byAmount[of.direction];
  const last = of.day + WINDOW_DAYS;
  const end = lowerBound(list,
    (entry) => entry.expected < of.amount || (entry.expected === of.amount && entry.documentDay <= last), work);
  const found: IndexedItem[] = [];
  for (let at = end - 1; at >= 0; at -= 1) {
    const entry = list[at]!;
    work.comparisons += 1;
    if (entry.expected !== of.amount || entry.documentDay < of.day - WINDOW_DAYS - index.longestTerm) break;
    if (end - at > MAX_EQUAL) return { found, cutOff: true };
    if (isInWindow(entry, of.day)) found.push(entry);
  }
  return { found, cutOff: false };
}

/** Items that the line names, whatever their date: late payers name what they pay. */
export function itemsNamed(index: ItemIndex, references: LineReferences, work: Work): Found<IndexedItem> {
  const found = new Set<IndexedItem>();
  let cutOff = false;
  for (const key of references.keys) {
    const list = index.byReference.get(key) ?? [];
    if (list.length > MAX_NAMED) cutOff = true;
    for (const entry of list.slice(-MAX_NAMED)) {
      work.comparisons += 1;
      found.add(entry);
    }
  }
  return { found: [...found].sort(byDay), cutOff };
}

/** Items of a party or a pool in the window of the line, the latest documents first. */
export function itemsInWindow(list: readonly IndexedItem[], day: number, work: Work): Found<IndexedItem> {
  const end = lowerBound(list, (entry) => entry.documentDay <= day + WINDOW_DAYS, work);
  const found: IndexedItem[] = [];
  let at = end - 1;
  for (let looked = 0; at >= 0 && looked < MAX_OF_PARTY; at -= 1, looked += 1) {
    work.comparisons += 1;
    if (isInWindow(list[at]!, day)) found.push(list[at]!);
  }
  return { found, cutOff: at >= 0 };
}

export interface LineNames {
  name: FoldedName;
  memo: FoldedName;
  account: string;
}

export function lineNames(line: LineToMatch): LineNames {
  return { name: foldedName(line.name), memo: foldedName(line.memo), account: plainAccount(line.counterparty_account) };
}

/** A name that holds another is at most similar: "Castle Players of Marlow" are not the Castle Players. */
const HOLDS_NAME = 0.8;

/** Similarity of an item's party to the line; a name within the memo, a free text, counts in full. */
export function partySimilarity(party: IndexedParty | null, names: LineNames): number {
  if (party === null) return 0;
  if (isNamedIn(party.name, names.memo)) return 1;
  return Math.max(nameSimilarity(party.name, names.name), nameSimilarity(party.name, names.memo),
    isNamedIn(party.name, names.name) ? HOLDS_NAME : 0);
}

/** Parties that the line may be of: by account, by rule, by name; the likeliest first. */
export function partiesOf(
  index: ItemIndex, names: LineNames, rulePartyKey: string | null, work: Work,
): Found<IndexedParty> {
  const byRule = rulePartyKey === null ? undefined : index.parties.get(rulePartyKey);
  const sure = [...index.byAccount.get(names.account) ?? [], ...byRule ? [byRule] : []];
  const likely = new Set<IndexedParty>([...index.byName.get(names.name.key) ?? []].slice(0, MAX_SHARED));
  const words = [...new Set([...names.name.tokens, ...names.memo.tokens])].slice(0, MAX_WORDS)
    .map((word) => index.byWord.get(word) ?? []).filter((sharing) => sharing.length <= MAX_SHARED)
    .sort((a, b) => a.length - b.length);
  for (const sharing of words) {
    if (likely.size >= MAX_COMPARED) break;
    for (const party of sharing) likely.add(party);
  }
  for (const party of sure) likely.delete(party);
  const alike = [...likely].map((party) => {
    work.comparisons += 1;
    return { party, similarity: partySimilarity(party, names) };
  }).filter((one) => one.similarity >= SIMILAR)
    .sort((a, b) => b.similarity - a.similarity || (a.party.key < b.party.key ? -1 : 1));
  const all = [...new Set([...sure, ...alike.map((one) => one.party)])];
  return { found: all.slice(0, Math.max(MAX_PARTIES, Math.min(sure.length, MAX_SHARED))),
    cutOff: sure.length > MAX_SHARED };
}
