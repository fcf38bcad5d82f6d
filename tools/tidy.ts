/** The house lints itself: lengths, banned words and calls, one title per document. `node tools/tidy.ts` or a gate. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import ts from 'typescript';

const MAX_LINE = 120;
const MAX_FILE = 400;
const MAX_FUNCTION = 70;

interface Ban {
  pattern: RegExp;
  instead: string;
  /** Files where it is allowed, with good reason. */
  except?: RegExp;
}

const TERMINAL = /^(tools|bench|apps\/server|tests|db)\/|\.test\.tsx?$/;
const BANS: readonly Ban[] = [
  { pattern: /\b(FIXME|TODO|XXX)\b/, instead: 'finish it, or open an issue' },
  { pattern: /\b(it|test|describe)\.only\(/, instead: 'run one test by -t' },
  { pattern: /@ts-(ignore|nocheck)/, instead: 'fix the type' },
  { pattern: /\b(window\.)?(alert|confirm|prompt)\(['"`]/, instead: 'a dialog of web-kit' },
  { pattern: /\beval\(|new Function\(/, instead: 'plain code' },
  { pattern: /\.innerHTML\s*=/, instead: 'React children' },
  { pattern: /\bdebugger;/, instead: 'a test' },
  { pattern: /console\.(log|debug)\(/, instead: 'the logger', except: TERMINAL },
  { pattern: /^\s*\/(\*\*|\/) (What|Who|Whoever|Whose|Where|Which|How|Whatever)\b/,
    instead: 'open the comment with a noun or a verb (STYLE.md)' },
  { pattern: /\b(interface|type|class) (Asked|Known|Told|Wanted|Kept|Brought|Doing)\b/, instead: 'a noun' },
  { pattern: /\b[Ee]-mail/, instead: 'email, one word on every screen' },
];
const CODE = /\.(ts|tsx|mjs|cjs)$/;
const MEASURED = /\.(ts|tsx|mjs|cjs|css|sql)$/;
/** These name the banned words in order to ban them. */
const SELF = /^tools\/tidy(\.test)?\.ts$/;

function checkLines(file: string, lines: readonly string[]): string[] {
  const found: string[] = [];
  if (lines.length - 1 > MAX_FILE) found.push(`${file}: ${lines.length - 1} lines, at most ${MAX_FILE}`);
  lines.forEach((line, index) => {
    // An address with its data inside cannot be broken.
    if (line.length > MAX_LINE && !line.includes('url("data:')) found.push(`${file}:${index + 1}: ${line.length} characters, at most ${MAX_LINE}`);
    if (SELF.test(file) || !CODE.test(file)) return;
    for (const ban of BANS) {
      if (ban.except?.test(file) || !ban.pattern.test(line)) continue;
      found.push(`${file}:${index + 1}: ${ban.pattern.exec(line)?.[0]} is banned; ${ban.instead}`);
    }
  });
  return found;
}

/** The body of `describe` is a chapter, not a function. */
function isChapter(node: ts.Node): boolean {
  return ts.isCallExpression(node.parent) && /^describe\b/.test(node.parent.expression.getText());
}

function checkFunctions(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body && !isChapter(node)) {
      const first = source.getLineAndCharacterOfPosition(node.getStart()).line;
      const length = source.getLineAndCharacterOfPosition(node.getEnd()).line - first + 1;
      if (length > MAX_FUNCTION) {
        found.push(`${file}:${first + 1}: function of ${length} lines, at most ${MAX_FUNCTION}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function checkMarkdown(file: string, text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '');
  const found: string[] = [];
  const titles = prose.split('\n').filter((line) => line.startsWith('# ')).length;
  if (titles !== 1) found.push(`${file}: ${titles} titles (# ...), exactly one`);
  for (const [, target = ''] of prose.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
    if (/^[a-z]+:/.test(target)) continue;
    if (!existsSync(path.join(path.dirname(file), target))) found.push(`${file}: no such file ${target}`);
  }
  return found;
}

/** Files that say whole what there is of something, and how a line names one thing of it. */
const REGISTERS: readonly { file: RegExp; entry: RegExp }[] = [
  { file: /apps\/server\/src\/routes\.ts$/, entry: /^ {2}\.\.\.(\w+),$/ },
  { file: /db\/migrations\/access\.sql$/, entry: /^call \w+_table\('(\w+)'/ },
];

/** A route mounted twice, or a table classed twice, stops the start: two branches that each added it merge cleanly. */
function checkRegister(file: string, lines: readonly string[]): string[] {
  const entry = REGISTERS.find((register) => register.file.test(file))?.entry;
  if (!entry) return [];
  const seen = new Set<string>();
  return lines.flatMap((line, index) => {
    const name = entry.exec(line)?.[1];
    if (name === undefined) return [];
    if (seen.has(name)) return [`${file}:${index + 1}: ${name} stands here twice`];
    seen.add(name);
    return [];
  });
}

/** Untidy places in one file, each as `file:line: what`. Generated files are judged by their generator's test. */
export function tidyFile(file: string, text: string): string[] {
  if (/\.gen\.|^db\/schema\.sql$/.test(file)) return [];
  if (file.endsWith('.md')) return checkMarkdown(file, text);
  const found: string[] = [];
  const lines = text.split('\n');
  if (MEASURED.test(file)) found.push(...checkLines(file, lines), ...checkRegister(file, lines));
  if (CODE.test(file)) found.push(...checkFunctions(file, text));
  return found;
}

/**
 * Classes of CSS modules that no code names: what they did is gone, or moved without its rule for phones.
 * A module whose classes are looked up by a value (`styles[kind]`) is not judged.
 * @param files text by path: style sheets and code
 */
export function deadClasses(files: ReadonlyMap<string, string>): string[] {
  const code = [...files].filter(([file]) => CODE.test(file)).map(([, text]) => text);
  return [...files].filter(([file]) => file.endsWith('.module.css')).flatMap(([file, text]) => {
    const users = code.filter((one) => one.includes(`/${path.basename(file)}'`)).join('\n');
    if (/\bstyles\[/i.test(users)) return [];
    const selectors = text.replaceAll(/\/\*.*?\*\/|:global\((?:[^()]|\([^()]*\))*\)/gs, '')
      .replaceAll(/\{[^{}]*\}/g, '{}');
    const classes = new Set([...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map((match) => match[1]!));
    return [...classes].filter((name) => !new RegExp(`\\.${name}\\b`).test(users))
      .map((name) => `${file}: no code names .${name}`);
  });
}

function filesOfRepository(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
  return listed.split('\n').filter((file) => file !== '' && existsSync(file));
}

if (import.meta.main) {
  const files = new Map(filesOfRepository().filter((file) => MEASURED.test(file) || file.endsWith('.md'))
    .map((file) => [file, readFileSync(file, 'utf8')]));
  const found = [...[...files].flatMap(([file, text]) => tidyFile(file, text)), ...deadClasses(files)];
  for (const line of found) console.log(line);
  process.exitCode = found.length === 0 ? 0 : 1;
}
