/** A second of the tuning A as a WAV file: what the season and tests have for a track. */

const RATE = 8000;
const PITCH = 440;

/** Mono, 16 bits, 16 kB. */
export function toneWav(seconds = 1): Buffer {
  const samples = RATE * seconds;
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
  for (let at = 0; at < samples; at += 1) {
    wav.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * PITCH * at) / RATE)), 44 + at * 2);
  }
  return wav;
}
