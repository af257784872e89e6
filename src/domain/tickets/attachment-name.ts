import { isBlank } from '../blank.ts';
import { normalised } from '../normalised.ts';
import { ATTACHMENT_NAME_CHARACTERS_MAX } from './limits.ts';

/**
 * A file's name as it is stored: without a path, and without characters that hide its extension or
 * that a file system refuses. A long name is shortened before its extension.
 */
export const attachmentName = (sent: string): string => {
  const last = normalised(sent, 'NFC').split(/[/\\]/).at(-1)!;
  const visible = last.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim();
  const characters = Array.from(visible);
  const ending = Array.from(/\.[^.]{1,10}$/u.exec(visible)?.[0] ?? '');
  if (isBlank(visible) || /^\.+$/.test(visible)) return 'file';
  if (characters.length <= ATTACHMENT_NAME_CHARACTERS_MAX) return visible;
  const room = ATTACHMENT_NAME_CHARACTERS_MAX - ending.length;
  return [...characters.slice(0, room), ...ending].join('');
};
