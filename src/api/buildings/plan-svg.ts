/** A plan as an image, for reports, wikis and wall displays. contract.md section 6 «Outlines». */
import { createHash } from 'node:crypto';
import type { RoomValue, StoreyColours } from '../../building/plans/colours.ts';
import type { StoreyPlan } from '../../building/plans/plans.ts';
import type { Outline } from '../../domain/buildings/outline.ts';
import { escapedHtml } from '../../domain/escaped-html.ts';
import { forEachInSlices } from '../../engine/concurrency/slices.ts';

/** Metres around the drawing. */
const MARGIN = 1;
/** Height of the legend's line, as a share of the plan's longer side. */
const LINE_SHARE = 1 / 36;

/**
 * The plan as SVG without scripts or external resources, and with colours for dark themes. Built in
 * slices: a plan may have hundreds of thousands of positions.
 *
 * @param colours `null`: rooms are not coloured.
 */
export const planSvg = async (
  plan: StoreyPlan,
  colours: StoreyColours | null,
): Promise<PlanPicture> => {
  const { min, max } = plan.bounds ?? { min: [0, 0], max: [10, 6] };
  const [width, depth] = [max[0] - min[0], max[1] - min[1]];
  const line = Math.max(width, depth) * LINE_SHARE;
  const legend = legendOf(colours, plan);
  const left = min[0] - MARGIN;
  const top = -max[1] - MARGIN;
  const [wide, high] = [width + 2 * MARGIN, depth + 2 * MARGIN + 2 * line];
  const viewBox = [left, top, wide, high].map(short).join(' ');
  const values = new Map(colours?.spaces.map((room) => [room.spaceId, room]));
  const { put, made } = pictureOf();
  put(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" role="img" ` +
      `font-family="system-ui, sans-serif">`,
    `<title>${escaped(`${plan.storey.name}${plan.schematic ? ' (schematic)' : ''}`)}</title>`,
    STYLE,
    hatch(line),
  );
  await forEachInSlices(plan.spaces, (room) =>
    put(roomOf(room, values.get(room.id), colours, line)),
  );
  for (const [name, outlines] of [
    ['wall', plan.walls],
    ['window', plan.windows],
    ['door', plan.doors],
  ] as const)
    await forEachInSlices(outlines, (outline) =>
      put(`<path class="${name}" d="${pathOf(outline)}"/>`),
    );
  const textAt = short(-min[1] + MARGIN + line);
  put(
    `<text class="legend" x="${short(min[0])}" y="${textAt}" font-size="${short(line)}">` +
      `${escaped(legend)}</text></svg>`,
  );
  return made();
};

export interface PlanPicture {
  readonly svg: Buffer;
  /** The digest for its `ETag`. */
  readonly digest: string;
}

/** Encoded and hashed in parts, so that neither blocks the event loop at the end. */
const pictureOf = () => {
  const parts: Buffer[] = [];
  const hash = createHash('sha256');
  return {
    put(...texts: readonly string[]) {
      for (const text of texts) {
        const part = Buffer.from(`${text}\n`);
        hash.update(part);
        parts.push(part);
      }
    },
    made: (): PlanPicture => ({ svg: Buffer.concat(parts), digest: hash.digest('base64url') }),
  };
};

type Room = StoreyPlan['spaces'][number];

const roomOf = (
  { code, name, outline, labelAt }: Room,
  value: RoomValue | undefined,
  colours: StoreyColours | null,
  line: number,
): string => {
  if (outline === null || labelAt === null) return '';
  const fill = value && colours ? ` style="fill:${fillOf(value.value, colours)}"` : '';
  const path = pathOf(outline);
  const overdue = value?.overdue === true ? `<path d="${path}" fill="url(#overdue)"/>` : '';
  const valueText = value ? `: ${shownOf(value, colours!)}` : '';
  const [x, y] = [short(labelAt[0]), short(-labelAt[1])];
  return (
    `<g><title>${escaped(`${code} ${name}${valueText}`)}</title>` +
    `<path class="room" d="${path}"${fill}/>${overdue}` +
    `<text x="${x}" y="${y}" font-size="${short(line * 0.6)}">${escaped(code)}</text></g>`
  );
};

const pathOf = (outline: Outline): string =>
  outline.map((ring) => `M${ring.map(([x, y]) => `${short(x)} ${short(-y)}`).join('L')}Z`).join('');

const short = (value: number): string => String(Math.round(value * 1000) / 1000 + 0);

const LEVEL_FILLS: Readonly<Record<string, string>> = {
  critical: '#b2182b',
  high: '#ef8a62',
  medium: '#fddbc7',
  low: '#d1e5f0',
};
const OTHER_FILL = '#b8b8b8';
/** Increasing in lightness, for readers who cannot distinguish hues. */
const RAMP = ['#440154', '#3b528b', '#21918c', '#5ec962', '#fde725'];
const CATEGORY_FILLS = [
  '#e69f00',
  '#56b4e9',
  '#009e73',
  '#f0e442',
  '#0072b2',
  '#d55e00',
  '#cc79a7',
];

const fillOf = (value: RoomValue['value'], { kind, scale, categories }: StoreyColours): string => {
  if (kind === 'level') return LEVEL_FILLS[String(value)] ?? OTHER_FILL;
  if (kind === 'category') {
    const place = categories!.indexOf(value as string | boolean);
    return CATEGORY_FILLS[place] ?? OTHER_FILL;
  }
  const { min, max } = scale!;
  // The range of doubles is no double.
  const scaled = Number.isFinite(max - min) ? 1 : 0.5;
  const range = max * scaled - min * scaled;
  const share = range > 0 ? ((value as number) * scaled - min * scaled) / range : 0.5;
  return RAMP[Math.min(RAMP.length - 1, Math.floor(share * RAMP.length))]!;
};

const shownOf = ({ value, count, overdue }: RoomValue, { unit }: StoreyColours): string => {
  const shown = typeof value === 'number' ? rounded(value) : String(value);
  return [
    unit === null ? shown : `${shown} ${unit}`,
    ...(count === undefined ? [] : [`${count} open`]),
    ...(overdue === true ? ['overdue'] : []),
  ].join(', ');
};

const legendOf = (
  colours: StoreyColours | null,
  { spaces, spacesTotal, schematic }: StoreyPlan,
) => {
  const { kind, scale, unit, categories } = colours ?? {};
  const range = scale ? `${rounded(scale.min)} to ${rounded(scale.max)} ${unit ?? ''}`.trim() : '';
  return [
    ...(schematic ? ['schematic'] : []),
    ...(spaces.length < spacesTotal ? [`${spaces.length} of ${spacesTotal} rooms`] : []),
    ...(range === '' ? [] : [range]),
    ...(kind === 'category' ? [categories!.slice(0, CATEGORY_FILLS.length).join(', ')] : []),
  ].join(' · ');
};

/** Doubles beyond 1e15 have no cents, and the largest would overflow. */
const rounded = (value: number): string =>
  String(Math.abs(value) > 1e15 ? value : Math.round(value * 100) / 100);

const hatch = (line: number): string => {
  const step = short(line / 3);
  return (
    `<defs><pattern id="overdue" width="${step}" height="${step}" patternUnits="userSpaceOnUse" ` +
    `patternTransform="rotate(45)"><path d="M0 0V${step}" stroke="#000" ` +
    `stroke-width="${short(line / 10)}"/></pattern></defs>`
  );
};

const STYLE =
  '<style>.room{fill:#eef1f5;stroke:#6b7280;stroke-width:.06;fill-rule:evenodd}' +
  '.wall{fill:#374151;fill-rule:evenodd}.window{fill:#7dd3fc}.door{fill:#fff}' +
  'text{fill:#111827;text-anchor:middle;dominant-baseline:middle;paint-order:stroke;' +
  'stroke:#fff;stroke-width:.1}.legend{text-anchor:start}' +
  '@media(prefers-color-scheme:dark){.room{fill:#1f2937;stroke:#9ca3af}.wall{fill:#d1d5db}' +
  '.legend{fill:#f9fafb;stroke:none}}</style>';

/** XML allows neither most control characters nor lone surrogates. */
const escaped = (text: string): string =>
  escapedHtml(text.toWellFormed().replaceAll(/[^\P{Cc}\t\n]|[\ufffe\uffff]/gu, '\ufffd'));
