/** A perusal script as such houses set them: title page, people of the play, scenes. The words are ours, of no play. */
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import { seeded, type Random } from './random.ts';

const SCENES = 6;
const SPEECHES = 13;
const NAMES = ['MARGUERITE', 'OLD TOBIAS', 'THE STRANGER', 'CLARA', 'DR. PELL', 'A SAILOR'];
const PLACES = ['A station at dusk', 'The kitchen, much later', 'On the roof, in wind', 'The empty theatre',
  'A garden that was sold', 'The station again, at dawn'];
const LINES = [
  'You said you would be gone before the lamps were lit.', 'I stayed for the end. Somebody always should.',
  'There is no train. There has not been a train since the war.', 'Then what do we hear, every night at nine?',
  'My mother kept the letters in a hat box. She never wore a hat.', 'Sit down. You are making the dog nervous.',
  'It is not the dark that frightens them. It is the switch.', 'Say it once more, and this time say it to me.',
  'We could sell the piano.', 'You cannot sell a thing that is still being played.',
  'I have counted the chairs. There is one too many.', 'Leave it. He may still come.',
  'Every house has a door that nobody opens. In ours it was the front one.', 'What a quiet way to break a thing.',
  'They will ask where you were.', 'I was here. I was here the whole time, holding the light.',
] as const;
const DIRECTIONS = ['She puts the lamp on the sill.', 'A pause. Somewhere a door.', 'He does not look at her.',
  'Music, far off, and then not.', 'They listen.'];

/** Title and credit are the show's; the same show gives the same pages. */
export async function demoScript(show: { code: string; title: string; credit: string }): Promise<Buffer> {
  const { resolve } = createRequire(import.meta.url);
  const face = (name: string): string => resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`);
  const random = seeded(Array.from(show.code, (letter) => letter.charCodeAt(0)).reduce((sum, code) => sum + code, 0));
  const doc = new PDFDocument({ size: 'LETTER', margin: 84, info: { Title: show.title } });
  doc.registerFont('serif', face('DejaVuSerif')).registerFont('bold', face('DejaVuSerif-Bold'))
    .registerFont('italic', face('DejaVuSerif-Italic'));
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const done = new Promise<void>((end) => { doc.on('end', end); });
  titlePage(doc, show);
  for (let scene = 0; scene < SCENES; scene += 1) writeScene(doc, random, scene);
  doc.end();
  await done;
  return Buffer.concat(chunks);
}

type Doc = InstanceType<typeof PDFDocument>;

function titlePage(doc: Doc, show: { title: string; credit: string }): void {
  doc.font('bold').fontSize(30).text(show.title, 84, 250, { align: 'center' });
  doc.moveDown().font('italic').fontSize(14).text(show.credit, { align: 'center' });
  doc.moveDown(12).font('serif').fontSize(10).text('Perusal script. Not for performance.', { align: 'center' });
  doc.addPage().font('bold').fontSize(16).text('The people', { align: 'left' }).moveDown();
  for (const name of NAMES) doc.font('serif').fontSize(12).text(name).moveDown(0.4);
}

function writeScene(doc: Doc, random: Random, scene: number): void {
  doc.addPage().font('bold').fontSize(16).text(`Scene ${scene + 1}`);
  doc.font('italic').fontSize(12).text(`${PLACES[scene % PLACES.length]}.`).moveDown();
  for (let at = 0; at < SPEECHES; at += 1) {
    if (at % 5 === 4) {
      doc.font('italic').fontSize(11).text(`(${random.pick(DIRECTIONS)})`, { indent: 24 }).moveDown(0.5);
    }
    doc.font('bold').fontSize(11).text(random.pick(NAMES), { indent: 150 });
    doc.font('serif').fontSize(11).text(`${random.pick(LINES)} ${random.chance(0.4) ? random.pick(LINES) : ''}`.trim())
      .moveDown(0.6);
  }
  doc.font('serif').fontSize(9).text(String(scene + 3), 84, 716, { align: 'center', lineBreak: false });
}
