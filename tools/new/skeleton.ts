/** Files of a new simple resource and its lines in the registers, as `npm run new` writes them. */
import { readFileSync } from 'node:fs';

/** Names of a resource in all the forms that code asks for; those of the templates, between percent signs. */
export interface ResourceNames {
  /** 'operations' */
  module: string;
  /** 'stage type', 'Stage type', 'stage types', 'Stage types' */
  noun: string;
  Noun: string;
  nouns: string;
  Nouns: string;
  /** Family of permissions that opens it, one that has list, show, create, update and delete: 'venue'. */
  permission: string;
  /** 'stage-type', 'stage-types': file names and addresses. */
  kebab: string;
  kebabs: string;
  /** 'stage_type', 'stage_types': the entity and its table. */
  snake: string;
  table: string;
  /** 'stageType', 'stageTypes', 'StageType': values and types. */
  camel: string;
  camels: string;
  pascal: string;
}

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
const camelOf = (words: string): string => words.split(' ').map((word, at) => at === 0 ? word : capital(word)).join('');

/** `noun` in lower case: 'stage type'. The plural takes an s unless it is given. */
export function namesOf(module: string, noun: string, permission: string, nouns = `${noun}s`): ResourceNames {
  for (const words of [noun, nouns]) {
    if (!/^[a-z]+( [a-z]+)*$/.test(words)) throw new Error(`A noun in lower case, such as 'stage type', not ${words}`);
  }
  return { module, noun, Noun: capital(noun), nouns, Nouns: capital(nouns), permission,
    kebab: noun.replaceAll(' ', '-'), kebabs: nouns.replaceAll(' ', '-'), snake: noun.replaceAll(' ', '_'),
    table: nouns.replaceAll(' ', '_'), camel: camelOf(noun), camels: camelOf(nouns), pascal: capital(camelOf(noun)) };
}

/** A template with the names in it. */
function fill(template: string, names: ResourceNames): string {
  return readFileSync(new URL(`templates/${template}.txt`, import.meta.url), 'utf8')
    .replaceAll(/%(\w+)%/g, (_found, name: keyof ResourceNames) => names[name]);
}

/** The four files of a resource by their path; `stamp`: the migration's time, '20261127T0915'. */
export function skeletonOf(names: ResourceNames, stamp: string): Record<string, string> {
  const base = `modules/${names.module}/${names.kebab}/${names.kebab}`;
  return {
    [`${base}.contract.ts`]: fill('contract.ts', names),
    [`${base}.server.ts`]: fill('server.ts', names),
    [`${base}-screens.web.tsx`]: fill('screens.web.tsx', names),
    [`db/migrations/${stamp}-add-${names.kebabs}.sql`]: fill('migration.sql', names),
  };
}

/** Puts lines behind the first place that is found; a register of another shape is an error. */
function behind(text: string, place: RegExp, lines: string): string {
  const found = place.exec(text);
  if (!found) throw new Error(`No place for ${lines.trim()}`);
  const at = found.index + found[0].length;
  return text.slice(0, at) + lines + text.slice(at);
}

function pageRow({ permission, camel }: ResourceNames, path: string, right: string, title: string, screen: string) {
  const load = screen === '' ? '' : `.then((file) => ({ default: file.${screen} }))`;
  return `  { path: '/admin/${path}', area: 'staff', permission: '${permission}.${right}',\n`
    + `    title: '${title}', load: () => ${camel}Screens()${load} },\n`;
}

function withPages(text: string, names: ResourceNames): string {
  const { kebab, kebabs, camel, pascal, noun, Noun, Nouns } = names;
  const loading = behind(text, /(?=\nexport const )/,
    `const ${camel}Screens = () => import('./${kebab}/${kebab}-screens.web.tsx');\n`);
  return behind(loading, /= pages<ComponentType>\(\[\n/, pageRow(names, kebabs, 'list', Nouns, '')
    + pageRow(names, `${kebabs}/create`, 'create', `New ${noun}`, `${pascal}Create`)
    + pageRow(names, `${kebabs}/:${camel}Id`, 'show', Noun, `${pascal}Page`));
}

function withRoutes(text: string, { module, kebab, camel }: ResourceNames): string {
  const imported = behind(text, /(?=import type \{ Route \})/,
    `import { ${camel}Routes } from '#modules/${module}/${kebab}/${kebab}.server.ts';\n`);
  return behind(imported, /routes: readonly Route\[\] = \[\n/, `  ...${camel}Routes,\n`);
}

/** A register and how the resource's lines get into it. */
export interface Register { file: string; enter: (text: string, names: ResourceNames) => string }

/** Registers of a resource: routes, pages, rights of the portal, owner of the table, addresses for derived tests. */
export function registersOf({ module }: ResourceNames): Register[] {
  return [
    { file: 'apps/server/src/routes.ts', enter: withRoutes },
    { file: `modules/${module}/${module}.pages.ts`, enter: withPages },
    { file: 'db/migrations/access.sql', enter: (text, { table }) =>
      `${text.trimEnd()}\ncall house_tables('${table}');\n` },
    { file: 'db/migrations/owners.txt', enter: (text, { table }) =>
      behind(text, new RegExp(`^${module}: `, 'm'), `${table}, `) },
    { file: 'tests/journeys/places.ts', enter: (text, { camel, table }) =>
      behind(text, /(?=^ {4}\w+Id: any\('\w+'\),$)/m, `    ${camel}Id: any('${table}'),\n`) },
    { file: 'tests/support/staff-records.ts', enter: (text, { table }) =>
      behind(text, /(?=^ {2}\w+: first\('\w+'\),)/m, `  ${table}: first('${table}'),\n`) },
  ];
}
