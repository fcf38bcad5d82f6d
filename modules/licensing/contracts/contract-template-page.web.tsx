/** One version of a contract text: written while it is a draft, read afterwards, with a preview on sample data. */
import { useState } from 'react';
import { call, urlOf } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { PdfPreview } from '#web/pdf/pdf-preview.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { ActionDialog, useFields } from '../action-dialog.web.tsx';
import { ClausesForm, ClausesText } from './clauses-form.web.tsx';
import { contractTemplateEndpoints, type ContractTemplateDetail } from './contract-template.contract.ts';
import { approvalWords, STATUS_WORDS, templateName } from './contract-template-words.web.ts';

const LIST = '/admin/templates/contracts';
type Dialog = 'activate' | 'approve' | 'delete' | null;

export default function ContractTemplatePage() {
  const id = useIdParam('contractTemplateId');
  const may = useMay();
  const read = useEndpoint(contractTemplateEndpoints.show, { params: { id } });
  const row = read.data?.data.id === id ? read.data.data : undefined;
  if (read.isError && !row) {
    return <RecordProblem noun="contract text" list={LIST} error={read.error} onRetry={() => void read.refetch()} />;
  }
  const name = row ? `${templateName(row)}, version ${row.version_no}` : 'Contract text';
  return (
    <>
      <PageHeader title={name} back={LIST} waiting={!row}
        activity={row && { entity: 'contract_template', id: row.id }}
        badges={row && (
          <>
            <Badge tone={row.status === 'in_use' ? 'ok' : 'outline'}>{STATUS_WORDS[row.status]}</Badge>
            <Badge tone={row.counsel === '' ? 'brass' : 'ok'}>{approvalWords(row)}</Badge>
          </>
        )}
        subtitle={row && [row.note, `${row.contract_count} contract${row.contract_count === 1 ? '' : 's'}`]}>
        {row && <Actions key={row.id} row={row} />}
      </PageHeader>
      <PageContent record fullWidth>
        {row ? (
          <>
            {row.status === 'in_use' && row.counsel === '' && (
              <Callout tone="warn" title="Draft for counsel">
                Contracts made from this text say so at the foot of each page until you record counsel’s approval.
              </Callout>
            )}
            {row.status === 'draft' && may('license_document.update')
              ? <ClausesForm key={row.id} row={row} /> : <ClausesText clauses={row.clauses} />}
            <Section title="Preview" description="The saved text with sample data">
              <PdfPreview key={row.version} title={`Preview of ${name}`} fileName={`${name}.pdf`}
                url={urlOf(contractTemplateEndpoints.preview, { id: row.id })} />
            </Section>
          </>
        ) : [240, 420, 360].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
      </PageContent>
    </>
  );
}

function Actions({ row }: { row: ContractTemplateDetail }) {
  const may = useMay();
  const { go } = useNavigation();
  const admin = may('super');
  const [dialog, setDialog] = useState<Dialog>(null);
  const start = useAction(contractTemplateEndpoints.create, { onDone: ({ data }) => go(`${LIST}/${data.id}`) });
  const open = row.draft_id;
  return (
    <>
      {row.status === 'draft' && may('license_document.delete') && (
        <Button variant="quiet" onClick={() => setDialog('delete')}>Delete draft</Button>)}
      {row.status !== 'draft' && may('license_document.create') && (open === null
        ? <Button pending={start.pending}
          onClick={() => void start.run({ body: { from_id: row.id } })}>New version</Button>
        : <Button onClick={() => go(`${LIST}/${open}`)}>Open draft</Button>)}
      {row.status === 'draft' && admin && (
        <Button variant="primary" onClick={() => setDialog('activate')}>Use this version</Button>)}
      {row.status === 'in_use' && row.counsel === '' && admin && (
        <Button variant="primary" onClick={() => setDialog('approve')}>Record approval</Button>)}
      {(dialog === 'activate' || dialog === 'approve') && (
        <ApprovalDialog row={row} activates={dialog === 'activate'} onClose={() => setDialog(null)} />)}
      <DeleteDialog row={row} open={dialog === 'delete'} onClose={() => setDialog(null)} />
    </>
  );
}

/** Puts a draft in use, with counsel's approval where there is one, or records the approval of the text in use. */
function ApprovalDialog({ row, activates, onClose }: {
  row: ContractTemplateDetail; activates: boolean; onClose: () => void;
}) {
  const action = useAction(activates ? contractTemplateEndpoints.activate : contractTemplateEndpoints.approve,
    { onFailure: () => undefined, onDone: onClose, done: activates ? 'Version in use' : 'Approval recorded' });
  const { values, field } = useFields({ counsel: '' }, action.failure);
  const missing = !activates && values.counsel.trim() === '' ? 'Enter the name of counsel' : undefined;
  return (
    <ActionDialog title={activates ? 'Use this version for new contracts?' : 'Record counsel’s approval'}
      submit={activates ? 'Use this version' : 'Record approval'} action={action} known={['counsel']} reason={missing}
      onClose={onClose} onSubmit={() => void action.run({ params: { id: row.id },
        body: { version: row.version, counsel: values.counsel.trim() } })}
      text={activates
        ? 'Save your changes first. From now on offers use this text. Contracts already sent keep theirs.'
        : 'New contracts no longer say that their text is a draft.'}>
      <TextField label="Approved by counsel" required={!activates} maxLength={200} autoComplete="off"
        caption={activates ? 'Name and firm. Leave empty if counsel has not approved it yet.' : 'Name and firm'}
        {...field('counsel')} />
    </ActionDialog>
  );
}

function DeleteDialog({ row, open, onClose }: { row: ContractTemplateDetail; open: boolean; onClose: () => void }) {
  const { go } = useNavigation();
  const [pending, setPending] = useState(false);
  const remove = async () => {
    setPending(true);
    try {
      await call(contractTemplateEndpoints.remove, { params: { id: row.id } });
      toast('Draft deleted');
      go(LIST);
    } catch (error) {
      toast((error as Error).message);
      setPending(false);
    }
  };
  return (
    <ConfirmDialog open={open} danger title="Delete this draft?" confirm="Delete draft"
      text="The version in use stays as it is." onCancel={onClose}
      onConfirm={() => { if (!pending) void remove(); onClose(); }} />
  );
}
