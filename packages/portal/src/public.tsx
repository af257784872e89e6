/** Entry of the pages without sign-in: `/report` and `/report/status`. docs/decisions/0106. */
import { render } from 'preact';
import { PublicReportPage } from './pages/public/report.tsx';
import { StatusPage } from './pages/public/status.tsx';
import { applyTheme } from './theme.ts';
import { keepFocus } from './ui/focus.ts';

const isStatus = (): boolean => location.pathname === '/report/status';

const Page = () => (isStatus() ? <StatusPage /> : <PublicReportPage />);

applyTheme();
keepFocus();
render(<Page />, document.getElementById('public')!);
