/** Rental packages of a show: what its materials cost in each division. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { bodyValues, fieldsOf, formValues, labelsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { newestRow } from '#web/query/newest-row.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { ITEM_CLASS_LABELS } from '../catalogue-labels.web.ts';
import styles from '../catalogue.module.css';
import type { ShowRow } from '../show/show.contract.ts';
import { packageEndpoints, showPackage, type PackageRow } from './package.contract.ts';

const { show_id: _show, ...fields } = showPackage.fields;

function inWords(row: PackageRow): string {
  const period = row.included_period_count === 1 ? row.period_unit : `${row.included_period_count} ${row.period_unit}s`;
  const more = row.extra_period_price_minor === 0 ? ''
    : `, ${formatAmount(row.extra_period_price_minor, row.currency)} for each further ${row.period_unit}`;
  const shipping = row.shipping_minor === 0 ? '' : `, shipping ${formatAmount(row.shipping_minor, row.currency)}`;
  return `${formatAmount(row.price_minor, row.currency)} for ${period}${more}${shipping}`;
}

export const usePackages = (show: ShowRow) =>
  useEndpoint(packageEndpoints.list, { query: { show_id: show.id, per_page: 100 } });

export function Packages({ show, read }: { show: ShowRow; read: ReturnType<typeof usePackages> }) {
  const may = useMay();
  const refresh = useRefresh([packageEndpoints.list]);
  const [editing, setEditing] = useState<PackageRow | 'new' | null>(null);
  const rows = read.data?.data ?? [];
  return (
    <Section title="Rental packages" count={rows.length || undefined}
      description="Price of the materials in a division; a rate card can include one."
      right={may('show.update') && <Button size="small" onClick={() => setEditing('new')}>New package</Button>}>
      {read.isError && !read.data && <NotLoaded title="The packages could not be loaded" read={read} />}
      {read.data && rows.length === 0 && <p
        className={styles.entryText}>{spell`No package yet: licenses carry no rental.`}</p>}
      <ul className={styles.entries}>
        {rows.map((row) => (
          <li key={row.id} className={styles.entry}>
            <div className={styles.entryMain}>
              <div className={styles.entryHead}>
                <span>{DIVISION_LABELS[row.division]}</span><span>{ITEM_CLASS_LABELS[row.item_class]}</span>
                {!row.active && <Badge small>Inactive</Badge>}
              </div>
              <p className={styles.entryTitle}>{row.name}</p>
              <p className={styles.entryText}>{inWords(row)}</p>
            </div>
            {may('show.update') && (
              <div className={styles.entryActions}>
                <Button size="small" onClick={() => setEditing(row)}>Change</Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      <Modal open={editing !== null} onClose={() => setEditing(null)} width={640}
        title={editing === 'new' ? 'New package' : 'Change the package'}>
        {editing && (
          <PackageForm showId={show.id} row={editing === 'new' ? null : newestRow(editing, read.data?.data)}
            onSaved={() => { setEditing(null); void refresh(); toast('Package saved'); }} />
        )}
      </Modal>
    </Section>
  );
}

function PackageForm({ showId, row, onSaved }: { showId: number; row: PackageRow | null; onSaved: () => void }) {
  const form = useResourceForm<Record<string, unknown>, unknown>({
    initial: formValues(fields, row),
    record: row && { entity: 'show_package', id: row.id, version: row.version, read: packageEndpoints.list },
    submit: (values, sending) => {
      const body = bodyValues(fields, values);
      return row
        ? call(packageEndpoints.update, { params: { id: row.id }, body: { ...body, version: row.version } })
        : call(packageEndpoints.create, { body: { ...body, show_id: showId } }, sending);
    },
    onSaved,
  });
  const field = fieldsOf(form, fields, { choices: { item_class: ITEM_CLASS_LABELS,
    period_unit: { week: 'Weeks', month: 'Months' }, currency: { USD: 'USD', EUR: 'EUR', GBP: 'GBP' } } });
  return (
    <FormFrame form={form} labels={labelsOf(fields)} guard={false}>
      <FormGrid>
        {field('name')}{field('item_class')}{field('division')}{field('currency')}{field('price_minor')}
        {field('included_period_count')}{field('period_unit')}{field('extra_period_price_minor')}
        {field('shipping_minor')}
      </FormGrid>
      {field('active')}{field.others()}
      <FormActions><Button type="submit" variant="primary" pending={form.pending}>Save package</Button></FormActions>
    </FormFrame>
  );
}
