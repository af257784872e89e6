/** The contents and the sheet of labels, kept in the address of the page. */
import type { JSX } from 'preact';
import { ask, useRoute } from '../../router.ts';
import { Button } from '../../ui/controls.tsx';
import { SelectField, type Choice } from '../../ui/fields.tsx';
import type { Storey } from '../plan/storey-plan.ts';
import type { LabelChoice } from './places.ts';
import { labelSheets, labelsOn, sheetOf, sheetWords, type LabelSheet } from './sheets.ts';

export interface LabelRoute extends LabelChoice {
  readonly sheet: LabelSheet;
  /** The index of the first free position on the first sheet, from 0. */
  readonly start: number;
  readonly show: (next: Readonly<Record<string, string | number | null>>) => void;
}

const KINDS = [
  ['space', 'Rooms'],
  ['element', 'Elements'],
] as const;

export const useLabelRoute = (): LabelRoute => {
  const route = useRoute();
  const of = (name: string) => route.query.get(name);
  const sheet = sheetOf(of('sheet'));
  const first = Number(of('first') ?? 1);
  const isPlace = Number.isInteger(first) && first >= 1 && first <= labelsOn(sheet);
  return {
    kind: of('kind') === 'element' ? 'element' : 'space',
    storeyId: of('storey'),
    spaceId: of('space'),
    sheet,
    start: isPlace ? first - 1 : 0,
    show: (next) => ask(route, next),
  };
};

export const Choices = ({
  route: { kind, storeyId, spaceId, sheet, start, show },
  storeys,
}: {
  readonly route: LabelRoute;
  readonly storeys: readonly Storey[];
}): JSX.Element => (
  <div class="toolbar labels-choices">
    <SelectField
      label="Labels for"
      value={kind}
      choices={KINDS}
      onValue={(next) => show({ kind: next })}
    />
    {spaceId === null ? (
      <SelectField
        label="Storey"
        value={storeyId ?? ''}
        choices={[['', 'All storeys'], ...storeys.map(({ id, name }) => [id, name] as const)]}
        onValue={(next) => show({ storey: next })}
      />
    ) : (
      <Button onPress={() => show({ space: null })}>All rooms</Button>
    )}
    <SelectField
      label="Sheet"
      value={sheet.slug}
      choices={labelSheets.map((labelSheet) => [labelSheet.slug, sheetWords(labelSheet)])}
      onValue={(next) => show({ sheet: next, first: null })}
    />
    <SelectField
      label="First free label"
      value={String(start + 1)}
      choices={placesOn(sheet)}
      onValue={(next) => show({ first: next })}
    />
  </div>
);

const placesOn = (sheet: LabelSheet): readonly Choice[] =>
  Array.from({ length: labelsOn(sheet) }, (_, at) => {
    const [row, column] = [Math.floor(at / sheet.columns) + 1, (at % sheet.columns) + 1];
    return [String(at + 1), `${at + 1} (row ${row}, column ${column})`];
  });
