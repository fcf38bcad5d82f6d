/** Classes of accounts as they are called on screens. */
import type { Option } from '#web/controls/select/option.ts';

export const CLASSES: readonly Option<string>[] = [{ value: 'asset', label: 'Asset' },
  { value: 'liability', label: 'Liability' }, { value: 'equity', label: 'Equity' },
  { value: 'income', label: 'Income' }, { value: 'expense', label: 'Expense' }];

/** 'asset' as 'Asset'. */
export const classWord = (value: string): string => CLASSES.find((one) => one.value === value)?.label ?? value;
