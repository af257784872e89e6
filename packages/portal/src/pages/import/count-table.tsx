/** What an import does with the nodes of a building, by kind. */
import type { JSX } from 'preact';
import { Table, type Column } from '../../ui/content.tsx';
import { countRows, lostWords, type CountRow, type Preview } from './counts.ts';

/** Warnings on screen. */
const WARNINGS_MAX = 50;

const withWords = ({ spaces, without }: Preview['outlines']): string =>
  `${spaces.toLocaleString('en')} of ${(spaces + without).toLocaleString('en')} rooms`;

const withoutWords = (count: number): string => {
  const [others, them] =
    count === 1 ? ['The other is', 'it'] : [`The other ${count.toLocaleString('en')} are`, 'them'];
  return (
    `${others} only in the list next to the plan, because the file has no usable shape ` +
    `of ${them}.`
  );
};

/** Where the equipment is: in a room, as a plan shows it, or on a storey only. */
const placesWords = ({ contained, byGeometry, onStorey }: Preview['elements']): string => {
  const total = contained + byGeometry + onStorey;
  if (byGeometry + onStorey === 0) return '';
  const number = (count: number) => count.toLocaleString('en');
  return (
    `Of ${number(total)} elements, the file assigns ${number(contained)} to rooms; ` +
    `${number(byGeometry)} were assigned to a room by their position, and ` +
    `${number(onStorey)} only to a storey.`
  );
};

const number = (count: number): JSX.Element => (
  <span class={count === 0 ? 'faint' : undefined}>{count.toLocaleString('en')}</span>
);

const columnsOf = (isReplaced: boolean): readonly Column<CountRow>[] => [
  { name: 'What', cell: ({ kind }) => kind },
  { name: 'New', isNumber: true, cell: ({ added }) => number(added) },
  {
    name: isReplaced ? 'Renewed' : 'Updated',
    isNumber: true,
    cell: ({ updated }) => number(updated),
  },
  { name: 'Removed', isNumber: true, cell: ({ removed }) => number(removed) },
];

export const CountTable = ({
  of,
  isReplaced,
  caption,
}: {
  readonly of: Preview;
  readonly isReplaced: boolean;
  readonly caption: string;
}): JSX.Element => (
  <Table
    caption={caption}
    columns={columnsOf(isReplaced)}
    rows={countRows(of, isReplaced)}
    keyOf={({ kind }) => kind}
  />
);

/** What the counts do not say: outlines, lost data, and values read otherwise than written. */
export const Remarks = ({
  of: { outlines, warnings, gone, elements },
  isDone,
}: {
  readonly of: Preview;
  readonly isDone: boolean;
}): JSX.Element => {
  const { spaces, without } = outlines;
  const lost = lostWords(gone);
  const total = spaces + without;
  const [have, are] = isDone ? ['have', 'were'] : ['would have', 'would be'];
  return (
    <>
      {lost !== '' && (
        <p class="notice">
          With what is removed, {lost} {are} lost.
        </p>
      )}
      {total > 0 && (
        <p>
          {spaces === 0
            ? `No room ${isDone ? 'has' : 'would have'} an outline: the plan is schematic.`
            : `${withWords(outlines)} ${have} an outline.`}
          {spaces > 0 && without > 0 && ` ${withoutWords(without)}`}
        </p>
      )}
      {placesWords(elements) !== '' && <p>{placesWords(elements)}</p>}
      {warnings.length > 0 && (
        <section class="stack">
          <h3>Left out or interpreted</h3>
          <ul class="import-warnings">
            {warnings.slice(0, WARNINGS_MAX).map((warning, at) => (
              <li key={`${at} ${warning}`}>{warning}</li>
            ))}
          </ul>
          {warnings.length > WARNINGS_MAX && (
            <p class="faint">And {(warnings.length - WARNINGS_MAX).toLocaleString('en')} more.</p>
          )}
        </section>
      )}
    </>
  );
};
