/** A part of a screen that did not load: what, why, and another attempt. A whole record has RecordProblem. */
import { Button } from '#web/controls/button/button.tsx';
import { EmptyState } from './empty-state.tsx';

export interface NotLoadedProps {
  /** Sentence naming the missing part: 'The terms did not load'. */
  title: string;
  /** The read that failed. */
  read: { error: { message: string } | null; refetch: () => unknown };
}

export function NotLoaded({ title, read }: NotLoadedProps) {
  return <EmptyState role="alert" title={title} text={read.error?.message}
    action={<Button onClick={() => void read.refetch()}>Try again</Button>} />;
}
