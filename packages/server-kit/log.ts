/** One JSON line per event on standard output; secrets are never passed in (reliability.md 6). */
export type Level = 'debug' | 'info' | 'warn' | 'error' | 'silent';
const ORDER: readonly Level[] = ['debug', 'info', 'warn', 'error', 'silent'];

export type Log = (level: 'info' | 'warn' | 'error', message: string, facts?: Record<string, unknown>) => void;

export function createLog(least: string, write: (line: string) => void = (line) => process.stdout.write(line)): Log {
  const from = Math.max(0, ORDER.indexOf(least as Level));
  return (level, message, facts) => {
    if (ORDER.indexOf(level) < from) return;
    write(`${JSON.stringify({ at: new Date().toISOString(), level, message, ...facts })}\n`);
  };
}
