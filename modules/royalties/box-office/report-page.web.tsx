/** One box-office report by its own address, reached from the royalties it earned. */
import { boxOfficeEndpoints, type ReportDetail } from '#modules/licensing/box-office/box-office.contract.ts';
import { ReportActions, ReportBadges, ReportBody } from '#modules/licensing/box-office/report-drawer.web.tsx';
import { periodWords } from '#modules/licensing/box-office/report-words.web.ts';
import { CodeText } from '#web/data/code-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { AppLink, useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { SALES } from '../royalty-words.web.ts';
import { invoiceHref, productionHref } from './report-places.web.ts';

const LIST = `${SALES}/box-office`;

export default function BoxOfficeReport() {
  const id = useIdParam('reportId');
  const read = useEndpoint(boxOfficeEndpoints.find, { params: { id } });
  const report = read.data?.data.id === id ? read.data.data : undefined;
  if (read.isError && !report) {
    return (
      <RecordProblem noun="box-office report" list={LIST} error={read.error}
        onRetry={() => void read.refetch()} />
    );
  }
  return report ? <Report report={report} /> : (
    <>
      <PageHeader title="Box-office report" back={LIST} />
      <PageContent record>{[420, 520, 380].map((width) => <p key={width}><Skeleton width={width} height={18} /></p>)}
      </PageContent>
    </>
  );
}

function Report({ report }: { report: ReportDetail }) {
  const { go } = useNavigation();
  return (
    <>
      <PageHeader title={periodWords(report)} back={LIST} badges={<ReportBadges report={report} />}
        activity={{ entity: 'box_office_report', id: report.id }}
        subtitle={[
          <CodeText key="license">{report.license_number}</CodeText>,
          <AppLink key="production" className="gr-link" href={productionHref(report)}>{report.title}</AppLink>,
          report.customer_name]}>
        <ReportActions key={report.version} report={report} onCorrect={() => go(productionHref(report))} />
      </PageHeader>
      <PageContent record><ReportBody onPage report={report} invoiceHref={invoiceHref} /></PageContent>
    </>
  );
}
