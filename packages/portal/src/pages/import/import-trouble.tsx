/** Why an import failed, with the locations in the file. */
import type { JSX } from 'preact';
import { AtriumError } from '../../../../sdk/src/index.ts';
import { ConnectionLost } from '../../post-body.ts';
import { Icon } from '../../ui/icons.tsx';
import { fieldErrorsOf, wordsOf } from '../../ui/error-words.ts';
import { messageAfter, plainMessage } from '../../ui/plain-messages.ts';

/** Locations on screen. The server reports no more. */
const PLACES_MAX = 20;

const HELP: Readonly<Record<string, string>> = {
  RATE_LIMITED:
    'Only two imports per person and three per organisation can run at a time. Wait ' +
    'until one has finished, and try again. The file stays selected.',
  CONFLICT:
    'A code or an identifier is already in use. If the source system has issued new ' +
    'identifiers for the same codes, replace the building.',
  NOT_FOUND: 'This building no longer exists. Nothing was imported.',
  PAYLOAD_TOO_LARGE: 'Import the storeys one after the other.',
  UNAVAILABLE: 'Nothing was imported. Try again. The file stays selected.',
  VALIDATION_FAILED: 'Nothing was imported. Correct the file, and choose it again.',
};

const sentenceOf = (error: unknown): string => {
  if (error instanceof ConnectionLost)
    return (
      'The connection was lost, and the server did not respond again. Either everything ' +
      'was imported or nothing. Try again: the same import is repeated, and nothing is ' +
      'imported twice.'
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
                {path === '' ? (
                  plainMessage(message)
                ) : (
                  <>
                    <code>{path}</code>: {messageAfter(message)}
                  </>
                )}
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
