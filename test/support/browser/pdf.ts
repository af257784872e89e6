/** What a PDF of the browser has on its pages, in millimetres. */
import { inflateSync } from 'node:zlib';

const MM_PER_POINT = 25.4 / 72;

/** From the top left corner of the page. */
export interface PdfBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface PdfPage {
  readonly width: number;
  readonly height: number;
  /** Bounds of its filled paths, in their order. */
  readonly filled: readonly PdfBox[];
}

type Matrix = readonly [number, number, number, number, number, number];

const times = (a: Matrix, b: Matrix): Matrix => [
  a[0] * b[0] + a[1] * b[2],
  a[0] * b[1] + a[1] * b[3],
  a[2] * b[0] + a[3] * b[2],
  a[2] * b[1] + a[3] * b[3],
  a[4] * b[0] + a[5] * b[2] + b[4],
  a[4] * b[1] + a[5] * b[3] + b[5],
];

/** Numbers before each operator that draws or moves paths. */
const POINTS: Readonly<Record<string, number>> = { m: 2, l: 2, c: 6, v: 4, y: 4 };

const filledIn = (content: string): readonly (readonly [number, number, number, number])[] => {
  let matrix: Matrix = [1, 0, 0, 1, 0, 0];
  const saved: Matrix[] = [];
  let path: (readonly [number, number])[] = [];
  const boxes: (readonly [number, number, number, number])[] = [];
  let numbers: number[] = [];
  const add = (x: number, y: number) =>
    path.push([
      x * matrix[0] + y * matrix[2] + matrix[4],
      x * matrix[1] + y * matrix[3] + matrix[5],
    ]);
  for (const word of content.split(/\s+/)) {
    if (/^[-+.\d]+$/.test(word)) {
      numbers.push(Number(word));
      continue;
    }
    if (word === 'q') saved.push(matrix);
    if (word === 'Q') matrix = saved.pop()!;
    if (word === 'cm') {
      const [a, b, c, d, e, f] = numbers.slice(-6);
      matrix = times([a!, b!, c!, d!, e!, f!], matrix);
    }
    for (let at = 0; at < (POINTS[word] ?? 0); at += 2) add(numbers[at]!, numbers[at + 1]!);
    if (word === 're') {
      const [x, y, width, height] = numbers.slice(-4) as [number, number, number, number];
      add(x, y);
      add(x + width, y + height);
    }
    if (word === 'f' || word === 'f*') {
      const [xs, ys] = [path.map(([x]) => x), path.map(([, y]) => y)];
      boxes.push([Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]);
    }
    if (['f', 'f*', 'n', 'S', 's', 'B', 'b'].includes(word)) path = [];
    numbers = [];
  }
  return boxes;
};

export const pagesOfPdf = (pdf: Buffer): readonly PdfPage[] => {
  const text = pdf.toString('latin1');
  const streamOf = (number: string): string => {
    const begin = new RegExp(`(?:^|\\n)${number} 0 obj`).exec(text)!.index;
    const length = Number(/\/Length (\d+)/.exec(text.slice(begin))![1]);
    const from = text.indexOf('\n', text.indexOf('stream', begin)) + 1;
    return inflateSync(Buffer.from(text.slice(from, from + length), 'latin1')).toString('latin1');
  };
  const pages = [...text.matchAll(/\/Type \/Page\b[^]*?endobj/g)].map(([page]) => page);
  return pages.map((page) => {
    const [, right, top] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(page)!;
    const drawn = streamOf(/\/Contents (\d+) 0 R/.exec(page)![1]!);
    const height = Number(top);
    return {
      width: Number(right) * MM_PER_POINT,
      height: height * MM_PER_POINT,
      filled: filledIn(drawn).map(([left, low, end, high]) => ({
        left: left * MM_PER_POINT,
        top: (height - high) * MM_PER_POINT,
        width: (end - left) * MM_PER_POINT,
        height: (high - low) * MM_PER_POINT,
      })),
    };
  });
};
