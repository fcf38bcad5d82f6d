/** The tuning A and short melodies as WAV files: tracks and audio samples of the season and of tests. */

const RATE = 8000;
const PITCH = 440;

/** Mono, 16 bits, 16 kB a second. */
function wavOf(samples: number, at: (sample: number) => number): Buffer {
  const wav = Buffer.alloc(44 + samples * 2);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(36 + samples * 2, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(RATE, 24);
  wav.writeUInt32LE(RATE * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(samples * 2, 40);
  for (let sample = 0; sample < samples; sample += 1) wav.writeInt16LE(Math.round(at(sample)), 44 + sample * 2);
  return wav;
}

const wave = (sample: number, pitch: number): number => 8000 * Math.sin((2 * Math.PI * pitch * sample) / RATE);

/** A second of the tuning A. */
export const toneWav = (): Buffer => wavOf(RATE, (sample) => wave(sample, PITCH));

const NOTE = RATE / 2;

/** Half a second for each note, in semitones above the tuning A; each fades as a plucked string does. */
export const melodyWav = (notes: readonly number[]): Buffer => wavOf(notes.length * NOTE, (sample) => {
  const pitch = PITCH * 2 ** (notes[Math.floor(sample / NOTE)]! / 12);
  return wave(sample, pitch) * (1 - (sample % NOTE) / NOTE);
});
