/** The result of an import, and the next steps. */
import type { JSX } from 'preact';
import { to } from '../../router.ts';
import { Card, Table, type Column } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { CountTable, Remarks } from './count-table.tsx';
import { countRows, differences, isNothing, type Difference } from './counts.ts';
import type { Report } from './use-import.ts';

const columns: readonly Column<Difference>[] = [
  { name: 'What', cell: ({ what }) => what },
  { name: 'In the check', isNumber: true, cell: ({ expected }) => expected.toLocaleString('en') },
  { name: 'Imported', isNumber: true, cell: ({ actual }) => actual.toLocaleString('en') },
];

export const ImportReport = ({
  of: { result, expected, isReplayed },
  isReplaced,
  onRestart,
}: {
  readonly of: Report;
  readonly isReplaced: boolean;
  readonly onRestart: () => void;
}): JSX.Element => {
  const others = differences(expected, result, isReplaced);
  const rows = countRows(result, isReplaced);
  return (
    <Card>
      <div class="stack">
        {isReplayed && (
          <p class="notice">
            An earlier attempt had already imported the file. This is its result.
          </p>
        )}
        {isNothing(rows) ? (
          <p>The building already had everything in the file: nothing was changed.</p>
        ) : (
          <CountTable of={result} isReplaced={isReplaced} caption="Imported" />
        )}
        {others.length > 0 && (
          <section class="stack">
            <p class="notice" role="alert">
              The building was changed between the check and the import, so the result differs from
              the check:
            </p>
            <Table
              caption="Differences"
              columns={columns}
              rows={others}
              keyOf={({ what }) => what}
            />
          </section>
        )}
        <Remarks of={result} isDone />
        <div class="row">
          <a class="button primary" href={to(['buildings', result.buildingId, 'plan'])}>
            <Icon name="plan" />
            Open the plan
          </a>
          <a class="button" href={to(['buildings', result.buildingId])}>
            Open the building
          </a>
          <Button onPress={onRestart}>Import another file</Button>
        </div>
      </div>
    </Card>
  );
};
