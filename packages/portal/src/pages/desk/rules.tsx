import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Badge, Card } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../ui/fields.tsx';
import { priorityChoices, type Priority } from '../tickets/words.tsx';
import {
  changed,
  moved,
  withMember,
  type Configuration,
  type EditorParts,
  type Rule,
} from './document.ts';
import { useErrorsAt } from './errors.ts';
import { OpenItem, openAfterMove } from './item.tsx';
import { MatchFields } from './match.tsx';
import { matchWords } from './match-words.ts';
import { usePlaceNames } from './place-names.ts';
import { dropClass, Handle, useReorder } from './reorder.tsx';

const COLUMNS = 4;

const filled = (text: string): string | undefined => (text === '' ? undefined : text);

/** The effect of a rule on a matching ticket, in words. */
export const effectWords = (rule: Rule, { directory }: Configuration): string => {
  const team = directory?.teams.find(({ teamId }) => teamId === rule.assignTeamId);
  const user = directory?.users.find(({ userId }) => userId === rule.assignUserId);
  const effects = [
    rule.assignTeamId !== undefined && `assign to team ${team?.name ?? rule.assignTeamId}`,
    rule.assignUserId !== undefined && `assign to ${user?.name ?? rule.assignUserId}`,
    rule.raisePriorityTo !== undefined && `raise to ${rule.raisePriorityTo}`,
    rule.triage === true && 'triage',
    rule.note !== undefined && 'add a note',
    rule.stop === true && 'then skip later rules',
  ].filter((words) => words !== false);
  return effects.length === 0 ? 'nothing' : effects.join(', ');
};

/** Routing rules, which run in order on each new ticket. */
export const RulesEditor = ({
  of,
  onChange,
  shown,
}: EditorParts & {
  /** The index of the rule to open, from the link of a refusal. */
  readonly shown: number | null;
}): JSX.Element => {
  const list = of.routingRules;
  const nameOf = usePlaceNames(of);
  const [open, setOpen] = useState<number | null>(shown);
  const set = (routingRules: Rule[]) => onChange({ ...of, routingRules });
  const order = useReorder(list.length, (from, to) => {
    set(moved(list, from, to));
    setOpen(openAfterMove(open, from, to));
  });
  const add = () => {
    const ruleId = `rule-${crypto.randomUUID().slice(0, 8)}`;
    set([...list, { ruleId, name: 'New rule', match: {} }]);
    setOpen(list.length);
  };
  return (
    <Card
      title="Routing rules"
      actions={
        <Button icon="plus" onPress={add}>
          Add a rule
        </Button>
      }
    >
      <p class="faint small below">
        Each new ticket passes through the rules in order; each rule sees the changes of the rules
        before it.
      </p>
      {list.length > 0 && (
        <table class="table rules">
          <caption class="visually-hidden">Routing rules, in the order in which they run</caption>
          <thead>
            <tr>
              <th scope="col">Rule</th>
              <th scope="col">Tickets</th>
              <th scope="col">What it does</th>
              <th scope="col">
                <span class="visually-hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody ref={order.list}>
            {list.map((rule, at) => (
              <OpenItem
                key={rule.ruleId}
                isOpen={open === at}
                columns={COLUMNS}
                dropClass={dropClass(order, at)}
                editor={() => (
                  <RuleFields
                    of={rule}
                    configuration={of}
                    path={`routingRules[${at}]`}
                    nameOf={nameOf}
                    onChange={(next) => set(changed(list, at, next))}
                    onRemove={() => {
                      set(changed(list, at, null));
                      setOpen(null);
                    }}
                  />
                )}
              >
                <td data-name="Rule">
                  <span class="row nowrap">
                    <Handle of={order} at={at} name={rule.name} />
                    <span class="faint">{at + 1}</span>
                    <strong class="words">{rule.name}</strong>
                    {rule.enabled === false && <Badge>off</Badge>}
                  </span>
                </td>
                <td data-name="Tickets">{matchWords(rule.match, nameOf)}</td>
                <td data-name="What it does">{effectWords(rule, of)}</td>
                <td data-name="">
                  <div class="row-end">
                    <Button
                      kind="quiet"
                      label={`${open === at ? 'Close' : 'Edit'} ${rule.name}`}
                      onPress={() => setOpen(open === at ? null : at)}
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

const RuleFields = ({
  of,
  configuration: { directory },
  path,
  nameOf,
  onChange,
  onRemove,
}: {
  readonly of: Rule;
  readonly configuration: Configuration;
  readonly path: string;
  readonly nameOf: (id: string) => string | undefined;
  readonly onChange: (next: Rule) => void;
  readonly onRemove: () => void;
}): JSX.Element => {
  const errorAt = useErrorsAt(path);
  const set =
    <Name extends keyof Rule>(name: Name) =>
    (value: Rule[Name] | undefined) =>
      onChange(withMember(of, name, value));
  return (
    <div class="stack">
      <div class="fields">
        <TextField
          label="Name"
          value={of.name}
          onValue={(name) => onChange({ ...of, name })}
          error={errorAt('.name')}
        />
        <TextField
          label="Assign to team"
          value={of.assignTeamId ?? ''}
          list={directory?.teams.map(({ teamId }) => teamId) ?? []}
          onValue={(text) => set('assignTeamId')(filled(text))}
          error={errorAt('.assignTeamId')}
        />
        <TextField
          label="Assign to user"
          value={of.assignUserId ?? ''}
          list={directory?.users.map(({ userId }) => userId) ?? []}
          onValue={(text) => set('assignUserId')(filled(text))}
          error={errorAt('.assignUserId')}
        />
        <SelectField
          label="Raise priority to"
          value={of.raisePriorityTo ?? ''}
          choices={[['', 'Unchanged'], ...priorityChoices]}
          onValue={(text) => set('raisePriorityTo')(filled(text) as Priority | undefined)}
        />
      </div>
      <MatchFields
        of={of.match}
        path={`${path}.match`}
        nameOf={nameOf}
        onChange={(match) => onChange({ ...of, match: match ?? {} })}
      />
      <TextArea
        label="Note on the timeline"
        rows={2}
        value={of.note ?? ''}
        onValue={(text) => set('note')(filled(text))}
        error={errorAt('.note')}
      />
      <div class="row">
        <CheckField
          label="Enabled"
          isChecked={of.enabled !== false}
          onValue={(isOn) => set('enabled')(isOn ? undefined : false)}
        />
        <CheckField
          label="Triages the ticket"
          isChecked={of.triage === true}
          onValue={(isOn) => set('triage')(isOn || undefined)}
        />
        <CheckField
          label="Skip later rules"
          isChecked={of.stop === true}
          onValue={(isOn) => set('stop')(isOn || undefined)}
        />
      </div>
      <div class="form-end">
        <Button label={`Remove ${of.name}`} onPress={onRemove}>
          Remove
        </Button>
      </div>
    </div>
  );
};
