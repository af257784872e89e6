import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { Api, Me, Permission } from './session/requests.ts';
import type { Session } from './session/session.ts';

export interface Portal {
  readonly session: Session;
  readonly api: Api;
  readonly me: Me;
  readonly may: (permission: Permission) => boolean;
  /** Confirms a completed action for a few seconds. */
  readonly say: (words: string) => void;
}

const SAID_MS = 6_000;

/** What the pages of a session share, and the latest confirmation. */
export const useNewPortal = (
  session: Session,
  api: Api,
): { readonly portal: Portal; readonly said: string } => {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return;
    const timer = setTimeout(() => setSaid(''), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const { me } = session;
  const portal = useMemo<Portal>(
    () => ({
      session,
      api,
      me,
      may: (permission) => me.permissions.includes(permission),
      say: setSaid,
    }),
    [session, api, me],
  );
  return { portal, said };
};

export const PortalContext = createContext<Portal | null>(null);

export const usePortal = (): Portal => {
  const portal = useContext(PortalContext);
  if (portal === null) throw new Error('outside the shell');
  return portal;
};
