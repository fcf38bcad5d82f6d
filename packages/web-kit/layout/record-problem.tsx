/**
 * A record's screen where the record cannot be shown: it is not there (404, or an address that names none), it may not
 * be read (403), or it did not load. Says which, under a heading, and offers the way on: the list, or another attempt.
 */
import type { ApiError } from '#kit/transport.ts';
import { Button } from '#web/controls/button/button.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { PageHeader } from './page-header.tsx';

export interface RecordProblemProps {
  /** Name of the record inside a sentence: 'statement', 'box-office report'. */
  noun: string;
  /** Address of the list it would stand in. */
  list: string;
  /** Null where the address itself names no record. */
  error: ApiError | null;
  onRetry: () => void;
}

const capitalised = (noun: string): string => noun[0]!.toUpperCase() + noun.slice(1);

function explain(noun: string, error: ApiError | null): { title: string; text: string; retry: boolean } {
  if (!error || error.status === 404) {
    return { title: `There is no such ${noun}`, retry: false,
      text: 'It may have been moved to the trash, or the link is incomplete.' };
  }
  if (error.status === 403) return { title: `You may not read this ${noun}`, text: error.message, retry: false };
  return { title: `This ${noun} did not load`, text: error.message, retry: true };
}

export function RecordProblem({ noun, list, error, onRetry }: RecordProblemProps) {
  const { title, text, retry } = explain(noun, error);
  return (
    <>
      <PageHeader title={capitalised(noun)} back={list} />
      <EmptyState role="alert" title={title} text={text}
        action={retry ? <Button onClick={onRetry}>Try again</Button>
          : <ButtonLink href={list}>Back to the list</ButtonLink>} />
    </>
  );
}
