/** Messages between the customer and the licensing representative about one production. */
import { call, urlOf } from '#kit/client.ts';
import { MESSAGE_FILES, threadEndpoints } from '#modules/licensing/threads/thread.contract.ts';
import { MessageForm } from '#web/controls/field/message-form.tsx';
import { Callout } from '#web/data/callout.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { MessageList } from '#web/data/message-list.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { Pager, QueryBoundary } from './portal-parts.web.tsx';
import { ProductionFrame, type ProductionProps } from './production-frame.web.tsx';
import { RepresentativeCard } from './representative.web.tsx';
import styles from './portal.module.css';

function Write({ production, portal }: ProductionProps) {
  const params = { id: portal.customerId, licenseId: production.id };
  const action = useAction(threadEndpoints.write, { onFailure: () => undefined, done: 'Message sent' });
  const fields = action.failure?.fields ?? {};
  const error = fields.body?.[0] ?? fields.file_ids?.[0];
  return (
    <Card title="Write to us">
      <div className={styles.stack}>
        {action.failure && error === undefined && <Callout tone="error" live>{action.failure.message}</Callout>}
        <MessageForm label="Message" draftKey={`portal/messages/${production.id}`} types={MESSAGE_FILES}
          pending={action.pending} error={error} reason={portal.held}
          upload={async (file, progress, signal) => {
            const form = new FormData();
            form.append('file', file);
            const answer = await call(threadEndpoints.attach, { params }, { form, signal,
              onUploadProgress: (event) => progress(event.total ? event.loaded / event.total : 0) });
            return answer.data.id;
          }}
          send={async (body, file_ids) => (await action.run({ params, body: { body, file_ids } })) !== null} />
      </div>
    </Card>
  );
}

function Messages(props: ProductionProps) {
  const { production, portal } = props;
  const { values } = useQueryValues();
  const params = { id: portal.customerId, licenseId: production.id };
  const read = useEndpoint(threadEndpoints.own, { params, query: { page: Number(values.get('page') ?? 1) || 1,
    per_page: 25 } });
  return (
    <div className={styles.split}>
      <div className={styles.stack}>
        {portal.maySee && <Write {...props} />}
        <QueryBoundary read={read} cards={1}>
          {({ data, meta }) => (
            <Card title="Messages">
              {data.length === 0 ? <EmptyState title="No messages yet"
                text="What you and your licensing representative write to each other is kept here." />
                : <MessageList messages={data} own={(message) => !message.from_staff}
                  fileHref={(fileId) => urlOf(threadEndpoints.ownFile,
                    { ...params, messageFileId: fileId })} />}
              <Pager meta={meta} />
            </Card>
          )}
        </QueryBoundary>
      </div>
      <div className={styles.stack}><RepresentativeCard production={production} base={portal.base} /></div>
    </div>
  );
}

export default function ProductionMessages() {
  return <ProductionFrame>{(props) => <Messages {...props} />}</ProductionFrame>;
}
