/** Deletes a draft in the trash for good, once a person has confirmed it by its number. */
import { useState } from 'react';
import type { Endpoint } from '#kit/endpoint.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { useAction } from '#web/query/use-action.ts';

type Purge = Endpoint<`${string}/{id}/force`, undefined, undefined, undefined, null>;

export function PurgeButton({ endpoint, row, noun }: { endpoint: Purge; row: { id: number; number: string };
  noun: string }) {
  const [asking, setAsking] = useState(false);
  const purge = useAction(endpoint, { done: `${noun} deleted for good` });
  return (
    <>
      <Button size="small" variant="quiet" pending={purge.pending} onClick={() => setAsking(true)}>
        Delete for good
      </Button>
      <ConfirmDialog open={asking} danger title={`Delete ${row.number} for good?`} confirm="Delete for good"
        text="It cannot be restored." onCancel={() => setAsking(false)}
        onConfirm={() => { setAsking(false); void purge.run({ params: { id: row.id } }); }} />
    </>
  );
}
