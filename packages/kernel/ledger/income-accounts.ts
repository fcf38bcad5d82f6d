/** Income accounts of the chart by name (accounting.md 2.1). */
export const INCOME = {
  /** License fees that passed through deferred income. */
  fees: '4000',
  /** Billed when earned: lines of box-office reports, advances as they are recouped. */
  reported: '4010',
  rental: '4100',
  /** Scripts, music, merchandise, digital access and add-ons. */
  sales: '4200',
  shipping: '4300',
  other_fees: '4400',
  forfeited: '4500',
  late_interest: '4600',
} as const;

/** Bank charges passed on to the customer lessen the cost. */
export const BANK_CHARGES = '6100';
