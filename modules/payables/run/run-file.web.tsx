/** The file for the bank: what is missing, what changes in it, the file itself, and the bank's answer. */
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { Callout } from '#web/data/callout.tsx';
import { DateText, formatDay } from '#web/data/date-text.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { ANSWER_WORDS } from './run-acts.web.ts';
import AnswerDialog from './run-answer.web.tsx';
import { ProfileForm } from './file-profile.web.tsx';
import { runEndpoints, type FilePreview, type RunDetail } from './payment-run.contract.ts';
import styles from './run.module.css';

export function FileSection({ run }: { run: RunDetail }) {
  const may = useMay();
  const [open, setOpen] = useState<'profile' | 'answer' | null>(null);
  const writes = may('payment.create');
  return (
    <Section title="File for the bank" right={
      <>
        {writes && run.file_name !== null && (
          <ButtonLink href={`/api/admin/staff/accounting/payment_runs/${run.id}/file`} download={run.file_name}
            icon={<Glyph icon={Download} size={16} />}>Download</ButtonLink>)}
        {writes && run.allowed.includes('answer') && ANSWER_WORDS[run.method] !== null && (
          <Button onClick={() => setOpen('answer')}>Upload the bank’s answer</Button>)}
      </>}>
      <div className={styles.stack}>
        {run.file_name === null && writes && <BeforeExport run={run} onProfile={() => setOpen('profile')} />}
        {run.file_name !== null && (
          <KeyValue facts={[
            { label: 'File', value: run.file_name },
            { label: 'SHA-256', value: run.file_sha256 },
            ...totalsOf(run),
            run.exported_at !== null && { label: 'Written by',
              value: <>{run.exported_by_name}, <DateText value={run.exported_at} /></> },
            run.downloads.length > 0 && { label: 'Downloaded by', value: run.downloads.map((one) => (
              <div key={one.at}>{one.by_name}, <DateText value={one.at} /></div>)) },
          ]} />)}
      </div>
      {open === 'profile' && <ProfileForm accountId={run.bank_account_id} method={run.method}
        onClose={() => setOpen(null)} />}
      {open === 'answer' && <AnswerDialog run={run} onClose={() => setOpen(null)} />}
    </Section>
  );
}

/** The file never changes; the run's total does where payments leave it. */
function totalsOf({ file_total_minor: filed, total_minor: stands, currency }: RunDetail) {
  if (filed === null) return [];
  return [{ label: 'Total of the file', value: formatAmount(filed, currency) }, ...(filed === stands ? []
    : [{ label: 'Taken out, rejected or returned', value: formatAmount(filed - stands, currency) },
      { label: 'Total that stands', value: formatAmount(stands, currency) }])];
}

function BeforeExport({ run, onProfile }: { run: RunDetail; onProfile: () => void }) {
  const read = useEndpoint(runEndpoints.preview, { params: { id: run.id } });
  const write = useAction(runEndpoints.export, { refresh: [runEndpoints.list],
    done: 'File written. Download it and hand it in at the bank' });
  const preview = read.data?.data;
  const may = useMay();
  if (run.missing.length > 0) {
    return (
      <Callout tone="warn" title="The bank’s details are incomplete" action={may('bank_account.update')
        && <Button size="small" onClick={onProfile}>Enter details</Button>}>
        {`Payment files of this account need: ${run.missing.join(', ')}.`}
      </Callout>
    );
  }
  return (
    <>
      {preview && <Preview preview={preview} />}
      {run.allowed.includes('export') && (
        <div>
          <Button variant="primary" pending={write.pending}
            reason={preview && preview.issues.length > 0 ? 'Resolve what is listed above first' : undefined}
            onClick={() => void write.run({ params: { id: run.id }, body: { version: run.version } })}>
            Write the file
          </Button>
        </div>)}
      {!run.allowed.includes('export') && <p className={styles.lead}>The file is written once the run is approved.</p>}
    </>
  );
}

function Preview({ preview }: { preview: FilePreview }) {
  return (
    <>
      {preview.issues.length > 0 && (
        <Callout tone="error" title="The file cannot be written yet">
          <ul>{preview.issues.map((issue) => <li key={issue}>{issue}</li>)}</ul>
        </Callout>)}
      {preview.value_moved !== null && (
        <Callout tone="info" title={`Value date ${formatDay(preview.value_on)}`}>{preview.value_moved}</Callout>)}
      {preview.changes.length > 0 && (
        <Callout tone="info" title="Texts that the bank gets in other letters">
          <ul>{preview.changes.map((one) => (
            <li key={`${one.payee}${one.field}${one.from}`}>
              {`${one.payee ?? 'File'}: “${one.from}” becomes “${one.to}”`}
            </li>))}</ul>
        </Callout>)}
    </>
  );
}
