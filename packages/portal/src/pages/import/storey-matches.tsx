/** Maps the storeys of a model to those of the building, where they were not found. */
import type { JSX } from 'preact';
import type { Schemas } from '../../session/requests.ts';
import { Table, type Column } from '../../ui/content.tsx';
import { useStoreys } from '../places.ts';
import type { Importing } from './use-import.ts';

type Match = Schemas['StoreyMatch'];

const FOUND: Readonly<Record<Match['by'], string>> = {
  externalId: 'the same identifier',
  code: 'the same code',
  elevation: 'the same name and height',
  given: 'chosen',
  new: 'not found',
};

const NEW = 'new';

const keyOf = ({ from }: Match): string => from.externalId ?? from.code;

/** The query separates storeys by commas, so a key must not contain one. */
const mayBeGiven = (match: Match): boolean => !keyOf(match).includes(',');

export const StoreyMatches = ({
  of: { choices, set },
  matches,
  buildingId,
}: {
  readonly of: Importing;
  readonly matches: readonly Match[];
  readonly buildingId: string;
}): JSX.Element | null => {
  const storeys = useStoreys(buildingId);
  if (matches.length === 0) return null;
  const columns: readonly Column<Match>[] = [
    { name: 'Storey of the file', cell: ({ from }) => from.name },
    {
      name: 'Storey of the building',
      cell: (match) => (
        <select
          aria-label={`Storey of the building for ${match.from.name}`}
          disabled={!mayBeGiven(match)}
          value={match.by === 'new' ? NEW : (match.to.id ?? NEW)}
          onChange={({ currentTarget: { value } }) =>
            set({ storeys: { ...choices.storeys, [keyOf(match)]: value } })
          }
        >
          {storeys.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          <option value={NEW}>A new storey</option>
        </select>
      ),
    },
    { name: 'Matched by', cell: ({ by }) => FOUND[by] },
  ];
  return (
    <section class="stack">
      <h3>Storeys</h3>
      <p class="hint">After a change, the file is checked again.</p>
      <Table caption="Storeys" columns={columns} rows={matches} keyOf={keyOf} />
    </section>
  );
};
