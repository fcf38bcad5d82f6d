/** Spelling of the field: the bold terms of the glossary are words, cspell-words.txt holds names and technical ones. */
import { readFileSync } from 'node:fs';

const glossary = readFileSync(new URL('docs/domain/glossary.md', import.meta.url), 'utf8');
const terms = [...glossary.matchAll(/\*\*([^*]+)\*\*/g)].flatMap(([, term]) => term.split(/[^\p{L}']+/u));

export default {
  version: '0.2',
  language: 'en,en-GB',
  files: ['**/*.{ts,tsx,mjs,cjs,css,md,sql}'],
  useGitignore: true,
  // Recorded looks are pictures in letters.
  ignorePaths: ['cspell.config.mjs', 'tests/journeys/looks.json', 'node_modules', 'package-lock.json', 'dist',
    '**/*.gen.*', 'db/demo/**', 'db/schema.sql', 'cspell-words.txt'],
  dictionaries: ['house', 'typescript', 'node', 'html', 'css', 'fonts', 'sql', 'npm'],
  dictionaryDefinitions: [{ name: 'house', path: './cspell-words.txt', addWords: true }],
  words: terms.filter((word) => word.length > 3),
  // Names of elements and fields of bank formats, heads of banks in other languages.
  overrides: [{ filename: ['packages/kernel/{bank-statements,payment-files}/*.ts',
    'modules/banking/statement/*.{ts,tsx}', 'docs/domain/{bank,payment}-files.md'],
    words: ['juil', 'ccard', 'invst', 'raiffeisen', 'acmt', 'odfi', 'Würth', 'Wuerth', 'Meeus', 'unspelled', 'testdata',
      'Würzburg', 'micr', 'positivepaymaker'], ignoreRegExpList: [
    '/\\b[A-Z][A-Za-z]*(Ntry|Ntries|Dtls|Inf|Ind|Amt|Cd|Id|Tp|Ref|Dt|Tm|Nm)\\b/g', "/'[^'\n]*'/g", '/`[^`\n]*`/g',
    '/\\b[A-Z][A-Z0-9]{3,}\\b/g', '/<[^>\n]*>/g', '/camt|Cstmr\\w*|Ntfctn|[Ff]itid|Rvsl/gi'] }],
  // Two spellings of one concept is a bug.
  flagWords: ['royaltee', 'royalter', 'licencor', 'recoupement'],
  ignoreRegExpList: ['/[0-9a-f]{16,}/g', "/'[^'\\s]{30,}'/g"],
};
