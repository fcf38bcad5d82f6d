/** Conditions for the next phase: the owner of each, the due date, and the phase waiting for it (domain.md 6.1). */
import { CircleCheck, CircleDashed, CircleSlash, Cog } from 'lucide-react';
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Badge, phaseLook } from '#web/data/badge.tsx';
import { formatInstant } from '#web/data/date-text.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { ActionDialog, useFields } from '../action-dialog.web.tsx';
import { LicenseFrame } from '../licenses/license-frame.web.tsx';
import type { LicenseView } from '../licenses/license-view.web.ts';
import { LicenseTasks } from '../tasks/license-tasks.web.tsx';
import { dueWords } from '../words.web.ts';
import { checklistEndpoints, type ChecklistRow } from './checklist.contract.ts';
import styles from '../licensing.module.css';

export default function ChecklistTab() {
  return <LicenseFrame>{(view) => <Checklist view={view} />}</LicenseFrame>;
}

function Checklist({ view }: { view: LicenseView }) {
  const { license } = view;
  const read = useEndpoint(checklistEndpoints.list, { params: { licenseId: license.id } });
  const [waiving, setWaiving] = useState<ChecklistRow | null>(null);
  const items = read.data?.data;
  if (read.isError && !items) {
    return <NotLoaded title="The checklist did not load" read={read} />;
  }
  if (!items) return <PageContent record><Skeleton height={180} /></PageContent>;
  if (items.length === 0) {
    return <EmptyState title="Nothing to tick off" text="Items appear as the offer is made ready, sent and signed." />;
  }
  const open = items.filter((item) => item.status === 'open');
  const settled = items.filter((item) => item.status !== 'open');
  return (
    <PageContent record>
      <LicenseTasks view={view} />
      {open.length > 0 && (
        <Section title="To do" count={open.length}>
          <ItemList items={open} view={view} onWaive={setWaiving} />
        </Section>
      )}
      {settled.length > 0 && (
        <Section title="Done" count={settled.length}>
          <ItemList items={settled} view={view} onWaive={setWaiving} />
        </Section>
      )}
      {waiving && <WaiveDialog item={waiving} onClose={() => setWaiving(null)} />}
    </PageContent>
  );
}

function ItemList({ items, view, onWaive }: {
  items: readonly ChecklistRow[]; view: LicenseView; onWaive: (item: ChecklistRow) => void;
}) {
  return (
    <ul className={styles.lines}>
      {items.map((item) => <Item key={item.id} item={item} view={view} onWaive={() => onWaive(item)} />)}
    </ul>
  );
}

function detailsOf(item: ChecklistRow): string {
  const done = item.done_at && `${item.status === 'waived' ? 'Waived' : 'Done'} ${formatInstant(item.done_at)}`;
  return [item.owner === 'customer' ? 'Customer' : 'Staff', done && item.done_by_name
    ? `${done} by ${item.done_by_name}` : done,
    item.note].filter(Boolean).join(' · ');
}

function Item({ item, view, onWaive }: { item: ChecklistRow; view: LicenseView; onWaive: () => void }) {
  const may = useMay();
  const action = useAction(checklistEndpoints.update, {});
  const set = (status: 'open' | 'done') => void action.run({ params: { licenseId: item.license_id, itemId: item.id },
    body: { version: item.version, status, note: item.note } });
  const open = item.status === 'open';
  const due = open ? dueWords(item.due_on, view.on) : '';
  const icon = item.status === 'done' ? CircleCheck : item.status === 'waived' ? CircleSlash : CircleDashed;
  return (
    <li>
      <span className={styles.mark} data-tone={item.status === 'done' ? 'ok' : 'open'}><Glyph icon={icon}
        size={17} /></span>
      <div className={styles.grow}>
        <div className={open ? styles.strong : undefined}>
          {item.label}<span className="gr-hidden">, {item.status}</span>
        </div>
        <div className={styles.faint}>{detailsOf(item)}</div>
      </div>
      <div className={styles.lineSide}>
        {due && <Badge small tone={due.endsWith('late') ? 'error' : due === 'Today' ? 'warn' : 'outline'}>{due}</Badge>}
        {open && item.blocks_phase && <Badge small
          tone="outline">Before {phaseLook(item.blocks_phase).label.toLowerCase()}</Badge>}
        {item.automatic && <Badge small tone="neutral" icon={Cog}
          title="Ticked by itself when it becomes true">Automatic</Badge>}
        {may('license.update') && open && !item.automatic && (
          <Button size="small" pending={action.pending} onClick={() => set('done')}>Done</Button>
        )}
        {may('license.update') && open && <Button size="small" variant="quiet" onClick={onWaive}>Waive</Button>}
        {may('license.update') && !open && !(item.automatic && item.status === 'done') && (
          <Button size="small" variant="quiet" pending={action.pending} onClick={() => set('open')}>Reopen</Button>
        )}
      </div>
    </li>
  );
}

function WaiveDialog({ item, onClose }: { item: ChecklistRow; onClose: () => void }) {
  const action = useAction(checklistEndpoints.update, { onFailure: () => undefined, onDone: onClose, done: 'Waived' });
  const { values, field } = useFields({ note: '' }, action.failure);
  return (
    <ActionDialog title={`Waive “${item.label}”`} submit="Waive item" action={action} known={['note']} onClose={onClose}
      text={spell`The license goes on without it. The reason stays on record.`}
      reason={values.note.trim() ? undefined : 'Give a reason'}
      onSubmit={() => void action.run({ params: { licenseId: item.license_id, itemId: item.id },
        body: { version: item.version, status: 'waived', note: values.note } })}>
      <TextField label="Reason" required rows={3} {...field('note')} />
    </ActionDialog>
  );
}
