/** Tables in the output of operators' commands. */
/** Columns as wide as their longest cell. */
export const tableOf = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** A consumer's lag behind the head of the log, in events and seconds. */
export const lagOf = ({
  lagEvents,
  lagSeconds,
}: {
  readonly lagEvents: number | null;
  readonly lagSeconds: number;
}): string => (lagEvents === 0 ? '0' : `${lagEvents ?? '?'} (${lagSeconds.toFixed(1)} s)`);

/** In place of the table of what is parked. */
export const NOTHING_PARKED = 'nothing is parked';
