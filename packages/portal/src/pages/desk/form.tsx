import type { ComponentChildren, JSX } from 'preact';
import { Card } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx';
import { priorityChoices, type Priority } from '../tickets/words.tsx';
import { changed, withMember, type Configuration, type Policy, type Rule } from './document.ts';
import { MatchFields } from './match.tsx';

interface FormParts {
  readonly of: Configuration;
  readonly onChange: (next: Configuration) => void;
}

export const ConfigurationForm = ({ of, onChange }: FormParts): JSX.Element => (
  <>
    <Policies of={of} onChange={onChange} />
    <Rules of={of} onChange={onChange} />
    <p class="faint small below">
      Calendars ({Object.keys(of.calendars).length}) and workflows ({of.workflows.length}) are
      written in the document.
    </p>
  </>
);

const minutes = (text: string): number | null => (text.trim() === '' ? null : Number(text));
const shown = (minutes: number | null): string => (minutes === null ? '' : String(minutes));
const filled = (text: string): string | undefined => (text === '' ? undefined : text);

const Policies = ({ of, onChange }: FormParts): JSX.Element => {
  const list = of.slaPolicies;
  const set = (at: number) => (policy: Policy | null) =>
    onChange({ ...of, slaPolicies: changed(list, at, policy) });
  const add = () =>
    onChange({
      ...of,
      slaPolicies: [...list, { name: 'New', firstResponseMinutes: 60, resolutionMinutes: 480 }],
    });
  return (
    <Card
      title="Service levels"
      actions={
        <Button icon="plus" onPress={add}>
          Add a service level
        </Button>
      }
    >
      {list.length === 0 && (
        <p class="faint">None: each priority has its usual times, around the clock.</p>
      )}
      {list.map((policy, at) => (
        <PolicyFields
          key={at}
          of={policy}
          calendars={Object.keys(of.calendars)}
          onChange={set(at)}
        />
      ))}
    </Card>
  );
};

const PolicyFields = ({
  of,
  calendars,
  onChange,
}: {
  readonly of: Policy;
  readonly calendars: readonly string[];
  readonly onChange: (next: Policy | null) => void;
}): JSX.Element => (
  <Part name={of.name} onRemove={() => onChange(null)}>
    <div class="fields">
      <TextField label="Name" value={of.name} onValue={(name) => onChange({ ...of, name })} />
      <TextField
        label="First response, minutes"
        type="number"
        min={1}
        value={shown(of.firstResponseMinutes)}
        onValue={(text) => onChange({ ...of, firstResponseMinutes: minutes(text) })}
      />
      <TextField
        label="Resolution, minutes"
        type="number"
        min={1}
        value={shown(of.resolutionMinutes)}
        onValue={(text) => onChange({ ...of, resolutionMinutes: minutes(text) })}
      />
      <SelectField
        label="Calendar"
        value={of.calendar ?? ''}
        choices={[['', 'Around the clock'], ...calendars.map((name) => [name, name] as const)]}
        onValue={(name) => onChange(withMember(of, 'calendar', filled(name)))}
      />
    </div>
    <MatchFields
      of={of.match ?? {}}
      onChange={(match) => onChange(withMember(of, 'match', match))}
    />
    <CheckField
      label="Pauses while the ticket waits"
      isChecked={of.pauseWhileWaiting === true}
      onValue={(isOn) => onChange(withMember(of, 'pauseWhileWaiting', isOn || undefined))}
    />
  </Part>
);

const Rules = ({ of, onChange }: FormParts): JSX.Element => {
  const list = of.routingRules;
  const set = (at: number) => (rule: Rule | null) =>
    onChange({ ...of, routingRules: changed(list, at, rule) });
  const add = () => {
    const ruleId = `rule-${crypto.randomUUID().slice(0, 8)}`;
    onChange({ ...of, routingRules: [...list, { ruleId, name: 'New rule', match: {} }] });
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
      {list.length === 0 && <p class="faint">None: a ticket comes back as new.</p>}
      {list.map((rule, at) => (
        <RuleFields key={rule.ruleId} of={rule} onChange={set(at)} />
      ))}
    </Card>
  );
};

const RuleFields = ({
  of,
  onChange,
}: {
  readonly of: Rule;
  readonly onChange: (next: Rule | null) => void;
}): JSX.Element => {
  const set =
    <Name extends keyof Rule>(name: Name) =>
    (value: Rule[Name] | undefined) =>
      onChange(withMember(of, name, value));
  return (
    <Part name={of.name} onRemove={() => onChange(null)}>
      <div class="fields">
        <TextField label="Name" value={of.name} onValue={(name) => onChange({ ...of, name })} />
        <TextField
          label="Assign to team"
          value={of.assignTeamId ?? ''}
          onValue={(text) => set('assignTeamId')(filled(text))}
        />
        <TextField
          label="Assign to user"
          value={of.assignUserId ?? ''}
          onValue={(text) => set('assignUserId')(filled(text))}
        />
        <SelectField
          label="Raise priority to"
          value={of.raisePriorityTo ?? ''}
          choices={[['', 'As it is'], ...priorityChoices]}
          onValue={(text) => set('raisePriorityTo')(filled(text) as Priority | undefined)}
        />
      </div>
      <MatchFields of={of.match} onChange={(match) => onChange({ ...of, match: match ?? {} })} />
      <TextField
        label="Note on the timeline"
        value={of.note ?? ''}
        onValue={(text) => set('note')(filled(text))}
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
          label="Later rules are left out"
          isChecked={of.stop === true}
          onValue={(isOn) => set('stop')(isOn || undefined)}
        />
      </div>
    </Part>
  );
};

/** One of a list; what it is called stands on it also when it is closed. */
const Part = ({
  name,
  onRemove,
  children,
}: {
  readonly name: string;
  readonly onRemove: () => void;
  readonly children: ComponentChildren;
}): JSX.Element => (
  <details class="part">
    <summary>{name}</summary>
    <div class="stack">
      {children}
      <div class="form-end">
        <Button label={`Remove ${name}`} onPress={onRemove}>
          Remove
        </Button>
      </div>
    </div>
  </details>
);
