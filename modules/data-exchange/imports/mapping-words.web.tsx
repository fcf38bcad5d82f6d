/** The choices of how a file is read, in words. */
import type { Option } from '#web/controls/select/option.ts';
import type { DateFormat, DateMeaning, DecimalStyle, Delimiter, Encoding } from './import-field.contract.ts';

export const DATES: readonly Option<DateFormat>[] = [
  { value: 'YYYY-MM-DD', label: 'Year-month-day', children: '2026-11-15' },
  { value: 'MM/DD/YYYY', label: 'Month/day/year', children: '11/15/2026' },
  { value: 'DD/MM/YYYY', label: 'Day/month/year', children: '15/11/2026' },
  { value: 'DD.MM.YYYY', label: 'Day.month.year', children: '15.11.2026' },
];
export const DECIMALS: readonly Option<DecimalStyle>[] = [
  { value: 'point', label: '1,234.50', children: 'Decimal point' },
  { value: 'comma', label: '1.234,50', children: 'Decimal comma' },
];
export const UNITS: readonly Option<'major' | 'minor'>[] = [
  { value: 'major', label: 'Whole units', children: '1234.50' },
  { value: 'minor', label: 'Cents or pence', children: '123450' },
];
export const SCOPES: readonly Option<'performance' | 'week' | 'run'>[] = [
  { value: 'performance', label: 'A performance' },
  { value: 'week', label: 'A week' },
  { value: 'run', label: 'A whole run' },
];
export const DATE_IS: readonly Option<DateMeaning>[] = [
  { value: 'performance', label: 'The performance' },
  { value: 'week_start', label: 'First day of the week' },
  { value: 'week_end', label: 'Last day of the week' },
];
export const DELIMITER: readonly Option<Delimiter>[] = [
  { value: ',', label: 'Comma' }, { value: ';', label: 'Semicolon' }, { value: '\t', label: 'Tab' },
  { value: '|', label: 'Bar' },
];
export const ENCODING: readonly Option<Encoding>[] = [
  { value: 'utf-8', label: 'UTF-8' }, { value: 'windows-1252', label: 'Windows, Western Europe' },
  { value: 'windows-1250', label: 'Windows, Central Europe' }, { value: 'iso-8859-15', label: 'ISO 8859-15' },
  { value: 'macintosh', label: 'Macintosh' }, { value: 'utf-16le', label: 'UTF-16' },
  { value: 'utf-16be', label: 'UTF-16, big-endian' },
];
export const CHANGES: readonly Option<'leave' | 'apply'>[] = [
  { value: 'leave', label: 'Stay as they are', children: 'Told in the report' },
  { value: 'apply', label: 'Are changed', children: 'To what filled cells say' },
];
