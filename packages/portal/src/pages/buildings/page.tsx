import type { JSX } from 'preact';
import { useRoute } from '../../router.ts';
import { lazyPage } from '../../ui/lazy-page.tsx';
import { BuildingDetail } from './detail.tsx';
import { BuildingList } from './list.tsx';

const Import = lazyPage(async () => (await import('../import/page.tsx')).ImportPage);
const Plan = lazyPage(async () => (await import('../plan/page.tsx')).PlanPage);
const Labels = lazyPage(async () => (await import('../labels/page.tsx')).LabelsPage);

export const BuildingsPage = (): JSX.Element => {
  const {
    path: [, id, view],
  } = useRoute();
  if (id === 'import' || view === 'import') return <Import key={id} />;
  if (view === 'plan') return <Plan key={id} />;
  if (view === 'labels') return <Labels key={id} />;
  return id === undefined ? <BuildingList /> : <BuildingDetail key={id} id={id} />;
};
