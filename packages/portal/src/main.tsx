/** Entry: determines who has signed in, and renders the pages that they may open. */
import { render } from 'preact';
import { preload, RequesterPages } from './navigation.ts';
import { routeIn } from './router.ts';
import { isRequester, readSession } from './session/me.ts';
import { announce, endWindow, openSession } from './session/session.ts';
import { refusalIn } from './session/refusals.ts';
import { Welcome } from './session/welcome.tsx';
import { Shell } from './shell.tsx';
import { applyTheme } from './theme.ts';
import { keepFocus } from './ui/focus.ts';

const root = document.getElementById('portal')!;

const start = async (): Promise<void> => {
  try {
    const refusal = refusalIn(location.search);
    if (location.search !== '') history.replaceState(null, '', `/${location.hash}`);
    preload(routeIn(location.hash).path[0]);
    const me = await readSession();
    if (me !== null) {
      const Pages = isRequester(me) ? RequesterPages : Shell;
      return render(<Pages session={openSession(me)} />, root);
    }
    announce();
    render(<Welcome canSignIn error={refusal} />, root);
  } catch (error) {
    render(<Welcome canSignIn={false} error={error} />, root);
  }
};

applyTheme();
keepFocus();
if (endWindow()) root.textContent = 'You are signed in. This window can be closed.';
else void start();
