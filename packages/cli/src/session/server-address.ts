/** The address of a server as a user writes it. contract.md section 10. */
import { CommandFailed } from '../failures.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws {@link CommandFailed} if it is no HTTP address, with the right spelling. */
export const serverAddress = (written: string): string => {
  if (/^https?:$/.test(URL.parse(written)?.protocol ?? '')) return written;
  throw new CommandFailed(`${written} is not the address of a server; write ${meant(written)}`);
};

/** Most often the scheme was left out: `localhost:` is read as one. */
const meant = (written: string): string => {
  const url = written.includes('://') ? null : URL.parse(`http://${written}`);
  if (url === null) return 'https:// and its name';
  return `${isLoopback(url) ? 'http' : 'https'}://${written}`;
};

export const isLoopback = ({ hostname }: URL): boolean =>
  /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/** The server that this environment would start. */
export const serverOnThisMachine = ({ PORT }: Environment): string =>
  `http://localhost:${PORT || 4000}`;
