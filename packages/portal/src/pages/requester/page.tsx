/** The pages of requesters: report something, my reports. For a phone first. */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { PortalContext, useNewPortal } from '../../context.ts';
import { OutboxContext, useOpenOutbox } from '../../outbox/use-outbox.ts';
import { mySessions } from '../../navigation.ts';
import { to, useRoute } from '../../router.ts';
import { watchSession } from '../../session/banner.tsx';
import { apiOf } from '../../session/requests.ts';
import type { Session } from '../../session/session.ts';
import { switchTheme } from '../../theme.ts';
import { Button } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Empty } from '../../ui/notices.tsx';
import { Said } from '../../ui/said.tsx';
import { UnsavedProvider, useUnsavedInput } from '../../ui/unsaved.tsx';
import { MyReports } from './mine.tsx';
import { OneReport } from './one.tsx';
import { ReportSomething } from './report.tsx';

export const RequesterPages = ({ session }: { readonly session: Session }): JSX.Element => {
  useEffect(() => watchSession(session), [session]);
  return (
    <UnsavedProvider>
      <Frame session={session} />
    </UnsavedProvider>
  );
};

const Frame = ({ session }: { readonly session: Session }): JSX.Element => {
  const api = useMemo(() => apiOf(session), [session]);
  const { me } = session;
  const { portal, said } = useNewPortal(session, api);
  const outbox = useOpenOutbox(portal);
  const { path } = useRoute();
  const [place = 'report', id] = path;
  const main = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    document.title = 'Atrium';
    // The focus is lost if the link that had it is gone with its page.
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [place, id]);
  return (
    <PortalContext.Provider value={portal}>
      <OutboxContext.Provider value={outbox}>
        <div class="requester">
          <header class="top">
            <a class="brand" href="#/">
              <img src="/portal/icon.svg" alt="" width="26" height="26" />
              <span>{me.organisation ?? 'Atrium'}</span>
            </a>
            <Person session={session} />
          </header>
          <nav class="requester-nav" aria-label="Pages">
            {PAGES.map(([name, words]) => (
              <a
                key={name}
                href={to([name])}
                {...(name === place && { 'aria-current': 'page' as const })}
              >
                {words}
              </a>
            ))}
          </nav>
          <main id="main" ref={main} tabIndex={-1}>
            <Page place={place} id={id} />
          </main>
        </div>
        <Said words={said} />
      </OutboxContext.Provider>
    </PortalContext.Provider>
  );
};

const PAGES = [
  ['report', 'Report something'],
  ['mine', 'My reports'],
] as const;

const Page = ({
  place,
  id,
}: {
  readonly place: string;
  readonly id: string | undefined;
}): JSX.Element => {
  if (place === 'report') return <ReportSomething />;
  if (place === 'mine') return id === undefined ? <MyReports /> : <OneReport key={id} id={id} />;
  if (place === mySessions.path) return <mySessions.page />;
  return (
    <Empty title="There is no such page">
      <p>
        <a href={to(['report'])}>Report something</a>
      </p>
    </Empty>
  );
};

const Person = ({ session }: { readonly session: Session }): JSX.Element => {
  const { ask, inputs } = useUnsavedInput();
  const leave = () => session.signOut();
  return (
    <div class="person">
      <a
        class="button quiet"
        href={to([mySessions.path])}
        aria-label="My sessions"
        title={session.me.actor.name ?? session.me.actor.id}
      >
        <Icon name="person" />
      </a>
      <Button kind="quiet" icon="theme" label="Light or dark" onPress={switchTheme} />
      <Button
        kind="quiet"
        icon="leave"
        label="Sign out"
        onPress={() => (inputs.size > 0 ? ask(inputs, leave) : leave())}
      />
    </div>
  );
};
