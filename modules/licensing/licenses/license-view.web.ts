/** Props that the frame of a license passes to its tabs, actions and dialogs. */
import type { LicenseRow, PhaseAnswer } from './license.contract.ts';
import type { LicensePlace } from './license-place.web.ts';

export interface LicenseView {
  license: LicenseRow;
  place: LicensePlace;
  events: PhaseAnswer['events'];
  /** The reader's day. */
  on: string;
}

export interface LicenseDialogProps { view: LicenseView; onClose: () => void }
