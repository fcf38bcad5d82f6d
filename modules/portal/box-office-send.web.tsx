/** Several reports under one name: what each would raise is read before the name is typed. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { boxOfficeFileEndpoints, type BatchReport } from '#modules/licensing/box-office/box-office-file.contract.ts';
import { portalBoxOfficeEndpoints } from '#modules/licensing/box-office/box-office.contract.ts';
import { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { Button } from '#web/controls/button/button.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { useAction } from '#web/query/use-action.ts';
import { CERTIFIES } from './box-office-values.web.ts';
import type { ProductionProps } from './production-frame.web.tsx';
import styles from './portal.module.css';

export type Questions = ResponseOf<typeof boxOfficeFileEndpoints.check>['data'][number]['questions'];

export function QuestionList({ questions }: { questions: Questions }) {
  if (questions.length === 0) return null;
  const held = questions.some((one) => one.held);
  return (
    <Callout tone="warn" title={held ? 'This report would be on hold' : 'Please check'}>
      {questions.map((one) => <p key={one.kind}>{one.question}</p>)}
      {held && <p>It is not counted until you or we answer.</p>}
    </Callout>
  );
}

type Props = ProductionProps & { reports: readonly BatchReport[];
  /** The step that comes before sending. */
  missing: string | undefined; onSent: () => void;
  /** Texts at the figures, by the place of the report. */
  onErrors?: ((errors: Readonly<Record<number, string>>) => void) | undefined };

export function SendReports({ production, portal, reports, missing, onSent, onErrors }: Props) {
  const [name, setName] = useState('');
  const send = useAction(boxOfficeFileEndpoints.send, {
    refresh: [portalBoxOfficeEndpoints.list, portalEndpoints.license], onDone: onSent,
    done: reports.length === 1 ? 'The report is sent' : `${reports.length} reports are sent`,
    onFailure: ({ fields }) => onErrors?.(byReport(fields)),
  });
  if (!portal.maySee) {
    return (
      <p className={styles.muted}>{spell`An admin or signer of your organization certifies and sends reports.`}</p>
    );
  }
  const gross = reports.reduce((all, one) => all + one.gross_minor, 0);
  const failure = send.failure;
  const count = reports.length === 1 ? '1 report' : `${reports.length} reports`;
  const reason = portal.held ?? missing ?? (name.trim() === '' ? 'Type your name first' : undefined);
  return (
    <div className={styles.stack}>
      {failure && Object.keys(byReport(failure.fields)).length === 0 && (
        <Callout tone="error" live title="Nothing was sent">
          {Object.values(failure.fields)[0]?.[0] ?? failure.message}</Callout>
      )}
      <p className={styles.price}><span>{`${count}, ${production.currency}`}</span>{formatAmount(gross)}</p>
      <TextField label="Your full name" required autoComplete="name" value={name} onChange={setName} maxLength={200}
        caption={CERTIFIES} />
      <div className={styles.actions}>
        <Button variant="primary" pending={send.pending} {...(reason && { reason })}
          onClick={() => void send.run({ params: { id: portal.customerId, licenseId: production.id },
            body: { reports: [...reports], certified_name: name.trim() } })}>Certify and send</Button>
      </div>
    </div>
  );
}

/** `reports.3.gross_minor` is a text at the fourth report. */
function byReport(fields: Readonly<Record<string, readonly string[]>>): Record<number, string> {
  const found: Record<number, string> = {};
  for (const [path, texts] of Object.entries(fields)) {
    const [, n] = /^reports\.(\d+)\./.exec(path) ?? [];
    if (n !== undefined && texts[0]) found[Number(n)] ??= texts[0];
  }
  return found;
}
