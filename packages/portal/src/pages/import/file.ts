/** Checks the file before it is uploaded. contract.md section 6. */

import { bytesText } from '../../bytes.ts';

export type Format = 'ifc' | 'json';

/** The media types that the server accepts. */
export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  ifc: 'application/x-step',
  json: 'application/json',
};

/** The server's `IMPORT_BODY_BYTES_MAX`. */
export const FILE_BYTES_MAX = 64 * 1024 * 1024;

/** Bytes of the file's beginning by which its format is detected. */
const HEAD_BYTES = 1_024;

export interface ChosenFile {
  readonly file: File;
  readonly format: Format;
}

/** The signatures of common files that are not supported. */
const OTHERS: readonly (readonly [string, string])[] = [
  ['PK\u0003\u0004', 'This is an archive, such as ifcZIP. Unpack it and choose the file in it.'],
  ['\u001f\u008b', 'This file is compressed. Unpack it and choose the file in it.'],
  ['<', 'This is XML. ifcXML is not supported: export the model as IFC (STEP).'],
];

const ENDINGS: readonly (readonly [RegExp, Format])[] = [
  [/\.(ifc|stp|step)$/i, 'ifc'],
  [/\.json$/i, 'json'],
];

/**
 * The format by content, else by file extension.
 *
 * @param head The first bytes of the file, a character each.
 * @throws an error with a sentence for the user.
 */
export const formatOf = (head: string, name: string): Format => {
  // A byte order mark in UTF-8.
  const text = head.replace(/^\u00ef\u00bb\u00bf/, '').trimStart();
  if (text.startsWith('ISO-10303-21')) return 'ifc';
  if (text.startsWith('{')) return 'json';
  const other = OTHERS.find(([beginning]) => text.startsWith(beginning));
  if (other) throw new Error(other[1]);
  const ending = ENDINGS.find(([pattern]) => pattern.test(name));
  if (ending) return ending[1];
  throw new Error('This is neither an IFC file nor a JSON document.');
};

/** @throws an error with a sentence for the user; `NotReadableError` of the browser. */
export const chosenFile = async (file: File): Promise<ChosenFile> => {
  if (file.size === 0) throw new Error('This file is empty, or a folder.');
  if (file.size > FILE_BYTES_MAX) {
    const most = bytesText(FILE_BYTES_MAX);
    throw new Error(
      `This file has ${bytesText(file.size)}, and at most ${most} can be imported. ` +
        'Export its storeys in turn, and add them one after the other.',
    );
  }
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  return { file, format: formatOf(String.fromCharCode(...head), file.name) };
};
