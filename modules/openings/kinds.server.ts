/** Every kind of opening balances with its work. */
import type { OpeningKind } from '#kernel/ledger/opening-sets.ts';
import { advancesKind, reservesKind, royaltorsKind } from './kinds/agreements.server.ts';
import { banksKind } from './kinds/banks.server.ts';
import { deferredKind } from './kinds/deferred.server.ts';
import { depositsKind } from './kinds/deposits.server.ts';
import { ledgerKind } from './kinds/ledger.server.ts';
import { nextNumbersKind } from './kinds/next-numbers.server.ts';
import { payablesKind } from './kinds/payables.server.ts';
import { receivablesKind } from './kinds/receivables.server.ts';
import type { KindWork } from './opening-kind.server.ts';

export const KINDS: Readonly<Record<OpeningKind, KindWork>> = {
  ledger: ledgerKind, receivables: receivablesKind, payables: payablesKind, deposits: depositsKind,
  deferred: deferredKind, royaltors: royaltorsKind,
  reserves: reservesKind, advances: advancesKind, banks: banksKind, next_numbers: nextNumbersKind,
};
