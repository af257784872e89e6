import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ChoiceGroup, TextField } from '../../ui/fields.tsx';
import { priorityChoices, type Priority } from '../tickets/words.tsx';
import { withMember, type Match } from './document.ts';

const listed = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : [value].flat();

const values = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

/** Which tickets it is about. Places and whatever else is matched stay as the document says. */
export const MatchFields = ({
  of,
  onChange,
}: {
  readonly of: Match;
  readonly onChange: (next: Match | undefined) => void;
}): JSX.Element => {
  const set = <Name extends keyof Match>(name: Name, value: Match[Name] | undefined) => {
    const next = withMember(of, name, value);
    onChange(Object.keys(next).length === 0 ? undefined : next);
  };
  const list = (name: 'requestType' | 'category') => (text: string) => {
    const all = values(text);
    set(name, all.length === 0 ? undefined : all);
  };
  return (
    <div class="stack">
      <ChoiceGroup
        label="Tickets of priority"
        choices={priorityChoices}
        chosen={listed(of.priority)}
        onValue={(chosen) =>
          set('priority', chosen.length === 0 ? undefined : ([...chosen] as Priority[]))
        }
      />
      <div class="fields">
        <Values label="Of category" of={listed(of.category)} onValue={list('category')} />
        <Values label="Of request type" of={listed(of.requestType)} onValue={list('requestType')} />
        <TextField
          label="With the words"
          value={of.text ?? ''}
          maxLength={100}
          onValue={(text) => set('text', text === '' ? undefined : text)}
        />
      </div>
    </div>
  );
};

const Values = ({
  label,
  of,
  onValue,
}: {
  readonly label: string;
  readonly of: readonly string[];
  readonly onValue: (text: string) => void;
}): JSX.Element => {
  const [text, setText] = useState(of.join(', '));
  // A comma that has just been typed says nothing yet, and must stay.
  const isSame = values(text).join() === of.join();
  return (
    <TextField
      label={label}
      value={isSame ? text : of.join(', ')}
      onValue={(next) => {
        setText(next);
        onValue(next);
      }}
    />
  );
};
