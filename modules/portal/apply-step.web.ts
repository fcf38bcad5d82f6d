/** Props of every application step. */
import type { ResponseOf } from '#kit/endpoint.ts';
import type { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import type { ApplyValues } from './apply-values.web.ts';

export type OfferedAddOn = ResponseOf<typeof portalEndpoints.show>['data']['add_ons'][number];

export interface StepProps {
  values: ApplyValues;
  set: (changes: Partial<ApplyValues>) => void;
  customerId: number;
  base: string;
  showId: number;
  currency: string;
  venues: readonly { id: number; name: string }[];
  addOns: readonly OfferedAddOn[];
  /** A professional company says what its venues deduct from the gross. */
  isProfessional: boolean;
  /** Dates in figures begin with the day. */
  dayFirst: boolean;
  /** Leads to a step by its place, from 0. */
  goTo: (step: number) => void;
}
