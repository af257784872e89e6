// Kernel (design.md decisions 4 to 6)
/** Lost races for a reservation of numbers after which the create is answered UNAVAILABLE. */
export const NUMBERS_ATTEMPTS_MAX = 50;
