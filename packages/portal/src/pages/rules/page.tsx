/** The diagnostic rules of a building: the list, and the form of a new one. */
import type { JSX } from 'preact';
import { useRoute } from '../../router.ts';
import type { OfBuilding } from '../buildings/detail.tsx';
import { NewRule } from './new.tsx';
import { RuleList } from './list.tsx';

export const RulesPage = ({ buildingId }: OfBuilding): JSX.Element => {
  const { path, query } = useRoute();
  return path[3] === 'new' ? (
    <NewRule key={query.toString()} buildingId={buildingId} />
  ) : (
    <RuleList buildingId={buildingId} />
  );
};
