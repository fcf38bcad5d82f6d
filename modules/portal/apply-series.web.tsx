/** A weekly run entered at once: its performances appear as rows that can be changed one by one. */
import { useState } from 'react';
import { newRows, type SeriesRow } from '#kernel/licensing/performance-series.ts';
import { Button } from '#web/controls/button/button.tsx';
import { NEW_SERIES, rowsOfSeries, type SeriesDraft } from '#web/controls/ticketing/series-draft.ts';
import { SeriesFields } from '#web/controls/ticketing/series-fields.tsx';
import type { Night } from './apply-values.web.ts';
import { counted } from './portal-words.web.ts';
import apply from './apply.module.css';
import styles from './portal.module.css';

export function SeriesPanel({ known, onAdd, onClose }: {
  known: readonly Night[]; onAdd: (rows: readonly SeriesRow[]) => void; onClose: () => void;
}) {
  const [draft, setDraft] = useState<SeriesDraft>(NEW_SERIES);
  const result = rowsOfSeries(draft);
  const fresh = 'rows' in result ? newRows(result.rows, known.map((night) => ({ local_date: night.day,
    local_time: night.time ?? '', type: night.type }))) : [];
  const reason = 'problem' in result ? result.text : fresh.length === 0 ? 'All of these are on the list' : undefined;
  return (
    <section className={apply.panel} aria-label="Weekly run">
      <SeriesFields value={draft} onChange={(change) => setDraft((old) => ({ ...old, ...change }))} />
      <div className={styles.row}>
        <Button variant="primary" {...(reason && { reason })} onClick={() => { onAdd(fresh); onClose(); }}>
          {fresh.length > 0 ? `Add ${counted(fresh.length, 'performance')}` : 'Add performances'}</Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </section>
  );
}
