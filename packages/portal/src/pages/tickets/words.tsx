import type { JSX } from 'preact';
import type { Schemas } from '../../session/requests.ts';
import { Badge, plainText, type Tone } from '../../ui/content.tsx';
import { SelectField, type Choice } from '../../ui/fields.tsx';

export type Ticket = Schemas['Ticket'];
export type State = Ticket['state'];
export type Priority = Ticket['priority'];

/** In the order of a ticket's life cycle. */
export const states: readonly State[] = [
  'new',
  'triaged',
  'in_progress',
  'waiting',
  'resolved',
  'reopened',
  'closed',
  'cancelled',
];

export const stateName: Readonly<Record<State, string>> = {
  new: 'New',
  triaged: 'Triaged',
  in_progress: 'In progress',
  waiting: 'Waiting',
  resolved: 'Resolved',
  reopened: 'Reopened',
  closed: 'Closed',
  cancelled: 'Cancelled',
};

/** The verb for moving a ticket to each state. */
export const stateVerb: Readonly<Record<State, string>> = {
  new: 'Renew',
  triaged: 'Triage',
  in_progress: 'Start work',
  waiting: 'Put on hold',
  resolved: 'Resolve',
  reopened: 'Reopen',
  closed: 'Close',
  cancelled: 'Cancel ticket',
};

const STATE_TONES: Readonly<Record<State, Tone>> = {
  new: 'accent',
  triaged: 'busy',
  in_progress: 'busy',
  waiting: 'warn',
  resolved: 'good',
  reopened: 'accent',
  closed: 'neutral',
  cancelled: 'neutral',
};

export const StateBadge = ({ of }: { readonly of: State }): JSX.Element => (
  <Badge tone={STATE_TONES[of]}>{stateName[of]}</Badge>
);

export const priorities: readonly Priority[] = ['critical', 'high', 'medium', 'low'];

const PRIORITY_TONES: Readonly<Record<Priority, Tone>> = {
  critical: 'bad',
  high: 'warn',
  medium: 'neutral',
  low: 'neutral',
};

export const PriorityBadge = ({ of }: { readonly of: Priority }): JSX.Element => (
  <Badge tone={PRIORITY_TONES[of]}>{of}</Badge>
);

export const stateChoices: readonly Choice[] = states.map((state) => [state, stateName[state]]);
export const priorityChoices: readonly Choice[] = priorities.map((priority) => [
  priority,
  priority,
]);

export const PriorityField = ({
  value,
  onValue,
  isLabelHidden = false,
}: {
  readonly value: Priority;
  readonly onValue: (priority: Priority) => void;
  /** Hides the label visually, where the position says what the control is. */
  readonly isLabelHidden?: boolean;
}): JSX.Element => (
  <SelectField
    label="Priority"
    isLabelHidden={isLabelHidden}
    value={value}
    choices={priorityChoices}
    onValue={(chosen) => onValue(chosen as Priority)}
  />
);

export const titleOf = ({ subject, description }: Ticket): string =>
  subject ?? plainText(description).slice(0, 120);
