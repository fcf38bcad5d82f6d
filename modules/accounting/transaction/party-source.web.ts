/** Parties of one kind as the options of a select. */
import { optionsFrom } from '#web/query/options-from.ts';
import { journalEntryEndpoints } from './journal-entry.contract.ts';

export const partySource = (type: string) => optionsFrom(journalEntryEndpoints.parties,
  (row) => ({ value: row.id, label: row.name, children: row.note }), { params: { type } });
