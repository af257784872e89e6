/** How the process that draws a preview ends. Any other end is a failure of the decoder. */
export const DRAWN = 0;
/** The bytes cannot be decoded, or have too many pixels: for good. */
export const NO_PICTURE = 3;
/** The decoder is not installed. */
export const NO_DECODER = 4;
