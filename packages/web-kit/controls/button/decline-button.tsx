/**
 * Declines what another person prepared: asks for the reason, which that person reads, and makes the call. Verifies it
 * with a note of how it was confirmed.
 */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import { toast } from '../../data/toast.tsx';
import { Modal } from '../../layout/overlay.tsx';
import { useRefresh } from '../../query/use-refresh.ts';
import { Button, type ButtonProps } from './button.tsx';
import { FormActions, FormFrame } from '../form/form-frame.tsx';
import { TextField } from '../field/text-field.tsx';
import { useResourceForm } from '../form/use-resource-form.ts';

export interface DeclineButtonProps {
  endpoint: AnyEndpoint;
  params: Readonly<Record<string, unknown>>;
  /** Fields of the call beside the reason. */
  body: Readonly<Record<string, unknown>>;
  /** Field of the call that takes the reason. */
  field?: 'reason' | 'note';
  label?: string;
  /** The record that is declined. */
  title: string;
  /** Explanation of the consequences for the record. */
  text: string;
  /** Reads that are stale afterwards; the family of the endpoint is among them. */
  refresh?: readonly AnyEndpoint[];
  onDone?: () => void;
  /** Why it is not possible now. */
  reason?: string | undefined;
  size?: ButtonProps['size'];
}

const DONE: Readonly<Record<string, string>> = { 'Decline': 'Declined', 'Send back': 'Sent back', 'Void': 'Voided',
  'Verify': 'Verified', 'Withdraw': 'Withdrawn' };

export function DeclineButton(props: DeclineButtonProps) {
  const [open, setOpen] = useState(false);
  const { label = 'Decline', reason, size = 'small' } = props;
  return (
    <>
      <Button size={size} variant="quiet" reason={reason} onClick={() => setOpen(true)}>{label}</Button>
      {open && <DeclineForm {...props} label={label} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Takes the note of the call-back first. */
export function VerifyButton(props: Omit<DeclineButtonProps, 'field' | 'label'>) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size={props.size ?? 'small'} reason={props.reason} onClick={() => setOpen(true)}>Verify</Button>
      {open && <VerifyForm {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

export function VerifyForm(props: Omit<DeclineButtonProps, 'field' | 'label'> & { onClose: () => void }) {
  return <DeclineForm {...props} field="note" label="Verify" ask="Call-back note" variant="primary"
    caption="Name of the person who confirmed the details, and the phone number you called." />;
}

function DeclineForm({ endpoint, params, body, field = 'reason', label, title, text, refresh = [], onDone, onClose,
  ask = field === 'note' ? 'Question' : 'Reason', caption, variant = 'danger' }:
DeclineButtonProps & { label: string; onClose: () => void; ask?: string; caption?: string;
  variant?: 'danger' | 'primary' }) {
  const reread = useRefresh([endpoint, ...refresh]);
  const form = useResourceForm({
    initial: { [field]: '' } as Record<'reason' | 'note', string>,
    // The endpoint is that of the page; each takes its reason under its own name.
    submit: (values) => call(endpoint, { params, body: { ...body, [field]: values[field] } } as never),
    onSaved: () => {
      toast(`${DONE[label] ?? label}: ${title}`);
      onClose();
      void reread();
      onDone?.();
    },
  });
  return (
    <Modal open onClose={onClose} title={`${label}: ${title}`}>
      <FormFrame form={form} guard={false} aria-label={label}>
        <p>{text}</p>
        <TextField label={ask} caption={caption} required rows={3} {...form.field(field)} />
        <FormActions>
          <Button type="submit" variant={variant} pending={form.pending}>{label}</Button>
          <Button onClick={onClose}>Cancel</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
