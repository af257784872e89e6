/** Request types and their forms, each with a preview. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Card } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../ui/fields.tsx';
import { formDataOf, type FormField, type RequestType, type Typed } from '../tickets/answers.ts';
import { RequestForm } from '../tickets/request-form.tsx';
import { priorities, type Priority } from '../tickets/words.tsx';
import { changed, moved, withMember, type EditorParts } from './document.ts';
import { useErrorsAt } from './errors.ts';
import { FieldEditor } from './form-field.tsx';
import { useClosing } from './half-typed.ts';
import { IconPicker } from './icon-picker.tsx';
import { ItemChoice } from './item.tsx';
import { useReorder } from './reorder.tsx';
import { useStableKeys } from './stable-keys.ts';

/** The first of `name`, `name-2`, … that is not in use. */
const freeName = (name: string, used: readonly string[]): string => {
  let [free, at] = [name, 1];
  while (used.includes(free)) free = `${name}-${(at += 1)}`;
  return free;
};

export const RequestTypesEditor = ({
  of,
  onChange,
  shown,
}: EditorParts & {
  /** The index of the request type to open, from the link of a refusal. */
  readonly shown: number | null;
}): JSX.Element => {
  const list = of.requestTypes ?? [];
  const [selected, setChosen] = useState(shown ?? 0);
  const stable = useStableKeys(list.length);
  const closing = useClosing();
  const at = Math.min(selected, list.length - 1);
  const chosen = list[at];
  // An empty list is left out, as in documents from before there were request types.
  const set = (requestTypes: RequestType[]) =>
    onChange(withMember(of, 'requestTypes', requestTypes.length === 0 ? undefined : requestTypes));
  const add = () => {
    const requestType = freeName(
      'request',
      list.map((type) => type.requestType),
    );
    set([...list, { requestType, name: 'New request type', fields: [] }]);
    stable.onAdded();
    setChosen(list.length);
  };
  return (
    <Card
      title="Request types"
      actions={
        <Button icon="plus" onPress={() => closing(add)}>
          Add a request type
        </Button>
      }
    >
      <p class="faint small below">
        A request type defines a form and the initial values of its tickets. Tickets of other types
        have no form.
      </p>
      <ItemChoice
        label="Request types"
        names={list.map((type) => type.name)}
        chosen={at}
        onChoose={(index) => closing(() => setChosen(index))}
      />
      {chosen && (
        <TypeEditor
          key={stable.keys[at]!}
          of={chosen}
          path={`requestTypes[${at}]`}
          onChange={(next) => {
            if (next === null) stable.onRemoved(at);
            set(changed(list, at, next));
          }}
        />
      )}
    </Card>
  );
};

const TypeEditor = ({
  of,
  path,
  onChange,
}: {
  readonly of: RequestType;
  readonly path: string;
  readonly onChange: (next: RequestType | null) => void;
}): JSX.Element => {
  const errorAt = useErrorsAt(path);
  const { fields } = of;
  const stable = useStableKeys(fields.length);
  const order = useReorder<HTMLDivElement>(fields.length, (from, to) => {
    setFields(moved(fields, from, to));
    stable.onMoved(from, to);
  });
  const text = (name: 'icon' | 'description' | 'category') => (value: string) =>
    onChange(withMember(of, name, value === '' ? undefined : value));
  const setFields = (next: FormField[]) => onChange({ ...of, fields: next });
  const add = () => {
    const key = freeName(
      'field',
      fields.map((field) => field.key),
    );
    setFields([...fields, { key, label: 'New field', kind: 'text' }]);
    stable.onAdded();
  };
  return (
    <div class="columns">
      <div class="stack">
        <div class="fields">
          <TextField
            label="Name"
            value={of.name}
            onValue={(name) => onChange({ ...of, name })}
            error={errorAt('.name')}
          />
          <TextField
            label="Type of request"
            value={of.requestType}
            onValue={(requestType) => onChange({ ...of, requestType })}
            error={errorAt('.requestType')}
            hint="The name in tickets, rules and workflows."
          />
        </div>
        <IconPicker value={of.icon ?? ''} onValue={text('icon')} error={errorAt('.icon')} />
        <TextArea
          label="Description"
          value={of.description ?? ''}
          onValue={text('description')}
          rows={2}
          maxLength={1_000}
        />
        <div class="fields">
          <TextField
            label="Category of its tickets"
            value={of.category ?? ''}
            onValue={text('category')}
            error={errorAt('.category')}
          />
          <SelectField
            label="Priority of its tickets"
            value={of.priority ?? ''}
            choices={[
              ['', 'medium (default)'],
              ...priorities.map((priority) => [priority, priority] as const),
            ]}
            onValue={(priority) =>
              onChange(
                withMember(of, 'priority', priority === '' ? undefined : (priority as Priority)),
              )
            }
          />
        </div>
        <div>
          <CheckField
            label="Requesters may choose it"
            isChecked={of.requester ?? true}
            onValue={(may) => onChange(withMember(of, 'requester', may ? undefined : false))}
          />
          <p class="hint">
            If off, requesters neither see this type nor raise tickets of it. Staff can always
            choose any type.
          </p>
        </div>
        <div class="stack" ref={order.list}>
          {fields.map((field, index) => (
            <FieldEditor
              key={stable.keys[index]!}
              of={field}
              path={`${path}.fields[${index}]`}
              earlier={fields.slice(0, index)}
              onChange={(next) => {
                if (next === null) stable.onRemoved(index);
                setFields(changed(fields, index, next));
              }}
              order={order}
              at={index}
            />
          ))}
        </div>
        <div class="row">
          <Button icon="plus" onPress={add}>
            Add a field
          </Button>
          <Button onPress={() => onChange(null)}>Remove “{of.name}”</Button>
        </div>
      </div>
      <Preview of={of} />
    </div>
  );
};

/** The form as it is rendered for a ticket, to be tried out; its input is not kept. */
const Preview = ({ of }: { readonly of: RequestType }): JSX.Element => {
  const [typed, setTyped] = useState<Typed>({});
  return (
    <section aria-label="Preview" class="stack">
      <h3>Preview</h3>
      {of.fields.length === 0 ? (
        <p class="faint small">The form has no fields yet.</p>
      ) : (
        <>
          <RequestForm
            of={of}
            typed={typed}
            buildingId=""
            onTyped={setTyped}
            errorAt={() => undefined}
          />
          <details>
            <summary>Values of a new ticket</summary>
            <pre class="small">{JSON.stringify(formDataOf(of, typed), null, 2)}</pre>
          </details>
        </>
      )}
    </section>
  );
};
