/** Props that the frame of an application passes to its screens, actions and dialogs. */
import type { ApplicationDetail } from './application.contract.ts';

export interface ApplicationView { application: ApplicationDetail; base: string; on: string }

export type ApplicationStep = 'assign' | 'request_info' | 'need_clearance' | 'approve' | 'convert' | 'decline';
