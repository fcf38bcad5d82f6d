/** Returns on their way in. */
import type * as z from 'zod';
import type { reportInput } from './box-office.contract.ts';
import type { Deal } from './deal.server.ts';
import type { netTakings } from './settle-report.server.ts';
import type { Takings } from './takings.ts';

export type QuestionKind = 'no_performances' | 'capacity_over_100' | 'price_above_quoted' | 'deduction_not_allowed';

export interface RaisedQuestion {
  kind: QuestionKind;
  question: string;
}

type ReportFigures = Omit<z.input<typeof reportInput>, 'replaces_report_id' | 'add'>;

export interface SubmitInput extends ReportFigures {
  license_id: number;
  source: 'staff' | 'portal' | 'import';
  /** A draft stays expected: nobody has submitted it. */
  draft?: boolean;
  replaces_report_id?: number | null | undefined;
  add?: boolean;
  import_id?: number;
  import_row_no?: number;
  /** SHA-256 over the cells of the imported row, 32 bytes in hex. */
  row_hash?: string;
}

/** What is stored of a return beside what was typed. */
export interface ReadyReport {
  input: SubmitInput;
  deal: Deal;
  takings: Takings;
  net: ReturnType<typeof netTakings>;
  questions: RaisedQuestion[];
  due_on: string | null;
  part: number;
}
