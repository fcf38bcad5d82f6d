/** Division, contents, day and file: the set opens with what was read. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { DIVISION_LABELS, DIVISIONS, type Division } from '#kit/field.ts';
import { OPENING_KINDS, type OpeningKind } from '#kernel/ledger/opening-sets.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FileDrop } from '#web/controls/field/file-drop.tsx';
import { FormGrid } from '#web/controls/form/form-frame.tsx';
import { today } from '#web/data/local-day.ts';
import { useDivision } from '#web/layout/division.ts';
import { Modal } from '#web/layout/overlay.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useRefresh } from '#web/query/use-refresh.ts';
import { KIND_LABELS, OPENING_FILE_TYPES, openingSetEndpoints } from './opening-set.contract.ts';
import { KIND_NOTES, SETS } from './set-words.web.tsx';
import styles from './opening.module.css';

const DATES = [{ value: 'MM/DD/YYYY', label: 'Month first: 11/25/2026' },
  { value: 'DD/MM/YYYY', label: 'Day first: 25/11/2026' }, { value: 'DD.MM.YYYY', label: 'Day first: 25.11.2026' },
  { value: 'YYYY-MM-DD', label: 'Year first: 2026-11-25' }] as const;
const DECIMALS = [{ value: 'point', label: 'Point: 1,234.56' }, { value: 'comma', label: 'Comma: 1.234,56' }] as const;

export function UploadDialog({ onClose }: { onClose: () => void }) {
  const { go } = useNavigation();
  const refresh = useRefresh([openingSetEndpoints.list]);
  const [current] = useDivision();
  const [division, setDivision] = useState<Division | null>(current);
  const [kind, setKind] = useState<OpeningKind | null>(null);
  const [asOf, setAsOf] = useState<string | null>(today());
  const [dates, setDates] = useState<(typeof DATES)[number]['value'] | null>(null);
  const [decimals, setDecimals] = useState<(typeof DECIMALS)[number]['value'] | null>(null);
  async function send(file: File, progress: (share: number) => void, signal: AbortSignal) {
    if (division === null || kind === null || asOf === null) return;
    const body = { division, kind, as_of: asOf, ...(dates && { date_format: dates }),
      ...(decimals && { decimal_style: decimals }) };
    const form = new FormData();
    for (const [name, value] of Object.entries(body)) form.set(name, value);
    form.set('file', file);
    const answer = await call(openingSetEndpoints.create, { body }, { form, signal,
      idempotencyKey: crypto.randomUUID(),
      onUploadProgress: (event) => progress(event.total ? event.loaded / event.total : 0) });
    void refresh();
    go(`${SETS}/${answer.data.id}`);
  }
  return (
    <Modal open title="Upload opening balances" onClose={onClose}>
      <div className={styles.dialog}>
        <AsyncSelect<OpeningKind> label="Contents" required value={kind} onChange={setKind}
          options={OPENING_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
          caption={kind === null ? undefined : KIND_NOTES[kind]} />
        <FormGrid>
          <AsyncSelect<Division> label="Division" required value={division} onChange={setDivision}
            options={DIVISIONS.map((value) => ({ value, label: DIVISION_LABELS[value] }))} />
          <DateField label="As of" required value={asOf} onChange={setAsOf}
            caption="Last day of the former books" />
        </FormGrid>
        <FormGrid>
          <AsyncSelect label="Dates" value={dates} onChange={setDates} options={[...DATES]}
            placeholder="As the file shows" />
          <AsyncSelect label="Decimals" value={decimals} onChange={setDecimals} options={[...DECIMALS]}
            placeholder="As the file shows" />
        </FormGrid>
        <FileDrop label="The file" types={OPENING_FILE_TYPES.map((type) => `.${type}`)} onUpload={send}
          disabled={kind === null || division === null || asOf === null} taken="read" />
        {kind !== null && (
          <ButtonLink size="small" download=""
            href={openingSetEndpoints.template.path.replace('{kind}', kind)}>
            Download an empty file with these columns
          </ButtonLink>)}
      </div>
    </Modal>
  );
}
