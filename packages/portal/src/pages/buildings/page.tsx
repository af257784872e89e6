import type { JSX } from 'preact';
import { useRoute } from '../../router.ts';
import { BuildingDetail } from './detail.tsx';
import { BuildingList } from './list.tsx';

export const BuildingsPage = (): JSX.Element => {
  const {
    path: [, id],
  } = useRoute();
  return id === undefined ? <BuildingList /> : <BuildingDetail key={id} id={id} />;
};
