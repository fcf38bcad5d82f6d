/** Perusals: who asks, who reads, what is out and due back. */
import { lazy, useState } from 'react';
import { DIVISION_LABELS } from '#kit/field.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { DataTable } from '#web/data/data-table.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { customerSource, showSource } from '../stock-sources.web.ts';
import { NewPerusalDialog } from './new-perusal.web.tsx';
import { perusalBulk, perusalEndpoints, type PerusalRow } from './perusal.contract.ts';
import { FORMAT_LABELS, perusalColumns, PERUSALS, STATUS_LABELS } from './perusal-words.web.tsx';
import styles from './perusal.module.css';

const PerusalPeek = lazy(() => import('./perusal-peek.web.tsx'));

const filters = [
  { name: 'status', label: 'Status', options: optionsOf(STATUS_LABELS) },
  { name: 'format', label: 'Format', options: optionsOf(FORMAT_LABELS) },
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
];

export default function Perusals() {
  const may = useMay();
  const { values, set } = useQueryValues();
  const [asking, setAsking] = useState(false);
  const list = useList(perusalEndpoints.list, {},
    { filters: ['status', 'format', 'division', 'customer_id', 'show_id'], bulk: perusalBulk });
  const chosen = (name: string): number | null => Number(values.get(name)) || null;
  return (
    <>
      <PageHeader title="Perusals" subtitle="Perusal loans">
        {may('license_material.create') && (
          <Button variant="primary" onClick={() => setAsking(true)}>New perusal</Button>
        )}
      </PageHeader>
      <DataTable label="Perusals" {...list} columns={perusalColumns} filters={filters} rowKey={(row) => row.id}
        peek={PerusalPeek}
        {...(may('license_material.show') ? { rowHref: (row: PerusalRow) => `${PERUSALS}/${row.id}` } : {})}
        searchPlaceholder="Number, show or customer"
        tools={(
          <span className={styles.chosen}>
            {may('show.list') && (
              <AsyncSelect<number> label="Show" hideLabel placeholder="Every show" clearable source={showSource}
                value={chosen('show_id')} selectedLabel={list.rows?.[0]?.show_title}
                onChange={(id) => set({ show_id: id === null ? null : String(id), page: null })} />
            )}
            {may('customer.list') && (
              <AsyncSelect<number> label="Customer" hideLabel placeholder="Every customer" clearable
                source={customerSource} value={chosen('customer_id')} selectedLabel={list.rows?.[0]?.customer_name}
                onChange={(id) => set({ customer_id: id === null ? null : String(id), page: null })} />
            )}
          </span>
        )}
        empty={{ title: 'No perusals', text: 'Customers ask to read a title on its page in the portal.' }} />
      {asking && <NewPerusalDialog onClose={() => setAsking(false)} />}
    </>
  );
}
