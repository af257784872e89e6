/** A list of people at a button, with a search on the server if not all people are loaded. */
import type { JSX, RefObject, TargetedMouseEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { narrowed, OptionList, Popover, type Option } from '../../ui/picker.tsx';
import { useFoundPeople, type People } from './people.ts';

export interface PersonPicker {
  readonly items: People['items'];
  /** Attributes of the button that opens the list, and regains the focus when it closes. */
  readonly button: {
    readonly ref: RefObject<HTMLButtonElement | null>;
    readonly 'aria-haspopup': 'dialog';
    readonly onClick: (event: TargetedMouseEvent<HTMLButtonElement>) => void;
  };
  /** `null` while it is closed. */
  readonly list: JSX.Element | null;
}

/** @param first Options before the people. */
export const usePersonPicker = ({
  label,
  people,
  first = [],
  chosen = null,
  onChoose,
}: {
  readonly label: string;
  readonly people: People;
  readonly first?: readonly Option[];
  readonly chosen?: string | null;
  readonly onChoose: (option: Option) => void;
}): PersonPicker => {
  const ref = useRef<HTMLButtonElement>(null);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [text, setText] = useState('');
  const { items } = useFoundPeople(people, anchor === null ? '' : text);
  const options = [
    ...first,
    ...items.map(({ userId, name }): Option => ({
      value: userId,
      label: name,
      hint: <span class="faint small">{userId}</span>,
    })),
  ];
  const close = () => {
    setAnchor(null);
    setText('');
    ref.current?.focus();
  };
  const list =
    anchor === null ? null : (
      <Popover anchor={anchor} label={label} onClose={close}>
        <OptionList
          label={label}
          placeholder="Name"
          options={narrowed(options, text)}
          onText={setText}
          chosen={chosen}
          onChoose={(option) => {
            onChoose(option);
            close();
          }}
        />
      </Popover>
    );
  const onClick = (event: TargetedMouseEvent<HTMLButtonElement>) => setAnchor(event.currentTarget);
  return { items, button: { ref, 'aria-haspopup': 'dialog', onClick }, list };
};
