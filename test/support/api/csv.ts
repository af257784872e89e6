/** The cells of each row, by the grammar of RFC 4180. */
export const csvRows = (text: string): string[][] => {
  const rows: string[][] = [];
  let row: string[] = [];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let found = cells.exec(text); found; found = cells.exec(text)) {
    row.push(found[1]?.replaceAll('""', '"') ?? found[2]!);
    if (found[3] === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
};
