import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Card } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { TextField } from '../../ui/fields.tsx';
import { havingWords } from '../../ui/picker.tsx';
import type { LabelPlace } from './places.ts';

const wordsOf = ({ code, name, where }: LabelPlace): string => `${code} ${name} ${where}`;

/** The places, each with a check box; `All` and `None` apply to the search results. */
export const PlaceList = ({
  of,
  left,
  onLeft,
}: {
  readonly of: readonly LabelPlace[];
  /** The ids of the places that are not printed. */
  readonly left: ReadonlySet<string>;
  readonly onLeft: (left: ReadonlySet<string>) => void;
}): JSX.Element => {
  const [text, setText] = useState('');
  const shown = useMemo(() => havingWords(of, text, wordsOf), [of, text]);
  const mark = (places: readonly LabelPlace[], isPrinted: boolean) => {
    const next = new Set(left);
    for (const { id } of places) {
      if (isPrinted) next.delete(id);
      else next.add(id);
    }
    onLeft(next);
  };
  return (
    <div class="labels-places">
      <Card
        title="Which of them"
        actions={
          <span class="faint small" role="status">
            {(of.length - left.size).toLocaleString('en')} of {of.length.toLocaleString('en')}
          </span>
        }
      >
        <div class="stack">
          <TextField
            label="Search"
            type="search"
            value={text}
            onValue={setText}
            placeholder="Code or name"
            maxLength={200}
          />
          <div class="row">
            <Button onPress={() => mark(shown, true)}>All</Button>
            <Button onPress={() => mark(shown, false)}>None</Button>
          </div>
          <ul>
            {shown.map((place) => (
              <li key={place.id}>
                <label class="check">
                  <input
                    type="checkbox"
                    checked={!left.has(place.id)}
                    onChange={(event) => mark([place], event.currentTarget.checked)}
                  />
                  <span>
                    <span class="faint small">{place.code}</span> {place.name}
                  </span>
                </label>
              </li>
            ))}
          </ul>
          {shown.length === 0 && <p class="faint small">Nothing found</p>}
        </div>
      </Card>
    </div>
  );
};
