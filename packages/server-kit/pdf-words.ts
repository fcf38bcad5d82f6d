/** The texts of a document by the face they are set in, and the characters among them that no font has. */
import { conflict } from '#kit/errors.ts';
import { keyOf, outside } from './outside.ts';
import { faceOf, isInvisible, prepareFaces, type FaceName } from './pdf-fonts.ts';
import type { PdfBlock, PdfInput } from './pdf-blocks.ts';

/** Everything a document says; page numbers need no look. */
export function textsOf(input: PdfInput): [FaceName, string][] {
  const [name = '', ...address] = input.sender;
  return [['serif', name], ['regular', [...address, ...input.recipient, input.footer].join('\n')],
    ...input.blocks.flatMap(blockTexts)];
}

function blockTexts(block: PdfBlock): [FaceName, string][] {
  switch (block.kind) {
    case 'title': return [['serif', block.text]];
    case 'heading': return [['bold', block.text]];
    case 'text': return [['regular', block.text]];
    case 'list': return [['regular', block.items.join('\n')]];
    case 'facts': return [['regular', block.rows.flat().join('\n')]];
    case 'table': return [
      ['regular', [...block.columns.map(({ label }) => label), ...block.rows.flat()].join('\n')],
      ['bold', [...block.rows.filter((_, index) => block.strong?.includes(index)), ...block.totals ?? []].flat()
        .join('\n')]];
    case 'signature': return [['regular', block.lines.join('\n')]];
    case 'barcodes': return [['regular', block.codes.map(({ code, label }) => `${code} ${label}`).join('\n')]];
    case 'page': return [];
  }
}

export interface Unprintable { characters: string[]; /** The line where the first of them stands. */ text: string }

/** 409 where a document that goes out would have empty boxes, until the person has accepted them. */
export async function refuseUnprintable(papers: readonly PdfInput[], accepted: boolean): Promise<void> {
  const found = accepted ? null : await outside(keyOf('unprintable', papers), () => unprintable(papers));
  if (!found) return;
  const { characters, text } = found;
  const [signs, boxes] = characters.length > 1 ? ['characters', 'empty boxes'] : ['character', 'an empty box'];
  throw conflict('document.unprintable', `The ${signs} ${characters.slice(0, 10).join(' ')} in “${text.slice(0, 120)}” `
    + `cannot be printed: the document would have ${boxes} there. Change the text, or send it as it is.`,
  { characters, text });
}

/** Characters that would be printed as boxes; null where every one has a glyph. */
async function unprintable(inputs: readonly PdfInput[]): Promise<Unprintable | null> {
  const characters = new Set<string>();
  let first = '';
  for (const [face, text] of inputs.flatMap(textsOf)) {
    await prepareFaces(face, text);
    for (const line of text.split('\n')) {
      const missing = Array.from(line).filter((character) => !isInvisible(character)
        && faceOf(face, character.codePointAt(0)!) === null);
      if (missing.length > 0 && characters.size === 0) first = line;
      for (const character of missing) characters.add(character);
    }
  }
  return characters.size === 0 ? null : { characters: [...characters], text: first };
}
