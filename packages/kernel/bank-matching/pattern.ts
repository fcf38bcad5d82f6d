/** Regular expressions of bank rules. The engine is handed in: the kernel imports nothing. */

export interface Pattern {
  /** Whether the pattern is found in the text, whatever the case of its letters. */
  matches: (text: string) => boolean;
}

/**
 * Reads a pattern, or says in words why not. It must run in time that grows with the text only: JavaScript's own engine
 * can be kept busy for hours by one pattern (`(a+)+$`).
 */
export type CompilePattern = (pattern: string) =>
  { pattern: Pattern; problem: null } | { pattern: null; problem: string };
