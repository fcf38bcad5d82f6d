/** The steps of a set: posted, removed, reversed by two people. */
import { Check } from 'lucide-react';
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { DeclineButton } from '#web/controls/button/decline-button.tsx';
import { FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { toast } from '#web/data/toast.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { KIND_LABELS, openingSetEndpoints, type OpeningSetDetail } from './opening-set.contract.ts';
import { SETS } from './set-words.web.tsx';
import styles from './opening.module.css';

const STALE = [approvalEndpoints.list, openingSetEndpoints.list, openingSetEndpoints.show, openingSetEndpoints.lines];
const OWN = 'You asked for this. Someone else must confirm it.';

export function SetActions({ set }: { set: OpeningSetDetail }) {
  if (set.status === 'draft') return <DraftActions set={set} />;
  return set.status === 'posted' ? <PostedActions set={set} /> : null;
}

function DraftActions({ set }: { set: OpeningSetDetail }) {
  const may = useMay();
  const { go } = useNavigation();
  const [removing, setRemoving] = useState(false);
  const post = useAction(openingSetEndpoints.post, { refresh: STALE, done: 'Opening balances posted' });
  const remove = useAction(openingSetEndpoints.remove, { refresh: [openingSetEndpoints.list], done: 'Set removed' });
  return (
    <>
      {may('transaction.create') && (
        <Button variant="primary" icon={<Glyph icon={Check} size={16} />} pending={post.pending}
          reason={set.blocked ?? undefined}
          onClick={() => void post.run({ params: { id: set.id }, body: { version: set.version } })}>
          Post
        </Button>)}
      {may('transaction.delete') && (
        <ActionMenu label="More" actions={[{ label: 'Remove set', danger: true,
          onSelect: () => setRemoving(true) }]} />)}
      <ConfirmDialog open={removing} danger title="Remove this set?" confirm="Remove set" pending={remove.pending}
        text="Nothing was posted. The file can be uploaded again." onCancel={() => setRemoving(false)}
        onConfirm={() => void remove.run({ params: { id: set.id } }).then((done) => {
          if (done) go(SETS);
        })} />
    </>
  );
}

function PostedActions({ set }: { set: OpeningSetDetail }) {
  const may = useMay();
  const user = useCurrentUser();
  const [asking, setAsking] = useState(false);
  const confirm = useAction(openingSetEndpoints.reverse, { refresh: STALE, done: 'Opening balances reversed' });
  if (!may('transaction.update')) return null;
  const mine = set.reversal_asked_by_id !== null && set.reversal_asked_by_id === user?.id;
  if (!set.reversal_asked) {
    return (
      <>
        <Button onClick={() => setAsking(true)}>Reverse set</Button>
        {asking && <ReverseForm set={set} onClose={() => setAsking(false)} />}
      </>
    );
  }
  return (
    <>
      <Button variant="danger" pending={confirm.pending} reason={mine ? OWN : undefined}
        onClick={() => void confirm.run({ params: { id: set.id },
          body: { version: set.version, reason: set.reversal_reason ?? '' } })}>
        Confirm reversal
      </Button>
      <DeclineButton endpoint={openingSetEndpoints.declineReversal} params={{ id: set.id }}
        body={{ version: set.version }}
        title={KIND_LABELS[set.kind]} refresh={STALE} label={mine ? 'Withdraw' : 'Decline'}
        text="The set stays posted. The person who asked sees the reason." />
    </>
  );
}

function ReverseForm({ set, onClose }: { set: OpeningSetDetail; onClose: () => void }) {
  const refresh = useRefresh(STALE);
  const form = useResourceForm({
    initial: { reason: '' },
    record: { entity: 'opening_set', id: set.id, version: set.version, read: openingSetEndpoints.show },
    submit: ({ reason }) => call(openingSetEndpoints.reverse, { params: { id: set.id },
      body: { version: set.version, reason } }),
    onSaved: () => { toast('Request sent: another person has to confirm it'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title="Reverse this set">
      <FormFrame form={form} aria-label="Reverse the set" guard={false}>
        <p className={styles.lead}>
          The postings are reversed and the documents voided once another person confirms it. Then the corrected file
          can be uploaded. Documents that were paid, credited or matched keep the set from being reversed.
        </p>
        <TextField label="Reason" required rows={3} {...form.field('reason')} />
        <div className={styles.foot}>
          <Button onClick={onClose}>Keep it</Button>
          <Button type="submit" variant="danger" pending={form.pending}>Ask to reverse</Button>
        </div>
      </FormFrame>
    </Modal>
  );
}
