/** One run: how far its statements are, what asks for attention, and the steps for all of them at once. */
import { Check, Send } from 'lucide-react';
import { useState } from 'react';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { DeclineButton } from '#web/controls/button/decline-button.tsx';
import { AwaitingApproval } from '#web/data/approvers.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { Progress } from '#web/data/progress.tsx';
import { divisionAndCurrency } from '#web/layout/division.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useIdParam } from '#web/navigation/navigation.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { accrualEndpoints } from '../accruals/accrual.contract.ts';
import { BATCHES, fourEyes, periodWords, RUN_LOOKS, SALES } from '../royalty-words.web.ts';
import styles from '../royalty.module.css';
import { runProblems, runProgress, type Run } from './run-facts.web.ts';
import { statementColumns } from './statement-list.web.tsx';
import { runEndpoints, statementEndpoints } from './statement.contract.ts';

const STALE = [approvalEndpoints.list, statementEndpoints.list, accrualEndpoints.list, accrualEndpoints.royalties];

/** Period and currency are the run's own, said in its heading; each line opens its statement. */
const columns = statementColumns.filter(({ id }) => id !== 'period_to' && id !== 'currency')
  .map((column) => column.id === 'recouped' || column.id === 'subject' ? { ...column, optional: true } : column);

/** While the background works at a run its page looks again this often. */
const AGAIN_MS = 1000;

export default function RunPage() {
  const id = useIdParam('runId');
  const [working, setWorking] = useState(false);
  const read = useEndpoint(runEndpoints.show, { params: { id } }, working ? { refetchInterval: AGAIN_MS } : {});
  const busy = read.data?.data.work != null;
  if (busy !== working) setWorking(busy);
  const run = read.data?.data.id === id ? read.data.data : undefined;
  if (read.isError && !run) {
    return (
      <RecordProblem noun="statement run" list={`${SALES}/statement-runs`} error={read.error}
        onRetry={() => void read.refetch()} />
    );
  }
  return (
    <>
      <PageHeader title={run ? `Statements ${periodWords(run)}` : 'Statement run'} back={`${SALES}/statement-runs`}
        activity={run && { entity: 'royalty_statement_run', id: run.id }}
        badges={run && <Badge tone={RUN_LOOKS[run.status].tone}>{RUN_LOOKS[run.status].label}</Badge>}
        waiting={!run}
        subtitle={run && [divisionAndCurrency(run),
          run.calculated_by_name && `Calculated by ${run.calculated_by_name}`,
          run.approved_by_name && `Approved by ${run.approved_by_name}`]}>
        {run && run.work === null && <RunActions run={run} />}
      </PageHeader>
      {run ? <Body run={run} /> : (
        <PageContent record>{[420, 520, 380].map((width) => <p key={width}><Skeleton width={width} height={18} /></p>)}
        </PageContent>
      )}
    </>
  );
}

function Body({ run }: { run: Run }) {
  const may = useMay();
  const problems = runProblems(run);
  const progress = runProgress(run);
  return (
    <PageContent record fullWidth>
      <StatStrip label="Run" stats={[
        { label: 'Statements', value: run.statement_count },
        { label: `Net royalties, ${run.currency}`, value: <Money minor={run.net_minor} /> },
        { label: 'To pay', strong: true, value: <Money minor={run.pay_minor} /> },
      ]} />
      {run.status === 'calculated' && run.work === null && run.statements.length > 0 && (
        <AwaitingApproval endpoint={approvalEndpoints.approvers} kind="statement_run" askedBy={run.calculated_by_name}
          askedById={run.calculated_by_id} declined={run.declined} />)}
      {run.failure !== null && <Callout tone="error" title={run.status === 'approved' ? 'Issuing stopped'
        : 'The calculation stopped'}>{run.failure}</Callout>}
      {progress.total > 0 && <div className={styles.progress}><Progress {...progress} /></div>}
      {problems.length > 0 && (
        <Section title="Worth a look" count={problems.length}>
          <div className={styles.stack}>
            {problems.map((problem) => <Callout key={problem.title} tone={problem.tone} title={problem.title}>
              {problem.text}</Callout>)}
          </div>
        </Section>
      )}
      <Section title="Statements" count={run.statements.length}>
        <DataTable label="Statements of the run" variant="record" columns={columns} rows={run.statements}
          rowKey={(row) => row.id}
          {...(may('show_royaltor.show') ? { rowHref: (row: { id: number }) => `${SALES}/statements/${row.id}` } : {})}
          empty={run.work === 'calculate' ? WORKING : NOBODY} />
      </Section>
    </PageContent>
  );
}

const WORKING = { title: 'Being calculated', text: 'Statements appear here as they are done.' };
const NOBODY = { title: 'Nobody earned anything in this period',
  text: 'Royalties that are due later stand on the statement of their period.' };

function RunActions({ run }: { run: Run }) {
  const may = useMay();
  const user = useCurrentUser();
  const [asking, setAsking] = useState(false);
  const args = { params: { id: run.id }, body: { version: run.version } };
  const approve = useAction(runEndpoints.approve, { refresh: STALE, done: 'All statements approved' });
  const issue = useAction(runEndpoints.issue, { refresh: STALE, done: 'All statements issued' });
  const decides = may('payment.updateStatus') && run.statements.length > 0;
  const again = new URLSearchParams({ division: run.division });
  return (
    <>
      {may('show_royaltor.update') && ['draft', 'calculated'].includes(run.status) && (
        <ButtonLink href={`${SALES}/statement-runs/create?${again}`}>Calculate again</ButtonLink>
      )}
      {decides && run.status === 'calculated' && run.declined === null && (
        <DeclineButton endpoint={runEndpoints.decline} params={{ id: run.id }} body={{ version: run.version }}
          title={`Statements ${periodWords(run)}`} size="regular" refresh={[approvalEndpoints.list]}
          reason={fourEyes(run.calculated_by_name, user, 'calculated')}
          text="Calculating it again asks for approval again. The person who calculated it sees the reason." />
      )}
      {decides && run.status === 'calculated' && (
        <Button
          variant="primary"
          icon={<Glyph icon={Check} size={16} />}
          pending={approve.pending}
          reason={fourEyes(run.calculated_by_name, user, 'calculated')}
          onClick={() => void approve.run(args)}
        >
          Approve {formatAmount(run.pay_minor, run.currency)}
        </Button>
      )}
      {decides && run.status === 'approved' && (
        <Button variant="primary" icon={<Glyph icon={Send} size={16} />} onClick={() => setAsking(true)}>
          Issue {run.statements.filter((row) => row.status === 'approved').length} statements
        </Button>
      )}
      {run.status === 'issued' && may('payment.create') && (
        <ButtonLink variant="primary" href={`${BATCHES}?new=1&division=${run.division}&run=${run.id}`}>
          Create payment batch
        </ButtonLink>
      )}
      <ConfirmDialog
        open={asking}
        title={`Issue the statements of ${periodWords(run)}`}
        confirm="Issue all"
        text={'Each gets its number and its PDF, is posted to the ledger and delivered. '
          + 'They cannot be changed afterwards.'}
        pending={issue.pending}
        onCancel={() => setAsking(false)}
        onConfirm={() => void issue.run(args).then(() => setAsking(false))}
      />
    </>
  );
}
