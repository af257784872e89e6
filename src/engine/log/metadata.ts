/** By whom and through which channel a change came: recorded with every event. */

export interface Actor {
  /** `client` is a machine with its own token, `system` is the application. */
  readonly kind: 'user' | 'client' | 'key' | 'system';
  readonly id: string;
  /** The display name, where the credential contains it. */
  readonly name?: string;
  /** The person was erased: `id` is a placeholder. */
  readonly erased?: true;
}

/** The channel through which a change came, so that readers recognise their own writes. */
export type Origin = keyof Origins;

/** An application adds its own by declaration merging. */
export interface Origins {
  readonly api: true;
  readonly system: true;
}
