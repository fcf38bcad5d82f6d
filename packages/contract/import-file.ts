/** Lists whose rows can be taken out as a file for an import. Small enough for every page that has a list. */

/** Their columns are in import-columns.ts, which is loaded when somebody asks for the file. */
export const IMPORT_LISTS = ['staff/shows', 'staff/plays', 'staff/musicals', 'staff/venues', 'staff/materials',
  'staff/show_royaltor_shares', 'staff/warehouses/{id}/shelf', 'staff/royaltors', 'staff/vendors'] as const;
export type ImportList = (typeof IMPORT_LISTS)[number];

export interface ImportFile {
  /** The list to ask for, as exports name it. */
  model_name: string;
  list: ImportList;
}

/** Lists whose rows an import reads from another list, which takes the same filters. */
const WRITTEN_BY: Readonly<Record<string, ImportList>> = {
  'staff/show_royaltors': 'staff/show_royaltor_shares',
  'staff/warehouses/{id}/stock': 'staff/warehouses/{id}/shelf',
};

/** The file for an import that a list offers; null for what no import reads. */
export function importFileOf(model: string): ImportFile | null {
  // A list below a record is named with the record's number.
  const number = /\/(\d+)\//.exec(model)?.[1] ?? '{id}';
  const asked = model.replace(`/${number}/`, '/{id}/');
  const list = WRITTEN_BY[asked] ?? IMPORT_LISTS.find((one) => one === asked);
  return list ? { model_name: list.replace('{id}', number), list } : null;
}
