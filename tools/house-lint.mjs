/** Rules of the house that no ready-made lint has (architecture.md 3). Loaded by .oxlintrc.json. */

const filenameOf = (context) => (context.filename ?? context.getFilename()).replaceAll('\\', '/');

/** The kernel is pure: the same input gives the same output, today and in ten years. */
const pureKernel = {
  create(context) {
    const report = (node, message) => context.report({ node, message });
    const refuseAsync = (node) => {
      if (node.async) report(node, 'The kernel is synchronous: load first, then decide.');
    };
    return {
      CallExpression({ callee }) {
        if (callee.type === 'Identifier' && callee.name === 'parseFloat') {
          report(callee, 'No floating point in the kernel: parse decimal text into a bigint.');
        }
        if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier') return;
        const call = `${callee.object.name}.${callee.property.name}`;
        if (call === 'Date.now') report(callee, 'The kernel has no clock: take the day as an argument.');
        if (call === 'Math.random') report(callee, 'The kernel has no chance: take what varies as an argument.');
        if (call === 'Number.parseFloat') report(callee, 'No floating point in the kernel.');
      },
      NewExpression(node) {
        if (node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0) {
          report(node, 'The kernel has no clock: take the day as an argument.');
        }
      },
      FunctionDeclaration: refuseAsync,
      FunctionExpression: refuseAsync,
      ArrowFunctionExpression: refuseAsync,
    };
  },
};

/** A query's text never holds a value: only the sql tag may build it (packages/server-kit/sql.ts). */
const taggedSql = {
  create(context) {
    if (!/\.server\.ts$|packages\/server-kit\//.test(filenameOf(context))) return {};
    const methods = new Set(['query', 'one', 'maybeOne', 'exec']);
    return {
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== 'MemberExpression' || !methods.has(callee.property.name)) return;
        const first = node.arguments[0];
        if (first?.type === 'TemplateLiteral' && first.expressions.length > 0) {
          context.report({ node: first, message: 'A value inside query text: use the sql tag.' });
        }
        if (first?.type === 'BinaryExpression') {
          context.report({ node: first, message: 'Query text put together with +: use the sql tag.' });
        }
      },
    };
  },
};

const noRawHtml = {
  create(context) {
    return {
      JSXAttribute(node) {
        if (node.name.name === 'dangerouslySetInnerHTML') {
          context.report({ node, message: 'No raw HTML: render elements.' });
        }
      },
    };
  },
};

/** A line break of the source inside a sentence reaches its reader with the spaces of the indentation. */
const wholeSentences = {
  create(context) {
    return {
      TemplateLiteral(node) {
        if (node.parent?.type === 'TaggedTemplateExpression') return;
        const text = node.quasis.map((part) => part.value.cooked ?? '').join('…');
        if (/\.test\.tsx?$|\/bench\//.test(filenameOf(context))) return;
        if (/\b(select|create table|insert into|case\s+when)\b/.test(text)) return;
        if (/[\p{L},.;:] *\n {4,}[\p{L}“…]/u.test(text)) {
          context.report({ node, message: 'A line break inside a sentence: end the literal and go on with +.' });
        }
      },
    };
  },
};

export default {
  meta: { name: 'house' },
  rules: { 'pure-kernel': pureKernel, 'tagged-sql': taggedSql, 'no-raw-html': noRawHtml,
    'whole-sentences': wholeSentences },
};
