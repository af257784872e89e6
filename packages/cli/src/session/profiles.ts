/**
 * Sessions on disk: one file a profile, in the configuration directory of the operating system,
 * readable by its owner alone. contract.md section 10.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CommandFailed } from '../failures.ts';

export interface Session {
  /** The server that it is a session of, and the only one that is sent its token. */
  readonly server: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly accessToken: string;
  /** Of the access token, ISO 8601. */
  readonly expiresAt: string;
  /** `null`: the issuer gave none, and the session ends with its access token. */
  readonly refreshToken: string | null;
  /** For people. */
  readonly name: string;
}

export interface Profiles {
  readonly directory: string;
  /** The path of this profile's file, which may not exist. */
  fileOf(profile: string): string;
  /** `null`: no session. @throws {@link CommandFailed} if the file is no session. */
  read(profile: string): Promise<Session | null>;
  /** Atomic: a concurrent reader sees the old or the new session. */
  write(profile: string, session: Session): Promise<void>;
  remove(profile: string): Promise<void>;
  names(): Promise<readonly string[]>;
  /** The one that is meant where none is named; `default` until another was chosen. */
  chosen(): Promise<string>;
  choose(profile: string): Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT = 'default';
/** Beside the profiles, whose files have an ending. */
const CHOSEN = 'chosen-profile';

export const profilesOf = (env: Environment): Profiles => {
  const directory = configurationDirectory(env);
  const fileOf = (profile: string) => join(directory, `${checked(profile)}.json`);
  return {
    directory,
    fileOf,
    async read(profile) {
      const text = await readIfThere(fileOf(profile));
      return text === null ? null : sessionIn(text, fileOf(profile));
    },
    write: (profile, session) => replace(directory, fileOf(profile), JSON.stringify(session)),
    remove: (profile) => rm(fileOf(profile), { force: true }),
    async names() {
      const files = await readdir(directory).catch(absent);
      return (files ?? [])
        .filter((file) => file.endsWith('.json'))
        .map((file) => file.slice(0, -'.json'.length))
        .toSorted();
    },
    async chosen() {
      const file = join(directory, CHOSEN);
      const name = (await readIfThere(file))?.trim() ?? DEFAULT;
      if (!isName(name))
        throw new CommandFailed(`${file} names no profile; remove it, and ${DEFAULT} is used`);
      return name;
    },
    choose: (profile) => replace(directory, join(directory, CHOSEN), `${checked(profile)}\n`),
  };
};

const configurationDirectory = (env: Environment): string => {
  const { XDG_CONFIG_HOME, APPDATA, HOME } = env;
  if (XDG_CONFIG_HOME) return join(XDG_CONFIG_HOME, 'atrium');
  if (process.platform === 'win32' && APPDATA) return join(APPDATA, 'atrium');
  return join(HOME || homedir(), '.config', 'atrium');
};

/** A name is a part of a path: it may not lead elsewhere. */
const checked = (profile: string): string => {
  if (isName(profile)) return profile;
  throw new CommandFailed(`not a valid profile name: ${JSON.stringify(profile)}`);
};

const isName = (profile: string): boolean => /^[A-Za-z0-9][\w.-]{0,63}$/.test(profile);

const readIfThere = async (file: string): Promise<string | null> => {
  try {
    return await readFile(file, 'utf8').catch(absent);
  } catch (error) {
    throw new CommandFailed(`${file} cannot be read: ${(error as Error).message}`, error);
  }
};

const absent = (error: unknown): null => {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
};

const sessionIn = (text: string, file: string): Session => {
  try {
    const session = JSON.parse(text) as Session;
    const { server, issuer, clientId, accessToken, expiresAt, refreshToken } = session;
    const isWhole =
      URL.canParse(server) &&
      URL.canParse(issuer) &&
      [clientId, accessToken, refreshToken ?? ''].every((text) => typeof text === 'string') &&
      !Number.isNaN(Date.parse(expiresAt));
    if (isWhole) return session;
  } catch {
    // Told below, as for a file of another kind.
  }
  throw new CommandFailed(`${file} is not a session file; remove it and sign in again`);
};

const replace = async (directory: string, file: string, text: string): Promise<void> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const beside = `${file}.${randomUUID()}.new`;
  try {
    const handle = await open(beside, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      // A refresh token that is lost with the machine cannot be had again.
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
};
