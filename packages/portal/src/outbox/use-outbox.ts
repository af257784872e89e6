import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useReducer } from 'preact/hooks';
import type { Portal } from '../context.ts';
import { openOutbox, type Outbox, type OutboxItem } from './outbox.ts';
import { senderOf } from './sender.ts';
import { outboxStore } from './store.ts';

export const OutboxContext = createContext<Outbox | null>(null);

/** The outbox of the person who has signed in; it sends while the portal is open, on any page. */
export const useOpenOutbox = ({ api, session, me }: Portal): Outbox => {
  const outbox = useMemo(
    () =>
      openOutbox({
        store: outboxStore([me.actor.id, me.organisation]),
        sender: senderOf(api, session),
      }),
    [api, session, me],
  );
  useEffect(() => {
    const seen = () => {
      if (!document.hidden) outbox.wake();
    };
    addEventListener('online', outbox.wake);
    document.addEventListener('visibilitychange', seen);
    return () => {
      removeEventListener('online', outbox.wake);
      document.removeEventListener('visibilitychange', seen);
      outbox.close();
    };
  }, [outbox]);
  return outbox;
};

export const useOutbox = (): { readonly outbox: Outbox; readonly items: readonly OutboxItem[] } => {
  const outbox = useContext(OutboxContext);
  if (outbox === null) throw new Error('outside the pages of requesters');
  const [, render] = useReducer<number, undefined>((times) => times + 1, 0);
  useEffect(() => outbox.subscribe(() => render(undefined)), [outbox]);
  return { outbox, items: outbox.items() };
};
