import type { JSX } from 'preact';
import { useRoute } from '../../router.ts';
import { SandboxDetail } from './detail.tsx';
import { SandboxList } from './list.tsx';

export const SandboxesPage = (): JSX.Element => {
  const {
    path: [, id],
  } = useRoute();
  return id === undefined ? <SandboxList /> : <SandboxDetail key={id} id={id} />;
};
