/**
 * Regular expressions of bank rules, run in time that grows with the text and the pattern only. The engine of
 * JavaScript tries one way after the other and can be made to run for hours by one pattern; this one follows all ways
 * at once (Thompson 1968). It has no back references and no look-around, and refuses them in words.
 */

/** Signs of a pattern, and states it may become: repeats are written out. */
export const MAX_PATTERN = 200;
const MAX_STATES = 600;
/** Nodes written, those that leave no state included: empty groups repeated within each other. */
const MAX_WRITTEN = 5000;
const MAX_REPEAT = 50;
/** Text that is compared; no line of a bank needs more to be known. */
export const MAX_PATTERN_TEXT = 1000;

type Test = (sign: string) => boolean;
type Boundary = 'start' | 'end' | 'word' | 'no_word';

type Node =
  | { type: 'sign'; test: Test }
  | { type: 'boundary'; boundary: Boundary }
  | { type: 'chain'; parts: Node[] }
  | { type: 'choice'; options: Node[] }
  | { type: 'repeat'; node: Node; least: number; most: number | null };

type State =
  | { type: 'sign'; test: Test; next: number }
  | { type: 'boundary'; boundary: Boundary; next: number }
  | { type: 'fork'; next: number[] }
  | { type: 'end' };

export interface Pattern {
  states: readonly State[];
  start: number;
}

export type PatternResult = { pattern: Pattern; problem: null } | { pattern: null; problem: string };

const TOO_LONG = 'The pattern repeats too much. Repeat less often.';

class PatternProblem extends Error {}

const isWord: Test = (sign) => /^[\p{L}\p{N}_]$/u.test(sign);
const isDigit: Test = (sign) => /^\p{Nd}$/u.test(sign);
const isSpace: Test = (sign) => /^\s$/u.test(sign);
const not = (test: Test): Test => (sign) => !test(sign);
const CLASSES: Readonly<Record<string, Test>> = { d: isDigit, w: isWord, s: isSpace, D: not(isDigit), W: not(isWord),
  S: not(isSpace) };

const lower = (sign: string): string => sign.toLowerCase();
const same = (wanted: string): Test => {
  const small = lower(wanted);
  return (sign) => lower(sign) === small;
};

/** Reads a pattern by recursive descent; `at` is the next sign. */
class Reader {
  readonly signs: readonly string[];
  at = 0;
  depth = 0;

  constructor(text: string) {
    this.signs = Array.from(text);
  }

  peek(): string | undefined {
    return this.signs[this.at];
  }

  take(): string | undefined {
    this.at += 1;
    return this.signs[this.at - 1];
  }

  skip(sign: string): boolean {
    if (this.peek() !== sign) return false;
    this.at += 1;
    return true;
  }

  choice(): Node {
    const options = [this.chain()];
    while (this.skip('|')) options.push(this.chain());
    return options.length === 1 ? options[0]! : { type: 'choice', options };
  }

  chain(): Node {
    const parts: Node[] = [];
    for (let next = this.peek(); next !== undefined && next !== '|' && next !== ')'; next = this.peek()) {
      parts.push(this.repeated(this.atom()));
    }
    return { type: 'chain', parts };
  }

  repeated(node: Node): Node {
    const range = this.range();
    if (range === null) return node;
    if (node.type === 'boundary') throw new PatternProblem('A start, an end or \\b cannot be repeated.');
    // A question mark after a repeat asks for the shortest text; whether there is one is the same.
    this.skip('?');
    if (this.range() !== null) throw new PatternProblem('A repeat follows a repeat. Put the first in parentheses.');
    return { type: 'repeat', node, ...range };
  }

  range(): { least: number; most: number | null } | null {
    if (this.skip('*')) return { least: 0, most: null };
    if (this.skip('+')) return { least: 1, most: null };
    if (this.skip('?')) return { least: 0, most: 1 };
    const written = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(this.signs.slice(this.at, this.at + 12).join(''));
    if (!written) return null;
    this.at += written[0].length;
    const least = Number(written[1]);
    const most = written[2] === undefined ? least : written[3] === '' ? null : Number(written[3]);
    if (Math.max(least, most ?? 0) > MAX_REPEAT) throw new PatternProblem(`Repeat at most ${MAX_REPEAT} times.`);
    if (most !== null && most < least) throw new PatternProblem(`${written[0]} ends before it begins.`);
    return { least, most };
  }

  atom(): Node {
    const sign = this.take()!;
    if (sign === '(') return this.group();
    if (sign === '[') return { type: 'sign', test: this.set() };
    if (sign === '.') return { type: 'sign', test: () => true };
    if (sign === '^') return { type: 'boundary', boundary: 'start' };
    if (sign === '$') return { type: 'boundary', boundary: 'end' };
    if (sign === '\\') return this.escaped();
    if ('*+?'.includes(sign)) {
      throw new PatternProblem(`Nothing comes before ${sign} to repeat. Write \\${sign} for the sign.`);
    }
    return { type: 'sign', test: same(sign) };
  }

  group(): Node {
    this.depth += 1;
    if (this.depth > 20) throw new PatternProblem('The parentheses are nested too deeply.');
    if (this.skip('?') && !this.skip(':')) {
      throw new PatternProblem('Looking ahead or behind and named groups are not supported. Use ( ) alone.');
    }
    const node = this.choice();
    if (!this.skip(')')) throw new PatternProblem('A closing parenthesis is missing.');
    this.depth -= 1;
    return node;
  }

  escaped(): Node {
    const sign = this.take();
    if (sign === undefined) throw new PatternProblem('The pattern ends with \\.');
    if (sign === 'b') return { type: 'boundary', boundary: 'word' };
    if (sign === 'B') return { type: 'boundary', boundary: 'no_word' };
    return { type: 'sign', test: escapedTest(sign) };
  }

  /** What stands between [ and ]. */
  set(): Test {
    const isNegated = this.skip('^');
    const tests: Test[] = [];
    for (let first = true; first || this.peek() !== ']'; first = false) {
      const sign = this.take();
      if (sign === undefined) throw new PatternProblem('A closing bracket ] is missing.');
      if (sign === ']') throw new PatternProblem('The brackets [ ] are empty.');
      tests.push(sign === '\\' ? escapedTest(this.take() ?? '') : this.ranged(sign));
    }
    this.at += 1;
    const isIn: Test = (sign) => tests.some((test) => test(sign));
    return isNegated ? not(isIn) : isIn;
  }

  ranged(from: string): Test {
    const to = this.signs[this.at + 1];
    if (this.peek() !== '-' || to === undefined || to === ']' || to === '\\') return same(from);
    this.at += 2;
    if (from > to) throw new PatternProblem(`${from}-${to} ends before it begins.`);
    const isBetween: Test = (sign) => sign >= from && sign <= to;
    return (sign) => isBetween(sign) || isBetween(lower(sign)) || isBetween(sign.toUpperCase());
  }
}

function escapedTest(sign: string): Test {
  const known = CLASSES[sign];
  if (known) return known;
  if (/^\d$/.test(sign)) throw new PatternProblem('References back to a group are not supported.');
  if (/^[a-z]$/i.test(sign) || sign === '') throw new PatternProblem(`\\${sign} is not supported.`);
  return same(sign);
}

/** Writes states from the end to the beginning; answers where a node starts. */
class Writer {
  readonly states: State[] = [{ type: 'end' }];
  written = 0;

  add(state: State): number {
    if (this.states.length >= MAX_STATES) throw new PatternProblem(TOO_LONG);
    return this.states.push(state) - 1;
  }

  write(node: Node, next: number): number {
    this.written += 1;
    if (this.written > MAX_WRITTEN) throw new PatternProblem(TOO_LONG);
    switch (node.type) {
      case 'sign': return this.add({ type: 'sign', test: node.test, next });
      case 'boundary': return this.add({ type: 'boundary', boundary: node.boundary, next });
      case 'chain': return node.parts.reduceRight((after, part) => this.write(part, after), next);
      case 'choice': return this.add({ type: 'fork', next: node.options.map((option) => this.write(option, next)) });
      case 'repeat': return this.repeat(node, next);
    }
  }

  repeat({ node, least, most }: Extract<Node, { type: 'repeat' }>, next: number): number {
    let start = next;
    if (most === null) {
      const fork: { type: 'fork'; next: number[] } = { type: 'fork', next: [next] };
      start = this.add(fork);
      fork.next.push(this.write(node, start));
    } else {
      for (let count = least; count < most; count += 1) {
        start = this.add({ type: 'fork', next: [this.write(node, start), next] });
      }
    }
    for (let count = 0; count < least; count += 1) start = this.write(node, start);
    return start;
  }
}

/** A pattern that can be run, or in a sentence why it cannot. */
export function compilePattern(text: string): PatternResult {
  if (text === '') return { pattern: null, problem: 'Enter a pattern.' };
  if (text.length > MAX_PATTERN) {
    return { pattern: null, problem: `A pattern has at most ${MAX_PATTERN} characters.` };
  }
  try {
    const reader = new Reader(text);
    const node = reader.choice();
    if (reader.peek() !== undefined) throw new PatternProblem('An opening parenthesis is missing.');
    const writer = new Writer();
    const start = writer.write(node, 0);
    return { pattern: { states: writer.states, start }, problem: null };
  } catch (error) {
    if (error instanceof PatternProblem) return { pattern: null, problem: error.message };
    throw error;
  }
}

function holds(boundary: Boundary, signs: readonly string[], at: number): boolean {
  if (boundary === 'start') return at === 0;
  if (boundary === 'end') return at === signs.length;
  const before = at > 0 && isWord(signs[at - 1]!);
  const after = at < signs.length && isWord(signs[at]!);
  return (before !== after) === (boundary === 'word');
}

/** Whether the pattern is found anywhere in the text, upper and lower case alike. `steps` counts the states visited. */
export function runPattern(pattern: Pattern, text: string): { found: boolean; steps: number } {
  const signs = Array.from(text.slice(0, MAX_PATTERN_TEXT));
  let steps = 0;
  let current: number[] = [];
  for (let at = 0; at <= signs.length; at += 1) {
    const seen = new Set<number>();
    const waiting = [...current, pattern.start];
    const next: number[] = [];
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      if (seen.has(number)) continue;
      seen.add(number);
      steps += 1;
      const state = pattern.states[number]!;
      if (state.type === 'end') return { found: true, steps };
      if (state.type === 'fork') waiting.push(...state.next);
      else if (state.type === 'boundary') {
        if (holds(state.boundary, signs, at)) waiting.push(state.next);
      } else if (at < signs.length && state.test(signs[at]!)) next.push(state.next);
    }
    current = next;
  }
  return { found: false, steps };
}
