/** Returns on their way in. */
import type * as z from 'zod';
import type { ANSWERS, QUESTION_KINDS, reportInput } from './box-office.contract.ts';
import type { Deal } from './deal.server.ts';
import type { netTakings } from './settle-report.server.ts';
import type { Takings } from './takings.ts';

export type QuestionKind = (typeof QUESTION_KINDS)[number];

export interface RaisedQuestion {
  kind: QuestionKind;
  question: string;
}

type ReportFigures = Omit<z.input<typeof reportInput>, 'replaces_report_id' | 'add' | 'add_reason'>;

export interface SubmitInput extends ReportFigures {
  license_id: number;
  source: 'staff' | 'portal' | 'import';
  /** A draft stays expected: nobody has submitted it. */
  draft?: boolean;
  replaces_report_id?: number | null | undefined;
  /** Counts beside the returns that it overlaps, for this reason. */
  add?: boolean;
  add_reason?: string | null | undefined;
  import_id?: number;
  import_row_no?: number;
  /** SHA-256 over the cells of the imported row, 32 bytes in hex. */
  row_hash?: string;
}

/** Data stored with a report besides its input. */
export interface ReadyReport {
  input: SubmitInput;
  deal: Deal;
  takings: Takings;
  net: ReturnType<typeof netTakings>;
  questions: RaisedQuestion[];
  /** Why it is held; empty where it counts. They are asked like questions. */
  holds: RaisedQuestion[];
  /** It overlaps others and counts beside them. */
  added: boolean;
  /** Returns that it takes the place of. */
  replaces: number[];
  due_on: string | null;
  part: number;
}

/** The answer to a question of a return. */
export interface AnswerInput {
  report_id: number;
  question_id: number;
  answer: (typeof ANSWERS)[number];
  /** Performances held, for answer corrected. */
  performances?: number;
  /** The reason, for a held return that counts all the same. */
  note?: string;
  /** Accounting date of what follows; the division's today where absent. */
  on?: string;
}
