/** Texts for an application's state as the people who wait for it read them; pure. */
import type { ApplicationStatus } from '#kernel/licensing/application-machine.ts';
import { spell } from '#kernel/text/english.ts';
import type { Tone } from '#web/data/badge.tsx';

const WORDS: Record<ApplicationStatus, { label: string; tone: Tone; who: string }> = {
  draft: { label: 'Not submitted', tone: 'neutral', who: 'It is with you: finish it and hand it in.' },
  submitted: { label: 'Handed in', tone: 'info', who: 'It is with us, waiting for a representative.' },
  in_review: { label: 'Being read', tone: 'info', who: 'It is with us, someone is reading it.' },
  info_requested: { label: 'We have a question', tone: 'warn',
    who: 'It is with you: answer our question and we go on.' },
  clearance: { label: 'Asking for the rights', tone: 'brass',
    who: 'It is with the rights holders; we told them your dates.' },
  approved: { label: 'Approved', tone: 'ok', who: 'It is with us, we write your offer.' },
  converted: { label: 'Offer made', tone: 'ok', who: 'Your offer is being written or has been sent.' },
  declined: { label: 'Declined', tone: 'error', who: 'It could not be granted.' },
  withdrawn: { label: 'Withdrawn', tone: 'outline', who: 'You took it back.' },
  expired: { label: 'Run out', tone: 'outline', who: 'It was left unfinished and has run out.' },
};

export const applicationWords = (status: ApplicationStatus): string => WORDS[status].label;
export const applicationTone = (status: ApplicationStatus): Tone => WORDS[status].tone;
/** Current holder of the application. */
export const applicationHolder = (status: ApplicationStatus): string => WORDS[status].who;

/** After the name of who did it: 'Ruth Alderman handed it in'. */
const EVENTS: Record<string, string> = {
  submit: 'handed it in', auto_offer: 'sent you an offer automatically',
  assign: 'took it on', request_info: 'asked a question',
  respond: 'answered', need_clearance: 'asked the rights holders', approve: 'approved it', convert: 'wrote the offer',
  decline: 'declined it', withdraw: 'took it back', expire: 'let it lapse: its time had run out', create: 'began it',
};
export const eventWords = (event: string): string => EVENTS[event] ?? 'changed it';

const REASONS: Record<string, string> = {
  rights_unavailable: 'The rights are not available for these dates.',
  professional_conflict: 'A professional production holds the rights at that time.',
  proximity: 'Another production close to you plays the show at that time.',
  dates_too_soon: spell`The dates are too close to prepare a license.`,
  incomplete: 'The application was not complete.',
  arrears: 'Earlier invoices are still open.',
  not_eligible: 'The show is not licensed to this kind of group.',
  other: '',
};
export const declineWords = (code: string | null): string => (code ? REASONS[code] ?? '' : '');
