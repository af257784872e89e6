/** The state of the import page: a file, its dry run, its import. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { AtriumError } from '../../../../sdk/src/index.ts';
import { usePortal } from '../../context.ts';
import type { Schemas } from '../../session/requests.ts';
import type { Preview } from './counts.ts';
import { chosenFile, MEDIA_TYPES, type ChosenFile } from './file.ts';
import { BEGINNING, runImport, type RunState } from './run.ts';

export type Mode = 'add' | 'replace';

export interface Choices {
  readonly mode: Mode;
  /** The name of the model in the file; blank: the building's own. */
  readonly model: string;
  /** GlobalId of the building to import from a file of several; blank: the only one. */
  readonly building: string;
  /** Storeys of the file, by external identifier, else code → storey of the building, or `new`. */
  readonly storeys: Readonly<Record<string, string>>;
}

const AT_FIRST: Choices = { mode: 'add', model: '', building: '', storeys: {} };

type FileBuilding = Schemas['FileBuilding'];

export interface Report {
  readonly result: Schemas['BuildingImport'];
  /** The result of its dry run. */
  readonly expected: Preview;
  /** Whether an earlier attempt had already completed the import. */
  readonly isReplayed: boolean;
}

type Step =
  | { readonly name: 'choosing' }
  | { readonly name: 'checking'; readonly run: RunState }
  | { readonly name: 'checked'; readonly preview: Preview }
  | { readonly name: 'importing'; readonly preview: Preview; readonly run: RunState }
  | { readonly name: 'done'; readonly report: Report };

export interface Importing {
  readonly step: Step;
  readonly chosen: ChosenFile | null;
  readonly choices: Choices;
  /** The buildings of a file of several; empty if the server listed none. */
  readonly buildings: readonly FileBuilding[];
  /** The error of the file, of the dry run or of the import. */
  readonly error: unknown;
  readonly choose: (files: readonly File[]) => void;
  readonly set: (choices: Partial<Choices>) => void;
  readonly check: () => void;
  readonly go: () => void;
  /** Aborts the upload. */
  readonly cancel: () => void;
  /** Starts over with another file. */
  readonly restart: () => void;
}

/** @param buildingId `null`: a new building. */
export const useImport = (buildingId: string | null): Importing => {
  const { session } = usePortal();
  const [step, setStep] = useState<Step>({ name: 'choosing' });
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  const [choices, setChoices] = useState(AT_FIRST);
  const [buildings, setBuildings] = useState<readonly FileBuilding[]>([]);
  const [error, setError] = useState<unknown>(undefined);
  const latest = useRef<File | null>(null);
  const running = useRef<AbortController | null>(null);
  // The idempotency key: the same file with the same choices is one command, however often it is
  // sent.
  const key = useRef(crypto.randomUUID());
  useEffect(() => () => running.current?.abort(), []);

  /** Discards results, which are valid for the previous choices only. */
  const reset = () => {
    key.current = crypto.randomUUID();
    setStep({ name: 'choosing' });
    setError(undefined);
  };
  const choose = (files: readonly File[]) => {
    const [file] = files;
    if (file === undefined || running.current) return;
    reset();
    setChosen(null);
    setBuildings([]);
    // The model and the mode stay; the other choices belong to the previous file.
    setChoices((last) => ({ ...last, building: '', storeys: {} }));
    latest.current = file;
    const find = async () => {
      if (files.length > 1) throw new Error('Choose one file at a time.');
      const found = await chosenFile(file);
      if (latest.current === file) setChosen(found);
    };
    find().catch(setError);
  };
  const send = (isDryRun: boolean, onState: (run: RunState) => void) => {
    const { file, format } = chosen!;
    const query = queryOf(choices, buildingId === null);
    if (isDryRun) query.set('dryRun', 'true');
    const into = buildingId === null ? '' : `/${encodeURIComponent(buildingId)}`;
    const path = `/api/v1/buildings${into}/import?${query}`;
    const leaving = new AbortController();
    running.current = leaving;
    setError(undefined);
    onState(BEGINNING);
    const upload = { path, file, type: MEDIA_TYPES[format], key: key.current };
    return runImport(session, upload, onState, leaving.signal).finally(() => {
      running.current = null;
    });
  };
  const fail = (back: Step) => (failure: unknown) => {
    setStep(back);
    setError(failure);
    if (!AtriumError.is(failure, 'VALIDATION_FAILED')) return;
    const { buildings: named = [] } = failure.problem;
    if (named.length > 0) setBuildings(named);
  };
  return {
    step,
    chosen,
    choices,
    buildings,
    error,
    choose,
    set(some) {
      setChoices((last) => ({ ...last, ...some }));
      reset();
    },
    check() {
      const checked = async () => {
        const { result } = await send(true, (run) => setStep({ name: 'checking', run }));
        setStep({ name: 'checked', preview: result });
      };
      checked().catch(fail({ name: 'choosing' }));
    },
    go() {
      if (step.name !== 'checked') return;
      const { preview } = step;
      const imported = async () => {
        const answer = await send(false, (run) => setStep({ name: 'importing', preview, run }));
        // A later import of the same file is a new command.
        key.current = crypto.randomUUID();
        const { buildingId = '', ...counts } = answer.result;
        const report = {
          result: { buildingId, ...counts },
          expected: preview,
          isReplayed: answer.replayed,
        };
        setStep({ name: 'done', report });
      };
      imported().catch(fail(step));
    },
    cancel: () => running.current?.abort(new Cancelled()),
    restart() {
      reset();
      setChosen(null);
      setBuildings([]);
      setChoices(AT_FIRST);
    },
  };
};

const queryOf = ({ mode, model, building, storeys }: Choices, isNew: boolean): URLSearchParams => {
  const mappings = Object.entries(storeys).map(([from, to]) => `${from}:${to}`);
  return new URLSearchParams({
    ...(building !== '' && { building }),
    ...(!isNew && { replace: String(mode === 'replace') }),
    ...(!isNew && model !== '' && { model }),
    ...(!isNew && mappings.length > 0 && { storeys: mappings.join(',') }),
  });
};

/** The user cancelled the upload. */
export class Cancelled extends Error {
  constructor() {
    super('The upload was cancelled. An incomplete upload is not imported.');
    this.name = 'Cancelled';
  }
}
