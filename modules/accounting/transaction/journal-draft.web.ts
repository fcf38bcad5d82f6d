/** A journal as its form holds it, and as it travels. */
import type { BodyIn, ResponseOf } from '#kit/endpoint.ts';
import type { PARTY_TYPES } from '../ledger-account/ledger-account.contract.ts';
import type { transactionEndpoints } from './transaction.contract.ts';

export type Transaction = ResponseOf<typeof transactionEndpoints.show>['data'];
export type PartyType = (typeof PARTY_TYPES)[number];

export interface LineDraft {
  ledger_account_id: number | null;
  account_label: string;
  /** Kinds of parties its account asks for; null where it asks for none. */
  wants: readonly string[] | null;
  party_type: PartyType | null;
  party_id: number | null;
  party_label: string;
  memo: string;
  debit_minor: number | null;
  credit_minor: number | null;
}

export type JournalDraft = { transaction_at: string | null; description: string; memo: string;
  journal_entries: LineDraft[] };

export const EMPTY_LINE: LineDraft = { ledger_account_id: null, account_label: '', wants: null, party_type: null,
  party_id: null, party_label: '', memo: '', debit_minor: null, credit_minor: null };

export function draftOf(row: Transaction): JournalDraft {
  return {
    transaction_at: row.transaction_at, description: row.description, memo: row.memo,
    journal_entries: row.journal_entries.map((entry) => ({
      ledger_account_id: entry.ledger_account_id, account_label: `${entry.account_code} ${entry.account_name}`,
      wants: entry.party_type === null ? null : [entry.party_type], party_type: entry.party_type as PartyType | null,
      party_id: entry.party_id, party_label: entry.party_name ?? '', memo: entry.memo ?? '',
      debit_minor: entry.debit_minor || null, credit_minor: entry.credit_minor || null,
    })),
  };
}

export function sumsOf(lines: readonly LineDraft[]): { debit: number; credit: number; difference: number } {
  const debit = lines.reduce((all, line) => all + (line.debit_minor ?? 0), 0);
  const credit = lines.reduce((all, line) => all + (line.credit_minor ?? 0), 0);
  return { debit, credit, difference: debit - credit };
}

/** Body of the call; empty fields are sent, so that the server reports at each field what is missing. */
export function bodyOf(
  draft: JournalDraft, division: Transaction['division'],
): BodyIn<typeof transactionEndpoints.create> {
  return {
    division, transaction_at: draft.transaction_at ?? '', description: draft.description, memo: draft.memo,
    journal_entries: draft.journal_entries.map((line) => ({
      ledger_account_id: line.ledger_account_id ?? 0, debit_minor: line.debit_minor ?? 0,
      credit_minor: line.credit_minor ?? 0, ...(line.memo.trim() === '' ? {} : { memo: line.memo }),
      ...(line.party_type === null || line.party_id === null ? {}
        : { party_type: line.party_type, party_id: line.party_id }),
    })),
  };
}
