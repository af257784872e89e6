import type { Erasure } from '../../domain/erasures/erasure.ts';

export const erasureStatuses = ['running', 'finished'] as const;

/** The status in responses. */
export const statusOf = ({
  finishedAt,
}: Pick<Erasure, 'finishedAt'>): (typeof erasureStatuses)[number] =>
  finishedAt === null ? 'running' : 'finished';
