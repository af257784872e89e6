import type { Erasure } from '../../domain/erasures/erasure.ts';

export const erasureStatuses = ['running', 'finished'] as const;

/** As callers see it. */
export const statusOf = ({
  finishedAt,
}: Pick<Erasure, 'finishedAt'>): (typeof erasureStatuses)[number] =>
  finishedAt === null ? 'running' : 'finished';
