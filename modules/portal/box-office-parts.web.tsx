/** Parts of a box-office report: deductions, seats by price, attached files. */
import { Plus, X } from 'lucide-react';
import { call } from '#kit/client.ts';
import { deductionLabel } from '#kernel/pricing/deduction-words.ts';
import { DEDUCTION_TYPES } from '#modules/licensing/box-office/box-office.contract.ts';
import { boxOfficeFileEndpoints } from '#modules/licensing/box-office/box-office-file.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { FileDrop } from '#web/controls/field/file-drop.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import type { Band, Deduction } from './box-office-values.web.ts';
import type { Portal } from './portal-parts.web.tsx';
import styles from './portal.module.css';

const KINDS = DEDUCTION_TYPES.map((value) => ({ value, label: deductionLabel(value) }));

export function DeductionRows({ rows, currency, of, onChange, error }: { rows: readonly Deduction[]; currency: string;
  /** The report that they belong to, for screen readers where several are on a page. */
  of?: string | undefined; onChange: (rows: Deduction[]) => void; error?: string | null | undefined }) {
  const set = (at: number, change: Partial<Deduction>) =>
    onChange(rows.map((row, n) => (n === at ? { ...row, ...change } : row)));
  const name = (n: number) => `${n + 1}${of ? `, ${of}` : ''}`;
  return (
    <div className={styles.tight}>
      {rows.map((row, n) => (
        <div key={n} className={styles.deductionRow}>
          <AsyncSelect label={`Deduction ${name(n)}`} options={KINDS} value={row.type}
            onChange={(type) => set(n, { type: type ?? 'other' })} />
          <MoneyField label={`Amount of deduction ${name(n)}`} currency={currency} value={row.amount_minor}
            onChange={(amount_minor) => set(n, { amount_minor })} />
          <IconButton label={`Remove deduction ${name(n)}`} icon={<X aria-hidden="true" />}
            onClick={() => onChange(rows.filter((_, other) => other !== n))} />
        </div>
      ))}
      {error && <p role="alert" className={styles.late}>{error}</p>}
      <div>
        <Button variant="quiet" icon={<Glyph icon={Plus} />} aria-label={`Add a deduction${of ? `, ${of}` : ''}`}
          onClick={() => onChange([...rows, { type: 'card_commission', amount_minor: null, note: '' }])}>
          Add a deduction</Button>
      </div>
    </div>
  );
}

/** Seats sold at each price; together they make the seats and the gross of the performance. */
export function PriceRows({ bands, currency, night, onChange }: { bands: readonly Band[]; currency: string;
  night: string; onChange: (bands: Band[]) => void }) {
  return (
    <div className={styles.fields} role="group" aria-label={`Seats by price, ${night}`}>
      {bands.map((band, n) => (
        <NumberField key={n} value={band.seats}
          label={`${band.label || 'Seats'} at ${formatAmount(band.price_minor, currency)}`}
          onChange={(seats) => onChange(bands.map((one, other) => (other === n ? { ...one, seats } : one)))} />
      ))}
    </div>
  );
}

export interface Attached { file_id: number; name: string }

/** One file to the server; answers what it is called there. */
export async function uploadFigures(
  portal: Portal, licenseId: number, file: File, progress: (share: number) => void, signal: AbortSignal,
): Promise<Attached> {
  const form = new FormData();
  form.append('file', file);
  const { data } = await call(boxOfficeFileEndpoints.upload, { params: { id: portal.customerId, licenseId } },
    { form, signal, onUploadProgress: (event) => progress(event.total ? event.loaded / event.total : 0) });
  return data;
}

/** The box-office statement beside its figures. */
export function Attachments({ files, portal, licenseId, reportId, onChange }: { files: readonly Attached[];
  portal: Portal; licenseId: number; reportId: number; onChange: (files: Attached[]) => void }) {
  return (
    <div className={styles.tight}>
      {files.length > 0 && (
        <ul className={styles.plain} aria-label="Attached files">
          {files.map((file) => (
            <li key={file.file_id}>
              <a className="gr-link" href={fileAddress(portal.customerId, licenseId, reportId, file.file_id)}>
                {file.name}</a>
              <IconButton size="small" label={`Detach ${file.name}`} icon={<X aria-hidden="true" />}
                onClick={() => onChange(files.filter((one) => one !== file))} />
            </li>
          ))}
        </ul>
      )}
      <FileDrop label="Attach the box-office statement" multiple disabled={portal.held !== undefined}
        types={['.csv', '.txt', '.xlsx', '.pdf', '.png', '.jpg', '.jpeg']}
        onUpload={async (file, progress, signal) => {
          const kept = await uploadFigures(portal, licenseId, file, progress, signal);
          onChange([...files, kept]);
        }} />
    </div>
  );
}

export const fileAddress = (customerId: number, licenseId: number, reportId: number, fileId: number): string =>
  `/api/customers/${customerId}/licenses/${licenseId}/box_office_reports/${reportId}/files/${fileId}`;
