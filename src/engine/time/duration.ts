/**
 * Milliseconds of an ISO 8601 duration without years and months, which have no fixed length:
 * `PT1H`, `P1DT30M`, `P2W`. `null` for anything else.
 */
export const durationMs = (text: string): number | null => {
  const match = PATTERN.exec(text);
  if (!match) return null;
  const [weeks, days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  const wholeDays = weeks! * 7 + days!;
  return Math.round((((wholeDays * 24 + hours!) * 60 + minutes!) * 60 + seconds!) * 1000);
};

const PATTERN = new RegExp(
  '^P(?=.)(?:(\\d{1,5})W)?(?:(\\d{1,5})D)?' +
    '(?:T(?=.)(?:(\\d{1,6})H)?(?:(\\d{1,8})M)?(?:(\\d{1,9}(?:\\.\\d{1,3})?)S)?)?$',
);
