/** Contents of the bank's answer to a payment file, in any format, and the typed reasons why one is not read. */
import { BankFileRefused, type BankFileRefusal, type RefusalCode } from '../bank-statements/bank-file.ts';
import { fileText, type Decode } from '../bank-statements/file-text.ts';

export const ANSWER_CODES = ['not_an_answer_file', 'no_answers', 'record_length', 'record_order', 'reason_unknown',
  'truncated', 'malformed', 'payment_order'] as const;
export type AnswerCode = (typeof ANSWER_CODES)[number];

export interface AnswerRefusal {
  code: AnswerCode | RefusalCode;
  message: string;
  advice: string;
  line: number | null;
}

const SEND_AGAIN = 'Nothing was read. Download the file from the bank again.';
const ADVICE: Readonly<Record<AnswerCode, string>> = {
  not_an_answer_file: 'Choose a file of returns (NACHA), a payment status (pain.002) or a notification (camt.054).',
  no_answers: 'The bank answers in another file. Choose that one.',
  payment_order: 'This is a file of payments to send. Choose the file that came back from the bank.',
  record_length: SEND_AGAIN, record_order: SEND_AGAIN, truncated: `The end is missing. ${SEND_AGAIN}`,
  malformed: SEND_AGAIN,
  reason_unknown: 'Nothing was read. Ask the bank what the code means and record the answer by hand.',
};

/** Thrown inside the readers only; `answered` returns it as data. */
export class AnswerRefused extends Error {
  readonly refusal: AnswerRefusal;

  constructor(code: AnswerCode, message: string, line: number | null = null) {
    super(message);
    this.refusal = { code, message, advice: ADVICE[code], line };
  }
}

export type Answered<Result> = { result: Result; refusal: null } | { result: null; refusal: AnswerRefusal };

/** Bytes as text to a reader; a refusal is an answer, never an exception. */
export function answered<Result>(bytes: Uint8Array, decode: Decode, read: (text: string) => Result): Answered<Result> {
  try {
    return { result: read(fileText(bytes, decode)), refusal: null };
  } catch (error) {
    if (error instanceof AnswerRefused) return { result: null, refusal: error.refusal };
    if (error instanceof BankFileRefused) return { result: null, refusal: plain(error.refusal) };
    throw error;
  }
}

function plain({ code, message, advice, line }: BankFileRefusal): AnswerRefusal {
  return { code, message, advice, line };
}
