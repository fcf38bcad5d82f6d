/** The VAT number of a customer: how it checks, what its register says of it, and the look-ups so far. */
import type { ReactNode } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { KeyValue, type Fact } from '#web/data/key-value.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { REGISTER_NAMES, vatNumberEndpoints, type VatNumberCheckRow, type VatNumberState }
  from '#modules/taxation/vat-registers/vat-number.contract.ts';
import styles from './customer-vat-number.module.css';

const ANSWERS = { valid: { tone: 'ok', text: 'Valid' }, invalid: { tone: 'error', text: 'Not valid' },
  unavailable: { tone: 'warn', text: 'No answer' } } as const;

export function VatNumberSection({ customerId }: { customerId: number }) {
  const may = useMay();
  const read = useEndpoint(vatNumberEndpoints.show, { params: { id: customerId } });
  const check = useAction(vatNumberEndpoints.check, { refresh: [vatNumberEndpoints.show] });
  const state = read.data?.data;
  if (!state || state.vat_number === null) return null;
  return (
    <Section title="VAT number" description={describe(state)} right={may('customer.update') && (
      <Button size="small" pending={check.pending}
        onClick={() => void check.run({ params: { id: customerId } })}>
        {state.register === null ? 'Validate' : 'Look up'}
      </Button>)}>
      <div className={styles.note}><Warning state={state} /></div>
      <KeyValue facts={factsOf(state)} />
      {state.checks.length > 0 && <Checks rows={state.checks} />}
    </Section>
  );
}

function describe({ register, proof_days: days }: VatNumberState): string {
  if (register === null) return 'No register is set up for this country: format and check digit decide.';
  return `Quotes and invoices without VAT stand on the answer of ${REGISTER_NAMES[register]}. ${days === 0
    ? 'Each of them asks again.' : `They ask again after ${days === 1 ? 'a day' : `${days} days`}.`}`;
}

function Warning({ state }: { state: VatNumberState }) {
  if (!state.check_digit_valid) {
    return (
      <Callout tone="error" title="The number is mistyped">
        {`${state.format_valid ? 'Its check digit is wrong.' : 'No country writes its numbers in this form.'
        } Correct it under Information.`}
      </Callout>
    );
  }
  if (state.answer === 'invalid') {
    return (
      <Callout tone="error" title="The register does not know this number">
        New documents charge VAT, or stop where other evidence of business is recorded. Those that were issued stay as
        they are. Ask the customer for the right number.
      </Callout>
    );
  }
  const [last] = state.checks;
  if (last?.answer !== 'unavailable' || last.vat_number !== state.vat_number) return null;
  return (
    <Callout tone="warn" title="The register did not answer">
      {`${state.answer === 'valid' ? 'Its last answer stands.' : 'Documents without VAT go out and are marked.'
      } It is asked again every hour.`}
    </Callout>
  );
}

function factsOf(state: VatNumberState): (Fact | false)[] {
  const { answer, answered_at } = state;
  const proof = state.checks.find((row) => row.vat_number === state.vat_number && row.answer === answer);
  const known = answer === 'valid' ? proof : undefined;
  return [
    { label: 'Number', value: state.vat_number },
    { label: 'Check digit', value: state.check_digit_valid ? 'Right' : 'Wrong' },
    state.register === null ? false : { label: 'Register', value: <Verdict answer={answer} at={answered_at} /> },
    known?.name ? { label: 'Registered name', value: known.name } : false,
    known?.address ? { label: 'Registered address', value: lines(known.address) } : false,
    known?.reference ? { label: 'Consultation number', value: known.reference } : false,
  ];
}

const lines = (text: string): ReactNode => text.split('\n').filter(Boolean).join(', ');

function Verdict({ answer, at }: { answer: VatNumberState['answer']; at: string | null }) {
  if (answer === null) return 'Not asked yet';
  return (
    <>
      <Badge tone={ANSWERS[answer].tone} small>{ANSWERS[answer].text}</Badge>
      {at !== null && <> <DateText value={at} /></>}
    </>
  );
}

function Checks({ rows }: { rows: readonly VatNumberCheckRow[] }) {
  const columns: readonly Column<VatNumberCheckRow>[] = [
    { id: 'when', header: 'When', kind: 'date', cell: (row) => row.asked_at, fixed: true, width: 170 },
    { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.vat_number, width: 160 },
    { id: 'answer', header: 'Answer', kind: 'badge', width: 120, cell: (row) => (row.answer === null
      ? <Badge tone="neutral" small>Not asked</Badge>
      : <Badge tone={ANSWERS[row.answer].tone} small>{ANSWERS[row.answer].text}</Badge>) },
    { id: 'register', header: 'Register', kind: 'muted', width: 200,
      cell: (row) => (row.register === null ? 'Format and check digit' : REGISTER_NAMES[row.register]) },
    { id: 'reference', header: 'Consultation number', kind: 'code', cell: (row) => row.reference, width: 180 },
    { id: 'who', header: 'Asked by', kind: 'muted', cell: (row) => row.asked_by ?? 'Automatically', width: 160 },
  ];
  return <DataTable label="Look-ups" variant="record" columns={columns} rows={rows} rowKey={(row) => row.id} />;
}
