/** One door to the events that need no more than a reason, for programs of the house. */
import type { WorkContext } from '#server/context.ts';
import { cancelLicense, cancelRemaining } from './cancel-license.server.ts';
import { closeLicense } from './close-license.server.ts';
import { executeByStaff } from './execute-license.server.ts';
import { findLicense, type License } from '../license-record.server.ts';
import { HOUSE } from './mover.server.ts';
import { reopenOffer, reviseOffer, sendOffer } from '../quote/send-offer.server.ts';
import { voidSignature } from '../quote/sign-offer.server.ts';

export interface Transition {
  license_id: number;
  event: 'send_offer' | 'revise' | 'reopen' | 'execute' | 'void_signature' | 'close' | 'cancel' | 'cancel_remaining';
  reason?: string;
}

/** Moves the licence by the rules of the machine; 409 where it refuses. Events of the clock: runLicenseClocks. */
export async function transition(ctx: WorkContext, input: Transition): Promise<License> {
  const move = { license_id: input.license_id, version: null, reason: input.reason ?? '' };
  switch (input.event) {
    case 'send_offer': return sendOffer(ctx, move, HOUSE);
    case 'revise': return reviseOffer(ctx, move, HOUSE);
    case 'reopen': return reopenOffer(ctx, move, HOUSE);
    case 'execute': return executeByStaff(ctx, move, HOUSE);
    case 'void_signature': return voidSignature(ctx, move, HOUSE);
    case 'close': return closeLicense(ctx, move, HOUSE);
    case 'cancel_remaining': return cancelRemaining(ctx, move, HOUSE);
    case 'cancel': {
      const { division } = await findLicense(ctx.db, input.license_id);
      return cancelLicense(ctx, { ...move, on: await ctx.today(division) }, HOUSE);
    }
  }
}
