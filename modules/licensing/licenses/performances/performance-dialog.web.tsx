/** Adds performances to a draft (one, or the same curtain on several days), or changes one of them. */
import { addDays } from '#kernel/calendar/calendar.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { TimeField } from '#web/controls/field/time-field.tsx';
import { useAction } from '#web/query/use-action.ts';
import { ActionDialog, errorsOf, useFields } from '../../action-dialog.web.tsx';
import { licenseEndpoints, type LicenseRow } from '../license.contract.ts';
import type { LicenseVenueRow } from '../venues/license-venue.contract.ts';
import { optionsOf, PERFORMANCE_TYPE_WORDS } from '../../words.web.ts';
import { performanceEndpoints, type PerformanceRow, type PERFORMANCE_TYPES } from './performance.contract.ts';
import styles from '../../licensing.module.css';

type Kind = (typeof PERFORMANCE_TYPES)[number];

function useStart(performances: readonly PerformanceRow[], performance: PerformanceRow | undefined) {
  const last = performances.at(-1);
  return {
    local_date: performance?.local_date ?? (last ? addDays(last.local_date, 1) : null),
    local_time: (performance?.local_time.slice(0, 5) ?? last?.local_time.slice(0, 5) ?? '19:30') as string | null,
    type: (performance?.type ?? 'public') as Kind,
    is_free: performance?.is_free ?? false,
    expected_attendance: performance?.expected_attendance ?? null,
    days: 1 as number | null,
  };
}

export function PerformanceDialog({ license, venue, performance, onClose }: {
  license: LicenseRow; venue: LicenseVenueRow; performance?: PerformanceRow | undefined; onClose: () => void;
}) {
  const options = { refresh: [licenseEndpoints.show], onFailure: () => undefined, onDone: onClose };
  const create = useAction(performanceEndpoints.create, { ...options, done: 'Performances added' });
  const update = useAction(performanceEndpoints.update, { ...options, done: 'Performance changed' });
  const action = performance ? update : create;
  const rows = (license.performances ?? []).filter((row) => row.license_venue_id === venue.id);
  const { values, field } = useFields<ReturnType<typeof useStart>>(useStart(rows, performance), action.failure);
  const at = (name: string) => errorsOf(action.failure)[`rows.0.${name}`] ?? errorsOf(action.failure)[name];
  const days = Math.min(Math.max(values.days ?? 1, 1), 60);
  const submit = () => {
    const { local_date: first, local_time, type, is_free, expected_attendance } = values;
    if (!first || !local_time) return;
    const common = { local_time, type, is_free, expected_attendance };
    if (performance) {
      void update.run({ params: { licenseId: license.id, id: performance.id },
        body: { local_date: first, ...common, version: performance.version } });
      return;
    }
    const dates = Array.from({ length: days }, (_, index) => addDays(first, index));
    void create.run({ params: { licenseId: license.id }, body: { license_venue_id: venue.id,
      rows: dates.map((local_date) => ({ local_date, ...common })) } });
  };
  const missing = !values.local_date ? 'Enter the date' : !values.local_time ? 'Enter the curtain time' : undefined;
  return (
    <ActionDialog title={performance ? 'Change the performance' : 'Add performances'} action={action} onClose={onClose}
      submit={performance ? 'Save performance' : days === 1 ? 'Add performance' : `Add ${days} performances`}
      reason={missing} onSubmit={submit} known={['rows.0.local_date', 'rows.0.local_time', 'local_date', 'local_time']}
      text={`At ${venue.name}, as the venue's clock shows it.`}>
      <div className={styles.pair}>
        <DateField label="Date" required {...field('local_date')} error={at('local_date')} />
        <TimeField label="Curtain" required {...field('local_time')} error={at('local_time')} />
        <AsyncSelect<string> label="Type" options={optionsOf(PERFORMANCE_TYPE_WORDS)} value={values.type}
          onChange={(value) => field('type').onChange((value ?? 'public') as Kind)} />
        {performance ? <NumberField label="Expected attendance" {...field('expected_attendance')} />
          : <NumberField label="On how many days in a row" {...field('days')} />}
      </div>
      <Checkbox label="Free admission" {...field('is_free')} />
    </ActionDialog>
  );
}
