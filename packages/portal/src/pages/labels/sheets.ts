/** Label sheets as sold in shops. Their labels are centred on the paper. */

export const papers = {
  a4: { name: 'A4', width: 210, height: 297 },
  letter: { name: 'US Letter', width: 215.9, height: 279.4 },
} as const;

/** Lengths in millimetres. */
export interface LabelSheet {
  readonly slug: string;
  readonly name: string;
  readonly paper: keyof typeof papers;
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
  /** Between two columns; there is no gap between rows. */
  readonly gap: number;
}

const sheet = (
  slug: string,
  name: string,
  [width, height]: readonly [number, number],
  [columns, rows]: readonly [number, number],
  { paper, gap }: Pick<LabelSheet, 'paper' | 'gap'> = { paper: 'a4', gap: 2.5 },
): LabelSheet => ({ slug, name, paper, width, height, columns, rows, gap });

export const labelSheets: readonly LabelSheet[] = [
  sheet('l7160', 'Avery L7160', [63.5, 38.1], [3, 7]),
  sheet('l7159', 'Avery L7159', [63.5, 33.9], [3, 8]),
  sheet('l7163', 'Avery L7163', [99.1, 38.1], [2, 7]),
  sheet('l7173', 'Avery L7173', [99.1, 57], [2, 5]),
  sheet('l7165', 'Avery L7165', [99.1, 67.7], [2, 4]),
  sheet('5160', 'Avery 5160 (US)', [66.675, 25.4], [3, 10], { paper: 'letter', gap: 3.175 }),
];

export const sheetOf = (slug: string | null): LabelSheet =>
  labelSheets.find((sheet) => sheet.slug === slug) ?? labelSheets[0]!;

export const labelsOn = ({ columns, rows }: LabelSheet): number => columns * rows;

/** `Avery L7160: 21 of 63.5 × 38.1 mm` */
export const sheetWords = (of: LabelSheet): string => {
  const [width, height] = [of.width, of.height].map((mm) => mm.toLocaleString('en', ONE_DIGIT));
  return `${of.name}: ${labelsOn(of)} of ${width} × ${height} mm`;
};

const ONE_DIGIT = { maximumFractionDigits: 1 };

/** From the top left corner of the paper, in millimetres. @param place The index, from 0. */
export const positionOf = (of: LabelSheet, place: number) => {
  const { columns, rows, width, height, gap } = of;
  const paper = papers[of.paper];
  const left = (paper.width - columns * width - (columns - 1) * gap) / 2;
  const top = (paper.height - rows * height) / 2;
  const [row, column] = [Math.floor(place / columns), place % columns];
  return { left: left + column * (width + gap), top: top + row * height };
};

/**
 * Labels by sheet; `null`: an empty position.
 *
 * @param start The index of the first free position on the first sheet, from 0.
 */
export const sheetsOf = <Label>(
  labels: readonly Label[],
  perSheet: number,
  start: number,
): readonly (readonly (Label | null)[])[] => {
  if (labels.length === 0) return [];
  const places = [...Array.from({ length: start }, () => null), ...labels];
  return Array.from({ length: Math.ceil(places.length / perSheet) }, (_, at) =>
    places.slice(at * perSheet, (at + 1) * perSheet),
  );
};
