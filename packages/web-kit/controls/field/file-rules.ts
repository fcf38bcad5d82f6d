/** Limits of a file drop: 25 MiB at most (README "Settled on purpose"), the types its field names. Pure. */
export const MAX_FILE_BYTES = 25 * 1024 * 1024;

/** '1.4 MB' for people; the limit itself is said as it is settled: '25 MiB'. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KiB`;
  const mib = bytes / (1024 * 1024);
  return `${Number.isInteger(mib) ? mib : mib.toFixed(1)} MiB`;
}

export type FileLimits = {
  /** Types taken, by ending: ['.pdf', '.png']. Empty: every type. */
  types: readonly string[];
  maxBytes: number;
};

/** The limits in words, said before a file is chosen: 'PDF, PNG or JPG, up to 25 MiB'. */
export function limitText({ types, maxBytes }: FileLimits): string {
  const names = types.map((type) => type.replace('.', '').toUpperCase());
  const list = names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}` : names[0] ?? 'Any file';
  return `${list}, up to ${sizeText(maxBytes)}`;
}

/** Workbook formats of spreadsheets: a CSV is one step away, and the message names the step. */
const WORKBOOKS = ['.xlsx', '.xls', '.ods', '.numbers'];

/** Why a file is not taken, in words that say what to do; empty when it is. */
export function refusal(file: { name: string; size: number }, limits: FileLimits): string {
  const ending = /\.[^.]+$/.exec(file.name)?.[0].toLowerCase() ?? '';
  if (limits.types.length > 0 && !limits.types.includes(ending)) {
    if (limits.types.includes('.csv') && WORKBOOKS.includes(ending)) {
      return `${file.name} is a workbook: save its sheet as CSV (UTF-8) in your spreadsheet, then choose that file`;
    }
    return `${file.name} is not taken: ${limitText(limits)}`;
  }
  if (file.size > limits.maxBytes) {
    return `${file.name} is ${sizeText(file.size)}; the limit is ${sizeText(limits.maxBytes)}`;
  }
  if (file.size === 0) return `${file.name} is empty`;
  return '';
}
