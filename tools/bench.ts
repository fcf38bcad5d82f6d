/** `npm run bench -- posting`: runs a script of bench/ by its name; without a name it lists them. */
import { readdir } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = fileURLToPath(new URL('../bench/', import.meta.url));
const known = (await readdir(folder)).filter((file) => file.endsWith('.ts')).map((file) => file.slice(0, -3));
const [wanted] = process.argv.slice(2);
if (wanted !== undefined && known.includes(wanted)) {
  await import(pathToFileURL(`${folder}${wanted}.ts`).href);
} else {
  process.stdout.write(`Name one of: ${known.join(', ')}\n`);
  process.exitCode = wanted === undefined ? 0 : 1;
}
