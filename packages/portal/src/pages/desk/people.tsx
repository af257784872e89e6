import type { JSX } from 'preact';
import { Card } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { ChoiceGroup, TextField } from '../../ui/fields.tsx';
import { changed, withMember, type Configuration, type EditorParts } from './document.ts';
import { useErrorsAt } from './errors.ts';
import { PersonalDataTerm } from './personal-data.tsx';
import { WhoReports } from './who-reports.tsx';

type Directory = NonNullable<Configuration['directory']>;
type User = Directory['users'][number];
type Team = Directory['teams'][number];

const NONE: Directory = { users: [], teams: [] };

const filled = (text: string): string | undefined => (text === '' ? undefined : text);

/** The assignable people by name (without any, every id is accepted), and who may report. */
export const PeopleEditor = ({ of, onChange }: EditorParts): JSX.Element => {
  const directory = of.directory ?? NONE;
  const { users, teams } = directory;
  const set = (next: Partial<Directory>) => {
    const whole = { ...directory, ...next };
    const isEmpty = whole.users.length === 0 && whole.teams.length === 0;
    onChange(withMember(of, 'directory', isEmpty ? undefined : whole));
  };
  return (
    <>
      <Card
        title={`People (${users.length})`}
        actions={
          <Button icon="plus" onPress={() => set({ users: [...users, { userId: '', name: '' }] })}>
            Add a person
          </Button>
        }
      >
        <p class="faint small below">
          The user id from the sign-in. People who have signed in need no entry.
        </p>
        <ul class="stack">
          {users.map((user, at) => (
            <li key={at}>
              <EntryFields
                of={user}
                id="userId"
                idLabel="User id"
                noun="this person"
                path={`directory.users[${at}]`}
                onChange={(next) => set({ users: changed(users, at, next) })}
              />
            </li>
          ))}
        </ul>
      </Card>
      <Card
        title={`Teams (${teams.length})`}
        actions={
          <Button
            icon="plus"
            onPress={() => set({ teams: [...teams, { teamId: '', name: '', members: [] }] })}
          >
            Add a team
          </Button>
        }
      >
        <ul class="stack">
          {teams.map((team, at) => (
            <TeamFields
              key={at}
              of={team}
              users={users}
              path={`directory.teams[${at}]`}
              onChange={(next) => set({ teams: changed(teams, at, next) })}
            />
          ))}
        </ul>
      </Card>
      <WhoReports of={of} onChange={onChange} />
      <PersonalDataTerm of={of} onChange={onChange} />
    </>
  );
};

/** Name, id and address of a person or a team, with a button that removes the entry. */
const EntryFields = <Entry extends User | Team>({
  of,
  id,
  idLabel,
  noun,
  path,
  onChange,
}: {
  readonly of: Entry;
  /** The name of the member that holds the id. */
  readonly id: keyof Entry & string;
  readonly idLabel: string;
  /** For an entry without a name: `this team`. */
  readonly noun: string;
  readonly path: string;
  readonly onChange: (next: Entry | null) => void;
}): JSX.Element => {
  const errorAt = useErrorsAt(path);
  return (
    <div class="person-fields">
      <TextField
        label="Name"
        value={of.name}
        onValue={(name) => onChange({ ...of, name })}
        error={errorAt('.name')}
      />
      <TextField
        label={idLabel}
        value={String(of[id])}
        onValue={(text) => onChange({ ...of, [id]: text })}
        error={errorAt(`.${id}`)}
      />
      <TextField
        label="E-mail address (optional)"
        value={of.email ?? ''}
        onValue={(text) => onChange(withMember<Entry, 'email'>(of, 'email', filled(text)))}
        error={errorAt('.email')}
      />
      <Button
        kind="quiet"
        icon="close"
        label={`Remove ${of.name || noun}`}
        onPress={() => onChange(null)}
      />
    </div>
  );
};

const TeamFields = ({
  of,
  users,
  path,
  onChange,
}: {
  readonly of: Team;
  readonly users: readonly User[];
  readonly path: string;
  readonly onChange: (next: Team | null) => void;
}): JSX.Element => {
  const errorAt = useErrorsAt(path);
  const names = new Map(users.map(({ userId, name }) => [userId, name || userId]));
  // A member of the team without a directory entry stays selectable.
  const choices = [...new Set([...names.keys(), ...of.members])]
    .filter(Boolean)
    .map((userId) => [userId, names.get(userId) ?? userId] as const);
  return (
    <li class="card">
      <div class="stack">
        <EntryFields
          of={of}
          id="teamId"
          idLabel="Team id"
          noun="this team"
          path={path}
          onChange={onChange}
        />
        {choices.length > 0 && (
          <ChoiceGroup
            label="Members"
            choices={choices}
            chosen={of.members}
            onValue={(members) => onChange({ ...of, members: [...members] })}
          />
        )}
        {errorAt('.members') && <p class="field-error">{errorAt('.members')}</p>}
      </div>
    </li>
  );
};
