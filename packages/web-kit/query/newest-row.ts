/** The row that a dialog was opened on, as its list has it by now: a form then notices what others change (U27). */
export function newestRow<Row extends { id: number }>(row: Row, rows: readonly Row[] | undefined): Row {
  return rows?.find(({ id }) => id === row.id) ?? row;
}
