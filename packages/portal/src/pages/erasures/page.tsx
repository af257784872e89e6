import type { JSX } from 'preact';
import { useRoute } from '../../router.ts';
import { ErasureDetail } from './detail.tsx';
import { ErasureList } from './list.tsx';
import { NewErasure } from './new.tsx';

export const ErasuresPage = (): JSX.Element => {
  const {
    path: [, id],
  } = useRoute();
  if (id === 'new') return <NewErasure />;
  return id === undefined ? <ErasureList /> : <ErasureDetail key={id} id={id} />;
};
