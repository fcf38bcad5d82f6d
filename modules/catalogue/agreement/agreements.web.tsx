/** Royaltors of a show: its agreements and the share matrix that follows from them. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { bodyValues, fieldsOf, formValues, labelsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import { divisionAndCurrency } from '#web/layout/division.ts';
import { Modal } from '#web/layout/overlay.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { royaltorSource } from '../catalogue-labels.web.ts';
import type { ShowRow } from '../show/show.contract.ts';
import { useFamily } from '../show/show-family.web.ts';
import { ShowFrame } from '../show/show-frame.web.tsx';
import {
  agreement, agreementEndpoints, currencyOfDivision, ROLE_LABELS, type AgreementRow,
} from './agreement.contract.ts';
import { AgreementBadge } from './agreement-badge.web.tsx';
import { ShareMatrix } from './share-matrix.web.tsx';

const columns: readonly Column<AgreementRow>[] = [
  { id: 'royaltor_name', header: 'Royaltor', kind: 'title', cell: (row) => row.royaltor_name, sort: true, fixed: true,
    width: 240 },
  { id: 'role', header: 'Role', kind: 'muted', cell: (row) => ROLE_LABELS[row.role], width: 150 },
  { id: 'label', header: 'Share', kind: 'muted', cell: (row) => row.share_label, width: 150 },
  { id: 'contract', header: 'Contract', kind: 'code', cell: (row) => row.contract_no, width: 120 },
  { id: 'payer', header: 'Paid by', kind: 'muted', width: 110,
    cell: (row) => divisionAndCurrency({ ...row, division: row.payer_division }) },
  { id: 'terms', header: 'Terms', kind: 'number', cell: (row) => row.term_count, width: 80 },
  { id: 'status', header: 'Status', kind: 'badge', width: 110,
    cell: (row) => <AgreementBadge status={row.status} /> },
];

export default function Agreements() {
  return <ShowFrame>{(show) => <AgreementsOf show={show} />}</ShowFrame>;
}

function AgreementsOf({ show }: { show: ShowRow }) {
  const may = useMay();
  const family = useFamily();
  const { go } = useNavigation();
  const [adding, setAdding] = useState(false);
  const list = useList(agreementEndpoints.list, { query: { show_id: show.id } });
  return (
    <PageContent record fullWidth title="Agreements"
      description="One agreement per royaltor and role; its terms say which part of which income is theirs."
      right={may('show_royaltor.create') && (
        <Button variant="primary" onClick={() => setAdding(true)}>New agreement</Button>
      )}>
      <Section flush>
        <DataTable label="Agreements" {...list} columns={columns} rowKey={(row) => row.id} variant="record"
          expectedRows={show.agreement_count}
          rowHref={(row) => `${family.path}/${show.id}/royaltors/${row.id}`}
          empty={{ title: 'No agreements yet',
            text: 'Until there is one, the company keeps everything this title earns.' }} />
      </Section>
      <ShareMatrix show={show} />
      <Modal open={adding} onClose={() => setAdding(false)} title="New agreement" width={560}>
        {adding && (
          <NewAgreement show={show} onSaved={(row) => {
            toast('Agreement drafted: add its terms');
            go(`${family.path}/${show.id}/royaltors/${row.id}`);
          }} />
        )}
      </Modal>
    </PageContent>
  );
}

function NewAgreement({ show, onSaved }: { show: ShowRow; onSaved: (row: AgreementRow) => void }) {
  const division = show.divisions[0] ?? 'US';
  const form = useResourceForm<Record<string, unknown>, { data: AgreementRow }>({
    initial: { ...formValues(agreement.fields, null), show_id: show.id, payer_division: division,
      currency: currencyOfDivision[division], royalty_presentation: show.royalty_presentation },
    submit: (values, sending) => call(agreementEndpoints.create,
      { body: bodyValues(agreement.fields, values) }, sending),
    onSaved: ({ data }) => onSaved(data),
  });
  const field = fieldsOf(form, agreement.fields, { sources: { royaltor_id: royaltorSource },
    choices: { role: ROLE_LABELS, currency: { USD: 'USD', EUR: 'EUR', GBP: 'GBP' } } });
  return (
    <FormFrame form={form} labels={labelsOf(agreement.fields)} guard={false}>
      {field('royaltor_id')}
      <FormGrid>
        {field('role')}{field('contract_no')}{field('payer_division')}{field('currency')}
      </FormGrid>
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>Draft agreement</Button>
      </FormActions>
    </FormFrame>
  );
}
