/**
 * Examples in OpenAPI, with the building and the ticket of a development server, whose ids are the
 * same everywhere: they can be sent unchanged, as a test does.
 */

/** In a schema's metadata, because zod drops its own `examples` from transforms. */
export const EXAMPLE = 'x-example';

export const exampled = (example: unknown) => ({ [EXAMPLE]: example });

export const demo = {
  buildingId: '6a712747-b16d-562d-8b11-4e04afc2f571',
  /** The first floor. */
  storeyId: '602a3e60-6ff8-5600-b495-1965bf13a930',
  /** The room 01-001. */
  spaceId: '2bbbfe68-a2df-5868-ae5b-1bf7ef1b220a',
  /** Its room controller. */
  elementId: '108fee28-948e-5707-b74a-cdcc4b016108',
  /** Its temperature. */
  pointId: '81199c49-5b35-5286-8e3b-cfdd5a87242c',
  /** Raised for that room, and new. */
  ticketId: '916ee21c-cdbb-5255-b2c2-094796fa6236',
} as const;
