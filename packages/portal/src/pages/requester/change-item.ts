/** "Change it": a refused item of the outbox is put back into its form, and sent under a new id. */
import type { OutboxItem } from '../../outbox/outbox.ts';
import { useOutbox } from '../../outbox/use-outbox.ts';
import { to, useRoute } from '../../router.ts';

/** The server has refused the command itself, not only one of its photos. */
export const isChangeable = ({ refusal, ticketId }: OutboxItem): boolean =>
  refusal !== null && ticketId === null;

/** The address of the form with this item. */
export const changeAddress = ({ id, command }: OutboxItem): string =>
  to(command.kind === 'report' ? ['report'] : ['mine', command.ticketId], { change: id });

/** The item that the address names; `null`: none, or it has been sent or discarded. */
export const useChangedItem = (): OutboxItem | null => {
  const { query } = useRoute();
  const { items } = useOutbox();
  const id = query.get('change');
  return items.find((item) => item.id === id && isChangeable(item)) ?? null;
};
