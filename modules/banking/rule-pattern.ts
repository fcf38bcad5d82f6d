/** Patterns of bank rules on RE2: without look-around and back references it runs in linear time. */
import { RE2JS, RE2JSSyntaxException } from 're2js';
import type { CompilePattern } from '#kernel/bank-matching/pattern.ts';

const LONGEST_PATTERN = 200;
/** No line of a bank needs more to be recognized. */
const LONGEST_TEXT = 1_000;

/** RE2 errors, in words; any error not listed is `UNREADABLE`. */
const PROBLEMS: Readonly<Record<string, string>> = {
  'missing closing ]': 'A closing bracket ] is missing.',
  'missing closing )': 'A closing parenthesis is missing.',
  'unexpected )': 'An opening parenthesis is missing.',
  'missing argument to repetition operator': 'There is nothing before a repeat such as * or +.',
  'invalid nested repetition operator': 'A repeat follows a repeat. Put the first in parentheses.',
  'invalid repeat count': 'The pattern repeats too much, or from more to less.',
  'invalid character class range': 'A range in brackets runs backward.',
  'trailing backslash at end of expression': 'The pattern ends with a backslash.',
  'invalid or unsupported Perl syntax': 'Looking ahead or behind is not supported.',
};
const UNREADABLE = 'The pattern cannot be read. Check its special characters, such as \\ and ( ).';

export const compileRulePattern: CompilePattern = (text) => {
  if (text === '') return { pattern: null, problem: 'Enter a pattern.' };
  if (text.length > LONGEST_PATTERN) {
    return { pattern: null, problem: `A pattern has at most ${LONGEST_PATTERN} characters.` };
  }
  try {
    const compiled = RE2JS.compile(text, RE2JS.CASE_INSENSITIVE);
    return { pattern: { matches: (line) => compiled.test(line.slice(0, LONGEST_TEXT)) }, problem: null };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    return { pattern: null, problem: PROBLEMS[String(error.error)] ?? UNREADABLE };
  }
};
