/**
 * The presence of people at a ticket: reports this person and lists the others.
 * contract.md section 5, «Presence».
 */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { AtriumError } from '../../../../sdk/src/index.ts';
import { usePortal } from '../../context.ts';
import { isSelf } from '../../session/me.ts';
import type { Api, Schemas } from '../../session/requests.ts';
import { actorName } from '../../ui/content.tsx';

type Present = Schemas['Presence']['items'][number];
type State = Present['state'] | 'left';

/** The server expires a presence after 30 s. */
const REPEAT_MS = 15_000;

/** @returns `null` from a server without presence. */
const sendPresence = async (
  api: Api,
  id: string,
  state: State,
): Promise<readonly Present[] | null> => {
  try {
    const { data } = await api.POST('/api/service-desk/requests/{id}/presence', {
      params: { path: { id } },
      body: { state },
      keepalive: state === 'left',
    });
    return data.items;
  } catch (error) {
    if (AtriumError.is(error, 'NOT_FOUND')) return null;
    throw error;
  }
};

/**
 * Reports that the person views or edits the ticket while the page is visible, and lists others who
 * do.
 */
export const Presence = ({
  id,
  isEditing,
}: {
  readonly id: string;
  readonly isEditing: boolean;
}): JSX.Element | null => {
  const { api, me } = usePortal();
  const [present, setPresent] = useState<readonly Present[]>([]);
  const state = isEditing ? 'editing' : 'viewing';
  useEffect(() => {
    let timer: ReturnType<typeof setInterval> | undefined;
    const end = () => clearInterval(timer);
    let isWaiting = false;
    const report = () => {
      // A report may wait for a new sign-in; one of them is enough.
      if (document.hidden || isWaiting) return;
      isWaiting = true;
      sendPresence(api, id, state)
        .then(
          (found) => (found === null ? end() : setPresent(found)),
          // The notice of the lost connection covers the failure; the next interval retries.
          () => setPresent([]),
        )
        .finally(() => (isWaiting = false));
    };
    timer = setInterval(report, REPEAT_MS);
    document.addEventListener('visibilitychange', report);
    report();
    return () => {
      end();
      document.removeEventListener('visibilitychange', report);
    };
  }, [api, id, state]);
  // A presence without an end expires.
  useEffect(() => () => void sendPresence(api, id, 'left').catch(() => null), [api, id]);
  const others = present.filter(({ actor }) => !isSelf(me, actor));
  if (others.length === 0) return null;
  return (
    <p class="presence" role="status">
      {others.map(({ actor, state }) => `${actorName(actor)} is ${state}`).join(' · ')}
    </p>
  );
};
