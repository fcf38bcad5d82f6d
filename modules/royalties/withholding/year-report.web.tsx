/** Tax withheld in a year by payee: what 1042-S, 1099-MISC and the certificates of the UK are written from. */
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { today } from '#web/data/local-day.ts';
import { DIVISION_CURRENCY, useDivision } from '#web/layout/division.ts';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useLoadedRows } from '#web/query/use-loaded-rows.ts';
import { PaymentsHeader } from '../royalty-list.web.tsx';
import { payeeCountry } from './rule-words.web.ts';
import { withholdingEndpoints, type WithheldPayee } from './withholding.contract.ts';

/** Years that the choice offers, this one first. */
const YEARS = 8;

function columnsOf(rows: readonly WithheldPayee[]): readonly Column<WithheldPayee>[] {
  const money = (id: 'gross_minor' | 'withheld_minor' | 'paid_minor', header: string): Column<WithheldPayee> => ({
    id, header, kind: 'money', cell: (row) => row[id], width: 140,
    total: rows.reduce((all, row) => all + BigInt(row[id]), 0n),
  });
  return [
    { id: 'name', header: 'Payee', kind: 'title', cell: (row) => row.legal_name ?? row.name, fixed: true, width: 240 },
    { id: 'country', header: 'Country', kind: 'muted', width: 150,
      cell: (row) => row.residence_country && payeeCountry(row.residence_country) },
    { id: 'document', header: 'Form', kind: 'muted', cell: (row) => row.document, width: 130 },
    { id: 'tin', header: 'Tax number', kind: 'code', width: 110,
      cell: (row) => row.tin_last4 && `…${row.tin_last4}` },
    { id: 'payments', header: 'Payments', kind: 'number', cell: (row) => row.payments, width: 90 },
    money('gross_minor', 'Gross'), money('withheld_minor', 'Tax withheld'), money('paid_minor', 'Paid'),
  ];
}

export default function YearReport() {
  const may = useMay();
  const [division] = useDivision();
  const { values, set } = useQueryValues();
  const now = Number(today().slice(0, 4));
  const year = Number(values.get('year')) || now;
  const read = useEndpoint(withholdingEndpoints.report, { query: { division, year } });
  const report = read.data?.data;
  const readPage = useLoadedRows(report?.lines);
  return (
    <>
      <PaymentsHeader subtitle={[`Tax withheld in ${year}, ${DIVISION_CURRENCY[division]}`,
        'At the rate of each payment date']} />
      <DataTable label={`Tax withheld in ${year}`} columns={columnsOf(report?.lines ?? [])} rows={report?.lines}
        readPage={readPage} rowKey={(row) => `${row.royaltor_id} ${row.vendor_id}`}
        error={read.error} onRetry={() => void read.refetch()} totalLabel="Total"
        tools={<AsyncSelect label="Year" hideLabel value={String(year)} onChange={(chosen) => set({ year: chosen })}
          options={Array.from({ length: YEARS }, (_, back) => String(now - back))
            .map((value) => ({ value, label: value }))} />}
        {...(may('royaltor.show') && may('vendor.show') ? { rowHref: (row: WithheldPayee) => (row.vendor_id === null
          ? `/admin/royaltors/${row.royaltor_id}` : `/admin/vendors/${row.vendor_id}`) } : {})}
        empty={{ title: 'Nobody was paid in this year', text: 'Payments count in the year of their day.' }} />
    </>
  );
}
