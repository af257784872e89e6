/** The states of a ticket in the words of the person who reported it. */
import type { Tone } from '../../ui/content.tsx';
import type { State } from '../tickets/words.tsx';

interface Status {
  readonly title: string;
  readonly detail: string;
  readonly tone: Tone;
}

export const statusOf: Readonly<Record<State, Status>> = {
  new: { title: 'We have it', detail: 'It will be looked at soon.', tone: 'accent' },
  triaged: { title: 'We have it', detail: 'It was looked at and is planned.', tone: 'accent' },
  in_progress: {
    title: 'Somebody is on it',
    detail: 'The work has begun.',
    tone: 'busy',
  },
  waiting: {
    title: 'It is waiting',
    detail: 'For parts, for somebody else, or for an answer of yours.',
    tone: 'warn',
  },
  resolved: { title: 'Done: is it fixed?', detail: 'Please have a look.', tone: 'good' },
  reopened: { title: 'Open again', detail: 'It will be looked at once more.', tone: 'accent' },
  closed: { title: 'Finished', detail: 'Nothing more is to be done.', tone: 'neutral' },
  cancelled: { title: 'Cancelled', detail: 'Nothing will be done.', tone: 'neutral' },
};

/** A change of state in words, by whether the reporter made it. */
const MOVED: Readonly<Record<State, readonly [own: string, others: string]>> = {
  new: ['You reported it', 'It was reported'],
  triaged: ['It was looked at', 'It was looked at'],
  in_progress: ['The work has begun', 'The work has begun'],
  waiting: ['It is waiting', 'It is waiting'],
  resolved: ['It was said to be done', 'It was said to be done'],
  reopened: ['You said that it is still broken', 'It was opened again'],
  closed: ['You said that it is fixed', 'It was finished'],
  cancelled: ['You cancelled it', 'It was cancelled'],
};

export const movedWords = (to: State, isOwn: boolean): string => MOVED[to][isOwn ? 0 : 1];
