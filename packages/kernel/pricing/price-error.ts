/** A calculation that cannot be made, with a code for the wire and words for the person who can mend it. */
export type PriceErrorCode =
  | 'rate.no_band' | 'rate.no_tier' | 'rate.incomplete' | 'price.attendance_missing' | 'price.no_performances'
  | 'price.fee_missing' | 'price.currency' | 'price.instant' | 'plan.shares' | 'plan.kinds';

export class PriceError extends Error {
  readonly code: PriceErrorCode;
  constructor(code: PriceErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
