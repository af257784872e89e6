/**
 * A reader of CloudEvents 1.0.2 in binary content mode, written from the specification: HTTP
 * binding, section 3.1, and context attributes, section 3.1. It refuses what a receiver may refuse.
 */
interface ReadEvent {
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject: string | null;
  readonly time: string | null;
  readonly data: unknown;
}

/** @throws If the headers and the body are no event of version 1.0 with JSON as its data. */
export const readCloudEvent = (
  header: (name: string) => string | null,
  body: string,
): ReadEvent => {
  const attribute = (name: string): string | null => {
    const text = header(`ce-${name}`);
    if (text === null) return null;
    if (!/^[\x20-\x7e]+$/.test(text)) throw new Error(`ce-${name} is no printable ASCII: ${text}`);
    if (/%(?![\dA-Fa-f]{2})/.test(text)) throw new Error(`ce-${name} has a bare percent: ${text}`);
    return decodeURIComponent(text);
  };
  const required = (name: string): string => {
    const value = attribute(name);
    if (value === null || value === '') throw new Error(`ce-${name} is missing`);
    return value;
  };
  if (required('specversion') !== '1.0') throw new Error('another version');
  if (header('ce-datacontenttype') !== null) throw new Error('the media type is in Content-Type');
  if (!/^application\/json\b/.test(header('content-type') ?? '')) throw new Error('no JSON');
  const time = attribute('time');
  const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
  if (time !== null && !rfc3339.test(time)) throw new Error(`no time: ${time}`);
  const source = required('source');
  if (!URL.canParse(source)) throw new Error(`no URI: ${source}`);
  return {
    id: required('id'),
    source,
    type: required('type'),
    subject: attribute('subject'),
    time,
    data: JSON.parse(body),
  };
};
