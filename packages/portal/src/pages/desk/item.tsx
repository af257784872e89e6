import type { ComponentChildren, JSX } from 'preact';

/** A row of a table, and below it, while it is open, its editor. */
export const OpenItem = ({
  isOpen,
  columns,
  dropClass,
  editor,
  children,
}: {
  readonly isOpen: boolean;
  readonly columns: number;
  readonly dropClass: string;
  readonly editor: () => ComponentChildren;
  /** The cells of the row. */
  readonly children: ComponentChildren;
}): JSX.Element => (
  <>
    <tr data-item class={`item${dropClass}`}>
      {children}
    </tr>
    {isOpen && (
      <tr class="editor">
        <td colSpan={columns} data-name="">
          {editor()}
        </td>
      </tr>
    )}
  </>
);

/** Which item of a list is edited; nothing where there is no choice. */
export const ItemChoice = ({
  label,
  names,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly names: readonly string[];
  readonly chosen: number;
  readonly onChoose: (at: number) => void;
}): JSX.Element | null =>
  names.length < 2 ? null : (
    <div class="row below" role="group" aria-label={label}>
      {names.map((name, at) => (
        <button
          key={at}
          type="button"
          class="button"
          aria-pressed={at === chosen}
          onClick={() => onChoose(at)}
        >
          {name}
        </button>
      ))}
    </div>
  );

/** Where the open item of a list is after one of the list has moved. */
export const openAfterMove = (open: number | null, from: number, to: number): number | null => {
  if (open === null) return null;
  if (open === from) return to;
  if (from < open && open <= to) return open - 1;
  return to <= open && open < from ? open + 1 : open;
};
