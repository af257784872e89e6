import type { JSX } from 'preact';
import { Card } from '../../ui/content.tsx';
import { useLive } from '../live/events.ts';
import { LiveState, LiveTable } from '../live/table.tsx';
import type { Sandbox } from './list.tsx';

const SHOWN_MAX = 10;

/** What the sandbox's building tells, as it happens: each minute of its clock something does. */
export const SandboxLive = ({
  of: { apiUrl, buildingId },
}: {
  readonly of: Sandbox;
}): JSX.Element => {
  const { state, events, count } = useLive(buildingId, apiUrl);
  return (
    <Card title="Live" actions={<LiveState state={state} count={count} />}>
      <LiveTable of={events.slice(0, SHOWN_MAX)} />
    </Card>
  );
};
