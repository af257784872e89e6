import type { JSX } from 'preact';
import { Badge } from '../../ui/content.tsx';
import { At } from '../../ui/times.tsx';
import type { Fault } from './fault-ticket.tsx';

/** When the fault closed, or that it is open. */
export const FaultState = ({
  of: { closedAt, flapping },
}: {
  readonly of: Pick<Fault, 'closedAt' | 'flapping'>;
}): JSX.Element =>
  closedAt === null ? (
    <Badge tone="bad">{flapping ? 'flapping' : 'open'}</Badge>
  ) : (
    <At at={closedAt} />
  );
