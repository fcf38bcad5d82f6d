/** The dialog that belongs to an event or a fact of a licence. Each asks only for what its call takes. */
import { spell } from '#kernel/text/english.ts';
import { Recipients } from '#modules/identity/email-group/recipients.web.tsx';
import { lazy, Suspense } from 'react';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useTypedName } from '#web/controls/field/typed-name.tsx';
import { UNPRINTABLE, UnprintableQuestion } from '#web/controls/failure/unprintable-question.tsx';
import { Money } from '#web/data/money.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { useAction } from '#web/query/use-action.ts';
import { ActionDialog, useFields } from '../action-dialog.web.tsx';
import { ClearanceDialog } from '../availability/clearance-dialog.web.tsx';
import { ChargesDialog } from './pricing/charges-dialog.web.tsx';
import { DiscountDialog, NegotiateDialog } from './pricing/price-dialogs.web.tsx';
import { CancelDialog } from './phase/cancel-dialog.web.tsx';
import { CastDialog, HoldDialog, RepDialog } from './license-fact-dialogs.web.tsx';
import { totalWords } from '../words.web.ts';
import { licenseEndpoints, type PHASE_CALL_EVENTS } from './license.contract.ts';
import type { LicenseDialogProps } from './license-view.web.ts';
import { DeclineDialog, ExecuteDialog, SignDialog } from './quote/sign-dialogs.web.tsx';
import { LICENSE_MONEY } from '../money/license-money.web.ts';

const AmendDialog = lazy(() => import('../amendments/amend-dialog.web.tsx')
  .then((file) => ({ default: file.AmendDialog })));

export function LicenseDialog({ dialog, ...props }: LicenseDialogProps & { dialog: string }) {
  switch (dialog) {
    case 'send_offer': return <SendOfferDialog {...props} />;
    case 'sign': return <SignDialog {...props} />;
    case 'decline': return <DeclineDialog {...props} />;
    case 'execute': return <ExecuteDialog {...props} />;
    case 'cancel': case 'cancel_remaining': return <CancelDialog
      remaining={dialog === 'cancel_remaining'} {...props} />;
    case 'amend': return <Suspense fallback={null}><AmendDialog {...props} /></Suspense>;
    case 'charges': return <ChargesDialog {...props} />;
    case 'discount': return <DiscountDialog {...props} />;
    case 'negotiate': return <NegotiateDialog {...props} />;
    case 'clearance': return <ClearanceDialog {...props} />;
    case 'rep': return <RepDialog {...props} />;
    case 'cast': return <CastDialog {...props} />;
    case 'hold': return <HoldDialog {...props} />;
    default: return <PhaseDialog event={dialog as PhaseEvent} {...props} />;
  }
}

type PhaseEvent = (typeof PHASE_CALL_EVENTS)[number];
interface PhaseWords {
  title: string; text: string; submit: string; done: string; danger?: boolean; needsReason?: boolean;
  /** Voids what people signed: the number is typed (U12). */
  typed?: boolean;
}

const WORDS: Readonly<Partial<Record<PhaseEvent, PhaseWords>>> = {
  revise: { title: 'Revise the offer', submit: 'Take back and revise', done: 'Taken back: the offer is a draft again',
    text: 'The offer goes back to draft and can no longer be signed. The next one is a new version.' },
  reopen: { title: 'Reopen', submit: 'Reopen', done: 'Reopened',
    text: 'It goes back one step. Rights and price are checked again before anything is sent.' },
  void_signature: { title: 'Void the signature', submit: 'Void signature', done: 'The signature is void', danger: true,
    needsReason: true, typed: true,
    text: 'The contract is unsigned again and the offer is open as sent. The signed file stays on record.' },
  close: { title: spell`Close the license`, submit: spell`Close license`, done: 'Closed',
    text: spell`Reports are in and the account is settled. A closed license takes no more postings.` },
};

function PhaseDialog({ event, view, onClose }: LicenseDialogProps & { event: PhaseEvent }) {
  const { license } = view;
  const action = useAction(licenseEndpoints.movePhase, { refresh: LICENSE_MONEY,
    onFailure: () => undefined, onDone: onClose,
    ...(WORDS[event] ? { done: WORDS[event].done } : {}) });
  const { values, field } = useFields({ reason: '' }, action.failure);
  const words = WORDS[event];
  const typed = useTypedName(words?.typed ? license.license_number ?? license.number : undefined, true);
  if (!words) return null;
  const required = words.needsReason === true || (event === 'reopen' && license.phase === 'closed');
  const asks = required || event !== 'close';
  return (
    <ActionDialog title={words.title} text={words.text} submit={words.submit} danger={words.danger} action={action}
      known={['reason']} onClose={onClose} reason={required && !values.reason.trim() ? 'Give a reason' : typed.held}
      onSubmit={() => void action.run({ params: { licenseId: license.id },
        body: { event, version: license.version, ...(values.reason.trim() ? { reason: values.reason } : {}) } })}>
      {asks && <TextField label="Reason" rows={3} required={required} {...field('reason')} />}
      {typed.field}
    </ActionDialog>
  );
}

function SendOfferDialog({ view, onClose }: LicenseDialogProps) {
  const { license } = view;
  const action = useAction(licenseEndpoints.movePhase, { onFailure: () => undefined, onDone: onClose,
    done: 'Offer sent' });
  const { values, field } = useFields({ recipients: [] as readonly string[],
    covering_note: '', unprintable_accepted: false },
    action.failure);
  return (
    <ActionDialog title="Send the offer" submit="Send offer" action={action} onClose={onClose}
      known={['recipients', 'covering_note']}
      text="Price and terms are frozen as the next version. The customer reads, signs or declines it online."
      onSubmit={() => void action.run({ params: { licenseId: license.id }, body: { event: 'send_offer',
        version: license.version, ...(values.recipients.length > 0 ? { recipients: [...values.recipients] } : {}),
        ...(values.covering_note.trim() ? { covering_note: values.covering_note } : {}),
        ...(values.unprintable_accepted ? { unprintable_accepted: true } : {}) } })}>
      <KeyValue columns={2} facts={[
        { label: 'Customer', value: license.customer_name },
        { label: totalWords(license), value: <Money minor={license.grand_total_minor} strong /> },
        license.security_deposit_minor > 0 && { label: 'Refundable deposit',
          value: <Money minor={license.security_deposit_minor} /> },
        { label: 'First performance', value: <DateText value={license.first_performance_on} style="weekday" /> },
        { label: 'Version', value: String(license.offer_version + 1) },
      ]} />
      <Recipients label="Recipients" {...field('recipients')}
        caption="Leave blank to send it to the people who sign for this customer." />
      <TextField label="Covering note" rows={3} maxLength={2000} {...field('covering_note')}
        caption="Goes above the offer in the email and in the portal. It is not part of the contract." />
      <UnprintableQuestion asked={action.failure?.code === UNPRINTABLE || values.unprintable_accepted}
        {...field('unprintable_accepted')} />
    </ActionDialog>
  );
}
