/**
 * `node tools/statement-types.ts FOLDER`: compares what the code says of the rows of its statements with what
 * PostgreSQL answered while tests ran with STATEMENTS=FOLDER (tests/support/statement-record.ts). Of every
 * `query<Row>`, `one<Row>` and `maybeOne<Row>` that was called: each property of Row is a column of the answer, of a
 * type that its wire type becomes (server-kit/db.ts), and says `null` where a null was seen. Whatever nobody called is
 * named, not judged.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import ts from 'typescript';
import type { SeenColumn, Statements } from '#tests/support/statement-record.ts';
import { ROOT } from './steps.ts';

type Kind = 'number' | 'text' | 'boolean' | 'array' | 'json' | 'bytes';

/** Kinds by the number of a type in the catalogue of PostgreSQL; a type that is missing here is text. */
const KINDS: Record<number, Kind> = {
  16: 'boolean', 17: 'bytes', 20: 'number', 21: 'number', 23: 'number', 26: 'number', 700: 'number', 701: 'number',
  114: 'json', 3802: 'json',
};
/** Arrays: bool, int2, int4, text, varchar, char, int8, oid, float8, date, timestamptz, numeric, uuid, jsonb. */
const ARRAYS = new Set([1000, 1005, 1007, 1009, 1015, 1014, 1016, 1028, 1022, 1182, 1185, 1231, 2951, 3807]);
const kindOf = (oid: number): Kind => ARRAYS.has(oid) ? 'array' : KINDS[oid] ?? 'text';

interface Call { line: number; node: ts.CallExpression }

/** `unseen`: calls that no test asked, as file:line. */
export interface Comparison { compared: number; unseen: string[]; wrong: string[] }

const METHODS = new Set(['query', 'one', 'maybeOne']);

function callsIn(file: ts.SourceFile): Call[] {
  const found: Call[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.typeArguments?.length === 1
      && ts.isPropertyAccessExpression(node.expression) && METHODS.has(node.expression.name.text)) {
      const { line } = file.getLineAndCharacterOfPosition(node.expression.name.getStart());
      found.push({ line: line + 1, node });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Kinds that a type of TypeScript admits, null apart. */
function admits(checker: ts.TypeChecker, type: ts.Type, kind: Kind): boolean {
  const parts = type.isUnion() ? type.types : [type];
  return parts.some((part) => admitsPart(checker, part, kind));
}

function admitsPart(checker: ts.TypeChecker, part: ts.Type, kind: Kind): boolean {
  const { flags } = part;
  if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter | ts.TypeFlags.Conditional
    | ts.TypeFlags.IndexedAccess)) return true;
  if (kind === 'json') return !(flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined));
  if (kind === 'number') return (flags & ts.TypeFlags.NumberLike) !== 0;
  if (kind === 'text') return (flags & ts.TypeFlags.StringLike) !== 0 || isBranded(part, ts.TypeFlags.StringLike);
  if (kind === 'boolean') return (flags & ts.TypeFlags.BooleanLike) !== 0;
  if (kind === 'array') return checker.isArrayLikeType(part);
  return (flags & ts.TypeFlags.Object) !== 0;
}

/** A string with a brand is an intersection. */
const isBranded = (part: ts.Type, like: ts.TypeFlags): boolean =>
  part.isIntersection() && part.types.some((one) => (one.flags & like) !== 0);

function admitsNull(type: ts.Type): boolean {
  const parts = type.isUnion() ? type.types : [type];
  return parts.some((part) => (part.flags & (ts.TypeFlags.Null | ts.TypeFlags.Any | ts.TypeFlags.Unknown
    | ts.TypeFlags.TypeParameter | ts.TypeFlags.Conditional | ts.TypeFlags.IndexedAccess)) !== 0);
}

/** Faults of one call by what was answered to it. */
function faultsOf(checker: ts.TypeChecker, call: Call, columns: Record<string, SeenColumn>): string[] {
  const row = checker.getTypeFromTypeNode(call.node.typeArguments![0]!);
  if (row.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter)) return [];
  return checker.getPropertiesOfType(row).flatMap((property) => {
    const type = checker.getTypeOfSymbolAtLocation(property, call.node);
    const column = columns[property.name];
    if (!column) {
      return property.flags & ts.SymbolFlags.Optional ? [] : [`${property.name} is no column of the answer`];
    }
    const said = checker.typeToString(type);
    if (column.null && !admitsNull(type)) return [`${property.name} was null, typed ${said}`];
    return admits(checker, type, kindOf(column.oid)) ? []
      : [`${property.name} is ${kindOf(column.oid)} (type ${column.oid}), typed ${said}`];
  });
}

export function readStatements(folder: string): Statements {
  const all: Statements = {};
  for (const file of fs.readdirSync(folder)) {
    const part = JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')) as Statements;
    for (const [place, columns] of Object.entries(part)) {
      for (const [name, { oid, null: wasNull }] of Object.entries(columns)) {
        const known = (all[place] ??= {})[name] ??= { oid, null: false };
        known.null ||= wasNull;
      }
    }
  }
  return all;
}

function programOf(config: string): ts.Program {
  const { config: read } = ts.readConfigFile(path.join(ROOT, config), (file) => ts.sys.readFile(file));
  const { fileNames, options } = ts.parseJsonConfigFileContent(read, ts.sys, ROOT);
  return ts.createProgram(fileNames, { ...options, noEmit: true, incremental: false, composite: false });
}

/** Compares every call of a program below `root` with the record; tests ask what they like. */
export function compareStatements(program: ts.Program, seen: Statements, root = ROOT): Comparison {
  const checker = program.getTypeChecker();
  const result: Comparison = { compared: 0, unseen: [], wrong: [] };
  for (const file of program.getSourceFiles()) {
    const name = path.relative(root, file.fileName);
    if (name.startsWith('..') || /node_modules|\.test\.ts$|\/testing\/|^tests\/|^bench\//.test(name)) continue;
    const byLine = Map.groupBy(callsIn(file), ({ line }) => line);
    for (const [line, calls] of byLine) {
      const columns = seen[`${name}:${line}`];
      if (!columns) {
        result.unseen.push(...calls.map(() => `${name}:${line}`));
        continue;
      }
      result.compared += calls.length;
      // Of two calls in a line, the answers are those of either.
      const faults = calls.map((call) => faultsOf(checker, call, columns));
      if (faults.every((one) => one.length > 0)) {
        result.wrong.push(...faults[0]!.map((fault) => `${name}:${line} ${fault}`));
      }
    }
  }
  return result;
}

if (import.meta.main) {
  const { compared, unseen, wrong } = compareStatements(programOf('tsconfig.server.json'),
    readStatements(process.argv[2]!));
  for (const place of unseen) console.log(`not asked: ${place}`);
  for (const line of wrong) console.log(line);
  console.log(`${compared} statements compared, ${unseen.length} that no test asks, ${wrong.length} wrong`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
