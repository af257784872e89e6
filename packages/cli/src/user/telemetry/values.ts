/** Values of points, as files and arguments spell them. */

/** `null`: not a value of a point. */
export const valueIn = (text: string): number | boolean | null => {
  if (text === 'true' || text === 'false') return text === 'true';
  const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
  const value = isNumber ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : null;
};

/** Spreadsheets of many countries write semicolons. */
export const separatorOf = (header: string): ',' | ';' => (header.includes(';') ? ';' : ',');

/** The cells of a line of CSV (RFC 4180), in which no cell has several lines. */
export const cellsOf = (line: string, separator: ',' | ';'): readonly string[] => {
  const cell = new RegExp(`${separator}(?:\\s*"((?:[^"]|"")*)"\\s*|([^${separator}]*))`, 'g');
  const cells = `${separator}${line}`.matchAll(cell);
  return [...cells].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain.trim());
};
