/** Receivables as a subscriber to money events: what another division collected. */
import type { WorkContext } from '#server/context.ts';
import type { ReceivablesMoney } from '#server/money-events.ts';
import { collectedElsewhere, collectionTakenBack, refuseAppliedCollection } from './collected-elsewhere.server.ts';

export const receivablesMoney: ReceivablesMoney<WorkContext> = { collectedElsewhere, refuseAppliedCollection,
  collectionTakenBack };
