/** The version of this package, for the `User-Agent` header. */
export const VERSION = "0.1.0";
