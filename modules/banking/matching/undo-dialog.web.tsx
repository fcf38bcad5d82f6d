/** Undoing a match: the line is free again, and what the match posted is reversed. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { matchingEndpoints } from './matching.contract.ts';

export function UndoDialog({ matchId, onUndone, onClose }: {
  matchId: number; onUndone: () => void; onClose: () => void;
}) {
  const [key] = useState(() => crypto.randomUUID());
  const refresh = useRefresh([matchingEndpoints.lines, matchingEndpoints.show]);
  const read = useEndpoint(matchingEndpoints.show, { params: { id: matchId } });
  const posted = read.data?.data.entries.filter((entry) => entry.posted_by_match).length ?? 0;
  const form = useResourceForm({ initial: { reason: 'Matched by mistake' },
    submit: (body) => call(matchingEndpoints.undo, { params: { id: matchId }, body }, { idempotencyKey: key }),
    onSaved: () => { toast('Match undone'); void refresh(); onUndone(); } });
  return (
    <Modal open onClose={onClose} title="Undo match" width={480}>
      <FormFrame form={form} aria-label="Undo match" guard={false}>
        <p>{posted === 0 ? 'The bank line can be matched again. Nothing is reversed.'
          : 'The bank line can be matched again. What the match posted is reversed.'}</p>
        <TextField label="Reason" required {...form.field('reason')} maxLength={500} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Undo match</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
