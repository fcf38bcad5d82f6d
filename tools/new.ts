/**
 * `npm run new -- operations "stage type" venue`: a simple resource of the module, opened by that family of permissions
 * (SPEC.md 6 knows no others): contract, server, screens and migration, and its lines in the registers. A fourth word
 * is the plural. Then the fields in contract and migration, `npm run schema`, and what `npm run check` and
 * `npm run test:changed` still ask for: a link in the navigation, a row of the season.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { namesOf, registersOf, skeletonOf } from './new/skeleton.ts';
import { ROOT } from './steps.ts';

const [module, noun, permission, plural] = process.argv.slice(2);
if (!module || !noun || !permission) {
  throw new Error('npm run new -- <module> "<noun>" <family of permissions> ["<plural>"]');
}
const at = (file: string): string => path.join(ROOT, file);
if (!fs.existsSync(at(`modules/${module}/${module}.pages.ts`))) throw new Error(`No module ${module} with pages`);
const names = namesOf(module, noun, permission, plural);
const files = Object.entries(skeletonOf(names, new Date().toISOString().slice(0, 16).replaceAll(/[-:]/g, '')));
const taken = files.map(([file]) => file).filter((file) => fs.existsSync(at(file)));
if (taken.length > 0) throw new Error(`There already: ${taken.join(', ')}`);
const registers = registersOf(names)
  .map(({ file, enter }): [string, string] => [file, enter(fs.readFileSync(at(file), 'utf8'), names)]);
for (const [file, text] of [...files, ...registers]) {
  fs.mkdirSync(path.dirname(at(file)), { recursive: true });
  fs.writeFileSync(at(file), text);
  console.log(file);
}
