import type { JSX } from 'preact';
import { useRoute } from '../../router.ts';
import { KeyDetail } from './detail.tsx';
import { KeyList } from './list.tsx';

export const KeysPage = (): JSX.Element => {
  const { path } = useRoute();
  return path[1] === undefined ? <KeyList /> : <KeyDetail key={path[1]} keyId={path[1]} />;
};
