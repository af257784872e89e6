import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Card } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx';
import { changed, moved, withMember, type EditorParts, type Policy } from './document.ts';
import { DurationField, durationWords } from './duration.tsx';
import { useErrorsAt } from './errors.ts';
import { useClosing } from './half-typed.ts';
import { OpenItem, openAfterMove } from './item.tsx';
import { MatchFields } from './match.tsx';
import { matchWords } from './match-words.ts';
import { NumberField } from './number-field.tsx';
import { usePlaceNames } from './place-names.ts';
import { dropClass, Handle, useReorder } from './reorder.tsx';
import { useStableKeys } from './stable-keys.ts';

const COLUMNS = 6;

/** Service levels: the first one that matches a ticket applies. */
export const LevelsEditor = ({
  of,
  onChange,
  shown,
}: EditorParts & {
  /** The index of the service level to open, from the link of a refusal. */
  readonly shown: number | null;
}): JSX.Element => {
  const list = of.slaPolicies;
  const nameOf = usePlaceNames(of);
  const [open, setOpen] = useState<number | null>(shown);
  const stable = useStableKeys(list.length);
  const closing = useClosing();
  const set = (slaPolicies: Policy[]) => onChange({ ...of, slaPolicies });
  const order = useReorder(list.length, (from, to) => {
    set(moved(list, from, to));
    stable.onMoved(from, to);
    setOpen(openAfterMove(open, from, to));
  });
  const add = () => {
    set([...list, { name: 'New level', firstResponseMinutes: 60, resolutionMinutes: 480 }]);
    stable.onAdded();
    setOpen(list.length);
  };
  return (
    <Card
      title="Service levels"
      actions={
        <Button icon="plus" onPress={() => closing(add)}>
          Add a service level
        </Button>
      }
    >
      <p class="faint small below">
        The first level that matches a new ticket applies. A ticket without a match gets the default
        times of its priority, around the clock.
      </p>
      {list.length > 0 && (
        <table class="table levels">
          <caption class="visually-hidden">Service levels, the first match applies</caption>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Tickets</th>
              <th scope="col">First response</th>
              <th scope="col">Resolution</th>
              <th scope="col">Hours</th>
              <th scope="col">
                <span class="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody ref={order.list}>
            {list.map((policy, at) => (
              <OpenItem
                key={stable.keys[at]!}
                isOpen={open === at}
                columns={COLUMNS}
                dropClass={dropClass(order, at)}
                editor={() => (
                  <PolicyFields
                    of={policy}
                    path={`slaPolicies[${at}]`}
                    calendars={Object.keys(of.calendars)}
                    nameOf={nameOf}
                    onChange={(next) => set(changed(list, at, next))}
                    onRemove={() => {
                      stable.onRemoved(at);
                      set(changed(list, at, null));
                      setOpen(null);
                    }}
                  />
                )}
              >
                <td data-name="Name">
                  <span class="row nowrap">
                    <Handle of={order} at={at} name={policy.name} />
                    <strong class="words">{policy.name}</strong>
                  </span>
                </td>
                <td data-name="Tickets">{matchWords(policy.match ?? {}, nameOf)}</td>
                <td data-name="First response">{durationWords(policy.firstResponseMinutes)}</td>
                <td data-name="Resolution">{durationWords(policy.resolutionMinutes)}</td>
                <td data-name="Hours">
                  <span>
                    {policy.calendar ?? 'around the clock'}
                    {policy.pauseWhileWaiting === true && (
                      <span class="faint small"> · pauses while waiting</span>
                    )}
                  </span>
                </td>
                <td data-name="">
                  <div class="row-end">
                    <Button
                      kind="quiet"
                      label={`${open === at ? 'Close' : 'Edit'} ${policy.name}`}
                      onPress={() => closing(() => setOpen(open === at ? null : at))}
                    >
                      {open === at ? 'Close' : 'Edit'}
                    </Button>
                  </div>
                </td>
              </OpenItem>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
};

const PolicyFields = ({
  of,
  path,
  calendars,
  nameOf,
  onChange,
  onRemove,
}: {
  readonly of: Policy;
  readonly path: string;
  readonly calendars: readonly string[];
  readonly nameOf: (id: string) => string | undefined;
  readonly onChange: (next: Policy) => void;
  readonly onRemove: () => void;
}): JSX.Element => {
  const errorAt = useErrorsAt(path);
  return (
    <div class="stack">
      <div class="fields">
        <TextField
          label="Name"
          value={of.name}
          onValue={(name) => onChange({ ...of, name })}
          error={errorAt('.name')}
        />
        <DurationField
          label="First response within"
          value={of.firstResponseMinutes}
          onValue={(firstResponseMinutes) => onChange({ ...of, firstResponseMinutes })}
          error={errorAt('.firstResponseMinutes')}
        />
        <DurationField
          label="Resolution within"
          value={of.resolutionMinutes}
          onValue={(resolutionMinutes) => onChange({ ...of, resolutionMinutes })}
          error={errorAt('.resolutionMinutes')}
        />
        <SelectField
          label="Hours"
          hint="The clocks run only in these hours. One day stands for 24 of them."
          value={of.calendar ?? ''}
          choices={[
            ['', 'Around the clock'],
            ...[
              ...new Set([...calendars, ...(of.calendar === undefined ? [] : [of.calendar])]),
            ].map((name) => [name, name] as const),
          ]}
          onValue={(name) => onChange(withMember(of, 'calendar', name === '' ? undefined : name))}
          error={errorAt('.calendar')}
        />
        <NumberField
          label="Warn after, in percent of the time"
          value={of.warningPercent}
          placeholder="80"
          onValue={(percent) => onChange(withMember(of, 'warningPercent', percent))}
          error={errorAt('.warningPercent')}
        />
      </div>
      <MatchFields
        of={of.match ?? {}}
        path={`${path}.match`}
        nameOf={nameOf}
        onChange={(match) => onChange(withMember(of, 'match', match))}
      />
      <CheckField
        label="Pauses while the ticket waits"
        isChecked={of.pauseWhileWaiting === true}
        onValue={(isOn) => onChange(withMember(of, 'pauseWhileWaiting', isOn || undefined))}
      />
      <div class="form-end">
        <Button label={`Remove ${of.name}`} onPress={onRemove}>
          Remove
        </Button>
      </div>
    </div>
  );
};
