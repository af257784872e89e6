/** Erasures of persons in plain words. contract.md section 11. */
import type { JSX } from 'preact';
import type { Schemas } from '../../session/requests.ts';
import { Badge } from '../../ui/content.tsx';
import type { ExplainedChoice } from '../../ui/fields.tsx';

export type Erasure = Schemas['Erasure'];
type Found = NonNullable<Erasure['found']>;

/** The poll interval of an erasure in progress, in milliseconds. */
export const ERASURE_LOOK_MS = 1_000;

export const TEXT_CHOICES: readonly ExplainedChoice<Erasure['texts']>[] = [
  {
    value: 'keep',
    name: 'Keep it, without their name',
    words: 'Their reports, notes and files stay, without the author.',
  },
  {
    value: 'erase',
    name: 'Erase it too',
    words: 'Their subjects, descriptions, forms, notes, comments and files are erased.',
  },
];

export const textsName: Readonly<Record<Erasure['texts'], string>> = {
  keep: 'kept, without their name',
  erase: 'erased',
};

export const ErasureStatus = ({ of }: { readonly of: Erasure }): JSX.Element => (
  <Badge tone={of.status === 'finished' ? 'good' : 'busy'}>{of.status}</Badge>
);

/** `2 tickets, 1 note`; counts of zero are left out. */
export const foundWords = ({ tickets, notes, attachments, sessions }: Found): string => {
  const parts = [
    counted(tickets, 'ticket'),
    counted(notes, 'note'),
    counted(attachments, 'file'),
    counted(sessions, 'session'),
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'nothing' : parts.join(', ');
};

const counted = (count: number, noun: string): string | null =>
  count === 0 ? null : `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
