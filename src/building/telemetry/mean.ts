/**
 * The mean of a column of doubles in SQL. Values are divided by a power of two, which is exact, so
 * that no sum overflows. Values that would underflow, which Postgres refuses, are negligible beside
 * the others.
 */
export const meanOf = (column: string): string =>
  `sum(case when abs(${column}) < 1e-280 then 0 else ${column} / 16777216 end)
     / count(*) * 16777216`;
