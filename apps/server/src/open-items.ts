/** Kinds of documents that a line of the bank may settle, each by its own context. */
import { transferItems } from '#modules/banking/banking.public.server.ts';
import { payableItems } from '#modules/payables/payables.public.server.ts';
import { receivableItems } from '#modules/receivables/receivables.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { OpenItems } from '#server/open-items.ts';

export const openItems: readonly OpenItems<WorkContext>[] = [receivableItems, payableItems, transferItems];
