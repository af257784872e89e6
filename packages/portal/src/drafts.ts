/**
 * Drafts of unsent input: they survive a reload, a crash and the end of the session, and are
 * removed when they are sent or discarded.
 */
import {
  DRAFT,
  keptValues,
  type Keeping,
  type Kept,
  type KeptIn,
  type KeptValues,
} from './kept.ts';

export const DRAFTS_MAX = 50;
export const DRAFT_LENGTH_MAX = 200_000;

/** Drafts by form and record. @param owner The person and the organisation. */
export const draftsOf = (owner: readonly (string | null)[], keptIn?: KeptIn): KeptValues =>
  keptValues(DRAFT, owner, { max: DRAFTS_MAX, lengthMax: DRAFT_LENGTH_MAX }, keptIn);

interface Draft {
  /** Changes with the content. */
  readonly commandId: string;
}

export interface OwnDraft<Content extends Draft> {
  /** The draft that an earlier page has left. */
  readonly found: Kept<Content> | null;
  readonly write: (content: Content) => Keeping;
  readonly remove: () => void;
}

/**
 * The draft of one open form. Where another tab has the same form open, each has a draft of its
 * own: neither overwrites or removes the other's.
 */
export const ownDraft = <Content extends Draft>(
  drafts: KeptValues,
  name: string,
): OwnDraft<Content> => {
  const further = `${name}#`;
  const names = [name, ...drafts.names().filter((other) => other.startsWith(further))];
  let slot = names.find((other) => drafts.read(other) !== null) ?? name;
  const found = drafts.read<Content>(slot);
  let commandId = found?.content.commandId;
  const stored = () => drafts.read<Content>(slot)?.content.commandId;
  return {
    found,
    write(content) {
      const current = stored();
      if (current !== undefined && current !== commandId) slot = further + crypto.randomUUID();
      commandId = content.commandId;
      return drafts.write(slot, content);
    },
    remove() {
      if (stored() === commandId) drafts.remove(slot);
    },
  };
};
