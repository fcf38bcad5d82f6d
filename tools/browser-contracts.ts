/**
 * Contracts as the browser gets them (docs/decisions/0020): zod is packages/contract/zod-in-browser.ts, an endpoint is
 * its address without the schemas of what is sent and answered, which the server alone reads, and a schema that no
 * screen reads is left out. Vite and the tests in the browser use it alike.
 */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const ZOD = fileURLToPath(new URL('../packages/contract/zod-in-browser.ts', import.meta.url));
const DECLARING = /\.contract\.ts$|\/packages\/contract\/(approval|endpoint|field|resource|sealed-details)\.ts$/;
/** Of an endpoint, for the server alone. An answer that is a file or a stream is named by a text, which stays. */
const SCHEMAS: ReadonlySet<string> = new Set(['params', 'query', 'body', 'response']);

interface Part { type: string; start: number; end: number }
interface Property extends Part { key?: { name?: string }; value?: Part }
type Argument = Part & { properties?: Property[] };
interface Call extends Part { callee: Part & { name?: string }; arguments: Argument[] }
interface Declaration extends Part { kind?: string; declarations?: { init: Part | null }[] }
interface Statement extends Declaration { declaration?: Declaration | null }
interface Edit { at: number; end: number; text: string }

export function browserContracts(): Plugin {
  return {
    name: 'browser-contracts',
    config: () => ({ resolve: { alias: [{ find: /^zod$/, replacement: ZOD }] } }),
    transform: {
      filter: { id: DECLARING },
      handler(code) {
        const read = asBrowserReads(code, this.parse(code).body as Statement[]);
        return { code: read, map: null, moduleSideEffects: false };
      },
    },
  };
}

/** Every line stays where it was. */
export function asBrowserReads(code: string, statements: Statement[]): string {
  const edits = [
    ...statements.flatMap(callsOf).flatMap((call) => call.arguments[0]?.properties ?? [])
      .filter(({ key, value }) => SCHEMAS.has(key?.name ?? '') && value?.type !== 'Literal')
      .map(({ key, start, end }) => ({ at: start, end, text: `${key!.name}: undefined${linesOf(code, start, end)}` })),
    ...statements.flatMap(constantsOf).flatMap(({ start, end }) => [
      { at: start, end: start, text: '/* @__PURE__ */ (() => (' }, { at: end, end, text: '))()' }]),
  ];
  // From the end, so that what is before stays where the tree says.
  return edits.toSorted((one, other) => other.at - one.at)
    .reduce((text, { at, end, text: put }: Edit) => text.slice(0, at) + put + text.slice(end), code);
}

const linesOf = (code: string, start: number, end: number): string => code.slice(start, end).replace(/[^\n]/g, '');

/** Initializers of a declaration: computed without effects, so the build may drop the unused ones. */
function constantsOf(statement: Statement): Part[] {
  const { kind, declarations = [] } = statement.declaration ?? statement;
  if (kind !== 'const') return [];
  return declarations.flatMap(({ init }) => init ?? [])
    .filter(({ type }) => type === 'CallExpression' || type === 'ObjectExpression');
}

/** Every `endpoint({…})`. */
function callsOf(part: unknown): Call[] {
  if (Array.isArray(part)) return part.flatMap(callsOf);
  if (typeof part !== 'object' || part === null) return [];
  const inner = Object.values(part).flatMap(callsOf);
  const call = part as Call;
  return call.type === 'CallExpression' && call.callee.name === 'endpoint' ? [call, ...inner] : inner;
}
