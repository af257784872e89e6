/** Why an import failed, with the locations in the file. */
import type { JSX } from 'preact';
import { AtriumError } from '../../../../sdk/src/index.ts';
import { ConnectionLost } from '../../post-body.ts';
import { Icon } from '../../ui/icons.tsx';
import { fieldErrorsOf, wordsOf } from '../../ui/notices.tsx';
import { plainMessage } from '../../ui/plain-messages.ts';

/** Locations on screen. The server reports no more. */
const PLACES_MAX = 20;

const HELP: Readonly<Record<string, string>> = {
  RATE_LIMITED:
    'Of one person two imports run at a time, of one organisation three. Wait until one has ' +
    'ended, and try again: the file stays chosen.',
  CONFLICT:
    'A code or an identifier is in use already. Where a system has issued new identifiers under ' +
    'the same codes, replace the building.',
  NOT_FOUND: 'This building is not there any more. Nothing was imported.',
  PAYLOAD_TOO_LARGE: 'Import its storeys in turn, and add them one after the other.',
  UNAVAILABLE: 'Nothing was imported. Try again: the file stays chosen.',
  VALIDATION_FAILED: 'Nothing was imported. Correct the file, and choose it again.',
};

const sentenceOf = (error: unknown): string => {
  if (error instanceof ConnectionLost)
    return (
      'The connection was lost, and the server did not answer again. All of it was imported, or ' +
      'nothing. Try again: the same import is asked for, which imports nothing twice.'
    );
  return wordsOf(error);
};

export const ImportTrouble = ({ error }: { readonly error: unknown }): JSX.Element | null => {
  if (error === undefined) return null;
  const places = fieldErrorsOf(error).slice(0, PLACES_MAX);
  const help = AtriumError.is(error) ? HELP[error.code] : undefined;
  return (
    <div class="trouble" role="alert">
      <Icon name="warning" />
      <div class="stack">
        {places.length === 0 && <p>{sentenceOf(error)}</p>}
        {places.length > 0 && (
          <ul class="import-places">
            {places.map(({ path, message }, at) => (
              <li key={`${at} ${path}`}>
                {path !== '' && (
                  <>
                    <code>{path}</code>{' '}
                  </>
                )}
                {plainMessage(message)}
              </li>
            ))}
          </ul>
        )}
        {places.length === PLACES_MAX && <p>These are the first {PLACES_MAX} places.</p>}
        {help && <p>{help}</p>}
        {AtriumError.is(error) && (
          <p class="faint small">
            {error.code} · request {error.requestId}
          </p>
        )}
      </div>
    </div>
  );
};
