/** Lost races for a number reservation after which the create is answered UNAVAILABLE. */
export const NUMBERS_ATTEMPTS_MAX = 50;
