/** State, priority and assignee, edited inline. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { narrowed, OptionList, Popover, type Option } from '../../ui/picker.tsx';
import { useFoundPeople, type People } from './people.ts';
import type { Assignment } from './quick.ts';
import { priorities, stateVerb, type Priority, type State, type Ticket } from './words.tsx';

export type Member = 'state' | 'priority' | 'assignee';

export interface Picked {
  readonly member: Member;
  readonly tickets: readonly Ticket[];
  readonly anchor: HTMLElement;
  /** Whether it applies to the selected tickets, even if only one is selected. */
  readonly isForAll: boolean;
}

export type Choice =
  | { readonly member: 'state'; readonly state: State }
  | { readonly member: 'priority'; readonly priority: Priority }
  | { readonly member: 'assignee'; readonly assignment: Assignment };

interface ChoiceOption extends Option {
  readonly choice: Choice;
}

const TITLES: Readonly<Record<Member, string>> = {
  state: 'State',
  priority: 'Priority',
  assignee: 'Assign to',
};

export const MemberPicker = ({
  of: { member, tickets, anchor },
  people,
  allowed,
  onChoose,
  onClose,
}: {
  readonly of: Picked;
  readonly people: People;
  readonly allowed: readonly State[];
  readonly onChoose: (choice: Choice) => void;
  readonly onClose: () => void;
}): JSX.Element => {
  const { me } = usePortal();
  const [text, setText] = useState('');
  const found = useFoundPeople(people, member === 'assignee' ? text : '');
  const [first] = tickets;
  const options: Readonly<Record<Member, readonly ChoiceOption[]>> = {
    state: allowed.map((state) => ({
      value: state,
      label: stateVerb[state],
      choice: { member: 'state', state },
    })),
    priority: priorities.map((priority) => ({
      value: priority,
      label: priority,
      choice: { member: 'priority', priority },
    })),
    assignee: assignees(found, me.actor.id),
  };
  const chosen: Readonly<Record<Member, string | null>> = {
    state: null,
    priority: first?.priority ?? null,
    assignee:
      first?.assignedUserId ?? (first?.assignedTeamId ? `team ${first.assignedTeamId}` : ''),
  };
  const label =
    tickets.length === 1
      ? `${TITLES[member]}: ${first!.number}`
      : `${TITLES[member]}: ${tickets.length.toLocaleString('en')} tickets`;
  return (
    <Popover anchor={anchor} label={label} onClose={onClose}>
      <OptionList
        label={label}
        options={narrowed(options[member], text)}
        onText={setText}
        startsAtChosen={member === 'priority'}
        chosen={tickets.length === 1 ? chosen[member] : null}
        onChoose={({ choice }) => onChoose(choice)}
      />
    </Popover>
  );
};

const assignees = ({ items, teams }: People, userId: string): readonly ChoiceOption[] => {
  const to = (assignment: Assignment): Choice => ({ member: 'assignee', assignment });
  return [
    { value: userId, label: 'Assign to me', choice: to({ assignedUserId: userId }) },
    ...items
      .filter((person) => person.userId !== userId)
      .map((person) => ({
        value: person.userId,
        label: person.name,
        choice: to({ assignedUserId: person.userId }),
      })),
    ...teams.map((team) => ({
      value: `team ${team.teamId}`,
      label: `${team.name} (team)`,
      choice: to({ assignedTeamId: team.teamId }),
    })),
    {
      value: '',
      label: 'Nobody',
      choice: to({ assignedUserId: null, assignedTeamId: null }),
    },
  ];
};
