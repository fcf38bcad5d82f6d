/** Memos of an application. */
import { PageContent } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { APPLICATION_MEMOS, Memos } from '../memos/memos.web.tsx';
import { ApplicationFrame } from './application-frame.web.tsx';
import type { ApplicationView } from './application-view.web.ts';

export default function ApplicationMemos() {
  return <ApplicationFrame>{(view) => <MemoList view={view} />}</ApplicationFrame>;
}

function MemoList({ view }: { view: ApplicationView }) {
  const may = useMay();
  return (
    <PageContent record>
      <Memos calls={APPLICATION_MEMOS} id={view.application.id} mayWrite={may('license.update')} />
    </PageContent>
  );
}
