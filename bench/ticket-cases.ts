/** Every filter of the ticket list, the worst combinations of them, deep pages and searches. */
import type { TicketListQuery } from '../src/projections/tickets/query/queries.ts';
import type { Desk } from './ticket-data.ts';

export type Case = readonly [name: string, query: (draw: () => number) => Partial<TicketListQuery>];

const one = <T>(draw: () => number, values: readonly T[]): T =>
  values[Math.floor(draw() * values.length)]!;
const open = ['new', 'triaged', 'in_progress', 'waiting', 'reopened'];
const states = [...open, 'resolved', 'closed', 'cancelled'];
const priorities = ['low', 'medium', 'high', 'critical'];

export const casesOf = ({ buildingOf, categories, words, tickets }: Desk): Case[] => {
  const big = { buildingId: buildingOf('acme', 0) };
  const small = { buildingId: buildingOf('acme', 5) };
  const id = (kind: number, n: number) =>
    `${String(kind).padStart(8, '0')}-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
  const upTo = (draw: () => number, n: number) => Math.floor(draw() * n);
  const two = (n: number) => String(n).padStart(2, '0');
  const roomOf = (d: () => number) => `${upTo(d, 10)}.${two(upTo(d, 20))}.${two(upTo(d, 20))}`;
  const rare = categories.slice(-3);
  const deep = (share: number) => ({ page: Math.max(1, Math.floor((tickets * share) / 50)) });
  return [
    ['none', () => ({})],
    ['building (40 %)', () => big],
    ['building (3 %)', () => small],
    ['state', (d) => ({ state: [one(d, states)] })],
    ['open states', () => ({ state: open })],
    ['priority', (d) => ({ priority: [one(d, priorities)] })],
    ['category', (d) => ({ category: [one(d, categories)] })],
    ['three categories', () => ({ category: rare })],
    ['building + state', (d) => ({ ...big, state: [one(d, states)] })],
    ['building + priority', (d) => ({ ...big, priority: [one(d, priorities)] })],
    ['building + category', (d) => ({ ...big, category: [one(d, categories)] })],
    [
      'building + state + priority',
      (d) => ({ ...big, state: [one(d, states)], priority: [one(d, priorities)] }),
    ],
    [
      'building + state + priority + category',
      (d) => ({
        ...big,
        state: [one(d, states)],
        priority: [one(d, priorities)],
        category: [one(d, categories)],
      }),
    ],
    [
      'state + priority + category',
      (d) => ({
        state: [one(d, states)],
        priority: [one(d, priorities)],
        category: [one(d, categories)],
      }),
    ],
    [
      'rarest: reopened + critical + rare category',
      () => ({ state: ['reopened'], priority: ['critical'], category: rare }),
    ],
    ['user', (d) => ({ assignedUserId: `user-${upTo(d, 300)}` })],
    ['user + state', (d) => ({ assignedUserId: `user-${upTo(d, 300)}`, state: [one(d, states)] })],
    [
      'user + category',
      (d) => ({ assignedUserId: `user-${upTo(d, 300)}`, category: [one(d, categories)] }),
    ],
    ['team (largest)', () => ({ assignedTeamId: 'team-0' })],
    ['team', (d) => ({ assignedTeamId: `team-${upTo(d, 40)}` })],
    ['team + building', (d) => ({ ...small, assignedTeamId: `team-${upTo(d, 40)}` })],
    [
      'largest team + state + priority',
      (d) => ({
        assignedTeamId: 'team-0',
        state: [one(d, states)],
        priority: [one(d, priorities)],
      }),
    ],
    [
      'largest team + category',
      (d) => ({ assignedTeamId: 'team-0', category: [one(d, categories)] }),
    ],
    [
      'largest team + category + state',
      (d) => ({
        assignedTeamId: 'team-0',
        category: [one(d, categories)],
        state: [one(d, states)],
      }),
    ],
    [
      'largest team + rarest',
      () => ({
        assignedTeamId: 'team-0',
        state: ['reopened'],
        priority: ['critical'],
        category: rare,
      }),
    ],
    [
      'largest team + user',
      (d) => ({ assignedTeamId: 'team-0', assignedUserId: `user-${upTo(d, 300)}` }),
    ],
    ['answer of 50 %', () => ({ fields: { wet: ['true'] } })],
    ['answer of 20 %', () => ({ fields: { parts: ['lock'] } })],
    ['answer of 1 %', () => ({ fields: { size: ['large'] } })],
    ['answer that nothing has', () => ({ fields: { size: ['huge'] } })],
    ['two answers to one field', () => ({ fields: { parts: ['lock', 'hinge'] } })],
    ['answers to two fields', () => ({ fields: { wet: ['true'], size: ['large'] } })],
    [
      'answers to three fields',
      () => ({
        fields: { wet: ['true'], size: ['large'], parts: ['lock', 'hinge'] },
      }),
    ],
    ['answer of 50 % + building', () => ({ ...big, fields: { wet: ['true'] } })],
    ['answer of 1 % + building', () => ({ ...big, fields: { size: ['large'] } })],
    ['answer of 50 % + open states', () => ({ state: open, fields: { wet: ['true'] } })],
    ['answer of 1 % + open states', () => ({ state: open, fields: { size: ['large'] } })],
    [
      'answer of 50 % + rarest',
      () => ({
        fields: { wet: ['true'] },
        state: ['reopened'],
        priority: ['critical'],
        category: rare,
      }),
    ],
    [
      'answer of 50 % + user',
      (d) => ({
        assignedUserId: `user-${upTo(d, 300)}`,
        fields: { wet: ['true'] },
      }),
    ],
    [
      'answer of 1 % + largest team',
      () => ({
        assignedTeamId: 'team-0',
        fields: { size: ['large'] },
      }),
    ],
    ['answer of 50 % + overdue', () => ({ overdue: true, fields: { wet: ['true'] } })],
    ['answer of 50 %, page 200', () => ({ page: 200, fields: { wet: ['true'] } })],
    ['space', (d) => ({ spaceId: id(3, upTo(d, 400)) })],
    ['space + state', (d) => ({ spaceId: id(3, upTo(d, 400)), state: [one(d, states)] })],
    ['storey', (d) => ({ storeyId: id(2, upTo(d, 20)) })],
    ['storey + state', (d) => ({ storeyId: id(2, upTo(d, 20)), state: [one(d, states)] })],
    [
      'storey + user',
      (d) => ({ storeyId: id(2, upTo(d, 20)), assignedUserId: `user-${upTo(d, 300)}` }),
    ],
    ['storey + largest team', (d) => ({ storeyId: id(2, upTo(d, 20)), assignedTeamId: 'team-0' })],
    ['space + largest team', (d) => ({ spaceId: id(3, upTo(d, 400)), assignedTeamId: 'team-0' })],
    ['reporter (largest)', () => ({ reporterUserId: 'requester-0' })],
    ['reporter', (d) => ({ reporterUserId: `requester-${upTo(d, 2_000)}` })],
    [
      'reporter + open states',
      (d) => ({ reporterUserId: `requester-${upTo(d, 20)}`, state: open }),
    ],
    ['number', (d) => ({ number: `SR-${String(upTo(d, tickets)).padStart(6, '0')}` })],
    ['element', (d) => ({ elementId: id(4, upTo(d, 800)) })],
    ['overdue', () => ({ overdue: true })],
    ['overdue + building', () => ({ ...big, overdue: true })],
    [
      'overdue + state + priority',
      (d) => ({ overdue: true, state: [one(d, open)], priority: [one(d, priorities)] }),
    ],
    ['overdue + user', (d) => ({ overdue: true, assignedUserId: `user-${upTo(d, 300)}` })],
    ['overdue + largest team', () => ({ overdue: true, assignedTeamId: 'team-0' })],
    [
      'overdue + largest team + category',
      (d) => ({ overdue: true, assignedTeamId: 'team-0', category: [one(d, categories)] }),
    ],
    ['not overdue', () => ({ overdue: false })],
    ['not overdue + open + building', () => ({ ...big, overdue: false, state: open })],
    ['not overdue + largest team', () => ({ overdue: false, assignedTeamId: 'team-0' })],
    ['limit 200', () => ({ limit: 200 })],
    ['page at 1 %', () => deep(0.01)],
    ['page at 10 %', () => deep(0.1)],
    ['page at 30 % (middle of the organisation)', () => deep(0.3)],
    ['page anywhere', (d) => deep(d() * 0.64)],
    ['page beyond the end', () => deep(1)],
    ['page in the middle of the building', () => ({ ...big, ...deep(0.2) })],
    [
      'page in the middle of building + closed',
      () => ({ ...big, state: ['closed'], ...deep(0.14) }),
    ],
    ['page in the middle of a category', () => ({ category: [categories[0]!], ...deep(0.09) })],
    ['page in the middle of the largest team', () => ({ assignedTeamId: 'team-0', ...deep(0.06) })],
    ['page in the middle of not overdue', () => ({ overdue: false, ...deep(0.3) })],
    [
      'page in the middle of a category + closed',
      () => ({ category: [categories[0]!], state: ['closed'], ...deep(0.06) }),
    ],
    [
      'page in the middle of the largest team + closed',
      () => ({ assignedTeamId: 'team-0', state: ['closed'], ...deep(0.04) }),
    ],
    ['search: commonest word', () => ({ search: words[0]! })],
    ['search: common word', (d) => ({ search: words[10 + upTo(d, 20)]! })],
    ['search: 1 % word', (d) => ({ search: words[300 + upTo(d, 200)]! })],
    ['search: rare word', (d) => ({ search: words[2_000 + upTo(d, 2_000)]! })],
    ['search: no such word', () => ({ search: 'zzqxzq' })],
    [
      'search: two words',
      (d) => ({ search: `${words[upTo(d, 100)]} ${words[100 + upTo(d, 900)]}` }),
    ],
    ['search: number', (d) => ({ search: `SR-${String(upTo(d, tickets)).padStart(6, '0')}` })],
    ['search: three letters', (d) => ({ search: words[upTo(d, 4_000)]!.slice(0, 3) })],
    ['search: two letters', (d) => ({ search: words[upTo(d, 4_000)]!.slice(0, 2) })],
    ['search: two letters that nothing has', () => ({ search: 'zq' })],
    ['search: one letter', (d) => ({ search: words[upTo(d, 4_000)]!.slice(0, 1) })],
    ['search: one letter that nothing has', () => ({ search: 'q' })],
    ['search: one letter and a common word', () => ({ search: `q ${words[10]}` })],
    ["place search: a room's code", (d) => ({ search: roomOf(d) })],
    [
      "place search: a room's code and a common word",
      (d) => ({ search: `${roomOf(d)} ${words[10]}` }),
    ],
    ["place search: an element's code", (d) => ({ search: `ahu-${roomOf(d)}-1` })],
    ["place search: a building's name", (d) => ({ search: `building 0${upTo(d, 9)}` })],
    ["place search: a storey's name", (d) => ({ search: `level ${10 + upTo(d, 10)}` })],
    ["place search: a room's name", (d) => ({ search: `kontor ${10 + upTo(d, 10)}` })],
    ['place search: 4,000 rooms', () => ({ search: 'kontor' })],
    ['place search: 4,000 rooms and a rare word', () => ({ search: `kontor ${words[3_000]}` })],
    ['place search: 4,000 rooms and no such word', () => ({ search: 'kontor zzqxzq' })],
    ['place search: 5,000 rooms without tickets', () => ({ search: 'vacant' })],
    ['search + building', (d) => ({ ...big, search: words[10 + upTo(d, 1_000)]! })],
    [
      'search + building + state',
      (d) => ({ ...big, state: [one(d, states)], search: words[upTo(d, 1_000)]! }),
    ],
    ['search + state', (d) => ({ state: [one(d, states)], search: words[upTo(d, 1_000)]! })],
    ['search + category', (d) => ({ category: [one(d, categories)], search: words[50]! })],
    ['search + team', () => ({ assignedTeamId: 'team-0', search: words[50]! })],
    [
      'search + team + state',
      (d) => ({ assignedTeamId: 'team-0', state: [one(d, states)], search: words[50]! }),
    ],
    [
      'search + user',
      (d) => ({ assignedUserId: `user-${upTo(d, 300)}`, search: words[upTo(d, 1_000)]! }),
    ],
    ['search + space', (d) => ({ spaceId: id(3, upTo(d, 400)), search: words[upTo(d, 1_000)]! })],
    ['search + not overdue', (d) => ({ overdue: false, search: words[upTo(d, 1_000)]! })],
    ['search + overdue', (d) => ({ overdue: true, search: words[upTo(d, 1_000)]! })],
    ['search: page 100 of a common word', (d) => ({ search: words[10 + upTo(d, 20)]!, page: 100 })],
  ];
};
