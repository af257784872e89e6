import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { apiOf, passageTo } from '../../session/requests.ts';
import { Card } from '../../ui/content.tsx';
import { useLive } from '../live/events.ts';
import { useNames } from '../live/names.ts';
import { LiveState, LiveTable } from '../live/table.tsx';
import type { Sandbox } from './list.tsx';

const SHOWN_MAX = 10;

/** The live events of the sandbox's building: some for each minute of its clock. */
export const SandboxLive = ({ of }: { readonly of: Sandbox }): JSX.Element => {
  const { buildingId } = of;
  const { session } = usePortal();
  const passage = passageTo(of);
  const api = useMemo(() => apiOf(session, passage), [session, passage]);
  const { state, events, count } = useLive(buildingId, passage);
  const names = useNames(events.length > 0 ? buildingId : null, api);
  return (
    <Card title="Live" actions={<LiveState state={state} count={count} />}>
      <LiveTable of={events.slice(0, SHOWN_MAX)} names={names} />
    </Card>
  );
};
