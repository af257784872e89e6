/** The frame of every page: the account, the navigation and the latest confirmation. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { PortalContext, useNewPortal, type Portal } from './context.ts';
import { mySessions, placesFor, unlisted, type Place } from './navigation.ts';
import { GlobalKeys } from './keys/global.tsx';
import { createKeyboard, KeyboardContext, type Keyboard } from './keys/keys.ts';
import { changeFeed, type ChangeFeed } from './pages/tickets/change-feed.ts';
import { LiveNotice } from './pages/tickets/live-notice.tsx';
import { FeedContext } from './pages/tickets/live.ts';
import { to, useRoute } from './router.ts';
import { watchSession } from './session/banner.tsx';
import { SandboxNotice } from './session/sandbox-notice.tsx';
import { apiOf, type Api, type Me } from './session/requests.ts';
import type { Session } from './session/session.ts';
import { switchTheme } from './theme.ts';
import { Button } from './ui/controls.tsx';
import { Icon } from './ui/icons.tsx';
import { lazyPage } from './ui/lazy-page.tsx';
import { QuickActionsProvider, useQuickActions } from './ui/quick-actions.tsx';
import { setTime } from './ui/now.ts';
import { Said } from './ui/said.tsx';
import { UnsavedProvider, useUnsavedInput } from './ui/unsaved.tsx';

const NoPage = lazyPage(async () => (await import('./no-page.tsx')).NoPage);

/** Loaded with the first action, or if an earlier page has left an unanswered one. */
const unansweredOfTickets = async () =>
  (await import('./pages/tickets/unanswered.tsx')).UnansweredOfTickets;

export const Shell = ({ session }: { readonly session: Session }): JSX.Element => {
  const api = useMemo(() => apiOf(session), [session]);
  useEffect(() => watchSession(session), [session]);
  return (
    <UnsavedProvider>
      <Frame session={session} api={api} me={session.me} />
    </UnsavedProvider>
  );
};

const Frame = ({
  session,
  api,
  me,
}: {
  readonly session: Session;
  readonly api: Api;
  readonly me: Me;
}): JSX.Element => {
  const [isMenuOpen, setMenuOpen] = useState(false);
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const places = useMemo(() => placesFor(me), [me]);
  const place = [...places, ...unlisted].find(
    ({ path }) => path === (route.path[0] ?? places[0]?.path),
  );
  const { portal, said } = useNewPortal(session, api);
  const feed = useTicketFeed(portal);
  const isTimed = useSandboxTime(portal);
  const keyboard = useKeyboardOfPage();
  const address = route.path.join('/');
  // A layout effect: it runs before the effects of the page, whose head may set its own title.
  useLayoutEffect(() => {
    document.title = place ? `${place.name} · Atrium` : 'Atrium';
    setMenuOpen(false);
  }, [place, address]);
  const isFirst = useRef(true);
  useEffect(() => {
    // The focus is lost if the link that had it is gone with its page.
    const isNowhere = document.activeElement === document.body;
    if (isNowhere && !isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [address]);

  return (
    <PortalContext.Provider value={portal}>
      <OfAllPages feed={feed} keyboard={keyboard}>
        <QuickActionsProvider loadUnanswered={unansweredOfTickets}>
          <a
            class="skip"
            href="#main"
            onClick={(event) => {
              event.preventDefault();
              main.current?.focus();
            }}
          >
            Skip to content
          </a>
          <div class={`frame${me.sandbox ? ' in-sandbox' : ''}`}>
            {me.sandbox && <SandboxNotice of={me.sandbox} />}
            <header class="top">
              <Button
                kind="quiet"
                icon={isMenuOpen ? 'close' : 'menu'}
                label="Menu"
                onPress={() => setMenuOpen(!isMenuOpen)}
              />
              <a class="brand" href="#/">
                <img src="/portal/icon.svg" alt="" width="26" height="26" />
                Atrium
              </a>
              <span class="organisation">{me.organisation ?? 'All organisations'}</span>
              <GlobalKeys places={places} />
              <Person me={me} session={session} />
            </header>
            <Navigation places={places} current={place} isOpen={isMenuOpen} />
            <main id="main" ref={main} tabIndex={-1}>
              <LiveNotice />
              {!isTimed ? null : place ? (
                <place.page key={place.path} />
              ) : (
                <NoPage path={route.path[0]} me={me} places={places} />
              )}
            </main>
          </div>
          <Said words={said} />
        </QuickActionsProvider>
      </OfAllPages>
    </PortalContext.Provider>
  );
};

/** Follows the clock of a sandbox. @returns whether pages can count times. */
const useSandboxTime = ({ api, me: { sandbox } }: Portal): boolean => {
  const [ahead, setAhead] = useState<number | null>(sandbox ? null : 0);
  useEffect(() => {
    if (!sandbox) return;
    const goOn = () => setAhead((last) => last ?? 0);
    const read = () =>
      void api.GET('/api/v1/clock').then(({ data }) => setAhead(setTime(data.now)), goOn);
    read();
    // A sandbox that starts answers late.
    setTimeout(goOn, CLOCK_WAIT_MS);
    // The clock is moved in another window.
    addEventListener('focus', read);
    return () => removeEventListener('focus', read);
  }, [api, sandbox]);
  return ahead !== null;
};

/** Pages are shown without the clock of a sandbox after this long. */
const CLOCK_WAIT_MS = 2_000;

const useKeyboardOfPage = (): Keyboard => {
  const [keyboard] = useState(createKeyboard);
  useEffect(() => () => keyboard.close(), [keyboard]);
  return keyboard;
};

const OfAllPages = ({
  feed,
  keyboard,
  children,
}: {
  readonly feed: ChangeFeed | null;
  readonly keyboard: Keyboard;
  readonly children: ComponentChildren;
}): JSX.Element => (
  <FeedContext.Provider value={feed}>
    <KeyboardContext.Provider value={keyboard}>{children}</KeyboardContext.Provider>
  </FeedContext.Provider>
);

/** Follows the tickets of the organisation while the portal is open, on whichever page. */
const useTicketFeed = ({ api, me, may }: Portal): ChangeFeed | null => {
  const [feed] = useState(() =>
    may('service-desk.tickets:read') && me.organisation !== null
      ? changeFeed(api.fetch, `${me.organisation}.${me.actor.id}`)
      : null,
  );
  useEffect(() => () => feed?.close(), [feed]);
  return feed;
};

const Navigation = ({
  places,
  current,
  isOpen,
}: {
  readonly places: readonly Place[];
  readonly current: Pick<Place, 'path'> | undefined;
  readonly isOpen: boolean;
}): JSX.Element => (
  <nav class={`side${isOpen ? ' open' : ''}`} aria-label="Pages of the portal">
    <ul>
      {places.map((place) => (
        <li key={place.path}>
          <a
            href={to([place.path])}
            {...(place === current && { 'aria-current': 'page' as const })}
          >
            <Icon name={place.icon} />
            {place.name}
          </a>
        </li>
      ))}
    </ul>
    <p class="side-end">
      <a href="/docs">API reference</a>
    </p>
  </nav>
);

const Person = ({ me, session }: { readonly me: Me; readonly session: Session }): JSX.Element => {
  const signOut = useSignOut(session);
  return (
    <div class="person">
      <span class="person-name">
        <strong>{me.actor.name ?? me.actor.id}</strong>
        <span class="small">{me.roles.join(', ')}</span>
      </span>
      <a
        class="button quiet"
        href={to([mySessions.path])}
        aria-label="My sessions"
        title="My sessions"
      >
        <Icon name="person" />
      </a>
      <Button kind="quiet" icon="theme" label="Light or dark" onPress={switchTheme} />
      <Button kind="quiet" icon="leave" label="Sign out" onPress={signOut} />
    </div>
  );
};

/** How long sign-out waits for commands that have no answer yet, in milliseconds. */
const SIGN_OUT_WAITS_MS = 5_000;

/** Asks about unsaved input, and sends held actions, before the session ends. */
const useSignOut = (session: Session): (() => void) => {
  const { ask, inputs } = useUnsavedInput();
  const { flush } = useQuickActions();
  const leave = async () => {
    const waited = new Promise((resolve) => setTimeout(resolve, SIGN_OUT_WAITS_MS));
    await Promise.race([flush(), waited]);
    session.signOut();
  };
  return () => (inputs.size > 0 ? ask(inputs, () => void leave()) : void leave());
};
