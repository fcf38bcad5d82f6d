/** Texts that people read are written in American English, and spelled for readers of British English. */
// cspell:disable -- both spellings
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { inBritish } from '#kernel/text/english.ts';

/** British words, as whole words; what `inBritish` writes. */
const BRITISH = new RegExp('\\b(licences?|programmes?|theatres?|cancell(ed|ing)|(un)?labell(ed|ing)|catalogues?d?'
  + '|instalments?|ageing|fulfilments?|enquir(y|ies)|colours?|favour(s|ed|ites?)?|behaviours?|neighbour\\w*|cheques?'
  + '|postcodes?|(un|re)?(organ|author|recogn|final|custom|summar|item|capital|minim|maxim|categor|normal|real)'
  + 'is(e|ed|es|ing|ation|ations|ational))\\b', 'i');

/** Files that hold both spellings with good reason. */
const BOTH: Readonly<Record<string, string>> = {
  'packages/kernel/text/english.ts': 'the table itself',
  'packages/kernel/licensing/pay-by.ts': 'due words of a plan, spelled by planInWords in the language of the division',
  'packages/kernel/pricing/deduction-words.ts': 'labels that deductionLabel spells, and papers by their language',
  'packages/kernel/pricing/promise-words.ts': 'terms of papers by the language of their division',
  'packages/kernel/licensing/contract-form.ts': 'text of contracts by division',
  'modules/licensing/documents/document-language.ts': 'text of papers by the language of their division',
  'modules/licensing/documents/offer-texts.ts': 'text of papers by the language of their division',
  'modules/licensing/contracts/': 'text of contracts by division',
  'modules/data-exchange/imports/': 'heads and values of files in either spelling',
  'modules/identity/session/guessable.server.ts': 'words of passwords',
  'modules/taxation/local-tax': 'ZIP codes of the United States',
  'modules/taxation/tax-service/': 'ZIP codes of the United States',
  'packages/web-kit/controls/address/address-rules.ts': 'labels of addresses by country',
  'packages/kernel/bank-statements/': 'heads of files of banks',
  'packages/kernel/payment-files/': 'words of the rules of banks',
  'packages/contract/conflict-codes.ts': 'meanings in the documentation',
  'packages/contract/errors.ts': 'texts of the specification',
  'packages/web-kit/controls/failure/unauthorized.tsx': 'texts of the specification',
  'packages/web-kit/gallery/': 'samples',
};
/** Labels in American English that are spelled where they are used: they are stored, or stand outside of a request. */
const SPELLED_WHERE_USED = new Set(['packages/kernel/materials/download-access.ts',
  'modules/royalties/statements/statement-pdf.server.ts', 'modules/licensing/licenses/pricing/price-answer.server.ts',
  'modules/licensing/licenses/pricing/price-license.server.ts', 'modules/licensing/licenses/phase/event-rows.server.ts',
  'modules/licensing/licenses/phase/license-clocks.server.ts', 'modules/licensing/checklist/checklist-items.server.ts',
  'modules/licensing/applications/move-application.server.ts']);

/** Texts about computer programs, which British readers spell alike, and ZIP codes of a state. */
const ALIKE = /program that made|Used by programs|Programs send|What programs call|zip codes? of/i;
const NO_TEXT = /(\.test\.|\.gen\.|gallery|fixtures|migrate|\.d\.ts$)/;

/** Words and sentences; neither names of the code nor addresses nor statements. */
const isSpoken = (text: string): boolean => (/^\s*[A-Z]/.test(text) || /[a-z] [a-z]/i.test(text))
  && !/^[/?#]|\b(select|insert|update|delete|from|where|join|values)\b.*(_|\b(and|set|id)\b)|<\w+[ >]|\w_\w/.test(text);

const isTag = (node: ts.Node, name: RegExp, file: ts.SourceFile): boolean =>
  ts.isTaggedTemplateExpression(node) && name.test(node.tag.getText(file));

/** Not read by people: names in types and properties, SQL, faults of the program, summaries of calls, the log. */
function isOfCode(node: ts.Node, file: ts.SourceFile): boolean {
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent)) return true;
  if ((ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) && parent.name === node) return true;
  if (ts.isElementAccessExpression(parent) || ts.isCaseClause(parent)) return true;
  if (ts.isBinaryExpression(parent) && /^[!=]==?$/.test(parent.operatorToken.getText(file))) return true;
  for (let at: ts.Node | undefined = parent; at; at = at.parent) {
    if (isTag(at, /^(sql|raw)/, file)) return true;
    if (ts.isNewExpression(at) && /^(Error|RegExp)$/.test(at.expression.getText(file))) return true;
    const property = ts.isPropertyAssignment(at) ? at.name.getText(file) : '';
    if (/^(summary|path|href|key|template|name)$/.test(property)) return true;
    if (ts.isCallExpression(at) && /\blog$/.test(at.expression.getText(file))) return true;
    if (ts.isFunctionLike(at) || ts.isBlock(at)) return false;
  }
  return false;
}

const isSpelled = (node: ts.Node, file: ts.SourceFile): boolean => {
  const whole = ts.isTemplateSpan(node.parent) ? node.parent.parent.parent
    : ts.isTemplateExpression(node.parent) ? node.parent.parent : node.parent;
  return isTag(whole, /^(spell|say|spellIn\(.*\))$/s, file);
};

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node) || ts.isTemplateHead(node)) return node.text;
  return ts.isTemplateMiddle(node) || ts.isTemplateTail(node) ? node.text : null;
}

function unspelled(name: string): string[] {
  const source = readFileSync(name, 'utf8');
  if (!BRITISH.test(source) && inBritish(source) === source) return [];
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true,
    name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== null && isSpoken(text) && !ALIKE.test(text)) {
      const differs = BRITISH.test(text) || (!SPELLED_WHERE_USED.has(name) && inBritish(text) !== text
        && !isSpelled(node, file));
      if (differs && !isOfCode(node, file)) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
        found.push(`${name}:${line + 1}: ${text.trim().replace(/\s+/g, ' ').slice(0, 80)}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

it('screens, mails, documents and errors hold a word of one spelling only inside spell`…`', () => {
  const files = globSync('{modules,packages,apps/web}/**/*.{ts,tsx}')
    .filter((name) => !NO_TEXT.test(name) && !Object.keys(BOTH).some((one) => name.startsWith(one)));
  expect(files.length).toBeGreaterThan(900);
  expect(files.flatMap(unspelled).join('\n')).toBe('');
});
