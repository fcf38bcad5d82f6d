/** Messages between the customer and staff about a quote or production. */
import { call, urlOf } from '#kit/client.ts';
import { MessageForm } from '#web/controls/field/message-form.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { MessageList } from '#web/data/message-list.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { errorsOf, FailureNote } from '../action-dialog.web.tsx';
import { LicenseFrame } from '../licenses/license-frame.web.tsx';
import type { LicenseView } from '../licenses/license-view.web.ts';
import { MESSAGE_FILES, threadEndpoints, type MessageRow } from './thread.contract.ts';
import styles from '../licensing.module.css';

export default function MessagesTab() {
  return <LicenseFrame>{(view) => <Messages key={view.license.id} view={view} />}</LicenseFrame>;
}

function Messages({ view: { license } }: { view: LicenseView }) {
  const may = useMay();
  const params = { id: license.id };
  const list = useList(threadEndpoints.list, { params }, { perPage: 25, sortBy: 'created_at', sortDirection: 'desc' });
  return (
    <PageContent record>
      {may('license.update') && (
        <Section title="New message">
          {license.phase === 'draft' ? <p className={styles.muted}>
            Send the offer first. The customer does not see this quote yet.</p> : <Write license={license} />}
        </Section>
      )}
      <Section title="Messages" count={list.page?.total}>
        {list.error && <EmptyState role="alert" title="The messages did not load" text={list.error.message}
          action={<Button onClick={list.onRetry}>Try again</Button>} />}
        {!list.rows && !list.error && <Skeleton height={120} />}
        {list.rows?.length === 0 && <EmptyState title="No messages yet"
          text="Messages to and from the customer are kept here, with their files." />}
        {list.rows && list.rows.length > 0 && (
          <MessageList messages={list.rows} own={(message) => message.from_staff} notes={deliveryNotes}
            fileHref={(fileId) => urlOf(threadEndpoints.file, { id: license.id, fileId })}
            about={(message) => (message.verified ? null
              : <span className={styles.muted}>{message.sender_email}</span>)} />
        )}
        {list.page && list.page.last_page > 1 && <Pages page={list.page} onPage={list.search.setPage} />}
      </Section>
    </PageContent>
  );
}

interface PagesProps { page: { current_page: number; last_page: number }; onPage: (page: number) => void }

function Pages({ page: { current_page: current, last_page: last }, onPage }: PagesProps) {
  return (
    <nav className={styles.row} aria-label="Pages of messages">
      <Button size="small" reason={current === 1 ? 'These are the newest' : undefined}
        onClick={() => onPage(current - 1)}>Newer messages</Button>
      <Button size="small" reason={current === last ? 'These are the oldest' : undefined}
        onClick={() => onPage(current + 1)}>Older messages</Button>
    </nav>
  );
}

function deliveryNotes({ deliveries }: MessageRow): { text: string; error: boolean }[] {
  const sent = deliveries.filter(({ state }) => state === 'sent' || state === 'waiting');
  const lost = deliveries.filter(({ state }) => state === 'returned' || state === 'failed');
  return [
    ...lost.map(({ email, reason }) => ({ error: true,
      text: `The email to ${email} did not arrive${reason ? `: ${reason}` : ''}` })),
    ...(sent.length > 0 ? [{ error: false, text: `Emailed to ${sent.map(({ email }) => email).join(', ')}` }] : []),
  ];
}

function Write({ license }: Pick<LicenseView, 'license'>) {
  const params = { id: license.id };
  const action = useAction(threadEndpoints.send, { onFailure: () => undefined, done: 'Message sent' });
  return (
    <>
      <FailureNote failure={action.failure} known={['body', 'file_ids']} />
      <MessageForm label={`Message to ${license.customer_name}`} draftKey={`messages/${license.id}`}
        types={MESSAGE_FILES} pending={action.pending}
        error={errorsOf(action.failure).body ?? errorsOf(action.failure).file_ids}
        upload={async (file, progress, signal) => {
          const form = new FormData();
          form.append('file', file);
          const answer = await call(threadEndpoints.upload, { params }, { form, signal,
            onUploadProgress: (event) => progress(event.total ? event.loaded / event.total : 0) });
          return answer.data.id;
        }}
        send={async (body, file_ids) => (await action.run({ params, body: { body, file_ids } })) !== null} />
    </>
  );
}
