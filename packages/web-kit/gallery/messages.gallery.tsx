/** A conversation as staff see it: a message of the customer with files, and the form of the answer. */
import { MessageForm } from '#web/controls/field/message-form.tsx';
import { MessageList, type ShownMessage } from '#web/data/message-list.tsx';
import { toast } from '#web/data/toast.tsx';

const messages: readonly ShownMessage[] = [{ id: 1, body: 'Could the scores come a week earlier? The plan is attached.',
  quoted: 'On Monday Eleanor Marsh wrote: the scores ship on September 1.', author_name: 'Grace Palmer',
  from_staff: false, by_mail: true, verified: false, files: [{ id: 1, name: 'ground-plan.pdf', size_bytes: 48_211 }],
  refused_files: [{ name: 'walkthrough.mov', size_bytes: 41_943_040, reason: 'It is larger than 25 MB.' }],
  created_at: '2026-08-20T14:05:00Z' }];

export function Conversation() {
  return (
    <>
      <MessageForm label="Message to the customer" draftKey="gallery/message" types={['application/pdf']}
        pending={false} upload={() => Promise.resolve(1)}
        send={() => { toast('Message sent'); return Promise.resolve(true); }} />
      <MessageList messages={messages} own={(message) => message.from_staff} fileHref={() => '/gallery'} />
    </>
  );
}
