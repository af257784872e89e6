import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { to, useRoute, type Route } from '../../router.ts';
import { Card, useTitle } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { focusInvalid } from '../../ui/field-errors.ts';
import { TextArea } from '../../ui/fields.tsx';
import { Trouble } from '../../ui/notices.tsx';
import { parsed, written, type Configuration } from './document.ts';
import { DeskErrors, errorsIn, placeOf, type DeskError } from './errors.ts';
import { useClosing } from './half-typed.ts';
import { HoursEditor } from './hours.tsx';
import { LevelsEditor } from './levels.tsx';
import { PeopleEditor } from './people.tsx';
import { RequestTypesEditor } from './request-types.tsx';
import { RulesEditor } from './rules.tsx';
import { Simulation } from './simulate.tsx';
import { TabPanels } from './tabs.tsx';
import { Trials } from './trial.tsx';
import { WorkflowsEditor } from './workflows.tsx';

const ROWS = 32;

const TABS = [
  { name: 'levels', label: 'Service levels' },
  { name: 'hours', label: 'Business hours' },
  { name: 'rules', label: 'Routing' },
  { name: 'workflows', label: 'Workflows' },
  { name: 'types', label: 'Request types' },
  { name: 'people', label: 'People' },
  { name: 'try', label: 'Try it' },
  { name: 'json', label: 'JSON' },
] as const;
type TabName = (typeof TABS)[number]['name'];

const tabIn = ({ path }: Route): TabName =>
  TABS.find(({ name }) => name === path[1])?.name ?? 'levels';

/** The editor of each member of the document. */
const EDITORS: Readonly<Record<string, TabName>> = {
  slaPolicies: 'levels',
  calendars: 'hours',
  routingRules: 'rules',
  workflows: 'workflows',
  requestTypes: 'types',
  directory: 'people',
  timeZone: 'hours',
  personalDataMonths: 'people',
  requesterAccess: 'people',
};

interface Shown {
  readonly tab: TabName;
  /** The item to open: its index, or its name. */
  readonly item: string | null;
  /** A counter, so that the same item can be requested again. */
  readonly times: number;
}

/** The editors of the configuration, one per part; all of them write the same document. */
export const Editors = ({
  text,
  onText,
  refusal,
}: {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** The error of the last attempt to save. */
  readonly refusal: unknown;
}): JSX.Element | null => {
  const route = useRoute();
  const [shown, setShown] = useState<Shown>({ tab: tabIn(route), item: null, times: 0 });
  useEffect(() => {
    const tab = tabIn(route);
    setShown((last) => (last.tab === tab ? last : { tab, item: null, times: last.times + 1 }));
  }, [route]);
  useTitle(`${TABS.find(({ name }) => name === shown.tab)!.label} · Service desk`);
  const closing = useClosing();
  const [tried, setTried] = useState<unknown>(undefined);
  const panel = useRef<HTMLDivElement>(null);
  const error = tried ?? refusal;
  const sent = useSent(text, error);
  // The error of the latest attempt is shown, of saving or of trying.
  useEffect(() => setTried(undefined), [refusal]);
  const show = (tab: TabName, item: string | null = null) =>
    closing(() => {
      setShown(({ times }) => ({ tab, item, times: times + 1 }));
      // The address follows the tab without a navigation.
      history.replaceState(history.state, '', to(['desk', tab]));
    });
  useEffect(() => {
    if (shown.item !== null) focusInvalid(panel.current);
  }, [shown]);
  if (text === '') return null;
  const document = parsed(text);
  const errors = document instanceof Error || sent === null ? [] : errorsIn(error, sent, document);
  return (
    <DeskErrors.Provider value={errors}>
      {!(document instanceof Error) && errors.length > 0 && (
        <Refused
          of={errors}
          words={
            `The configuration was not ${tried === undefined ? 'saved' : 'tried'} because it has ` +
            'errors.'
          }
          configuration={document}
          onShow={show}
        />
      )}
      <TabPanels
        label="Parts of the configuration"
        tabs={TABS}
        chosen={shown.tab}
        onChosen={(tab) => show(tab)}
      >
        <div ref={panel} key={`${shown.tab} ${shown.item ?? ''} ${shown.item && shown.times}`}>
          {document instanceof Error && shown.tab !== 'json' ? (
            <>
              <Trouble error={document} />
              <Button onPress={() => show('json')}>Fix it in the JSON</Button>
            </>
          ) : (
            <Panel
              shown={shown}
              text={text}
              document={document instanceof Error ? null : document}
              onText={onText}
              onTried={setTried}
            />
          )}
        </div>
      </TabPanels>
    </DeskErrors.Provider>
  );
};

/** The configuration that was refused, as it was sent. */
const useSent = (text: string, error: unknown): Configuration | null => {
  const sent = useRef<{ error: unknown; of: Configuration | null }>({ error: null, of: null });
  if (sent.current.error !== error) {
    const document = parsed(text);
    sent.current = { error, of: document instanceof Error ? null : document };
  }
  return sent.current.of;
};

const Panel = ({
  shown: { tab, item },
  text,
  document,
  onText,
  onTried,
}: {
  readonly shown: Shown;
  readonly text: string;
  /** `null` if the text is not JSON. */
  readonly document: Configuration | null;
  readonly onText: (text: string) => void;
  readonly onTried: (error: unknown) => void;
}): JSX.Element => {
  if (tab === 'json' || document === null)
    return (
      <Card title="Document">
        {document === null && <Trouble error={parsed(text)} />}
        <TextArea
          label="The configuration as JSON"
          isLabelHidden
          isCode
          rows={ROWS}
          value={text}
          onValue={onText}
        />
      </Card>
    );
  const parts = {
    of: document,
    onChange: (next: Configuration) => onText(written(next)),
  };
  const at = item === null ? null : Number(item);
  if (tab === 'levels') return <LevelsEditor {...parts} shown={at} />;
  if (tab === 'hours') return <HoursEditor {...parts} shown={item} />;
  if (tab === 'rules') return <RulesEditor {...parts} shown={at} />;
  if (tab === 'workflows') return <WorkflowsEditor {...parts} shown={at} />;
  if (tab === 'types') return <RequestTypesEditor {...parts} shown={at} />;
  if (tab === 'people') return <PeopleEditor {...parts} />;
  return (
    <>
      <Trials of={document} onRefused={onTried} />
      <Simulation of={document} onRefused={onTried} />
    </>
  );
};

/** Links each refusal to its field. */
const Refused = ({
  of,
  words,
  configuration,
  onShow,
}: {
  readonly of: readonly DeskError[];
  readonly words: string;
  readonly configuration: Configuration;
  readonly onShow: (tab: TabName, item: string) => void;
}): JSX.Element => (
  <div class="trouble" role="alert">
    <div>
      <p>{words}</p>
      <ul>
        {of.map(({ path, message }) => {
          const place = placeOf(path, configuration);
          const tab = EDITORS[place.part];
          return (
            <li key={`${path} ${message}`}>
              {tab ? (
                <button type="button" class="link" onClick={() => onShow(tab, place.item)}>
                  {place.words}
                </button>
              ) : (
                place.words
              )}
              : {message}
            </li>
          );
        })}
      </ul>
    </div>
  </div>
);
