import type { ComponentChildren, JSX } from 'preact';

/** A row of a table, with its editor below while it is open. */
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

/** Selects the item of a list to edit; renders nothing for fewer than two. */
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

/** The index of the open item of a list after an item has moved. */
export const openAfterMove = (open: number | null, from: number, to: number): number | null => {
  if (open === null) return null;
  if (open === from) return to;
  if (from < open && open <= to) return open - 1;
  return to <= open && open < from ? open + 1 : open;
};
