import type { JSX } from 'preact';
import { useRoute } from '../../router.ts';
import { SandboxDetail } from './detail.tsx';
import { SandboxList } from './list.tsx';
import { Snapshots } from './snapshots.tsx';

export const SandboxesPage = (): JSX.Element => {
  const {
    path: [, id],
  } = useRoute();
  if (id !== undefined) return <SandboxDetail key={id} id={id} />;
  return (
    <>
      <SandboxList />
      <Snapshots />
    </>
  );
};
