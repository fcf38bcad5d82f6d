/** Before the work: which column feeds which field, how dates and amounts look, and what every row would become. */
import { Play } from 'lucide-react';
import { useState } from 'react';
import { countOf } from '#kernel/text/count.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { Columns, Section, SideColumn } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { importEndpoints, type ImportDetail, type ImportMapping, type ImportPreview } from './import.contract.ts';
import type { FieldSet } from './import-field.contract.ts';
import { IMPORT_KINDS } from './kinds/import-kind.contract.ts';

import { PreviewFacts, PreviewTables } from './import-preview.web.tsx';
import { ColumnNotes, ReadingChoices, Samples, undecidedAt } from './import-readings.web.tsx';
import { CHANGES, DATE_IS, DATES, DECIMALS, DELIMITER, ENCODING, SCOPES, UNITS } from './mapping-words.web.tsx';
import styles from './import.module.css';

type Draft = Pick<ImportMapping, 'columns' | 'constants' | 'date_format' | 'decimal_style' | 'amount_unit'
  | 'report_scope' | 'date_is' | 'changes' | 'encoding' | 'delimiter' | 'header_row'>;

function draftOf(mapping: ImportMapping): Draft {
  const { columns, constants, date_format, decimal_style, amount_unit, report_scope, date_is, changes, encoding,
    delimiter, header_row } = mapping;
  return { columns, constants, date_format, decimal_style, amount_unit, report_scope, date_is, changes, encoding,
    delimiter, header_row };
}

export function ImportPlan({ row }: { row: ImportDetail }) {
  const may = useMay();
  const kind = IMPORT_KINDS[row.model_name];
  const [draft, setDraft] = useState(() => draftOf(row.mapping));
  const saved = JSON.stringify(draft) === JSON.stringify(draftOf(row.mapping));
  const preview = useEndpoint(importEndpoints.preview, { params: { id: row.id } }, { staleTime: 0 });
  const save = useAction(importEndpoints.map, { done: 'Columns saved' });
  const process = useAction(importEndpoints.process);
  const checked = preview.data?.data;
  const known = preview.isFetching ? undefined : checked;
  const reason = !saved ? 'Save the columns first' : heldBy(known);
  const body = { ...draft, version: row.version };

  return (
    <Columns side={(
      <SideColumn label="Preview">
        <PreviewFacts preview={known} failure={preview.error?.message} onRetry={() => void preview.refetch()} />
        <div className={styles.actions}>
          {may('import.process') && (
            <Button variant="primary" pending={process.pending} reason={reason}
              icon={<Play size={14} aria-hidden="true" />}
              onClick={() => void process.run({ params: { id: row.id } })}>
              {actionOf(known)}
            </Button>
          )}
        </div>
      </SideColumn>
    )}>
      {row.mapping.warnings.length > 0 && (
        <div className={styles.notes}>
          {row.mapping.warnings.map((text) => <Callout key={text} tone="warn">{text}</Callout>)}
        </div>
      )}
      {row.mapping.readings.length > 0 && (
        <ReadingChoices readings={row.mapping.readings} draft={draft} onChange={setDraft} />
      )}
      <Section title="Columns" record
        description={'Choose the column each field is read from. The value beside it is used if the cell is empty or '
          + 'the file has no such column.'}>
        <FieldTable draft={draft} onChange={setDraft} mapping={row.mapping} fields={kind.fields}
          errors={{ ...undecidedAt(row.mapping, draft), ...save.failure?.fields }} />
        <ColumnNotes header={row.mapping.header} columns={draft.columns} />
      </Section>
      <Section title="File settings" record>
        <Settings draft={draft} onChange={setDraft} errors={save.failure?.fields ?? {}} mapping={row.mapping}
          returns={row.model_name === 'box_office_reports'}
          changing={kind.changing !== undefined && may(kind.changing)}
          workbook={row.file_name.toLowerCase().endsWith('.xlsx')} />
        {may('import.create') && (
          <div className={styles.actions}>
            <Button pending={save.pending} reason={saved ? 'Nothing has changed' : undefined}
              onClick={() => void save.run({ params: { id: row.id }, body })}>Save and check again</Button>
            {!saved && <Button variant="quiet" onClick={() => setDraft(draftOf(row.mapping))}>Undo changes</Button>}
          </div>
        )}
      </Section>
      <PreviewTables preview={checked} kind={kind} />
    </Columns>
  );
}

/** "Import 12 rows", "Import 12 rows, change 3 records". */
function actionOf(preview: ImportPreview | undefined): string {
  const { ready = 0, changed = 0 } = preview?.counts ?? {};
  const changes = preview?.mapping.changes === 'apply' && changed > 0 ? countOf(changed, 'record') : null;
  if (ready === 0) return changes ? `Change ${changes}` : 'Import rows';
  return changes ? `Import ${countOf(ready, 'row')}, change ${changes}` : `Import ${countOf(ready, 'row')}`;
}

function heldBy(preview: ImportPreview | undefined): string | undefined {
  if (!preview) return 'The rows are still being checked';
  if (preview.missing.length > 0) return preview.missing[0]!.text;
  return preview.counts.ready + preview.counts.duplicate === 0 ? 'No row can be imported yet' : undefined;
}

interface EditProps {
  draft: Draft;
  onChange: (draft: Draft) => void;
  errors: Record<string, string[]>;
}

function FieldTable({ draft, onChange, mapping, fields, errors }: EditProps & {
  mapping: ImportMapping; fields: FieldSet;
}) {
  const columns = mapping.header.map((text, at) => ({ value: at, label: text === '' ? `Column ${at + 1}` : text }));
  const choose = (field: string, at: number | null): void => {
    const { [field]: _old, ...others } = draft.columns;
    onChange({ ...draft, columns: at === null ? others : { ...others, [field]: at } });
  };
  const constant = (field: string, text: string): void => {
    const { [field]: _old, ...others } = draft.constants;
    onChange({ ...draft, constants: text === '' ? others : { ...others, [field]: text } });
  };
  return (
    <table className={styles.map}>
      <thead><tr>
        <th scope="col">Field</th><th scope="col">Column of the file</th><th scope="col">Default value</th>
      </tr></thead>
      <tbody>
        {Object.entries(fields).map(([field, { label, hint, required, constant: constantToo }]) => {
          return (
            <tr key={field}>
              <td>
                <span className={styles.field}>{label}{required && <span className={styles.required}>*</span>}</span>
                <span className={styles.hint}>{hint}</span>
              </td>
              <td data-label="Column of the file">
                <AsyncSelect<number> label={`Column for ${label}`} hideLabel clearable placeholder="Not in the file"
                  value={draft.columns[field] ?? null} options={columns} onChange={(at) => choose(field, at)}
                  error={errors[`columns.${field}`]?.[0]} />
                <Samples texts={mapping.samples[draft.columns[field] ?? -1]} />
              </td>
              <td data-label="Default value">
                {constantToo && (
                  <TextField label={`Value for ${label}`} hideLabel value={draft.constants[field] ?? ''}
                    onChange={(text) => constant(field, text)} error={errors[`constants.${field}`]?.[0]} />
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Unit of a row and meaning of its date are asked for box-office reports only. */
function Settings({ draft, onChange, errors, mapping, returns, changing, workbook }: EditProps & {
  mapping: ImportMapping; returns: boolean; changing: boolean; workbook: boolean;
}) {
  const set = <K extends keyof Draft>(key: K) => (value: Draft[K] | null): void => {
    if (value !== null) onChange({ ...draft, [key]: value });
  };
  return (
    <div className={styles.settings}>
      <AsyncSelect label="Dates" value={draft.date_format} options={DATES} onChange={set('date_format')}
        error={draft.date_format === null ? 'Choose a date format' : undefined} />
      <AsyncSelect label="Numbers" value={draft.decimal_style} options={DECIMALS} onChange={set('decimal_style')}
        error={draft.decimal_style === null ? 'Choose a number format' : undefined} />
      <AsyncSelect label="Amounts are in" value={draft.amount_unit} options={UNITS} onChange={set('amount_unit')} />
      {returns && (
        <>
          <AsyncSelect label="A row is" value={draft.report_scope} options={SCOPES} onChange={set('report_scope')} />
          <AsyncSelect label="The date is" value={draft.date_is} options={DATE_IS} onChange={set('date_is')} />
        </>
      )}
      {changing && (
        <AsyncSelect label="Records that differ" value={draft.changes} options={CHANGES} onChange={set('changes')}
          error={errors['changes']?.[0]} />
      )}
      {!workbook && (
        <>
          <AsyncSelect label="Encoding" value={draft.encoding} options={ENCODING} onChange={set('encoding')}
            caption={mapping.encoding_samples.length > 0 ? `Example: ${mapping.encoding_samples.join(' · ')}`
              : 'Makes no difference for this file.'} />
          <AsyncSelect label="Delimiter" value={draft.delimiter} options={DELIMITER} onChange={set('delimiter')} />
        </>
      )}
      <NumberField label="Header row" value={draft.header_row} error={errors['header_row']?.[0]}
        onChange={set('header_row')} />
    </div>
  );
}
