/** Ids of spec rows in the titles of tests that run: `it('refuses a negative seat [R7]', ...)`. */
import ts from 'typescript';

const RUNNERS = new Set(['it', 'test', 'describe']);
const OFF = new Set(['skip', 'todo', 'fails']);

/** `it.each(...)` and `it.runIf(...)` are chains; answers their root, the words between and the literal arguments. */
function unchain(callee: ts.Expression): { root: string; words: string[]; tables: ts.Node[] } {
  const words: string[] = [];
  const tables: ts.Node[] = [];
  let current: ts.Expression = callee;
  for (;;) {
    if (ts.isPropertyAccessExpression(current)) {
      words.push(current.name.text);
      current = current.expression;
    } else if (ts.isCallExpression(current)) {
      tables.push(...current.arguments);
      current = current.expression;
    } else {
      return { root: ts.isIdentifier(current) ? current.text : '', words, tables };
    }
  }
}

function idsIn(text: string): string[] {
  const lists = text.matchAll(/\[([A-Z]{1,2}\d+(?:[ ,]+[A-Z]{1,2}\d+)*)\]/g);
  return [...lists].flatMap(([, list = '']) => list.split(/[ ,]+/));
}

/** Rows of `it.each([['[R7]', ...]])` bring their ids in the table where the title has a place for them. */
function titleText(title: ts.Expression, tables: readonly ts.Node[]): string {
  const text = title.getText();
  return /%s|\$\{?\w/.test(text) ? [text, ...tables.map((table) => table.getText())].join('\n') : text;
}

export function idsOfTests(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const { root, words, tables } = unchain(node.expression);
      if (RUNNERS.has(root)) {
        // Disabled tests prove nothing, nor does anything inside them.
        if (words.some((word) => OFF.has(word))) return;
        const [title] = node.arguments;
        if (title && node.arguments.length > 1) found.push(...idsIn(titleText(title, tables)));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
