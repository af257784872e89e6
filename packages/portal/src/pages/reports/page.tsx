import type { JSX } from 'preact';
import { useRoute } from '../../router.ts';
import { MonthPage } from './month.tsx';
import { ReportPage } from './report.tsx';

export const ReportsPage = (): JSX.Element =>
  useRoute().path[1] === 'month' ? <MonthPage /> : <ReportPage />;
