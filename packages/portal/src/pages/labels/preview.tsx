/** The sheets: scaled to the screen for the preview, at exact size on paper. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { QrCode } from './codes.ts';
import type { LabelPlace } from './places.ts';
import { labelsOn, papers, positionOf, sheetsOf, type LabelSheet } from './sheets.ts';

export interface PrintedLabel extends LabelPlace {
  readonly building: string;
  /** The address in its QR code. */
  readonly address: string;
}

interface SheetParts {
  readonly sheet: LabelSheet;
  readonly codeOf: (address: string) => QrCode | undefined;
}

const mm = (length: number): string => `${length.toFixed(3)}mm`;

export const SheetPreview = ({
  of,
  sheet,
  start,
  codeOf,
}: SheetParts & {
  readonly of: readonly PrintedLabel[];
  /** The index of the first free position on the first sheet, from 0. */
  readonly start: number;
}): JSX.Element => {
  const [ref, zoom] = useZoom(papers[sheet.paper].width);
  const sheets = useMemo(() => sheetsOf(of, labelsOn(sheet), start), [of, sheet, start]);
  return (
    <div ref={ref} class="label-sheets" style={{ '--zoom': zoom }}>
      {sheets.map((labels, at) => (
        <SheetOnce key={at} labels={labels} sheet={sheet} codeOf={codeOf} number={at + 1} />
      ))}
    </div>
  );
};

interface OneSheet extends SheetParts {
  readonly labels: readonly (PrintedLabel | null)[];
  readonly number: number;
}

/** Memoised, as there may be hundreds: renders again only when its own labels or codes change. */
const SheetOnce = (parts: OneSheet): JSX.Element => {
  const { labels, sheet, codeOf, number } = parts;
  const made = labels.filter((label) => label !== null && codeOf(label.address)).length;
  return useMemo(() => <Sheet {...parts} />, [labels, sheet, number, made]);
};

const Sheet = ({ labels, sheet, codeOf, number }: OneSheet): JSX.Element => {
  const { width, height } = papers[sheet.paper];
  const size = { width: mm(sheet.width), height: mm(sheet.height) };
  return (
    <ol
      class={`label-sheet ${sheet.paper}`}
      aria-label={`Sheet ${number}`}
      style={{ width: mm(width), height: mm(height) }}
    >
      {labels.map((label, place) => {
        const { left, top } = positionOf(sheet, place);
        const style = { ...size, left: mm(left), top: mm(top) };
        return label === null ? (
          <li key={`free ${place}`} class="label free" style={style} aria-label="Left empty" />
        ) : (
          <li key={label.id} class="label" style={style}>
            <Code of={codeOf(label.address)} side={codeSide(sheet)} />
            <div class="label-words">
              <strong>{label.code}</strong>
              <span class="label-name">{label.name}</span>
              <span>{label.where}</span>
              <span>{label.building}</span>
            </div>
          </li>
        );
      })}
    </ol>
  );
};

/** The margin inside a label, for printers that are slightly misaligned. */
const EDGE_MM = 1.5;
/** A larger code is not easier to scan. */
const SIDE_MAX_MM = 45;

/** The side of the code with its quiet zone, in millimetres. */
const codeSide = ({ width, height }: LabelSheet): number =>
  Math.min(height - 2 * EDGE_MM, SIDE_MAX_MM, width * 0.55);

const Code = ({
  of,
  side,
}: {
  readonly of: QrCode | undefined;
  readonly side: number;
}): JSX.Element => (
  <svg
    viewBox={`0 0 ${of?.size ?? 1} ${of?.size ?? 1}`}
    style={{ width: mm(side), height: mm(side) }}
    shape-rendering="crispEdges"
    aria-hidden="true"
  >
    {of && <path d={of.path} />}
  </svg>
);

const PX_PER_MM = 96 / 25.4;

/** The zoom at which the paper fills its column, up to its actual size. */
const useZoom = (paperWidth: number) => {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState<number | null>(null);
  useEffect(() => {
    const at = ref.current!;
    const observed = new ResizeObserver(() => setWidth(at.clientWidth));
    observed.observe(at);
    return () => observed.disconnect();
  }, []);
  const zoom = width === null ? 1 : Math.min(1, width / (paperWidth * PX_PER_MM));
  return [ref, zoom] as const;
};
