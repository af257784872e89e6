/** The command palette: finds tickets, rooms, pages and the actions of the current page by name. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { usePortal } from '../context.ts';
import type { Place } from '../navigation.ts';
import { useAllRooms } from '../pages/rooms.ts';
import { titleOf, type Ticket } from '../pages/tickets/words.tsx';
import { go } from '../router.ts';
import { Dialog } from '../ui/controls.tsx';
import { narrowed, OptionList, type Option } from '../ui/picker.tsx';
import { Keys } from './help.tsx';
import { useKeyboard } from './keys.ts';

interface Entry extends Option {
  readonly run: () => void;
}

/** Debounce of the search. */
const TYPING_MS = 150;
const TICKETS_MAX = 8;
const ROOMS_MAX = 8;

export const Palette = ({
  places,
  onClose,
}: {
  readonly places: readonly Place[];
  readonly onClose: () => void;
}): JSX.Element => {
  const { may } = usePortal();
  const [text, setText] = useState('');
  const keyboard = useKeyboard();
  const tickets = useFoundTickets(text);
  const rooms = useAllRooms();
  const commands = useMemo<readonly Entry[]>(
    () => [
      ...keyboard
        .actions()
        .filter(({ group }) => group !== 'Go to')
        .map(({ keys, words, run }) => ({
          value: `key ${keys}`,
          label: words,
          hint: <Keys of={keys} />,
          run,
        })),
      ...places.map(({ path, name }) => ({
        value: `page ${path}`,
        label: name,
        hint: <span class="faint small">Page</span>,
        run: () => go([path]),
      })),
    ],
    [keyboard, places],
  );
  const inRooms = may('service-desk.tickets:read')
    ? rooms.map(({ id, code, name }) => ({
        value: `room ${id}`,
        label: `${code} ${name}`,
        hint: <span class="faint small">Tickets of this room</span>,
        run: () => go(['tickets'], { spaceId: id }),
      }))
    : [];
  const options: readonly Entry[] =
    text.trim() === ''
      ? commands
      : [
          ...tickets.map((ticket) => ({
            value: `ticket ${ticket.id}`,
            label: `${ticket.number} ${titleOf(ticket)}`,
            hint: <span class="faint small">Ticket</span>,
            run: () => go(['tickets', ticket.id]),
          })),
          ...narrowed(commands, text),
          ...narrowed(inRooms, text).slice(0, ROOMS_MAX),
        ];
  return (
    <Dialog title="Go to or do" onClose={onClose}>
      <OptionList
        label="Tickets, rooms, pages and actions"
        placeholder="Number, words, place or action"
        options={options}
        onText={setText}
        onChoose={({ run }) => {
          onClose();
          // Deferred until the closing dialog has restored the focus, so that the action can move
          // it.
          setTimeout(run);
        }}
      />
    </Dialog>
  );
};

const useFoundTickets = (text: string): readonly Ticket[] => {
  const { api, may } = usePortal();
  const [found, setFound] = useState<readonly Ticket[]>([]);
  const search = text.trim();
  useEffect(() => {
    if (search === '' || !may('service-desk.tickets:read')) return setFound([]);
    const leaving = new AbortController();
    const look = async () => {
      const query = { search, limit: TICKETS_MAX };
      const { signal } = leaving;
      const { data } = await api.GET('/api/service-desk/requests', { params: { query }, signal });
      setFound(data.items);
    };
    // A failed search yields no results; the other entries stay.
    const timer = setTimeout(() => void look().catch(() => setFound([])), TYPING_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [api, search]);
  return found;
};
