/** This package's version, for the `User-Agent` header; a test holds it to package.json. */
export const VERSION = "0.1.0";
