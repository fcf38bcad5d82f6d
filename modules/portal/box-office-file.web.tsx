/** A file of the organization's box-office system: its columns, the reports it makes, what each would raise. */
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { urlOf } from '#kit/client.ts';
import type { BodyIn } from '#kit/endpoint.ts';
import { boxOfficeFileEndpoints, FILE_FIELDS, type FileReading, type FileRow }
  from '#modules/licensing/box-office/box-office-file.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { FileDrop } from '#web/controls/field/file-drop.tsx';
import { RadioGroup } from '#web/controls/field/radio-group.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { daySpan, formatDay } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { useAction } from '#web/query/use-action.ts';
import { uploadFigures } from './box-office-parts.web.tsx';
import { QuestionList, SendReports } from './box-office-send.web.tsx';
import type { ProductionProps } from './production-frame.web.tsx';
import styles from './portal.module.css';

type Choice = BodyIn<typeof boxOfficeFileEndpoints.read>;
type Columns = NonNullable<Choice['columns']>;
type Props = ProductionProps & { onClose: () => void };

export function BoxOfficeFile(props: Props) {
  const { production, portal, onClose } = props;
  const params = { id: portal.customerId, licenseId: production.id };
  const [reading, setReading] = useState<FileReading | null>(null);
  const [round, setRound] = useState(0);
  const read = useAction(boxOfficeFileEndpoints.read, { onFailure: () => undefined });
  const readAgain = async (fileId: number, choice: Choice) => {
    const answer = await read.run({ params: { ...params, boxOfficeFileId: fileId }, body: choice });
    if (!answer) return;
    setReading(answer.data);
    setRound((n) => n + 1);
  };
  const wrong = read.failure && (read.failure.fields.file?.[0] ?? read.failure.message);
  return (
    <>
      <div><Button variant="quiet" icon={<Glyph icon={ArrowLeft} />} onClick={onClose}>All reports</Button></div>
      <Card title="Upload a box-office file">
        <div className={styles.stack}>
          <p className={styles.muted}>{spell`A CSV or Excel file of your box-office system, for one week or many.
            Nothing is sent before you have seen it.`}</p>
          <FileDrop label="Choose the file" types={['.csv', '.txt', '.xlsx']} disabled={portal.held !== undefined}
            onUpload={async (file, progress, signal) => {
              const kept = await uploadFigures(portal, production.id, file, progress, signal);
              await readAgain(kept.file_id, {});
            }} />
          <a className="gr-link" href={urlOf(boxOfficeFileEndpoints.sample, params)} download="box-office.csv">
            Download a sample with the reports that are due</a>
          {wrong && <Callout tone="error" live title="This file could not be read">{wrong}</Callout>}
        </div>
      </Card>
      {reading && (
        <Mapping key={`${reading.file_id}/${round}`} reading={reading} pending={read.pending}
          onRead={(choice) => void readAgain(reading.file_id, choice)} />
      )}
      {reading && reading.rows.length > 0 && <Preview key={`rows/${round}`} {...props} reading={reading} />}
    </>
  );
}

const SYSTEMS_WORDS: Readonly<Record<FileReading['matched_by'], string>> = {
  remembered: 'Columns matched as in your last file.', system: 'Columns matched as in exports of',
  heads: 'Columns matched by their headings.', person: 'Your columns are remembered for the next file.',
};
const FORMATS: Readonly<Record<string, string>> = {
  'YYYY-MM-DD': 'Year-month-day', 'MM/DD/YYYY': 'Month/day/year', 'DD/MM/YYYY': 'Day/month/year',
  'DD.MM.YYYY': 'Day.month.year', point: 'Decimal point, 1,234.50', comma: 'Decimal comma, 1.234,50',
};
const NOTHING = '';
const FIELD_OPTIONS = [{ value: NOTHING, label: 'Not used' },
  ...Object.entries(FILE_FIELDS).map(([value, { label }]) => ({ value, label }))];

function Mapping({ reading, pending, onRead }: { reading: FileReading; pending: boolean;
  onRead: (choice: Choice) => void }) {
  const unsure = reading.missing.length > 0 || reading.readings.length > 0;
  const [open, setOpen] = useState(unsure);
  const [fields, setFields] = useState(() => reading.header.map((_, at) =>
    Object.entries(reading.columns).find(([, column]) => column === at)?.[0] ?? NOTHING));
  const [formats, setFormats] = useState<Readonly<Record<string, string>>>({});
  const chosen = Object.fromEntries(fields.flatMap((field, at) => (field === NOTHING ? [] : [[field, at]])));
  const missing = Object.entries(FILE_FIELDS).filter(([field, facts]) => facts.required && chosen[field] === undefined)
    .map(([, facts]) => facts.label);
  const undecided = reading.readings.some(({ setting }) => formats[setting] === undefined);
  const set = (at: number, field: string) => setFields(fields.map((one, n) => (n === at ? field
    : one === field ? NOTHING : one)));
  if (!open) {
    return (
      <Card title={reading.name}>
        <div className={styles.spread}>
          <span className={styles.muted}>{reading.system ? `${SYSTEMS_WORDS.system} ${reading.system}.`
            : SYSTEMS_WORDS[reading.matched_by]} {reading.note}</span>
          <Button onClick={() => setOpen(true)}>Change columns</Button>
        </div>
      </Card>
    );
  }
  return (
    <Card title={`Columns of ${reading.name}`}>
      <div className={styles.stack}>
        <p className={styles.muted}>{spell`Match each column once. We remember it for your organization.`}</p>
        <div className={styles.fields}>
          {reading.header.map((head, at) => (
            <AsyncSelect key={at} label={head || `Column ${at + 1}`} options={FIELD_OPTIONS}
              value={fields[at] ?? NOTHING} caption={reading.samples[at]?.join(', ')}
              onChange={(field) => set(at, field ?? NOTHING)} />
          ))}
        </div>
        {reading.readings.map(({ setting, options }) => (
          <RadioGroup key={setting} label={setting === 'date_format' ? 'Dates' : 'Amounts'}
            value={formats[setting] ?? ''} onChange={(value) => setFormats({ ...formats, [setting]: value })}
            choices={options.map(({ value, samples: [sample] }) => ({ value, label: [FORMATS[value] ?? value,
              sample && `${sample.text} is ${setting === 'date_format' ? formatDay(sample.read) : sample.read}`]
              .filter(Boolean).join(': ') }))} />
        ))}
        <div className={styles.actions}>
          <Button variant="primary" pending={pending}
            onClick={() => onRead({ columns: chosen as Columns, ...formats as Pick<Choice, 'date_format'> })}
            {...(missing.length > 0 ? { reason: `Choose the column for ${missing.join(' and ')}` }
              : undecided ? { reason: 'Choose how to read the file' } : {})}>Read the file</Button>
        </div>
      </div>
    </Card>
  );
}

const OUTCOMES = { reported: { text: 'Left out', tone: 'outline' as const },
  refused: { text: 'Not read', tone: 'error' as const } };

function Preview(props: Props & { reading: FileReading }) {
  const { reading, onClose } = props;
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [errors, setErrors] = useState<Readonly<Record<number, string>>>({});
  const kept = reading.rows.flatMap((row, n) => (row.report && !left.has(n) ? [{ row, n }] : []));
  const reports = kept.map(({ row }) => ({ ...row.report!, attachment_ids: [reading.file_id] }));
  const toggle = (n: number, keep: boolean) => {
    const next = new Set(left);
    if (keep) next.delete(n); else next.add(n);
    setErrors({});
    setLeft(next);
  };
  return (
    <Card title="Reports in this file">
      <div className={styles.stack}>
        <ul className={styles.list}>
          {reading.rows.map((row, n) => (
            <li key={n}>
              <div className={styles.item} data-decide>
                <RowText row={row} currency={props.production.currency} />
                <span className={styles.itemSide}>
                  {row.outcome === 'ready' ? (
                    <Checkbox label={`Send ${nameOf(row)}`} hideLabel value={!left.has(n)}
                      onChange={(keep) => toggle(n, keep)} />
                  ) : <Badge tone={OUTCOMES[row.outcome].tone}>{OUTCOMES[row.outcome].text}</Badge>}
                </span>
              </div>
              {!left.has(n) && <QuestionList questions={row.questions} />}
              {errors[kept.findIndex((one) => one.n === n)] && (
                <p role="alert" className={styles.late}>{errors[kept.findIndex((one) => one.n === n)]}</p>
              )}
            </li>
          ))}
        </ul>
        <SendReports {...props} reports={reports} onSent={onClose} onErrors={setErrors}
          missing={reports.length === 0 ? 'There is nothing to send' : undefined} />
      </div>
    </Card>
  );
}

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

const nameOf = (row: FileRow): string => [row.venue_name,
  row.period_from && row.period_to && daySpan(row.period_from, row.period_to)].filter(Boolean).join(', ');

function RowText({ row, currency }: { row: FileRow; currency: string }) {
  const { report } = row;
  const rows = row.rows.length === 1 ? `Row ${row.rows[0]}` : `${row.rows.length} rows`;
  return (
    <span className={styles.itemText}>
      <strong>{nameOf(row) || rows}</strong>
      <span>{[row.gross_minor !== null && formatAmount(row.gross_minor, currency),
        report?.performances_held && counted(report.performances_held, 'performance'),
        report?.paid_admissions && `${counted(report.paid_admissions, 'seat')} sold`,
        report?.complimentary && counted(report.complimentary, 'comp'),
        report && report.deductions.length > 0 && `deductions of ${formatAmount(
          report.deductions.reduce((all, one) => all + one.amount_minor, 0), currency)}`,
        rows.toLowerCase()].filter(Boolean).join(', ')}</span>
      {row.reason && <span className={row.outcome === 'refused' ? styles.late : undefined}>{row.reason}</span>}
    </span>
  );
}
